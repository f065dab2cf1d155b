package stats

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
)

// tuple is what the bootstrap sees of a cluster: its sum and its size, and how
// many clusters have both.
type tuple struct {
	s, n  float64
	count int
}

// tuples are the distinct tuples of a sample, in an order that depends on
// nothing but them: most frequent first, then by sum and size.
type tuples struct {
	rows     []tuple
	lattice  lattice // of the sums; unit 1 and q 1 without one
	exact    bool    // sums are integers on the lattice
	clusters int
	equal    bool // every cluster has the same size
}

func (c *Clustered) tuples() tuples {
	rows := make([]tuple, len(c.ids))
	for g := range c.ids {
		rows[g] = tuple{s: c.sums[g], n: c.sizes[g], count: 1}
		if c.exact {
			rows[g].s = 0
			for _, v := range c.values[c.start[g]:c.start[g+1]] {
				rows[g].s += c.lattice.index(v)
			}
		}
	}
	return c.newTuples(rows)
}

// singletons treats every value as a cluster of its own.
func (c *Clustered) singletons() tuples {
	rows := slices.Clone(c.distinct)
	if c.exact {
		for i := range rows {
			rows[i].s = c.lattice.index(rows[i].s)
		}
	}
	return c.newTuples(rows)
}

// newTuples merges equal rows.
func (c *Clustered) newTuples(rows []tuple) tuples {
	t := tuples{lattice: lattice{1, 1}, exact: c.exact, equal: true}
	if c.exact {
		t.lattice = c.lattice
	}
	slices.SortFunc(rows, func(a, b tuple) int { return cmp.Or(cmp.Compare(a.s, b.s), cmp.Compare(a.n, b.n)) })
	for _, r := range rows {
		t.clusters += r.count
		t.equal = t.equal && r.n == rows[0].n
		if k := len(t.rows) - 1; k >= 0 && t.rows[k].s == r.s && t.rows[k].n == r.n {
			t.rows[k].count += r.count
		} else {
			t.rows = append(t.rows, r)
		}
	}
	slices.SortStableFunc(t.rows, func(a, b tuple) int { return cmp.Compare(b.count, a.count) })
	return t
}

// step is the lattice's step for people, such as 1/4.
func (t tuples) step() string {
	if t.lattice.unit == 1 {
		return fmt.Sprintf("1/%g", t.lattice.q)
	}
	return fmt.Sprintf("%.6g", t.lattice.unit/t.lattice.q)
}

// fewEnough says whether to draw counts of the distinct tuples rather than
// clusters one by one: a binomial costs as much as about twenty indices.
func (t tuples) fewEnough() bool { return len(t.rows)*20 <= t.clusters }

// indexed repeats each distinct tuple's number as often as it occurs.
func (t tuples) indexed() []int {
	out := make([]int, 0, t.clusters)
	for k, r := range t.rows {
		for range r.count {
			out = append(out, k)
		}
	}
	return out
}

// conditionals are the binomials that draw a multinomial: given what the
// earlier tuples took, tuple k takes Binomial(rest, count_k / counts from k on).
func (t tuples) conditionals() []binomial {
	out, left := make([]binomial, len(t.rows)), float64(t.clusters)
	for k, r := range t.rows {
		out[k] = newBinomial(float64(r.count) / left)
		left -= float64(r.count)
	}
	return out
}

// eachReplicate calls run for 0..b-1 on GOMAXPROCS workers. A replicate may
// write only what is its own. cost is the size of one, in draws.
func eachReplicate(b, cost int, run func(r int)) {
	workers := min(runtime.GOMAXPROCS(0), b)
	if float64(b)*float64(cost) < 50_000 {
		workers = 1
	}
	var wait sync.WaitGroup
	for w := range workers {
		lo, hi := b*w/workers, b*(w+1)/workers
		if w == workers-1 { // the caller works too
			for r := lo; r < hi; r++ {
				run(r)
			}
			break
		}
		wait.Go(func() {
			for r := lo; r < hi; r++ {
				run(r)
			}
		})
	}
	wait.Wait()
}

// ClusterWeights fills counts with one multinomial draw of len(counts) from
// len(counts) clusters: how often each is in resample number replicate. It is
// for statistics that are resampled jointly, and allocates nothing. Equal seed,
// replicate and length give equal counts; any goroutine may call it.
func ClusterWeights(seed, replicate uint64, counts []int32) {
	clear(counts)
	if len(counts) == 0 {
		return
	}
	s, d := newStream(seed, replicate), newDie(len(counts))
	for i := len(counts); i > 1; i -= 2 {
		a, b := d.pair(&s)
		counts[a]++
		counts[b]++
	}
	if len(counts)%2 == 1 {
		a, _ := d.pair(&s)
		counts[a]++
	}
}

// nearest is the ceil(p*len)-th of the ascending values, the inverse of their
// distribution function, for p in [0,1]; p*len a rounding error above an
// integer counts as that integer.
func nearest(ascending []float64, p float64) float64 {
	return ascending[rank(p, len(ascending))-1]
}

func rank(p float64, b int) int {
	return min(max(int(math.Ceil(p*float64(b)-1e-6)), 1), b)
}
