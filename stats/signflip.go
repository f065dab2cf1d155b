package stats

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// SignFlip is the result of a sign-flip test.
type SignFlip struct {
	P      float64 // two-sided, in (0,1]
	Exact  bool    // false: Monte Carlo
	Draws  int     // of the Monte Carlo; 0 when exact
	Method string  // for people, such as "exact, lattice of step 1/4"
}

// signFlipDraws is the number of Monte Carlo draws. One more, the observed
// signs, joins them in p.
const signFlipDraws = 99_999

// enumerable is the number of sign vectors up to which a test off the lattice
// is exact: 25 clusters whose |S_g| differ.
const enumerable = 1 << 25

// Bounds of a test that is exact on the lattice: additions up to which the plain
// convolution is quick, additions (some two seconds) and numbers held at most.
const quickWork, convolvableWork, convolvableCells = 1 << 24, 2e9, 1 << 24

// SignFlipClusters tests that every cluster sum S_g is symmetric about 0:
//
//	p = P(|sum s_g S_g| >= |sum S_g|), s_g = +1 or -1 with probability 1/2 each
//
// It assumes that clusters are independent, and nothing within them. It is
// exact by convolution when the values lie on a lattice, as ratings do (to all
// digits, or to ten where clusters are thousands), and by
// enumeration for 25 clusters or fewer (more, if some |S_g| are equal); else it
// is a Monte Carlo of 99,999 draws, p = (1+k)/(1+draws), and says so. No p lies
// below 2^(1-NonZero): 6 clusters cannot give less than .031. A p below the
// range of float64 is given as its smallest number. Every sample has a p; only
// an empty one, which NewClustered does not make, is an error. Fisher (1935),
// section 21.
func (c *Clustered) SignFlipClusters(seed uint64) (SignFlip, error) {
	if len(c.values) == 0 {
		return SignFlip{}, errors.New("sign flip by clusters: no values (want at least one)")
	}
	return signFlip(c.tuples(), seed), nil
}

// SignFlipPairs is [Clustered.SignFlipClusters] with every value a cluster of
// its own: it assumes that the values are independent.
func (c *Clustered) SignFlipPairs(seed uint64) (SignFlip, error) {
	if len(c.values) == 0 {
		return SignFlip{}, errors.New("sign flip by pairs: no values (want at least one)")
	}
	return signFlip(c.singletons(), seed), nil
}

// magnitude is an |S_g| > 0 and how many clusters have it.
type magnitude struct {
	size  float64
	count int
}

func signFlip(t tuples, seed uint64) SignFlip {
	groups, observed := magnitudes(t)
	total, clusters, vectors := 0.0, 0, 1.0
	for _, g := range groups {
		total += g.size * float64(g.count)
		clusters += g.count
		vectors *= float64(g.count + 1)
	}
	limit := (total - math.Abs(observed)) / 2 // of the sum of the sizes whose sign is turned
	if clusters == 0 || (t.exact && observed == 0) {
		return SignFlip{P: 1, Exact: true, Method: "exact, the sum is 0"}
	}
	if t.exact {
		if p, ok := onLattice(groups, clusters, limit); ok {
			return SignFlip{P: p, Exact: true, Method: "exact, lattice of step " + t.step()}
		}
	}
	if vectors <= enumerable {
		return SignFlip{P: enumerate(groups, limit+rounding*total), Exact: true, Method: "exact, enumeration"}
	}
	p := sampleSigns(groups, math.Abs(observed)-rounding*total, seed)
	return SignFlip{P: p, Draws: signFlipDraws, Method: fmt.Sprintf("Monte Carlo, %d draws", signFlipDraws)}
}

// onLattice is the exact p by the plain convolution where that is quick, else
// by the tilted one; false where both would take too long.
func onLattice(groups []magnitude, clusters int, limit float64) (float64, bool) {
	divisor := divisor(groups)
	cells := math.Floor(limit/divisor) + 1
	work := cells * float64(clusters)
	if work > quickWork && tiltedWork(groups, divisor) <= convolvableWork {
		if p, ok := tilted(groups, divisor, limit); ok {
			return p, true
		}
	}
	if cells <= convolvableCells && work <= convolvableWork {
		return convolve(groups, divisor, limit), true
	}
	return 0, false
}

