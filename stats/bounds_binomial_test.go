package stats

import (
	"math"
	"math/big"
	"testing"
)

// TestBinomialCDF meets sums of exact fractions, and scipy where those would
// take too long.
func TestBinomialCDF(t *testing.T) {
	for _, c := range []struct {
		k, n int
		p    float64
	}{{6, 108, 0.1}, {50, 600, 0.1}, {0, 22, 0.1}, {95, 100, 0.9}, {59, 60, 0.99999}, {0, 1, 0.5}, {5, 5, 0.3}, {3, 7, 1e-9}, {1, 9, 1 - 1e-12}, {250, 999, 0.3}} {
		if got, want := binomialCDF(c.k, c.n, c.p, 1-c.p), binomialByFractions(c.k, c.n, c.p); !close12(got, want) {
			t.Errorf("P(X <= %d of %d, %v) = %v, want %v", c.k, c.n, c.p, got, want)
		}
	}
	for _, c := range []struct {
		k, n    int
		p, want float64
	}{{999, 10_000, 0.1, 0.4951240836906776}, {9900, 100_000, 0.1, 0.14709679270993573},
		{499_000, 1_000_000, 0.5, 0.022804149932694757}, {3, 1_000_000, 1e-5, 0.010335785844903855}, {700, 1000, 0.8, 3.811044687488349e-14},
		{0, 1e9, 1e-9, math.Exp(1e9 * math.Log1p(-1e-9))}} {
		if got := binomialCDF(c.k, c.n, c.p, 1-c.p); math.Abs(got-c.want) > 1e-10*c.want {
			t.Errorf("P(X <= %d of %d, %v) = %v, want %v", c.k, c.n, c.p, got, c.want)
		}
	}
}

// binomialByFractions is P(X <= k) in integers: p is a fraction a/b, and b^n
// the denominator of every term.
func binomialByFractions(k, n int, p float64) float64 {
	success := new(big.Rat).SetFloat64(p)
	a, b := success.Num(), success.Denom()
	c := new(big.Int).Sub(b, a)
	power := func(x *big.Int, e int) *big.Int { return new(big.Int).Exp(x, big.NewInt(int64(e)), nil) }
	sum := new(big.Int)
	for i := 0; i <= k; i++ {
		term := new(big.Int).Binomial(int64(n), int64(i))
		sum.Add(sum, term.Mul(term, power(a, i)).Mul(term, power(c, n-i)))
	}
	f, _ := new(big.Float).Quo(new(big.Float).SetPrec(200).SetInt(sum), new(big.Float).SetPrec(200).SetInt(power(b, n))).Float64()
	return f
}

// TestClopperPearson meets R's binom.test, two-sided and one-sided.
func TestClopperPearson(t *testing.T) {
	for _, c := range []struct {
		x, n          int
		level         float64
		lo, hi, upper float64
	}{
		{0, 18, 0.95, 0, 0.18530196813785227, 0.1533175539572782},
		{1, 18, 0.95, 0.0014055561673694237, 0.27294359967336845, 0.23766091507463982},
		{6, 108, 0.95, 0.020658264620303662, 0.11700468294227695, 0.10670240768089756},
		{50, 600, 0.9, 0.065499824989958225, 0.10429533402824809, 0.099686760418724707},
		{18, 18, 0.95, 0.81469803186214773, 1, 1},
		{3, 7, 0.99, 0.055299349980566286, 0.88229624833104803, 0.8577296229931427},
		{40_000, 100_000, 0.95, 0.39696157351032885, 0.4030442276586238, 0.40255531543477718},
		{1, 100_000, 0.999, 5.0012504043167297e-09, 9.9982276357055437e-05, 9.2330333734553941e-05},
	} {
		lo, hi, err := ClopperPearson(c.x, c.n, c.level)
		upper, err2 := ClopperPearsonUpper(c.x, c.n, 1-c.level)
		if err != nil || err2 != nil || !near(lo, c.lo) || !near(hi, c.hi) || !near(upper, c.upper) {
			t.Errorf("%d of %d: [%v, %v], upper %v, %v %v, want %+v", c.x, c.n, lo, hi, upper, err, err2, c)
		}
	}
}

// TestClopperPearsonCovers adds up exact probabilities: at no proportion do the
// intervals miss more often than they may.
func TestClopperPearsonCovers(t *testing.T) {
	const n, delta = 20, 0.1
	for step := 1; step < 50; step++ {
		p := float64(step) / 50
		missed, above := 0.0, 0.0
		for x := 0; x <= n; x++ {
			lo, hi, err := ClopperPearson(x, n, 1-delta)
			upper, err2 := ClopperPearsonUpper(x, n, delta)
			wide, narrow, err3 := ClopperPearson(x, n, 1-2*delta)
			if err != nil || err2 != nil || err3 != nil || !close9(narrow, upper) || wide < lo {
				t.Fatalf("%d: %v %v %v, two-sided %v, one-sided %v", x, err, err2, err3, narrow, upper)
			}
			mass := binomialByFractions(x, n, p) - binomialByFractions(x-1, n, p)
			if p < lo || p > hi {
				missed += mass
			}
			if p > upper {
				above += mass
			}
			if l2, h2, _ := ClopperPearson(n-x, n, 1-delta); !close9(l2, 1-hi) || !close9(h2, 1-lo) {
				t.Fatalf("%d of %d is not turned by its complement", x, n)
			}
		}
		if missed > delta || above > delta {
			t.Errorf("p = %v: missed %v, above %v, want at most %v", p, missed, above, delta)
		}
	}
}
