package stats

import (
	"slices"
	"testing"
)

// goldenLosses is L_i = .1[i%5==0] + .25[i%11==0].
func goldenLosses() []float64 {
	out := make([]float64, 54)
	for i := range out {
		if i%5 == 0 {
			out[i] += 0.1
		}
		if i%11 == 0 {
			out[i] += 0.25
		}
	}
	return out
}

// TestWSR meets a Python implementation, and roots found by scipy; the losses
// turned end for end give another p.
func TestWSR(t *testing.T) {
	l, turned := goldenLosses(), goldenLosses()
	slices.Reverse(turned)
	constant := slices.Repeat([]float64{0.2}, 40)
	for name, c := range map[string]struct {
		losses        []float64
		budget, delta float64
		want          float64
	}{
		"golden":          {l, 0.1, 0.1, 0.04284357138963978},
		"delta .05":       {l, 0.1, 0.05, 0.04208860763548655},
		"delta .01":       {l, 0.1, 0.01, 0.04291741496140546},
		"turned":          {turned, 0.1, 0.1, 0.037879592923534246},
		"turned, .05":     {turned, 0.1, 0.05, 0.036757824147681556},
		"a total loss":    {[]float64{1, 0, 1, 0, 0.5}, 0.3, 0.1, 1},
		"no loss":         {make([]float64, 8), 0.5, 0.1, 0.004533505757885766},
		"22 without loss": {make([]float64, 22), 0.1, 0.1, 0.10024604506845256},
		"23 without loss": {make([]float64, 23), 0.1, 0.1, 0.09038799969900393},
		"constant":        {constant, 0.5, 0.05, 1.626128963167583e-08},
		"all lost":        {slices.Repeat([]float64{1}, 40), 0.5, 0.05, 1},
	} {
		if got, err := WSR(c.losses, c.budget, c.delta); err != nil || !close12(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
	for delta, want := range map[float64]float64{0.1: 0.08540125328158131, 0.05: 0.09708064059867093, 0.01: 0.1239918329993769} {
		if got, err := WSRUpper(l, delta); err != nil || !near(got, want) {
			t.Errorf("upper bound at %v: %v, %v, want %v", delta, got, err, want)
		}
	}
	if got, err := WSRUpper([]float64{1, 1, 1}, 0.1); err != nil || got != 1 {
		t.Errorf("nothing but loss: %v, %v, want 1", got, err)
	}
}
