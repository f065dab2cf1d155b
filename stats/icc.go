package stats

import (
	"errors"
	"math"
	"slices"
)

// ICC is the one-way analysis-of-variance estimate of the intraclass
// correlation, for unequal cluster sizes:
//
//	(MSB - MSW) / (MSB + (n0-1) MSW),  n0 = (n - sum n_g^2/n) / (G-1)
//
// Donner (1986), section 2. It may be negative, down to -1/(n0-1), and is
// approximate. It is undefined, and an error says why, for a single cluster,
// for clusters of one value each, and when all values are equal.
func (c *Clustered) ICC() (float64, error) {
	n, g := float64(len(c.values)), float64(len(c.ids))
	switch {
	case len(c.ids) < 2:
		return 0, errors.New("icc: undefined, because all values are in one cluster (want at least 2 clusters)")
	case len(c.ids) == len(c.values):
		return 0, errors.New("icc: undefined, because every cluster holds one value (want at least one cluster of 2)")
	case c.constant():
		return 0, errors.New("icc: undefined, because all values are equal")
	}
	var between, within, squares float64
	for i, ng := range c.sizes {
		m := c.sums[i] / ng
		between += ng * (m - c.mean) * (m - c.mean)
		squares += ng * ng
		for _, v := range c.values[c.start[i]:c.start[i+1]] {
			within += (v - m) * (v - m)
		}
	}
	msb, msw := between/(g-1), within/(n-g)
	n0 := (n - squares/n) / (g - 1)
	return (msb - msw) / (msb + (n0-1)*msw), nil
}

func (c *Clustered) constant() bool {
	lo, hi := slices.Min(c.values), slices.Max(c.values)
	return hi-lo <= rounding*max(math.Abs(lo), math.Abs(hi))
}

// DesignEffect is 1 + (meanSize-1)*icc: by how much clustering multiplies the
// variance of a mean, for clusters of meanSize >= 1 values. Kish (1965). It is
// meant for clusters of equal size: where sizes differ, a negative icc can take
// it to 0 or below, which is no factor.
func DesignEffect(meanSize, icc float64) float64 { return 1 + (meanSize-1)*icc }
