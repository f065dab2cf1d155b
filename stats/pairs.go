package stats

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// PairsT is Student's t interval of the mean, mean -+ t(n-1) * sd/sqrt(n), with
// every value a cluster of its own; level lies in (0,1). It assumes independent
// values, which pairs of one task are not, and is there to compare with
// published figures: with many pairs a task it covers half of what it says. Exact
// for normal values. It is undefined, and an error says so, for fewer than two
// values and when all are equal. Student (1908).
func (c *Clustered) PairsT(level float64) (Interval, error) {
	if err := checkShare("level", level); err != nil {
		return Interval{}, fmt.Errorf("pairs t interval: %w", err)
	}
	n := float64(len(c.values))
	switch {
	case n < 2:
		return Interval{}, fmt.Errorf("pairs t interval: %d values (want at least 2)", len(c.values))
	case len(c.distinct) == 1:
		return Interval{}, fmt.Errorf("pairs t interval: undefined, because every value is %g", c.values[0])
	}
	se := deviation(c.values) / math.Sqrt(n)
	if se <= rounding*math.Abs(c.mean) {
		return Interval{}, fmt.Errorf("pairs t interval: undefined, because every value is %g", c.mean)
	}
	return studentInterval(c.mean, se, n-1, level), nil
}

// Wilcoxon is the result of a signed-rank test.
type Wilcoxon struct {
	N int     // values other than 0, which alone have a rank
	V float64 // sum of the ranks of |value| over positive values, from 0 to N(N+1)/2
	Z float64 // V less its expectation, over its standard deviation; 0 when N is 0
	P float64 // two-sided, in (0,1]
}

// SignedRank tests that the values are symmetric about 0, every value a cluster
// of its own. Zeros are dropped; equal |value| share the mean of their ranks; P
// is normal, without a continuity correction, with the variance for ties
//
//	N(N+1)(2N+1)/24 - sum (t^3 - t)/48
//
// as in R's wilcox.test(x, exact = FALSE, correct = FALSE). It assumes
// independent values, and is there to compare with published figures. P is
// approximate below about 20 values other than 0, and 1 without any: nothing
// changed. Only an empty sample is an error. Wilcoxon (1945), who drops
// zeros before ranking; not Pratt (1959), who ranks them first.
func (c *Clustered) SignedRank() (Wilcoxon, error) {
	if len(c.values) == 0 {
		return Wilcoxon{}, errors.New("signed-rank test: no values (want at least one)")
	}
	w, ties := Wilcoxon{}, 0.0
	for _, g := range c.absolutes() {
		t := float64(g.count)
		w.V += g.positive * (float64(w.N) + (t+1)/2)
		w.N += g.count
		ties += t*t*t - t
	}
	w.P = 1
	if w.N == 0 {
		return w, nil
	}
	n := float64(w.N)
	sd := math.Sqrt(n*(n+1)*(2*n+1)/24 - ties/48)
	w.Z = (w.V - n*(n+1)/4) / sd
	w.P = probability(2 * NormalCDF(-math.Abs(w.Z)))
	return w, nil
}

// tied is values of one size: how many there are, and how many are positive.
type tied struct {
	size, positive float64
	count          int
}

// absolutes groups the values by size, smallest first. Zeros drop out.
func (c *Clustered) absolutes() []tied {
	rows := slices.Clone(c.singletons().rows)
	slices.SortFunc(rows, func(a, b tuple) int { return cmp.Compare(math.Abs(a.s), math.Abs(b.s)) })
	var out []tied
	for _, r := range rows {
		size := math.Abs(r.s)
		if size == 0 {
			continue
		}
		if k := len(out) - 1; k < 0 || size-out[k].size > rounding*size {
			out = append(out, tied{size: size})
		}
		last := &out[len(out)-1]
		last.count += r.count
		if r.s > 0 {
			last.positive += float64(r.count)
		}
	}
	return out
}
