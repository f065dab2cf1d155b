package stats

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// R: anova(lm(v ~ factor(pair))) gives MSB and MSW; then n0 and qf.
func TestNoise(t *testing.T) {
	for _, c := range []struct {
		name   string
		rows   []Scored
		want   RatingNoise
		lo, hi float64 // below 0: not compared
	}{
		{"one to three raters", fifteen, RatingNoise{Pairs: 5, DF: 7, Variance: 0.03869047619047618, Share: 0.28108108108108104}, 0.06265602577538432, 0.93051708625098695},
		{"more than there can be", []Scored{{0, 0, 0, 0.5}, {0, 0, 1, -0.5}, {1, 0, 0, 0.25}, {1, 0, 1, -0.75}, {2, 1, 0, -0.25}, {2, 1, 2, 0.5}, {3, 1, 1, 0}},
			RatingNoise{Pairs: 3, DF: 3, Variance: 0.4270833333333335, Share: 1, Clamped: true}, 0.6886001504029005, 1},
		// Each rater sees 1 more than the one before; nothing else varies within pairs.
		{"views alone", []Scored{{0, 0, 0, 0}, {0, 0, 1, 1}, {1, 1, 0, 4}, {1, 1, 1, 5}}, RatingNoise{Pairs: 2, DF: 2, Variance: 0.5, Share: 0.5 / 8.25}, -1, -1},
	} {
		crossed := crossedOf(t, c.rows)
		got, err := crossed.Noise()
		if err != nil || got.Pairs != c.want.Pairs || got.DF != c.want.DF || got.Clamped != c.want.Clamped || !near(got.Variance, c.want.Variance) || !near(got.Share, c.want.Share) {
			t.Errorf("%s: got %+v (%v), want %+v", c.name, got, err, c.want)
		}
		s, err := crossed.NoiseInterval(0.95)
		if err != nil || s.Value != got.Share || (c.lo >= 0 && (math.Abs(s.Lo-c.lo) > 1e-9 || math.Abs(s.Hi-c.hi) > 1e-9)) {
			t.Errorf("%s: got %+v (%v), want [%v, %v]", c.name, s, err, c.lo, c.hi)
		}
	}
}

