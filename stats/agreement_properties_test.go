package stats

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// figuresOn are all figures and the standard errors, on a scale.
func figuresOn(scale []float64) map[string]Figure {
	out := map[string]Figure{"percent": (*Ratings).Percent, "kappa": (*Ratings).Kappa,
		"kappa_linear": (*Ratings).KappaLinear, "kappa_quadratic": (*Ratings).KappaQuadratic}
	for name, of := range allCoefficients(scale) {
		out["of "+name], out["se of "+name] = valueOf(of), errorOf(of)
	}
	for form := OneWay; form <= Absolute; form++ {
		for name, average := range map[string]bool{"": false, " average": true} {
			out[form.String()+name] = func(r *Ratings) (float64, error) { return r.ICC(form, average) }
			out["lo of "+form.String()+name] = func(r *Ratings) (float64, error) {
				i, err := r.ICCInterval(form, average, 0.9)
				return i.Lo, err
			}
		}
	}
	return out
}

// moved maps every mark and the scale by a function, and asks of the figures
// that hold keeps whether they stay.
func moved(t *rapid.T, by func(float64) float64, holds func(name string) bool) {
	marks, scale := drawMarks(t), slices.Clone(fivePoints)
	other := slices.Clone(marks)
	for i := range other {
		other[i].Value = by(other[i].Value)
	}
	for i := range scale {
		scale[i] = by(scale[i])
	}
	was, err := NewRatings(marks)
	if err != nil {
		t.Fatal(err)
	}
	is, err := NewRatings(other)
	if err != nil {
		t.Fatal(err)
	}
	after := figuresOn(scale)
	for name, figure := range figuresOn(fivePoints) {
		if !holds(name) {
			continue
		}
		x, errX := figure(was)
		y, errY := after[name](is)
		if (errX == nil) != (errY == nil) || !(math.Abs(x-y) <= 1e-8*max(1, math.Abs(x))) {
			t.Errorf("%s: got %v, %v, want %v, %v", name, y, errY, x, errX)
		}
	}
}

func TestAgreementUnderMovedScales(t *testing.T) {
	without := func(words ...string) func(string) bool {
		return func(name string) bool {
			return !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
		}
	}
	values := []string{"interval", "ratio", "linear", "quadratic", "way", "consistency", "absolute"}
	t.Run("reversed", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { moved(t, func(v float64) float64 { return 1 - v }, without("ratio")) })
	})
	t.Run("shifted and stretched", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { moved(t, func(v float64) float64 { return 16*v - 3 }, without("ratio")) })
	})
	t.Run("stretched", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { moved(t, func(v float64) float64 { return 4096 * v }, without()) })
	})
	t.Run("bent, for what knows the order only", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { moved(t, func(v float64) float64 { return math.Exp(3 * v) }, without(values...)) })
	})
	t.Run("permuted, for what knows equality only", func(t *testing.T) {
		mixed := []float64{3, 7, -1, 9, 2}
		rapid.Check(t, func(t *rapid.T) {
			moved(t, func(v float64) float64 { return mixed[int(4*v)] }, without(append(values, "ordinal")...))
		})
	})
}

// Two categories have one distance, and so all weightings agree.
func TestWeightsOfTwoCategories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		marks := drawMarks(t)
		for i := range marks {
			marks[i].Value = math.Round(marks[i].Value)
		}
		r, err := NewRatings(marks)
		if err != nil {
			t.Fatal(err)
		}
		of := allCoefficients([]float64{0, 1})
		for name, want := range map[string]string{"alpha_ordinal": "alpha_nominal", "alpha_interval": "alpha_nominal", "alpha_ratio": "alpha_nominal",
			"gwet_linear": "gwet_nominal", "gwet_quadratic": "gwet_nominal", "gwet_ordinal": "gwet_nominal",
			"bp_linear": "bp_nominal", "bp_quadratic": "bp_nominal", "bp_ordinal": "bp_nominal",
			"kappa_linear": "kappa_nominal", "kappa_quadratic": "kappa_nominal", "kappa_ordinal": "kappa_nominal"} {
			x, errX := of[name](r)
			y, errY := of[want](r)
			if (errX == nil) != (errY == nil) || !(math.Abs(x.Value-y.Value) <= 1e-9) || !(math.Abs(x.SE-y.SE) <= 1e-7) {
				t.Errorf("%s: got %+v, %v, want %+v, %v", name, x, errX, y, errY)
			}
		}
	})
}

