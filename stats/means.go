package stats

import (
	"math"
	"slices"
)

// means draws the resampled means, replicate by replicate.
func (t tuples) means(r Resample) []float64 {
	if t.fewEnough() {
		return t.meansByCount(r)
	}
	return t.meansByIndex(r)
}

func (t tuples) meansByCount(r Resample) []float64 {
	out, draws := make([]float64, r.B), t.conditionals()
	eachReplicate(r.B, 20*len(t.rows), func(i int) {
		stream, rest, s, n := newStream(r.Seed, uint64(i)), float64(t.clusters), 0.0, 0.0
		for k := range t.rows {
			if rest == 0 {
				break
			}
			w := rest
			if k < len(t.rows)-1 {
				w = draws[k].draw(&stream, rest)
			}
			rest -= w
			s += w * t.rows[k].s
			n += w * t.rows[k].n
		}
		out[i] = s / n
	})
	return out
}

func (t tuples) meansByIndex(r Resample) []float64 {
	out, d := make([]float64, r.B), newDie(t.clusters)
	if t.equal {
		sums := make([]float64, 0, t.clusters)
		for _, k := range t.indexed() {
			sums = append(sums, t.rows[k].s)
		}
		size := t.rows[0].n * float64(t.clusters)
		eachReplicate(r.B, t.clusters, func(i int) {
			stream := newStream(r.Seed, uint64(i))
			out[i] = sumOf(sums, d, &stream) / size
		})
		return out
	}
	pairs := make([][2]float64, 0, t.clusters)
	for _, k := range t.indexed() {
		pairs = append(pairs, [2]float64{t.rows[k].s, t.rows[k].n})
	}
	eachReplicate(r.B, t.clusters, func(i int) {
		stream := newStream(r.Seed, uint64(i))
		out[i] = ratioOf(pairs, d, &stream)
	})
	return out
}

// sumOf adds len(x) draws from x. Its loop is the whole cost of a bootstrap by
// index: the generator and the die are written out, and two sums run side by
// side.
func sumOf(x []float64, d die, s *stream) float64 {
	var even, odd float64
	state, n, reject := s.state, d.n, d.reject
	for i := len(x); i > 1; i -= 2 {
		state += golden
		w := mix(state)
		a, b := (w&math.MaxUint32)*n, (w>>32)*n
		if a&math.MaxUint32 < reject || b&math.MaxUint32 < reject {
			s.state = state
			a, b = d.redraw(s, a, b)
			state = s.state
		}
		even += x[a>>32]
		odd += x[b>>32]
	}
	s.state = state
	if len(x)%2 == 1 {
		a, _ := d.pair(s)
		even += x[a]
	}
	return even + odd
}

// ratioOf is the sum of the first entries of len(x) draws from x over the sum
// of the second.
func ratioOf(x [][2]float64, d die, s *stream) float64 {
	var sum, size [2]float64
	for i := len(x); i > 1; i -= 2 {
		a, b := d.pair(s)
		sum[0], size[0] = sum[0]+x[a][0], size[0]+x[a][1]
		sum[1], size[1] = sum[1]+x[b][0], size[1]+x[b][1]
	}
	if len(x)%2 == 1 {
		a, _ := d.pair(s)
		sum[0], size[0] = sum[0]+x[a][0], size[0]+x[a][1]
	}
	return (sum[0] + sum[1]) / (size[0] + size[1])
}

// order sorts resampled means. On a lattice with equal clusters they are few
// enough distinct multiples of 1/size to be counted instead.
func order(means []float64, t tuples) {
	lo, hi := slices.Min(means), slices.Max(means)
	_, size := t.mean()
	bins := (hi-lo)*size + 1
	if !t.exact || !t.equal || bins > float64(4*len(means)) {
		slices.Sort(means)
		return
	}
	counts, first := make([]int32, int(math.Round(bins))), math.Round(lo*size)
	for _, m := range means {
		counts[int(math.Round(m*size-first))]++
	}
	i := 0
	for k, c := range counts {
		m := (first + float64(k)) / size
		for range c {
			means[i] = m
			i++
		}
	}
}
