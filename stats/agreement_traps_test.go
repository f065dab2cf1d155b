package stats

import (
	"math"
	"math/big"
	"testing"
)

// irr::kripp.alpha divides the coincidences of complete data by 1, not by m-1, so
// that with three raters it takes each mark for two. The value here is the exact
// one, in fractions.
func TestAlphaOfCompleteDataIsNotIrrs(t *testing.T) {
	r := goldenRatings(t)["three_raters"]
	got, err := r.AlphaNominal()
	if err != nil {
		t.Fatal(err)
	}
	// Over 1350 units of three: n = 4050; a unit in which two agree has two
	// ordered agreeing pairs of six.
	agreeing, n := new(big.Rat), big.NewRat(4050, 1)
	marks := map[string]int64{}
	for _, row := range readCSV(t, "testdata/agreement_patterns.csv")[1:] {
		if row[0] != "complete" {
			continue
		}
		units := int64(number(t, row[4]))
		for i, a := range row[1:4] {
			marks[a] += units
			for j, b := range row[1:4] {
				if i != j && a == b {
					agreeing.Add(agreeing, big.NewRat(units, 2))
				}
			}
		}
	}
	chance := new(big.Rat)
	for _, m := range marks {
		chance.Add(chance, big.NewRat(m*(m-1), 1))
	}
	less := new(big.Rat).Sub(n, big.NewRat(1, 1))
	top := new(big.Rat).Sub(new(big.Rat).Mul(less, agreeing), chance)
	exact, _ := top.Quo(top, new(big.Rat).Sub(new(big.Rat).Mul(n, less), chance)).Float64()
	if !(math.Abs(got-exact) <= 1e-12) || !(math.Abs(exact-0.7744152229849155) <= 1e-15) {
		t.Errorf("got %v, want %v", got, exact)
	}
	irrs := 1 - (1-exact)*(4050.0/4049)*(8099.0/8100)
	if math.Abs(got-irrs) < 2e-5 {
		t.Errorf("got %v, which is irr's %v", got, irrs)
	}
}

// The fixed ordinal weights of Gwet are not Krippendorff's ordinal metric: over
// the four observers alpha is .8154 under this, .8336 under those (irrCAC).
func TestOrdinalIsNotOrdinal(t *testing.T) {
	r := mustRatings(t, krippendorff4x12().marks)
	alpha, err := r.AlphaOrdinal()
	if err != nil || !(math.Abs(alpha-0.81538750375488134) <= 1e-12) {
		t.Fatal(alpha, err)
	}
	apart := Ordinal.distances(r.categories).apart
	observed, expected, n := 0.0, 0.0, r.sums.n
	for i, j := range r.meetings {
		observed += r.sums.coincidence[i] / n * apart(j.c, j.k)
	}
	for c, x := range r.sums.nc {
		for k, y := range r.sums.nc {
			expected += x / n * y / n * apart(int32(c), int32(k))
		}
	}
	if fixed := 1 - (n-1)/n*observed/expected; !(math.Abs(fixed-0.833638025594) <= 1e-11) {
		t.Errorf("alpha under the fixed weights is %v, want .8336", fixed)
	}
	// Steps of 1, 2, 3 and 4 ranks hold 1, 3, 6 and 10 pairs of categories.
	for k, pairs := range []float64{0, 1, 3, 6, 10} {
		if got := apart(0, int32(k)); !(math.Abs(got-pairs/10) <= 1e-15) {
			t.Errorf("%d ranks: got %v, want %v", k, got, pairs/10)
		}
	}
}

// psych prints a variance of 0 for the weighted kappa; vcd and statsmodels agree on
// another.
func TestWeightedKappaHasAnError(t *testing.T) {
	got, err := goldenRatings(t)["gpt4"].Pairs()[0].Kappa(Quadratic)
	if err != nil || !(math.Abs(got.SE-0.005330185919452962) <= 1e-12) {
		t.Errorf("got %+v, %v", got, err)
	}
}

// AC1 and Brennan-Prediger count the categories of the scale, seen or not; kappa
// and alpha know only those seen.
func TestCategoriesAreThoseOfTheScale(t *testing.T) {
	r := mustRatings(t, grid("00", "04", "44", "44")) // pa 3/4, shares 3/8 and 5/8
	for _, c := range []struct {
		q          int
		ac1, brenn float64
	}{
		{2, (0.75 - 30.0/64) / (1 - 30.0/64), 0.5},
		{3, (0.75 - 15.0/64) / (1 - 15.0/64), (0.75 - 1.0/3) / (2.0 / 3)},
		{5, (0.75 - 7.5/64) / (1 - 7.5/64), (0.75 - 0.2) / 0.8},
	} {
		scale := []float64{0, 1, 0.25, 0.5, 0.75}[:c.q]
		ac1, err := r.AC1(scale)
		if err != nil || !(math.Abs(ac1-c.ac1) <= 1e-12) {
			t.Errorf("ac1 of %d categories: got %v, %v, want %v", c.q, ac1, err, c.ac1)
		}
		bp, err := BrennanPredigerFigure(scale, Nominal)(r)
		if err != nil || !(math.Abs(bp-c.brenn) <= 1e-12) {
			t.Errorf("brennan-prediger of %d categories: got %v, %v, want %v", c.q, bp, err, c.brenn)
		}
	}
}

// psych prints ICC(A,k) = 25 and a lower bound above the upper for raters who
// disagree; neither exists.
func TestAverageOfDisagreement(t *testing.T) {
	r := mustRatings(t, grid("041", "312", "401", "132", "224"))
	if got, err := r.ICCAK(); err == nil || err.Error() != "no variance to share" {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := r.ICCInterval(Absolute, true, 0.95); err == nil {
		t.Errorf("got %+v", got)
	}
}
