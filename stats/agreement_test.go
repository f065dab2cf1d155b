package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var fivePoints = []float64{0, 0.25, 0.5, 0.75, 1}

// allFigures are the coefficients on the five-point scale.
func allFigures() map[string]Figure {
	figures := map[string]Figure{
		"alpha_ratio":     (*Ratings).AlphaRatio,
		"fleiss":          (*Ratings).FleissKappa,
		"ac2_ordinal":     GwetFigure(fivePoints, Ordinal),
		"bp":              BrennanPredigerFigure(fivePoints, Nominal),
		"bp_quadratic":    BrennanPredigerFigure(fivePoints, Quadratic),
		"icc_ak":          (*Ratings).ICCAK,
		"percent":         (*Ratings).Percent,
		"alpha_nominal":   (*Ratings).AlphaNominal,
		"alpha_ordinal":   (*Ratings).AlphaOrdinal,
		"alpha_interval":  (*Ratings).AlphaInterval,
		"kappa":           (*Ratings).Kappa,
		"kappa_linear":    (*Ratings).KappaLinear,
		"kappa_quadratic": (*Ratings).KappaQuadratic,
		"ac1":             func(r *Ratings) (float64, error) { return r.AC1(fivePoints) },
		"ac2_quadratic":   func(r *Ratings) (float64, error) { return r.AC2Quadratic(fivePoints) },
		"icc_a1":          (*Ratings).ICCA1,
	}
	for form := OneWay; form <= Consistency; form++ {
		figures[form.String()] = func(r *Ratings) (float64, error) { return r.ICC(form, false) }
		figures[form.String()+"_average"] = func(r *Ratings) (float64, error) { return r.ICC(form, true) }
	}
	return figures
}

// reasons gives the figures of each space-separated list its reason; "icc" is all
// six intraclass correlations.
func reasons(pairs ...string) map[string]string {
	out := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		for _, name := range strings.Fields(pairs[i]) {
			if name != "icc" {
				out[name] = pairs[i+1]
				continue
			}
			for _, form := range []string{"icc_a1", "icc_ak", "one-way", "one-way_average", "consistency", "consistency_average"} {
				out[form] = pairs[i+1]
			}
		}
	}
	return out
}

// grid makes marks of rows of units; '.' is missing, digits are levels of 4.
func grid(rows ...string) []Mark {
	var marks []Mark
	for unit, row := range rows {
		for rater, c := range row {
			if c != '.' {
				marks = append(marks, Mark{unit, rater, float64(c-'0') / 4})
			}
		}
	}
	return marks
}

func TestUndefinedAgreement(t *testing.T) {
	const (
		defined = ""
		alphas  = "alpha_nominal alpha_ordinal alpha_interval alpha_ratio "
		kappas  = "kappa kappa_linear kappa_quadratic "
		scaled  = "ac1 ac2_quadratic ac2_ordinal bp bp_quadratic "
	)
	cases := []struct {
		name  string
		marks []Mark
		want  map[string]string // figure: reason; a figure that is not named must exist
	}{
		{"one category only", grid("22", "22", "22"), reasons(alphas+kappas+"fleiss icc", "one category only")},
		{"no unit has two ratings", grid("0.", ".4", "2."),
			reasons(alphas+kappas+scaled+"percent fleiss", "no unit has two ratings", "icc", "no unit is rated by all raters")},
		{"one rater", grid("0", "4"),
			reasons(alphas+scaled+"percent fleiss", "no unit has two ratings", kappas+"icc", "one rater only")},
		{"one shared unit", grid("04", "1.", ".3"), reasons("icc", "one unit only is rated by all raters")},
		{"the categories differ on unshared units only", grid("22", "22", "0."), reasons(alphas+kappas+"icc", "one category only")},
		{"off the scale", []Mark{{0, 0, 0.3}, {0, 1, 0.5}, {1, 0, 1}, {1, 1, 1}},
			reasons(scaled, "a mark of 0.3 is not on the scale [0 0.25 0.5 0.75 1]")},
		{"below 0", []Mark{{0, 0, -1}, {0, 1, 0.5}, {1, 0, 1}, {1, 1, 1}},
			reasons(scaled, "a mark of -1 is not on the scale [0 0.25 0.5 0.75 1]",
				"alpha_ratio", "a mark of -1 is negative (the ratio metric wants 0 or more)")},
		{"all units have one mean", grid("04", "40", "22"), map[string]string{
			"icc_ak": "no variance to share", "consistency_average": "no variance to share", "one-way_average": "no variance to share"}},
		{"all units have one mean, but for rounding", []Mark{{0, 0, 0.1}, {0, 1, 0.7}, {1, 0, 0.7}, {1, 1, 0.1}, {2, 0, 0.4}, {2, 1, 0.4}},
			reasons(scaled, "a mark of 0.1 is not on the scale [0 0.25 0.5 0.75 1]", "icc_ak consistency_average one-way_average", "no variance to share")},
		{"a shift alone", grid("04", "04", "04"), map[string]string{"consistency": "no variance to share",
			"consistency_average": "no variance to share", "one-way_average": "no variance to share"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := mustRatings(t, c.marks)
			for name, figure := range allFigures() {
				v, err := figure(r)
				got := defined
				if err != nil {
					got = err.Error()
				}
				if got != c.want[name] {
					t.Errorf("%s: got %q (%v), want %q", name, got, v, c.want[name])
				}
			}
		})
	}
}

