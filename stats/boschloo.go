package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Boschloo is Boschloo's exact test of x1 of n1 against x2 of n2. It orders the
// tables by Fisher's one-sided p, and takes the largest chance, over the common
// proportion that the hypothesis leaves open, of a table as extreme as the
// observed one. One-sided it is never larger than [Fisher]'s p, and is as exact.
// TwoSided is twice the smaller one-sided p, at most 1, as in scipy; R's package
// Exact orders by the two-sided p of Fisher instead, and can differ. Compare
// only p-values of the same Side.
//
// The largest chance is sought on a grid of the proportion, and refined at its
// highest peaks; it is exact to about seven digits. Assumptions and errors are
// those of Fisher. Boschloo (1970).
func Boschloo(x1, n1, x2, n2 int, side Side) (ProportionTest, error) {
	if err := checkProportions(x1, n1, x2, n2, side); err != nil {
		return ProportionTest{}, fmt.Errorf("boschloo's exact test: %w", err)
	}
	t := ProportionTest{Side: side, Method: "Boschloo's exact test", Difference: float64(x1)/float64(n1) - float64(x2)/float64(n2)}
	switch side {
	case Greater:
		t.P = boschlooGreater(x1, n1, x2, n2)
	case Less:
		t.P = boschlooGreater(x2, n2, x1, n1)
	default:
		t.P = min(1, 2*min(boschlooGreater(x1, n1, x2, n2), boschlooGreater(x2, n2, x1, n1)))
	}
	return t, nil
}

func boschlooGreater(x1, n1, x2, n2 int) float64 {
	limit := newHypergeometric(n1, n2, x1+x2).upper(x1) * (1 + 1e-9)
	cuts := boschlooCuts(n1, n2, limit)
	chance := func(angle float64) float64 {
		p := math.Sin(angle) * math.Sin(angle)
		return rejectionChance(newMasses(n1, p), newMasses(n2, p), cuts)
	}
	return probability(greatestPeak(chance, math.Pi/2, min(max(200, 8*(n1+n2)), 2000)))
}

// boschlooCuts gives, for each x1, the greatest x2 of the tables whose Fisher p
// (Greater) is within limit; -1 for none. That p falls with x1 and grows with
// x2, so that the cuts never fall.
func boschlooCuts(n1, n2 int, limit float64) []int {
	cuts, x2 := make([]int, n1+1), -1
	for x1 := range cuts {
		for x2 < n2 && newHypergeometric(n1, n2, x1+x2+1).upper(x1) <= limit {
			x2++
		}
		cuts[x1] = x2
	}
	return cuts
}

// masses is a binomial distribution where it is not negligible.
type masses struct {
	least int
	mass  []float64
	below []float64 // sums of mass up to and with each
}

// newMasses works outward from the mode; p lies in [0,1].
func newMasses(n int, p float64) masses {
	reach := int(40*math.Sqrt(float64(n)*p*(1-p))) + 40
	mode := min(int(float64(n+1)*p), n)
	m := masses{least: max(0, mode-reach)}
	m.mass = make([]float64, min(n, mode+reach)-m.least+1)
	odds, at := p/(1-p), mode-m.least
	m.mass[at] = 1
	for i := at + 1; i < len(m.mass); i++ {
		m.mass[i] = m.mass[i-1] * odds * float64(n-m.least-i+1) / float64(m.least+i)
	}
	for i := at - 1; i >= 0; i-- {
		m.mass[i] = m.mass[i+1] / odds * float64(m.least+i+1) / float64(n-m.least-i)
	}
	m.below = make([]float64, len(m.mass))
	sum := 0.0
	for i, x := range m.mass {
		sum += x
		m.below[i] = sum
	}
	for i := range m.mass {
		m.mass[i], m.below[i] = m.mass[i]/sum, m.below[i]/sum
	}
	return m
}

// upTo is P(X <= x).
func (m masses) upTo(x int) float64 {
	switch {
	case x < m.least:
		return 0
	case x-m.least >= len(m.below):
		return 1
	}
	return m.below[x-m.least]
}

// rejectionChance is P(X2 <= cut(X1)).
func rejectionChance(first, second masses, cuts []int) float64 {
	sum := 0.0
	for i, p := range first.mass {
		sum += p * second.upTo(cuts[first.least+i])
	}
	return sum
}

// refinedPeaks is the number of peaks of a grid that are refined.
const refinedPeaks = 10

// greatestPeak is the greatest value of f between 0 and end: the highest peaks
// of a grid, each refined by golden section.
func greatestPeak(f func(float64) float64, end float64, points int) float64 {
	values, step := make([]float64, points+1), end/float64(points)
	for i := 1; i < points; i++ {
		values[i] = f(step * float64(i))
	}
	var peaks []int
	for i := 1; i < points; i++ {
		if values[i] >= values[i-1] && values[i] >= values[i+1] {
			peaks = append(peaks, i)
		}
	}
	slices.SortFunc(peaks, func(a, b int) int { return cmp.Or(cmp.Compare(values[b], values[a]), cmp.Compare(a, b)) })
	most := 0.0
	for _, i := range peaks[:min(len(peaks), refinedPeaks)] {
		most = max(most, values[i], goldenSection(f, step*float64(i-1), step*float64(i+1)))
	}
	return most
}

// goldenSection is the greatest value of f, which has one peak, between lo and hi.
func goldenSection(f func(float64) float64, lo, hi float64) float64 {
	ratio := (math.Sqrt(5) - 1) / 2
	a, b := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
	fa, fb := f(a), f(b)
	for range 40 {
		if fa < fb {
			lo, a, fa = a, b, fb
			b = lo + ratio*(hi-lo)
			fb = f(b)
		} else {
			hi, b, fb = b, a, fa
			a = hi - ratio*(hi-lo)
			fa = f(a)
		}
	}
	return max(fa, fb)
}
