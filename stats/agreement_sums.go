package stats

import (
	"cmp"
	"slices"
)

// meeting is a pair of categories c <= k, as indices, that two marks of one unit
// have in some unit.
type meeting struct{ c, k int32 }

// meetingCount is how many ordered pairs of marks of a unit have the categories
// of a meeting, in either order.
type meetingCount struct {
	at int32 // index into the ratings' meetings
	n  float64
}

// cross is a pair of marks of one unit: the lower rater a gave c, b gave k. All
// are indices.
type cross struct{ a, b, c, k int32 }

// duo is a pair of raters a < b, as indices, and where its crosses lie.
type duo struct {
	a, b   int32
	lo, hi int
}

// sums are what the coefficients need to know of the patterns. They are linear
// in the weights, save for the mean squares, so that a resample costs one pass
// over the patterns and each figure a few operations a pair of categories.
type sums struct {
	marked, shared float64   // units with one mark or more, with two or more
	n              float64   // marks of shared units
	nc             []float64 // by category: marks of shared units
	share          []float64 // by category: share of a unit's marks, summed over marked units
	coincidence    []float64 // by meeting: ordered pairs / (m_u - 1), both orders
	agreement      []float64 // by meeting: ordered pairs / (m_u (m_u - 1)), both orders
	cross          []float64 // by cross: units
	anova          anova
}

// index numbers the pairs of categories, within units and between raters.
func (r *Ratings) index() {
	meetings, crosses := map[meeting]int32{}, map[cross]bool{}
	for i := range r.patterns {
		p := &r.patterns[i]
		p.values = make([]float64, len(p.cells))
		for j, c := range p.cells {
			p.values[j] = r.categories[c.category]
		}
		p.meetings = r.join(p.tally, meetings)
		eachCross(p.cells, func(x cross) { crosses[x] = true })
	}
	for x := range crosses {
		r.crosses = append(r.crosses, x)
	}
	slices.SortFunc(r.crosses, compareCross)
	for i, x := range r.crosses {
		if last := len(r.duos) - 1; last < 0 || r.duos[last].a != x.a || r.duos[last].b != x.b {
			r.duos = append(r.duos, duo{a: x.a, b: x.b, lo: i})
		}
		r.duos[len(r.duos)-1].hi = i + 1
	}
	for i := range r.patterns {
		p := &r.patterns[i]
		eachCross(p.cells, func(x cross) {
			at, _ := slices.BinarySearchFunc(r.crosses, x, compareCross)
			p.crosses = append(p.crosses, int32(at))
		})
	}
}

func compareCross(x, y cross) int {
	return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b), cmp.Compare(x.c, y.c), cmp.Compare(x.k, y.k))
}

func eachCross(cells []cell, do func(cross)) {
	for i, b := range cells {
		for _, a := range cells[:i] {
			do(cross{a.rater, b.rater, a.category, b.category})
		}
	}
}

// join counts the ordered pairs of marks of a tally; new pairs of categories
// join r.meetings.
func (r *Ratings) join(tally []count, known map[meeting]int32) []meetingCount {
	var out []meetingCount
	add := func(c, k int32, n float64) {
		if n == 0 {
			return
		}
		at, ok := known[meeting{c, k}]
		if !ok {
			at = int32(len(r.meetings))
			known[meeting{c, k}] = at
			r.meetings = append(r.meetings, meeting{c, k})
		}
		out = append(out, meetingCount{at, n})
	}
	for i, a := range tally {
		add(a.category, a.category, a.n*(a.n-1))
		for _, b := range tally[i+1:] {
			add(a.category, b.category, 2*a.n*b.n)
		}
	}
	return out
}

// newSums has room for the sums of r.
func (r *Ratings) newSums() sums {
	q, j := len(r.categories), len(r.meetings)
	room := make([]float64, 2*q+2*j+len(r.crosses)+len(r.raters))
	cut := func(n int) []float64 {
		out := room[:n:n]
		room = room[n:]
		return out
	}
	return sums{nc: cut(q), share: cut(q), coincidence: cut(j), agreement: cut(j), cross: cut(len(r.crosses)),
		anova: anova{byRater: cut(len(r.raters))}}
}

// sum fills r.sums from r.weight.
func (r *Ratings) sum() {
	s := &r.sums
	s.marked, s.shared, s.n = 0, 0, 0
	for _, v := range [][]float64{s.nc, s.share, s.coincidence, s.agreement, s.cross} {
		clear(v)
	}
	for i := range r.patterns {
		p, w := &r.patterns[i], float64(r.weight[i])
		if w == 0 {
			continue
		}
		m := p.m()
		s.marked += w
		for _, a := range p.tally {
			s.share[a.category] += w * a.n / m
		}
		if m < 2 {
			continue
		}
		s.shared += w
		s.n += w * m
		for _, a := range p.tally {
			s.nc[a.category] += w * a.n
		}
		for _, j := range p.meetings {
			s.coincidence[j.at] += w * j.n / (m - 1)
			s.agreement[j.at] += w * j.n / (m * (m - 1))
		}
		for _, at := range p.crosses {
			s.cross[at] += w
		}
	}
	s.anova.of(r)
}