func TestAgreementByHand(t *testing.T) {
	fig := allFigures()
	cases := []struct {
		name   string
		marks  []Mark
		figure Figure
		want   float64
		within float64
	}{
		// Shrout and Fleiss (1979), table 2; McGraw and Wong give ICC(A,1) = .29.
		{"shrout and fleiss", shroutFleiss(1), (*Ratings).ICCA1, 0.2897638, 1e-6},
		{"shrout and fleiss in other units", shroutFleiss(0.125), (*Ratings).ICCA1, 0.2897638, 1e-6},
		// irrCAC's vignette on the four-observer example: pa .81818, pe .19032.
		{"gwet with missing marks", krippendorff4x12().marks, func(r *Ratings) (float64, error) {
			return r.AC1([]float64{1, 2, 3, 4, 5})
		}, 0.77544, 5e-6},
		// pa = 3/4; pi = (3/8, 5/8) of a scale of 5: pe = 2*15/64/4.
		{"ac1 counts unused categories", grid("00", "04", "44", "44"), fig["ac1"], (0.75 - 30.0/256) / (1 - 30.0/256), 1e-12},
		{"ac1 with one category only is 1", grid("22", "22"), fig["ac1"], 1, 0},
		{"kappa at chance", grid("00", "04", "40", "44"), fig["kappa"], 0, 1e-12},
		{"two constant raters who differ", grid("04", "04"), fig["kappa"], 0, 1e-12},
		// pairs (0,1): 1; (0,2) and (1,2): po = 1/2, pe = 1/2, kappa 0.
		{"light's kappa is the mean over pairs", grid("000", "004", "444", "440"), fig["kappa"], 1.0 / 3, 1e-12},
		// rater 2 shares only constant units with each of the others: left out.
		{"light's kappa leaves undefined pairs out", grid("00.", "44.", "04.", "222"), fig["kappa"], 1 - 0.25/(1-(2*1+1*2+1*1)/16.0), 1e-12},
		// o: 00 twice, 04 and 40 once each, 44 twice: nc = 3, 3, n = 6.
		{"alpha by coincidences", grid("00", "04", "44"), fig["alpha_nominal"], 1 - 5*2.0/18, 1e-12},
		{"percent of three raters counts pairs", grid("004", "444"), fig["percent"], (1.0/3 + 1) / 2, 1e-12},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.figure(mustRatings(t, c.marks))
			if err != nil || !(math.Abs(got-c.want) <= c.within) {
				t.Errorf("got %v, %v; want %v", got, err, c.want)
			}
		})
	}
}