func TestNoiseUndefined(t *testing.T) {
	for _, c := range []struct {
		name string
		rows []Scored
		want string
	}{
		{"one rater a pair", []Scored{{0, 0, 0, 1}, {1, 0, 1, 0}}, "undefined, because no pair was seen by two raters"},
		{"one pair", []Scored{{0, 0, 0, 1}, {0, 0, 1, 0}}, "undefined, because there is a single pair (want at least 2)"},
		{"equal", []Scored{{0, 0, 0, 0.5}, {0, 0, 1, 0.5}, {1, 0, 0, 0.5}}, "undefined, because all 3 differences are equal"},
	} {
		if _, err := crossedOf(t, c.rows).Noise(); err == nil || err.Error() != "rating noise: "+c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
		if _, err := crossedOf(t, c.rows).NoiseInterval(0.95); err == nil || err.Error() != "rating noise interval: "+c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	if _, err := new(Crossed).Noise(); err == nil || !strings.Contains(err.Error(), "no values") {
		t.Errorf("empty: got %v", err)
	}
	tenth := 0.1 // three of it are not 0.3
	agreed := crossedOf(t, []Scored{{0, 0, 0, 0.1}, {0, 0, 1, 0.1}, {1, 0, 0, 0.3}, {1, 0, 1, tenth + tenth + tenth}})
	if n, err := agreed.Noise(); err != nil || n.Share != 0 || n.Variance != 0 || n.DF != 2 {
		t.Errorf("raters who agree: got %+v (%v), want a share of 0", n, err)
	}
	if _, err := agreed.NoiseInterval(0.95); err == nil || !strings.Contains(err.Error(), "no two raters differ") {
		t.Errorf("raters who agree: got %v, want no interval", err)
	}
	if _, err := crossedOf(t, fifteen).NoiseInterval(1); err == nil {
		t.Error("level 1 has an interval")
	}
}

// noisy draws pairs of tasks, a part of them marked by a second rater: variances
// 1 of tasks, 2 of pairs, and of rating 3, of which view belongs to the rater.
func noisy(s *stream, tasks, each, raters int, double, view float64) []Scored {
	views := make([]float64, raters)
	for r := range views {
		views[r] = math.Sqrt(view) * NormalQuantile(s.uniform())
	}
	var rows []Scored
	for g := range tasks {
		task := NormalQuantile(s.uniform())
		for m := range each {
			pair, first := task+math.Sqrt2*NormalQuantile(s.uniform()), int(s.uniform()*float64(raters))
			for k := range raters {
				r := (first + k) % raters
				if k == 0 || (k == 1 && s.uniform() < double) {
					rows = append(rows, Scored{g*each + m, g, r, pair + views[r] + math.Sqrt(3-view)*NormalQuantile(s.uniform())})
				}
			}
		}
	}
	return rows
}

// The truth is a variance of 3 and a share of a half, whoever holds the views and
// however many pairs are marked twice.
func TestNoiseOfKnownTruth(t *testing.T) {
	for _, c := range []struct {
		name         string
		raters       int
		double, view float64
	}{
		{"every pair twice", 8, 1, 0}, {"a third twice", 8, 0.33, 0}, {"views of many raters", 400, 0.5, 1},
	} {
		s := newStream(11, 3)
		got, err := crossedOf(t, noisy(&s, 4000, 2, c.raters, c.double, c.view)).Noise()
		if err != nil || math.Abs(got.Variance-3) > 0.2 || math.Abs(got.Share-0.5) > 0.03 {
			t.Errorf("%s: got %+v (%v), want a variance of 3 and a share of .5", c.name, got, err)
		}
	}
}

// Nominal 95 % of pairs alike within tasks; 400 studies have a standard error of 1.1 points.
func TestNoiseIntervalCovers(t *testing.T) {
	held, n := 0, 400
	for i := range n {
		s := newStream(17, uint64(i))
		v, err := crossedOf(t, noisy(&s, 18, 3, 8, 0.5, 0)).NoiseInterval(0.95)
		if err == nil && v.Lo <= 0.5 && 0.5 <= v.Hi {
			held++
		}
	}
	if share := float64(held) / float64(n); share < 0.915 || share > 0.985 {
		t.Errorf("the interval holds the truth in %v of the studies, want .95", share)
	}
}

// Units, signs and names change nothing; the variance goes with the square.
func TestNoiseProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newStream(rapid.Uint64().Draw(t, "seed"), 0)
		rows := noisy(&s, rapid.IntRange(2, 6).Draw(t, "tasks"), 2, 3, 0.8, 0.5)
		a, err := crossedOfRapid(rows).Noise()
		if err != nil {
			return
		}
		scale, shift := rapid.SampledFrom([]float64{-4, -0.5, 2, 8}).Draw(t, "scale"), rapid.Float64Range(-3, 3).Draw(t, "shift")
		for i, r := range rows {
			rows[i] = Scored{90 - r.Pair, 7 - r.Cluster, 5 - r.Rater, scale*r.Value + shift}
		}
		b, err := crossedOfRapid(rows).Noise()
		if err != nil || math.Abs(a.Share-b.Share) > 1e-9 || math.Abs(b.Variance-scale*scale*a.Variance) > 1e-9*(1+b.Variance) || a.DF != b.DF || a.Pairs != b.Pairs {
			t.Fatalf("%+v became %+v (%v)", a, b, err)
		}
		for i := range rows {
			rows[i].Cluster = rows[i].Pair // tasks are of no matter to it
		}
		if c, _ := crossedOfRapid(rows).Noise(); math.Abs(c.Share-b.Share) > 1e-9 {
			t.Fatalf("%+v became %+v in other tasks", b, c)
		}
	})
}

func crossedOfRapid(rows []Scored) *Crossed {
	c, err := NewCrossed(rows)
	if err != nil {
		panic(err)
	}
	return c
}
