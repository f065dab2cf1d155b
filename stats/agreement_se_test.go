package stats

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// allCoefficients are those with a standard error, on a given scale.
func allCoefficients(scale []float64) map[string]func(*Ratings) (Coefficient, error) {
	out := map[string]func(*Ratings) (Coefficient, error){"fleiss": (*Ratings).Fleiss}
	for m := NominalMetric; m <= RatioMetric; m++ {
		out["alpha_"+m.String()] = func(r *Ratings) (Coefficient, error) { return r.Alpha(m) }
	}
	for w := Nominal; w <= Ordinal; w++ {
		out["gwet_"+w.String()] = func(r *Ratings) (Coefficient, error) { return r.AC2(scale, w) }
		out["bp_"+w.String()] = func(r *Ratings) (Coefficient, error) { return r.BrennanPrediger(scale, w) }
		out["kappa_"+w.String()] = func(r *Ratings) (Coefficient, error) {
			if pairs := r.Pairs(); len(pairs) > 0 {
				return pairs[0].Kappa(w)
			}
			return Coefficient{}, errNoShared
		}
	}
	return out
}

func goldenScale(set string) []float64 {
	if set == "Krippendorff4x12" {
		return []float64{5, 4, 3, 2, 1}
	}
	return complianceScale
}

// Missing marks and weights, against another program.
func TestCoefficientsWithMissingMarks(t *testing.T) {
	sets := goldenRatings(t)
	for _, row := range readCSV(t, "testdata/agreement_missing.csv")[1:] {
		set, name := row[0], strings.Replace(row[1], "alpha_quadratic", "alpha_interval", 1)
		got, err := allCoefficients(goldenScale(set))[name](sets[set])
		if value, se := number(t, row[2]), number(t, row[3]); err != nil || !(math.Abs(got.Value-value) <= 1e-9) || !(math.Abs(got.SE-se) <= 1e-9) {
			t.Errorf("%s %s: got %+v, %v, want %v (se %v)", set, name, got, err, value, se)
		}
	}
}

// Fleiss (1971), 15 of his 30 patients by six psychiatrists, with the values and
// errors that irrCAC's documentation prints; and its four raters with missing
// marks.
func TestPublishedCoefficients(t *testing.T) {
	patients, four := mustRatings(t, psychiatrists()), mustRatings(t, krippendorff4x12().marks)
	five := allCoefficients([]float64{1, 2, 3, 4, 5})
	for _, c := range []struct {
		name   string
		r      *Ratings
		want   Coefficient
		within float64
	}{
		{"gwet_nominal", patients, Coefficient{0.4448007, 0.08418757}, 6e-8},
		{"fleiss", patients, Coefficient{0.4139265, 0.08119291}, 6e-8},
		{"bp_nominal", patients, Coefficient{0.4388889, 0.08312142}, 6e-8},
		{"gwet_nominal", four, Coefficient{0.77544, 0.14295}, 6e-6},
		{"fleiss", four, Coefficient{0.76117, 0.15302}, 6e-6},
		{"bp_nominal", four, Coefficient{0.77273, 0.14472}, 6e-6},
	} {
		got, err := five[c.name](c.r)
		if err != nil || !(math.Abs(got.Value-c.want.Value) <= c.within) || !(math.Abs(got.SE-c.want.SE) <= c.within) {
			t.Errorf("%s: got %+v, %v, want %+v", c.name, got, err, c.want)
		}
	}
}

// psychiatrists are 15 patients by six raters in five diagnoses 1 to 5, given as
// counts: which rater is which is not known.
func psychiatrists() []Mark {
	var marks []Mark
	for unit, row := range []string{"00060", "03003", "01401", "00006", "03030", "20400", "00402", "20310", "20040",
		"00006", "10050", "11040", "03300", "10050", "02031"} {
		rater := 0
		for category, n := range row {
			for range n - '0' {
				marks = append(marks, Mark{unit, rater, float64(category + 1)})
				rater++
			}
		}
	}
	return marks
}

// A second algorithm for every standard error: the infinitesimal jackknife by
// finite differences. With weights of 1e5 a unit, one unit more or less moves a
// coefficient by its derivative; the spread of those is the error. Gwet's formula
// moves a unit's part by its share in the count of shared units too.
func TestErrorsAreInfinitesimalJackknives(t *testing.T) {
	sets := goldenRatings(t)
	for _, set := range []string{"Krippendorff4x12", "three_raters_missing", "three_raters", "llama2new"} {
		for name, of := range allCoefficients(goldenScale(set)) {
			if set != "Krippendorff4x12" && name == "alpha_ratio" {
				continue // 0 on the scale: the metric is nominal but for 0.5 and 1
			}
			r := sets[set]
			got, err := of(r)
			if err != nil {
				t.Fatalf("%s %s: %v", set, name, err)
			}
			if want := jackknife(t, r, name, of); !(math.Abs(got.SE-want) <= 1e-5*want) {
				t.Errorf("%s %s: got an error of %.9f, want %.9f", set, name, got.SE, want)
			}
		}
	}
}

func jackknife(t *testing.T, r *Ratings, name string, of func(*Ratings) (Coefficient, error)) float64 {
	t.Helper()
	const many = 100_000
	value := func(more int, by int32) float64 {
		big := *r
		big.weight, big.sums = slices.Clone(r.weight), r.newSums()
		for i := range big.weight {
			big.weight[i] *= many
		}
		big.weight[more] += by
		big.sum()
		c, err := of(&big)
		if err != nil {
			t.Fatal(err)
		}
		return c.Value
	}
	own, err := of(r)
	if err != nil {
		t.Fatal(err)
	}
	n, squares := r.sums.marked, 0.0
	alpha, kappa := strings.HasPrefix(name, "alpha"), strings.HasPrefix(name, "kappa")
	if alpha {
		n = r.sums.shared
	}
	for i, w := range r.weight {
		x := n * (value(i, 1) - value(i, -1)) / 2 * many
		if !alpha && !kappa {
			x -= own.Value
			if len(r.patterns[i].cells) > 1 {
				x += own.Value * n / r.sums.shared
			}
		}
		squares += float64(w) * x * x
	}
	if kappa {
		return math.Sqrt(squares) / n // Fleiss, Cohen & Everitt divide by n, not by n-1
	}
	return math.Sqrt(squares / (n * (n - 1)))
}

// Errors follow from the shape of the marks: none without a second unit, and of
// complete marks alpha and Fleiss' kappa have the same.
func TestErrorsOfCoefficients(t *testing.T) {
	r := goldenRatings(t)["three_raters"]
	alpha, err := r.Alpha(NominalMetric)
	if err != nil {
		t.Fatal(err)
	}
	kappa, err := r.Fleiss()
	if err != nil || !(math.Abs(alpha.SE-kappa.SE) <= 1e-12) {
		t.Errorf("got errors of %v and %v, %v", alpha.SE, kappa.SE, err)
	}
	perfect := mustRatings(t, grid("00", "44", "22"))
	one := mustRatings(t, grid("04"))
	for name, of := range allCoefficients(fivePoints) {
		if got, err := of(perfect); err != nil || !(math.Abs(got.Value-1) <= 1e-12) || got.SE > 1e-9 {
			t.Errorf("%s of perfect agreement: got %+v, %v", name, got, err)
		}
		if _, err := of(one); err == nil || err.Error() != "one unit only has no standard error" {
			t.Errorf("%s of one unit: got %v", name, err)
		}
	}
}