func TestNewRatingsRefuses(t *testing.T) {
	cases := []struct {
		name  string
		marks []Mark
		want  string
	}{
		{"nothing", nil, "no marks"},
		{"not a number", []Mark{{3, 1, math.NaN()}}, "unit 3, rater 1: value NaN"},
		{"infinite", []Mark{{3, 1, math.Inf(1)}}, "value +Inf"},
		{"too large", []Mark{{3, 1, -1e51}}, "value -1e+51 (want 0, or a number of size 1e-50 to 1e+50)"},
		{"too small to square", []Mark{{3, 1, 1e-200}}, "value 1e-200"},
		{"two marks", []Mark{{3, 1, 0}, {3, 2, 0}, {3, 1, 1}}, "unit 3, rater 1: two marks"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := NewRatings(c.marks); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

func drawMarks(t *rapid.T) []Mark {
	units, raters := rapid.IntRange(1, 12).Draw(t, "units"), rapid.IntRange(1, 4).Draw(t, "raters")
	marks := []Mark{{0, 0, 0.5}}
	for u := range units {
		for r := range raters {
			if level := rapid.IntRange(-2, 4).Draw(t, "level"); level >= 0 && u+r > 0 {
				marks = append(marks, Mark{u, r, float64(level) / 4})
			}
		}
	}
	return marks
}

// No figure depends on the order of the marks or on the names of units and
// raters; none exceeds 1; perfect agreement is exactly the figure 1.
func TestAgreementProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		marks := drawMarks(t)
		other := make([]Mark, len(marks))
		for i, m := range marks {
			other[i] = Mark{1000 - 7*m.Unit, 50 - m.Rater, m.Value}
		}
		rand.New(rand.NewPCG(1, uint64(len(marks)))).Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		a, err := NewRatings(marks)
		if err != nil {
			t.Fatal(err)
		}
		b, err := NewRatings(other)
		if err != nil {
			t.Fatal(err)
		}
		agreed := true
		for i, m := range marks {
			for _, o := range marks[:i] {
				agreed = agreed && (m.Unit != o.Unit || m.Value == o.Value)
			}
		}
		for name, figure := range allFigures() {
			x, errX := figure(a)
			y, errY := figure(b)
			if (errX == nil) != (errY == nil) || !(math.Abs(x-y) <= 1e-9) {
				t.Errorf("%s: got %v, %v when renamed, want %v, %v", name, y, errY, x, errX)
			}
			if errX == nil && (math.IsNaN(x) || x > 1+1e-12) {
				t.Errorf("%s: got %v, want at most 1", name, x)
			}
			if errX == nil && agreed && !(math.Abs(x-1) <= 1e-9) {
				t.Errorf("%s: got %v under perfect agreement, want 1", name, x)
			}
		}
	})
}

// The definition of alpha, o_ck by o_ck, as a second algorithm.
func TestAlphaBySlowCoincidences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		marks := drawMarks(t)
		r, err := NewRatings(marks)
		if err != nil {
			t.Fatal(err)
		}
		var o [5][5]float64
		for _, a := range marks {
			m := 0.0
			for _, b := range marks {
				if b.Unit == a.Unit {
					m++
				}
			}
			for _, b := range marks {
				if b.Unit == a.Unit && b.Rater != a.Rater {
					o[int(4*a.Value)][int(4*b.Value)] += 1 / (m - 1)
				}
			}
		}
		want, defined := slowAlpha(o)
		got, err := r.AlphaOrdinal()
		if (err == nil) != defined || !(math.Abs(got-want) <= 1e-9) {
			t.Errorf("got %v, %v; want %v, defined %v", got, err, want, defined)
		}
	})
}

func slowAlpha(o [5][5]float64) (alpha float64, defined bool) {
	var nc [5]float64
	n := 0.0
	for c := range o {
		for k := range o {
			nc[c] += o[c][k]
			n += o[c][k]
		}
	}
	var observed, expected float64
	for c := range o {
		for k := range o {
			d := -(nc[c] + nc[k]) / 2
			for g := min(c, k); g <= max(c, k); g++ {
				d += nc[g]
			}
			if c == k {
				d = 0
			}
			observed += o[c][k] * d * d
			expected += nc[c] * nc[k] * d * d
		}
	}
	if expected < 1e-9 {
		return 0, false
	}
	return 1 - (n-1)*observed/expected, true
}
