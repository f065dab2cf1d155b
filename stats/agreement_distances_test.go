package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Sums over pairs of categories by one pass are those of a double loop, whatever
// the spacing.
func TestSumsOfDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		marks := drawMarks(t)
		for i := range marks {
			marks[i].Value = math.Exp(float64(rapid.IntRange(0, 30).Draw(t, "value")) / 3)
		}
		r, err := NewRatings(marks)
		if err != nil {
			t.Fatal(err)
		}
		x, y := make([]float64, len(r.categories)), make([]float64, len(r.categories))
		for i := range x {
			x[i], y[i] = float64(rapid.IntRange(0, 9).Draw(t, "x")), float64(rapid.IntRange(0, 9).Draw(t, "y"))
		}
		of := map[string]distances{}
		for w := Nominal; w <= Ordinal; w++ {
			of[w.String()] = w.distances(r.categories)
		}
		for m := NominalMetric; m <= RatioMetric && r.sums.shared > 0; m++ {
			if of["alpha "+m.String()], err = r.squared(m); err != nil {
				t.Fatal(err)
			}
		}
		for name, d := range of {
			total := 0.0
			to := d.to(y)
			for c := range x {
				sum := 0.0
				for k := range y {
					total += x[c] * y[k] * d.apart(int32(c), int32(k))
					sum += y[k] * d.apart(int32(c), int32(k))
				}
				if !(math.Abs(to[c]-sum) <= 1e-12*sum) {
					t.Errorf("%s: %v from category %d, want %v", name, to[c], c, sum)
				}
			}
			if got := d.total(x, y); !(math.Abs(got-total) <= 1e-12*total) {
				t.Errorf("%s: %v in all, want %v", name, got, total)
			}
		}
	})
}

// Marks that never repeat make as many categories as marks, and still cost little.
// The second algorithm is the textbook's variance: the mean squared distance of two
// marks is twice it, and the chance term of the quadratic kappa is made of moments.
func TestContinuousMarks(t *testing.T) {
	const units, far = 20_000, 1e4
	s := newStream(3, 1)
	uniform := s.uniform
	var marks []Mark
	a, b := make([]float64, units), make([]float64, units)
	for u := range units {
		a[u] = far + uniform()
		b[u] = a[u] + uniform()/2
		marks = append(marks, Mark{u, 0, a[u]}, Mark{u, 1, b[u]})
	}
	r := mustRatings(t, marks)
	var square, meanA, meanB, varA, varB float64
	for u := range units {
		square += (a[u] - b[u]) * (a[u] - b[u]) / units
		meanA, meanB = meanA+(a[u]-far)/units, meanB+(b[u]-far)/units
	}
	for u := range units {
		varA += (a[u] - far - meanA) * (a[u] - far - meanA) / units
		varB += (b[u] - far - meanB) * (b[u] - far - meanB) / units
	}
	apart := (meanA - meanB) * (meanA - meanB)
	const n = 2 * units
	alpha := 1 - (n-1.0)/n*square/(varA+varB+apart/2)
	kappa := 1 - square/(varA+varB+apart)
	if got, err := r.AlphaInterval(); err != nil || !(math.Abs(got-alpha) <= 1e-9) {
		t.Errorf("alpha %v, %v, want %v", got, err, alpha)
	}
	if got, err := r.KappaQuadratic(); err != nil || !(math.Abs(got-kappa) <= 1e-9) {
		t.Errorf("kappa %v, %v, want %v", got, err, kappa)
	}
	for name, of := range map[string]func() (Coefficient, error){
		"alpha nominal":  func() (Coefficient, error) { return r.Alpha(NominalMetric) },
		"alpha ordinal":  func() (Coefficient, error) { return r.Alpha(OrdinalMetric) },
		"alpha interval": func() (Coefficient, error) { return r.Alpha(IntervalMetric) },
		"kappa linear":   func() (Coefficient, error) { return r.Pairs()[0].Kappa(Linear) },
		"ac2":            func() (Coefficient, error) { return r.AC2(r.Categories(), Quadratic) },
	} {
		if c, err := of(); err != nil || !(c.SE > 0 && c.SE < 0.02) {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}
