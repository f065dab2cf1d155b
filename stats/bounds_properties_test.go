package stats

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawLosses draws losses of a lattice, many of them 0.
func drawLosses(t *rapid.T) []float64 {
	out := make([]float64, rapid.IntRange(1, 60).Draw(t, "n"))
	most := rapid.IntRange(0, 4).Draw(t, "most")
	for i := range out {
		out[i] = float64(max(0, rapid.IntRange(-6, most).Draw(t, "k"))) / 4
	}
	return out
}

func mean(values []float64) float64 {
	s := 0.0
	for _, v := range values {
		s += v
	}
	return s / float64(len(values))
}

// bound is a p-value of losses at a budget, and its inverse.
type bound struct {
	p     func(l []float64, budget float64) (float64, error)
	upper func(l []float64, delta float64) (float64, error)
}

// boundsAt are the bounds of n losses; the bets of wsr are made for delta.
func boundsAt(n int, delta float64) map[string]bound {
	return map[string]bound{
		"hoeffding": {func(l []float64, a float64) (float64, error) { return Hoeffding(mean(l), n, a) },
			func(l []float64, d float64) (float64, error) { return HoeffdingUpper(mean(l), n, d) }},
		"hoeffding-bentkus": {func(l []float64, a float64) (float64, error) { return HoeffdingBentkus(mean(l), n, a) },
			func(l []float64, d float64) (float64, error) { return HoeffdingBentkusUpper(mean(l), n, d) }},
		"wsr": {func(l []float64, a float64) (float64, error) { return WSR(l, a, delta) }, WSRUpper},
	}
}

func drawShare(t *rapid.T, name string) float64 {
	return float64(rapid.IntRange(1, 99).Draw(t, name)) / 100
}

// TestPFallsWithTheBudget: p falls as the budget rises and as losses fall.
func TestPFallsWithTheBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLosses(t)
		a, b, delta := drawShare(t, "budget"), drawShare(t, "budget"), drawShare(t, "delta")
		a, b = min(a, b), max(a, b)
		harder := slices.Clone(l)
		i := rapid.IntRange(0, len(l)-1).Draw(t, "i")
		harder[i] = min(1, harder[i]+0.25)
		for name, f := range boundsAt(len(l), delta) {
			low, err := f.p(l, b)
			high, err2 := f.p(l, a)
			worse, err3 := f.p(harder, a)
			if err != nil || err2 != nil || err3 != nil || !(low > 0 && high <= 1) || low > high*(1+1e-12) || name != "wsr" && high > worse*(1+1e-12) {
				t.Fatalf("%s: p %v at %v, %v at %v, %v with more loss; %v %v %v", name, low, b, high, a, worse, err, err2, err3)
			}
		}
	})
}

// TestUpperBoundsInvertP: every upper bound is the budget where p is delta, lies
// between mean and 1, falls as delta rises, and is ordered as the inequalities are.
func TestUpperBoundsInvertP(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLosses(t)
		n, m, delta := len(l), mean(l), drawShare(t, "delta")
		upper := map[string]float64{}
		for name, f := range boundsAt(n, delta) {
			u, err := f.upper(l, delta)
			if err != nil || !(u > 0 && u <= 1) || (name != "wsr" && u < m) {
				t.Fatalf("%s: bound %v of mean %v, %v", name, u, m, err)
			}
			if u < 1-1e-6 {
				above, _ := f.p(l, u+1e-7)
				below, _ := f.p(l, u-1e-7)
				if above > delta || below < delta {
					t.Fatalf("%s: p is %v and %v about the bound %v at %v", name, below, above, u, delta)
				}
			}
			if wider, _ := f.upper(l, delta/2); name != "wsr" && wider < u {
				t.Fatalf("%s: bound %v at %v, %v at half", name, u, delta, wider)
			}
			upper[name] = u
		}
		limit, _ := ZeroLossLimit(n, delta)
		if upper["hoeffding-bentkus"] > upper["hoeffding"]+1e-12 || upper["hoeffding-bentkus"] < limit-1e-12 || upper["wsr"] < limit-1e-9 {
			t.Fatalf("bounds %v, limit %v", upper, limit)
		}
	})
}