// Relations between coefficients of complete marks: alpha tends to Fleiss' kappa
// as units are added, and where every category is as frequent, kappa, AC1 and
// Brennan-Prediger are one.
func TestRelationsOfCoefficients(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units, raters := rapid.IntRange(2, 10).Draw(t, "units"), rapid.IntRange(2, 4).Draw(t, "raters")
		var marks, uniform []Mark
		for u := range units {
			for r := range raters {
				level := rapid.IntRange(0, 4).Draw(t, "level")
				marks = append(marks, Mark{u, r, float64(level) / 4})
				for shift := range 5 {
					uniform = append(uniform, Mark{5*u + shift, r, float64((level+shift)%5) / 4})
				}
			}
		}
		a, err := NewRatings(marks)
		if err != nil {
			t.Fatal(err)
		}
		n := float64(len(marks))
		alpha, err := a.AlphaNominal()
		if fleiss, errF := a.FleissKappa(); (err == nil) != (errF == nil) || err == nil && !(math.Abs(alpha-(fleiss+(1-fleiss)/n)) <= 1e-9) {
			t.Errorf("alpha %v, %v, fleiss %v, %v of %v marks", alpha, err, fleiss, errF, n)
		}
		b, err := NewRatings(uniform)
		if err != nil {
			t.Fatal(err)
		}
		want, err := BrennanPredigerFigure(fivePoints, Nominal)(b)
		if err != nil {
			t.Fatal(err)
		}
		for name, figure := range map[string]Figure{"ac1": GwetFigure(fivePoints, Nominal), "fleiss": (*Ratings).FleissKappa} {
			if got, err := figure(b); err != nil || !(math.Abs(got-want) <= 1e-9) {
				t.Errorf("%s: got %v, %v, want %v", name, got, err, want)
			}
		}
	})
}

// Every unit twice: means stay, alpha moves by its (n-1)/n alone, and mean
// squares by their degrees of freedom.
func TestAgreementOfUnitsTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		marks := drawMarks(t)
		twice := slices.Clone(marks)
		for _, m := range marks {
			twice = append(twice, Mark{m.Unit + 1000, m.Rater, m.Value})
		}
		a, err := NewRatings(marks)
		if err != nil {
			t.Fatal(err)
		}
		b, err := NewRatings(twice)
		if err != nil {
			t.Fatal(err)
		}
		for name, figure := range allFigures() {
			if strings.Contains(name, "icc") || strings.Contains(name, "way") || strings.Contains(name, "consistency") {
				continue
			}
			x, errX := figure(a)
			y, errY := figure(b)
			if n := a.sums.n; strings.HasPrefix(name, "alpha") && n > 1 {
				x = 1 - (1-x)*(2*n-1)/(2*n-2)
			}
			if (errX == nil) != (errY == nil) || errX == nil && !(math.Abs(x-y) <= 1e-9) {
				t.Errorf("%s: got %v, %v, want %v, %v", name, y, errY, x, errX)
			}
		}
	})
}

// A resample by weights is the ratings of its marks, rebuilt.
func TestWeightedPatternsAreMarks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		marks := drawMarks(t)
		r, err := NewRatings(marks)
		if err != nil {
			t.Fatal(err)
		}
		drawn := *r
		drawn.weight, drawn.sums = slices.Clone(r.weight), r.newSums()
		drawn.sum() // of an earlier draw
		clear(drawn.weight)
		var rebuilt []Mark
		next, kept := 0, map[int]bool{}
		for u, id := range r.units {
			times := rapid.IntRange(0, 3).Draw(t, "times")
			drawn.weight[r.of[u]] += int32(times)
			for range times {
				for _, m := range marks {
					if m.Unit == id {
						rebuilt = append(rebuilt, Mark{next, m.Rater, m.Value})
						kept[m.Rater] = true
					}
				}
				next++
			}
		}
		if len(kept) < len(r.raters) {
			t.Skip("a rater is left out")
		}
		drawn.sum()
		want, err := NewRatings(rebuilt)
		if err != nil {
			t.Fatal(err)
		}
		shared, constant := drawn.RaterPairs()
		if s, c := want.RaterPairs(); s != shared || c != constant {
			t.Errorf("got %d pairs, %d constant, want %d and %d", shared, constant, s, c)
		}
		for name, figure := range allFigures() {
			x, errX := figure(&drawn)
			y, errY := figure(want)
			if (errX == nil) != (errY == nil) || !(math.Abs(x-y) <= 1e-9*max(1, math.Abs(y))) {
				t.Errorf("%s: got %v, %v, want %v, %v", name, x, errX, y, errY)
			}
		}
	})
}
