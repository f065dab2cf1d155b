package stats

import (
	"errors"
	"math"
	"slices"
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
		"one value":              {[]float64{0.5}, []int{0}, "CR boott clusters pairs icc wild null family margin", "undefined, because"},
		"one cluster":            {[]float64{0, 1, 0.5}, []int{3, 3, 3}, "CR boott clusters icc wild null family margin", "undefined, because"},
		"all equal":              {same, []int{0, 1, 1}, "CR boott clusters pairs icc wild null family margin", "undefined, because"},
		"all zero":               {[]float64{0, 0, 0}, []int{0, 1, 1}, "CR boott clusters pairs icc wild null family margin", "undefined, because"},
		"equal cluster means":    {[]float64{0, 1, 0, 1}, []int{0, 0, 1, 1}, "CR boott clusters wild null family margin", "same mean 0.5"},
		"equal when rounded":     {[]float64{tenth, fifth, 0.3, 0}, []int{0, 0, 1, 1}, "CR boott clusters wild null family margin", "same mean 0.15"},
		"singletons":             {[]float64{0, 1, 0.5}, []int{0, 1, 2}, "icc", "every cluster holds one value"},
		"two clusters":           {[]float64{0, 1, 0.5}, []int{0, 1, 1}, "wild", "unbounded, because"},
		"one cluster dominates":  {append(make([]float64, 1000), 1, 0.5), append(make([]int, 1000), 1, 2), "", ""},
		"large mean, small step": {[]float64{1e9, 1e9 + 1, 1e9, 1e9 + 3}, []int{0, 0, 1, 1}, "wild family", "because"},
		"extreme sizes":          {[]float64{1e-50, -1e50, 1e50, 3e-50, 7}, []int{0, 1, 1, 2, 2}, "", ""},
	} {
		s := sampleOf(t, c.values, c.cluster)
		for what, err := range everyFigure(t, s) {
			if fails := slices.Contains(strings.Fields(c.fails), what); (err != nil) != fails {
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
		if err == nil && (i.Lo > i.Hi || !(i.P > 0 && i.P <= 1) && !strings.HasPrefix(what, "equivalence") || i.SE < 0) {
			t.Fatalf("%s: %+v for %v", what, i, c.values)
		}
	}
	out, r := map[string]error{}, Resample{B: 20, Seed: 5, Level: 0.95}
	finite("means", c.Mean(), c.ClusterWeighted(), c.MaxShare(), CrossCovariance(c, c))
	for _, g := range c.Groups() {
		finite("group", g.Mean)
	}
	for _, l := range c.LeaveOneOut() {
		finite("left out", l.Mean)
	}
	for _, e := range entries(20) {
		i, err := e.run(c, 0.95)
		interval(e.name, i, err)
		out[e.family] = err
	}
	v, err := c.ICC()
	finite("icc", v)
	out["icc"] = err
	i, err := c.ICCInterval(0.95)
	lo, hi := i.Lo, i.Hi
	finite("icc interval", lo, hi)
	if err == nil && (lo > hi || v < lo-1e-9 || v > hi+1e-9) {
		t.Fatalf("icc %v in [%v, %v] for %v", v, lo, hi, c.values)
	}
	probability := func(what string, p float64, err error) {
		t.Helper()
		if err == nil && !(p > 0 && p <= 1) {
			t.Fatalf("%s: p %v for %v in %v", what, p, c.values, c.start)
		}
	}
	for _, flip := range []func(uint64) (SignFlip, error){c.SignFlipClusters, c.SignFlipPairs} {
		f, err := flip(1)
		probability("sign flip", f.P, err)
		out["flips"] = err
	}
	rank, err := c.SignedRank()
	probability("signed rank", rank.P, err)
	finite("signed rank", rank.V, rank.Z)
	out["flips"] = errors.Join(out["flips"], err)
	for w := Rademacher; w <= Webb6; w++ {
		test, err := c.WildTest(w, c.Mean()/2, r)
		probability("wild test", test.P, err)
		out["null"] = err
	}
	if c.Clusters() <= 10 { // above, 99,999 sign vectors
		family, err := MaxT([]*Clustered{c, c}, 0.95, 1)
		for j, p := range family.P {
			probability("max-t", p, nil)
			finite("max-t", family.T[j], family.Critical)
		}
		out["family"] = err
		bands, critical, err := Bands([]*Clustered{c}, 0.95, 1)
		for _, b := range bands {
			interval("band", b, err)
		}
		finite("band", critical.Value)
		out["family"] = errors.Join(out["family"], err)
	}
	for d := HigherIsBetter; d <= LowerIsBetter; d++ {
		n, err := c.NonInferiority(0.05, 0.025, d)
		finite("non-inferiority", n.T, n.DF, n.P, n.Bound)
		probability("non-inferiority", n.P, err)
		out["margin"] = err
	}
	q, err := c.Equivalence(0.05, 0.05)
	probability("equivalence", min(q.PLower, q.PUpper), err)
	finite("equivalence", q.P, q.PLower, q.PUpper, q.Lo, q.Hi, q.DF)
	out["margin"] = errors.Join(out["margin"], err)
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
