package stats

import (
	"errors"
	"fmt"
)

// ICCInterval is the F interval of [Clustered.ICC] at a level in (0,1): with
// F = MSB/MSW on G-1 and n-G degrees of freedom and n0 as there,
//
//	(F/F_hi - 1)/(F/F_hi + n0 - 1)  to  (F/F_lo - 1)/(F/F_lo + n0 - 1)
//
// Searle (1971), chapter 9. Exact for normal values and clusters of one size,
// else approximate. Few clusters make it wide: that is its message. The lower
// end may be negative. It is undefined where the ICC is, with the same reason,
// without variance within clusters, where F is infinite, and without any between
// them, where it is 0.
func (c *Clustered) ICCInterval(level float64) (Spread, error) {
	if err := checkShare("level", level); err != nil {
		return Spread{}, fmt.Errorf("icc interval: %w", err)
	}
	icc, err := c.ICC()
	if err != nil {
		return Spread{}, err
	}
	if icc >= 1-rounding {
		return Spread{}, errors.New("icc interval: undefined, because there is no variance within clusters")
	}
	n, g := float64(c.N()), float64(c.Clusters())
	squares := 0.0
	for _, ng := range c.sizes {
		squares += ng * ng
	}
	n0 := (n - squares/n) / (g - 1)
	f := (1 + (n0-1)*icc) / (1 - icc)
	if f <= rounding {
		return Spread{}, errors.New("icc interval: undefined, because there is no variance between clusters")
	}
	end := func(p float64) float64 {
		r := f / FQuantile(p, g-1, n-g)
		return (r - 1) / (r + n0 - 1)
	}
	return Spread{Value: icc, Lo: end((1 + level) / 2), Hi: end((1 - level) / 2), Level: level}, nil
}
