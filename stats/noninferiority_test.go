package stats

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestMirroredMargins: the mirrored sample, read the other way, gives the
// mirrored answer; p falls as the margin grows; the bound decides as p does.
func TestMirroredMargins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, cluster := drawSample(t)
		margin := float64(rapid.IntRange(1, 400).Draw(t, "margin")) / 400
		alpha := rapid.SampledFrom([]float64{0.01, 0.025, 0.05, 0.3}).Draw(t, "alpha")
		turned := make([]float64, len(values))
		for i, v := range values {
			turned[i] = -v
		}
		one, two := mustSample(t, values, cluster), mustSample(t, turned, cluster)
		a, errA := one.NonInferiority(margin, alpha, HigherIsBetter)
		b, errB := two.NonInferiority(margin, alpha, LowerIsBetter)
		e, errE := one.Equivalence(margin, alpha)
		f, errF := two.Equivalence(margin, alpha)
		if errA != nil || errB != nil || errE != nil || errF != nil {
			if _, err := one.Interval(CR2, 0.95); err == nil {
				t.Fatalf("%v, %v, %v, %v, yet there is an interval", errA, errB, errE, errF)
			}
			return
		}
		if !close9(a.P, b.P) || !close9(a.Bound, -b.Bound) || !close9(a.T, b.T) || !close9(a.DF, b.DF) {
			t.Fatalf("%+v, mirrored %+v", a, b)
		}
		if !close9(e.PLower, f.PUpper) || !close9(e.Lo, -f.Hi) || !close9(e.P, f.P) {
			t.Fatalf("%+v, mirrored %+v", e, f)
		}
		if e.PLower != a.P || e.P != max(e.PLower, e.PUpper) {
			t.Fatalf("equivalence %+v, non-inferiority %+v", e, a)
		}
		if math.Abs(a.P-alpha) > 1e-9 && (a.P < alpha) != (a.Bound > -margin) {
			t.Fatalf("p and bound disagree: %+v", a)
		}
		if math.Abs(e.P-alpha) > 1e-9 && (e.P < alpha) != (e.Lo > -margin && e.Hi < margin) {
			t.Fatalf("p and interval disagree: %+v", e)
		}
		if wider, err := one.NonInferiority(2*margin, alpha, HigherIsBetter); err != nil || wider.P > a.P || wider.Bound != a.Bound {
			t.Fatalf("margin %v: %+v, %v; margin %v: %+v", 2*margin, wider, err, margin, a)
		}
	})
}

// TestFarFromEveryMargin: no p is 0, however far the mean is from what is tested.
func TestFarFromEveryMargin(t *testing.T) {
	var values []float64
	for i := range 2000 {
		values = append(values, 1+0.001*float64(i%2))
	}
	c := sampleOf(t, values, indices(2000))
	n, err1 := c.NonInferiority(1, 0.025, HigherIsBetter)
	q, err2 := c.Equivalence(1.5, 0.025)
	i, err3 := c.Interval(CR2, 0.95)
	p, err4 := c.PairsT(0.95)
	for what, v := range map[string]float64{"non-inferiority": n.P, "lower": q.PLower, "upper": q.PUpper, "equivalence": q.P, "interval": i.P, "pairs": p.P} {
		if err := errors.Join(err1, err2, err3, err4); err != nil || v != math.SmallestNonzeroFloat64 {
			t.Errorf("%s: p %v, %v, want the smallest number above 0", what, v, err)
		}
	}
}

func TestMarginsRefuse(t *testing.T) {
	c, same := unbalanced(t), sampleOf(t, []float64{0.5, 0.5}, []int{0, 1})
	for name, v := range map[string]struct {
		c             *Clustered
		margin, alpha float64
		better        Direction
		want          string
	}{
		"no margin":      {c, 0, 0.05, HigherIsBetter, "margin 0 (want above 0"},
		"negative":       {c, -0.05, 0.05, HigherIsBetter, "margin -0.05"},
		"not a number":   {c, math.NaN(), 0.05, HigherIsBetter, "margin NaN"},
		"no alpha":       {c, 0.05, 0, HigherIsBetter, "alpha 0 (want above 0"},
		"alpha one half": {c, 0.05, 0.5, HigherIsBetter, "alpha 0.5"},
		"no direction":   {c, 0.05, 0.05, 0, "direction Direction(0) (want HigherIsBetter"},
		"equal means":    {same, 0.05, 0.05, LowerIsBetter, "every cluster has the same mean 0.5"},
		"empty":          {&Clustered{}, 0.05, 0.05, LowerIsBetter, "no values"},
	} {
		_, err := v.c.NonInferiority(v.margin, v.alpha, v.better)
		if err == nil || !strings.Contains(err.Error(), v.want) || !strings.HasPrefix(err.Error(), "non-inferiority: ") {
			t.Errorf("%s: %v, want an error with %q", name, err, v.want)
		}
		_, err = v.c.Equivalence(v.margin, v.alpha)
		if v.better != 0 && (err == nil || !strings.Contains(err.Error(), v.want)) {
			t.Errorf("equivalence, %s: %v, want an error with %q", name, err, v.want)
		}
	}
}
