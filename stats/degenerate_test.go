package stats

import (
	"math"
	"strings"
	"testing"
)

// TestBootTTies: a resample that mirrors the sample has |t*| = |t|, and counts,
// whatever rounding does to either.
func TestBootTTies(t *testing.T) {
	values := []float64{0.25, 0.25, -0.25, 0.25, -1}
	r := Resample{B: 50, Seed: 3, Level: 0.9}
	one, err := sampleOf(t, values, []int{0, 1, 2, 4, 3}).BootT(r)
	if err != nil {
		t.Fatal(err)
	}
	two, err := sampleOf(t, values, []int{100, 93, 86, 72, 79}).BootT(r)
	if err != nil || one.P != two.P {
		t.Errorf("p %v, with other names %v, %v", one.P, two.P, err)
	}
}

// TestDegenerate: what does not exist is an error that says why.
func TestDegenerate(t *testing.T) {
	tenth, fifth := 0.1, 0.2 // variables, so that their sum is rounded and not 0.3
	same := []float64{tenth + fifth, 0.3, 0.3}
	for name, c := range map[string]struct {
		values  []float64
		cluster []int
		fails   string // of everything, "" when all succeed
		why     string
	}{
		"one value":              {[]float64{0.5}, []int{0}, "CR boott clusters pairs icc", "undefined, because"},
		"one cluster":            {[]float64{0, 1, 0.5}, []int{3, 3, 3}, "CR boott clusters icc", "undefined, because"},
		"all equal":              {same, []int{0, 1, 1}, "CR boott clusters pairs icc", "undefined, because"},
		"all zero":               {[]float64{0, 0, 0}, []int{0, 1, 1}, "CR boott clusters pairs icc", "undefined, because"},
		"equal cluster means":    {[]float64{0, 1, 0, 1}, []int{0, 0, 1, 1}, "CR boott clusters", "same mean 0.5"},
		"equal when rounded":     {[]float64{tenth, fifth, 0.3, 0}, []int{0, 0, 1, 1}, "CR boott clusters", "same mean 0.15"},
		"singletons":             {[]float64{0, 1, 0.5}, []int{0, 1, 2}, "icc", "every cluster holds one value"},
		"two clusters":           {[]float64{0, 1, 0.5}, []int{0, 1, 1}, "", ""},
		"one cluster dominates":  {append(make([]float64, 1000), 1, 0.5), append(make([]int, 1000), 1, 2), "", ""},
		"large mean, small step": {[]float64{1e9, 1e9 + 1, 1e9, 1e9 + 3}, []int{0, 0, 1, 1}, "", ""},
		"extreme sizes":          {[]float64{1e-50, -1e50, 1e50, 3e-50, 7}, []int{0, 1, 1, 2, 2}, "", ""},
	} {
		s := sampleOf(t, c.values, c.cluster)
		for what, err := range everyFigure(t, s) {
			if fails := strings.Contains(c.fails, what); (err != nil) != fails {
				t.Errorf("%s: %s: %v, want an error: %v", name, what, err, fails)
			} else if err != nil && !strings.Contains(err.Error(), c.why) {
				t.Errorf("%s: %s: %v, want %q", name, what, err, c.why)
			}
		}
	}
	if err := everyFigure(t, &Clustered{})["flips"]; err == nil {
		t.Error("the empty sample has a sign-flip p, want an error")
	}
}

// everyFigure computes all there is, fails on any figure that is not finite or
// out of range, and returns the errors by name.
func everyFigure(t testing.TB, c *Clustered) map[string]error {
	t.Helper()
	finite := func(what string, v ...float64) {
		t.Helper()
		for _, x := range v {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("%s is %v for %v in %v", what, x, c.values, c.start)
			}
		}
	}
	interval := func(what string, i Interval, err error) {
		t.Helper()
		finite(what, i.Value, i.Lo, i.Hi, i.SE, i.DF, i.P)
		if err == nil && (i.Lo > i.Hi || i.P < 0 || i.P > 1 || i.SE < 0) {
			t.Fatalf("%s: %+v for %v", what, i, c.values)
		}
	}
	out, r := map[string]error{}, Resample{B: 20, Seed: 5, Level: 0.95}
	finite("means", c.Mean(), c.ClusterWeighted(), c.MaxShare(), CrossCovariance(c, c))
	for k := CR0; k <= CR3; k++ {
		i, err := c.Interval(k, 0.95)
		interval(k.String(), i, err)
		out["CR"] = err
	}
	i, err := c.BootT(r)
	interval("bootstrap-t", i, err)
	out["boott"] = err
	b, err := c.BootClusters(r)
	interval("percentile", b.Percentile, err)
	interval("bca", b.BCa, err)
	interval("expanded", b.Expanded, err)
	out["clusters"] = err
	b, err = c.BootPairs(r)
	interval("pairs percentile", b.Percentile, err)
	interval("pairs bca", b.BCa, err)
	interval("pairs expanded", b.Expanded, err)
	out["pairs"] = err
	i, err = c.PairsT(0.95)
	interval("pairs t", i, err)
	ni, err := c.NonInferiority(0.05, 0.025, LowerIsBetter)
	finite("non-inferiority", ni.T, ni.P, ni.Bound)
	if err == nil && (ni.P < 0 || ni.P > 1) {
		t.Fatalf("non-inferiority: %+v for %v", ni, c.values)
	}
	eq, err := c.Equivalence(0.05, 0.05)
	finite("equivalence", eq.P, eq.PLower, eq.PUpper, eq.Lo, eq.Hi)
	if err == nil && (eq.P < max(eq.PLower, eq.PUpper) || eq.Lo > eq.Hi) {
		t.Fatalf("equivalence: %+v for %v", eq, c.values)
	}
	w, err := c.SignedRank()
	finite("signed rank", w.V, w.Z, w.P)
	if err == nil && !(w.P > 0 && w.P <= 1) {
		t.Fatalf("signed rank: %+v for %v", w, c.values)
	}
	v, err := c.ICC()
	finite("icc", v)
	out["icc"] = err
	for _, flip := range []func(uint64) (SignFlip, error){c.SignFlipClusters, c.SignFlipPairs} {
		f, err := flip(1)
		finite("sign flip", f.P)
		if err == nil && (f.P <= 0 || f.P > 1) {
			t.Fatalf("sign flip: %+v", f)
		}
		out["flips"] = err
	}
	return out
}

// FuzzFigures: no sample makes a figure that is not finite.
func FuzzFigures(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 200, 9}, 0.25, 0.0)
	f.Add([]byte{7, 7, 7, 8, 9}, 1e40, -3.0)
	f.Fuzz(func(t *testing.T, data []byte, scale, shift float64) {
		var values []float64
		var cluster []int
		for _, x := range data[:min(len(data), 64)] {
			values, cluster = append(values, float64(int(x>>3)-16)*scale+shift), append(cluster, int(x&7))
		}
		c, err := NewClustered(values, cluster)
		if err != nil {
			return
		}
		everyFigure(t, c)
	})
}