// magnitudes groups the tuples by |S_g|, largest first, in lattice steps where
// there is a lattice, and gives their signed sum. Zero sums drop out.
func magnitudes(t tuples) (groups []magnitude, sum float64) {
	all := make([]magnitude, 0, len(t.rows))
	for _, r := range t.rows {
		sum += r.s * float64(r.count)
		if r.s != 0 {
			all = append(all, magnitude{math.Abs(r.s), r.count})
		}
	}
	slices.SortFunc(all, func(a, b magnitude) int { return cmp.Compare(b.size, a.size) })
	for _, m := range all {
		if k := len(groups) - 1; k >= 0 && groups[k].size-m.size <= rounding*m.size {
			groups[k].count += m.count
		} else {
			groups = append(groups, m)
		}
	}
	return groups, sum
}

// convolve is twice P(X <= limit) for X the sum of each size, an integer, with
// probability 1/2. Only the lower tail is ever held, and only by additions, so
// that a p of 1e-21 has all its digits.
func convolve(groups []magnitude, divisor, limit float64) float64 {
	tail := make([]float64, int(limit/divisor)+1) // counts of sign vectors, scaled by powers of two
	tail[0] = 1
	top, pending, halvings := 0, 0, 0
	for _, g := range groups {
		a := int(g.size / divisor)
		for range g.count {
			top = min(top+a, len(tail)-1)
			for j := top; j >= a; j-- {
				tail[j] += tail[j-a]
			}
			if pending++; pending == 512 {
				rescale(tail, -pending)
				halvings, pending = halvings+pending, 0
			}
		}
	}
	rescale(tail, -pending)
	sum := 0.0
	for _, x := range tail {
		sum += x
	}
	return min(1, max(2*sum, math.SmallestNonzeroFloat64))
}

func rescale(x []float64, exponent int) {
	f := math.Ldexp(1, exponent)
	for i := range x {
		x[i] *= f
	}
}

// divisor is the greatest common divisor of sizes that are integers.
func divisor(groups []magnitude) float64 {
	a := 0
	for _, g := range groups {
		for b := int(g.size); b != 0; {
			a, b = b, a%b
		}
	}
	return float64(a)
}

// partial is a sum over some clusters and the number of sign vectors that give
// it.
type partial struct{ sum, ways float64 }

// enumerate is twice P(X <= limit) as in convolve, for any sizes: all sums of
// two halves of the groups, sorted, and matched by two pointers (Horowitz &
// Sahni 1974), which takes the square root of the work of visiting each vector.
func enumerate(groups []magnitude, limit float64) float64 {
	low, high := []partial{{0, 1}}, []partial{{0, 1}}
	for _, g := range groups {
		if len(low) <= len(high) {
			low = addGroup(low, g)
		} else {
			high = addGroup(high, g)
		}
	}
	for _, h := range [][]partial{low, high} {
		slices.SortFunc(h, func(a, b partial) int { return cmp.Compare(a.sum, b.sum) })
	}
	tail, ways, j := 0.0, 0.0, 0
	for i := len(low) - 1; i >= 0; i-- {
		for ; j < len(high) && low[i].sum+high[j].sum <= limit; j++ {
			ways += high[j].ways
		}
		tail += low[i].ways * ways
	}
	return min(1, 2*tail)
}

// addGroup turns 0..count of a group's signs. Ways are probabilities.
func addGroup(sums []partial, g magnitude) []partial {
	out := make([]partial, 0, len(sums)*(g.count+1))
	for k := 0; k <= g.count; k++ {
		w := math.Exp(logChoose(g.count, k) - float64(g.count)*math.Ln2)
		if g.count == 1 {
			w = 0.5
		}
		for _, s := range sums {
			out = append(out, partial{s.sum + float64(k)*g.size, s.ways * w})
		}
	}
	return out
}

// sampleSigns is the Monte Carlo p of |sum s_g S_g| >= observed.
func sampleSigns(groups []magnitude, observed float64, seed uint64) float64 {
	hit := make([]bool, signFlipDraws)
	fair := newBinomial(0.5)
	eachReplicate(len(hit), len(groups), func(r int) {
		s, sum := newStream(seed, uint64(r)), 0.0
		for _, g := range groups {
			sum += g.size * (2*coins(&s, g.count, &fair) - float64(g.count))
		}
		hit[r] = math.Abs(sum) >= observed
	})
	k := 1
	for _, h := range hit {
		if h {
			k++
		}
	}
	return float64(k) / (signFlipDraws + 1)
}