// TestBoundsAreAccepted: at what is returned p is at most delta, without leave for
// rounding.
func TestBoundsAreAccepted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLosses(t)
		delta := rapid.Float64Range(1e-9, 0.999).Draw(t, "delta")
		n := len(l)
		check := func(name string, u float64, err error, p func(float64) (float64, error)) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if u == 1 {
				return
			}
			if got, err := p(u); err != nil || got > delta {
				t.Fatalf("%s: p %v at the bound %v, want at most %v; %v", name, got, u, delta, err)
			}
		}
		for name, f := range boundsAt(n, delta) {
			u, err := f.upper(l, delta)
			check(name, u, err, func(a float64) (float64, error) { return f.p(l, a) })
		}
		large := rapid.IntRange(1, math.MaxInt32).Draw(t, "n")
		u, err := HoeffdingUpper(mean(l), large, delta)
		check("hoeffding, many", u, err, func(a float64) (float64, error) { return Hoeffding(mean(l), large, a) })
		u, err = ZeroLossLimit(large, delta)
		check("limit", u, err, func(a float64) (float64, error) { return HoeffdingBentkus(0, large, a) })
		if r, err := LargestCertifiable(large, u, delta); u < 1 && (err != nil || keep(HoeffdingBentkus(r, large, u)) > delta) {
			t.Fatalf("%d tasks at their limit %v: %v, %v", large, u, r, err)
		}
		x := rapid.IntRange(0, n).Draw(t, "x")
		u, err = ClopperPearsonUpper(x, n, delta)
		check("counts", u, err, func(a float64) (float64, error) { return binomialCDF(x, n, a, 1-a), nil })
		if lo, _, err := ClopperPearson(x, n, 1-delta); err != nil || lo > 0 && binomialCDF(n-x, n, 1-lo, lo) > (1-(1-delta))/2 {
			t.Fatalf("%d of %d: lower end %v, %v", x, n, lo, err)
		}
		if r, err := LargestConformal(n, delta); err == nil && keep(ConformalRisk(r, n)) > delta {
			t.Fatalf("conformal: mean %v of %d at %v", r, n, delta)
		}
	})
}

// TestLargestCertifiableIsLargest: what is returned certifies, and a little
// more does not.
func TestLargestCertifiableIsLargest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 2000).Draw(t, "n")
		budget, delta := float64(rapid.IntRange(1, 99).Draw(t, "budget"))/100, float64(rapid.IntRange(1, 60).Draw(t, "delta"))/100
		need, err := ZeroLossTasks(budget, delta, 1)
		if err != nil || math.Pow(1-budget, float64(need)) > delta*(1+1e-9) || need > 1 && math.Pow(1-budget, float64(need-1)) < delta*(1-1e-9) {
			t.Fatalf("%d tasks for %v at %v, %v", need, budget, delta, err)
		}
		r, err := LargestCertifiable(n, budget, delta)
		if zero, _ := HoeffdingBentkus(0, n, budget); n < need || zero > delta {
			if !errors.Is(err, ErrUncertifiable) || zero <= delta {
				t.Fatalf("%d of %d tasks: %v, %v", n, need, r, err)
			}
			return
		}
		p, _ := HoeffdingBentkus(r, n, budget)
		more, _ := HoeffdingBentkus(min(1, r+1e-8), n, budget)
		if err != nil || p > delta || more <= delta {
			t.Fatalf("loss %v: p %v, with a little more %v, delta %v, %v", r, p, more, delta, err)
		}
	})
}

// FuzzBounds: whatever goes in, an error or a number of (0,1] comes out.
func FuzzBounds(f *testing.F) {
	f.Add(0.05, 108, 0.1, 0.1, []byte{0, 0, 40, 0, 255})
	f.Add(0.0, 1, 1e-300, 1-1e-16, []byte{})
	f.Add(1.0, 1<<31-1, 0.5, 1e-9, []byte{255, 255})
	f.Fuzz(func(t *testing.T, m float64, n int, budget, delta float64, data []byte) {
		l := make([]float64, len(data))
		for i, x := range data {
			l[i] = float64(x) / 255
		}
		small := min(n, 1_000_000)
		for name, run := range map[string]func() (float64, error){
			"hoeffding":       func() (float64, error) { return Hoeffding(m, n, budget) },
			"hoeffding upper": func() (float64, error) { return HoeffdingUpper(m, n, delta) },
			"hb":              func() (float64, error) { return HoeffdingBentkus(m, n, budget) },
			"hb upper":        func() (float64, error) { return HoeffdingBentkusUpper(m, small, delta) },
			"wsr":             func() (float64, error) { return WSR(l, budget, delta) },
			"wsr upper":       func() (float64, error) { return WSRUpper(l, delta) },
			"limit":           func() (float64, error) { return ZeroLossLimit(n, delta) },
			"conformal":       func() (float64, error) { return ConformalRisk(m, n) },
			"counts":          func() (float64, error) { return ClopperPearsonUpper(int(m), small, delta) },
		} {
			if v, err := run(); err == nil && !(v >= 0 && v <= 1) || err == nil && v == 0 && name != "hoeffding upper" && !strings.Contains(name, "upper") && name != "limit" {
				t.Fatalf("%s: %v for %v, %d, %v, %v", name, v, m, n, budget, delta)
			}
		}
		for name, run := range map[string]func() (float64, error){
			"certifiable": func() (float64, error) { return LargestCertifiable(small, budget, delta) },
			"conformal":   func() (float64, error) { return LargestConformal(n, budget) },
		} {
			if v, err := run(); err == nil && !(v >= 0 && v <= budget) {
				t.Fatalf("%s: %v for %d, %v, %v", name, v, n, budget, delta)
			}
		}
		if lo, hi, err := ClopperPearson(int(m), small, delta); err == nil && !(lo >= 0 && lo <= hi && hi <= 1) {
			t.Fatalf("[%v, %v] for %v of %d", lo, hi, m, small)
		}
		if k, err := ZeroLossTasks(budget, delta, n); err == nil && k < 1 {
			t.Fatalf("%d tasks", k)
		}
	})
}
