package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestExpandedLevel meets R: pnorm(-sqrt(G/(G-1))*qt(...)).
func TestExpandedLevel(t *testing.T) {
	for _, c := range []struct {
		level float64
		g     int
		want  float64
	}{
		{0.95, 6, 2.4318031746115741e-03}, {0.95, 10, 8.5506390244063698e-03}, {0.95, 18, 1.4966254465740892e-02},
		{0.9, 2, 2.1495199420537679e-19}, {0.99, 108, 4.2095113950192456e-03},
	} {
		if got := expandedLevel(c.level, c.g); math.Abs(got/c.want-1) > 1e-9 {
			t.Errorf("level %v, %d units: %v, want %v", c.level, c.g, got, c.want)
		}
	}
}

// TestExpanded: the expanded interval holds the percentile interval, its ends
// are the order statistics of the widened ranks, and its p is that at which an
// end meets 0.
func TestExpanded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, cluster := drawSample(t)
		c := mustSample(t, values, cluster)
		b, err := c.BootClusters(Resample{B: 400, Seed: 2, Level: 0.8})
		if err != nil {
			return
		}
		if p, e := b.Percentile, b.Expanded; e.Lo > p.Lo || e.Hi < p.Hi || e.P < p.P-1e-12 {
			t.Fatalf("expanded %+v, percentile %+v", e, p)
		}
	})
	for g := 2; g < 200; g *= 3 {
		for _, level := range []float64{0.5, 0.9, 0.95} {
			if got := expandedInverse(expandedLevel(level, g), g); math.Abs(got-(1-level)) > 1e-9 {
				t.Errorf("%d units: the end at level %v has p %v, want %v", g, level, got, 1-level)
			}
		}
	}
}
