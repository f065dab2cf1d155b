package stats

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestPairsInR meets t.test and wilcox.test(exact = FALSE, correct = FALSE) on
// values with ties and a zero.
func TestPairsInR(t *testing.T) {
	c := sampleOf(t, []float64{1.5, -.5, .5, .5, 2, -3, 0, 4, .25, -1}, make([]int, 10))
	i, err := c.PairsT(0.95)
	for name, v := range map[string][2]float64{"lo": {i.Lo, -0.90812218382849197}, "hi": {i.Hi, 1.75812218382849172}, "p": {i.P, 0.48910997908374}, "df": {i.DF, 9}} {
		if err != nil || math.Abs(v[0]/v[1]-1) > 1e-12 {
			t.Errorf("t: %s %v, %v, want %v", name, v[0], err, v[1])
		}
	}
	w, err := c.SignedRank()
	if err != nil || w.N != 9 || w.V != 29 || !near(w.P, 0.43965863654580262) {
		t.Errorf("signed rank %+v, %v, want V 29 of 9, p .4397", w, err)
	}
}

// TestSignedRankHolds: turning the values turns Z, scaling them changes nothing,
// and V and its mirror share all the ranks.
func TestSignedRankHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, cluster := drawSample(t)
		scaled := make([]float64, len(values))
		for i, v := range values {
			scaled[i] = -0.1 * v
		}
		a, err1 := mustSample(t, values, cluster).SignedRank()
		b, err2 := mustSample(t, scaled, cluster).SignedRank()
		n := float64(a.N)
		if err1 != nil || err2 != nil || a.N != b.N || !close9(a.V+b.V, n*(n+1)/2) || !close9(a.Z, -b.Z) || !close9(a.P, b.P) || !(a.P > 0 && a.P <= 1) {
			t.Fatalf("%+v, %v; turned %+v, %v", a, err1, b, err2)
		}
	})
}

// TestSignedRankTies: values that differ by rounding alone share their ranks.
func TestSignedRankTies(t *testing.T) {
	tenth, fifth := 0.1, 0.2
	w, err := sampleOf(t, []float64{tenth + fifth, -0.3, math.Sqrt2}, indices(3)).SignedRank()
	if err != nil || w.V != 4.5 {
		t.Errorf("%+v, %v, want ranks of 1.5, 1.5 and 3, V 4.5", w, err)
	}
}

func TestPairsDegenerate(t *testing.T) {
	zeros := sampleOf(t, []float64{0, 0, 0}, []int{0, 1, 2})
	if w, err := zeros.SignedRank(); err != nil || w != (Wilcoxon{P: 1}) {
		t.Errorf("nothing changes: %+v, %v, want p 1", w, err)
	}
	if _, err := (&Clustered{}).SignedRank(); err == nil {
		t.Error("an empty sample has a signed-rank test")
	}
	for name, v := range map[string]struct {
		c     *Clustered
		level float64
		want  string
	}{
		"empty":    {&Clustered{}, 0.9, "0 values (want at least 2)"},
		"one":      {sampleOf(t, []float64{3}, []int{0}), 0.9, "1 values (want at least 2)"},
		"equal":    {zeros, 0.9, "undefined, because every value is 0"},
		"no level": {unbalanced(t), 1, "level 1 (want between 0 and 1)"},
	} {
		if _, err := v.c.PairsT(v.level); err == nil || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%s: %v, want an error with %q", name, err, v.want)
		}
	}
}

// TestMcNemarForms meets scipy's and R's binomial, and R's mcnemar.test
// for the rest (also in TestContrasts).
func TestMcNemarForms(t *testing.T) {
	for _, v := range []struct {
		gain, loss  int
		exact, midP float64
	}{
		{5, 80, 1.8057729139211306e-18, 9.578735725233557e-19}, {3, 11, 0.057373046875, 0.035156249999999965}, {0, 6, 0.03125, 0.015625},
		{7, 7, 1, 1}, {1, 0, 1, 0.5}, {40, 61, 0.04604406692934279, 0.03706676743856051}, {0, 0, 1, 1}, {-3, 0, 1, 1},
		{499_000, 501_000, 0.045608299865382104, 0.045500317887363188}, {1000, 1600, 3.9054009617702986e-32, 3.1691335036480305e-32}, // R: pbinom
		{499_980_000, 500_020_000, 0.20591454810136567, 0.20590321093613737},
		{10_000_100_000, 10_000_000_000, 0.47950561458104668, 0.47950122067364437}, // by the normal distribution
	} {
		d := McNemarTest(v.gain, v.loss)
		if !near(d.Exact, v.exact) || !near(d.MidP, v.midP) {
			t.Errorf("%d and %d: %+v, want exact %v, mid-p %v", v.gain, v.loss, d, v.exact, v.midP)
		}
		if turned := McNemarTest(v.loss, v.gain); turned.Exact != d.Exact || turned.MidP != d.MidP || turned.P != d.P || turned.PCorrected != d.PCorrected {
			t.Errorf("%+v, turned %+v", d, turned)
		}
		if !(d.MidP <= d.Exact && d.P <= d.PCorrected && d.Corrected <= d.ChiSquare) {
			t.Errorf("%+v: want mid-p within the exact p, and a corrected p above the plain one", d)
		}
	}
	if d := McNemarTest(0, 0); d.ChiSquare != 0 || d.P != 1 || d.PCorrected != 1 {
		t.Errorf("no discordant pair: %+v, want p 1", d)
	}
	if d := McNemarTest(6, 6); d.Corrected != 0 || d.PCorrected != 1 { // R corrects only where the counts differ
		t.Errorf("equal counts: %+v, want no chi-square", d)
	}
}

func FuzzMcNemar(f *testing.F) {
	f.Add(3, 9)
	f.Add(math.MaxInt, 1)
	f.Add(1_000_000_000, 1_000_000_001)
	f.Fuzz(func(t *testing.T, gain, loss int) {
		d := McNemarTest(gain, loss)
		for _, p := range []float64{d.Exact, d.MidP, d.P, d.PCorrected} {
			if !(p > 0 && p <= 1) {
				t.Fatalf("%d and %d: %+v", gain, loss, d)
			}
		}
		if math.IsInf(d.ChiSquare, 0) || math.IsNaN(d.ChiSquare+d.Corrected) {
			t.Fatalf("%d and %d: %+v", gain, loss, d)
		}
	})
}
