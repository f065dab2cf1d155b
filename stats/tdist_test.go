package stats

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestFarTails meets closed forms and scipy where the usual algorithms stop.
func TestFarTails(t *testing.T) {
	for _, c := range []struct{ t, df, want float64 }{
		{-1e200, 1, 1 / math.Pi / 1e200},      // Cauchy
		{-1e60, 2, 0.5e-120},                  // (1 - 1/sqrt(1+2/t^2))/2
		{-1e150, 0.5, 3.2070097541422287e-76}, // scipy
		{-1e155, 0.5, 1.01414553014661e-78},   // the same, by t^-df
		{math.Inf(-1), 3, 0},                  //
		{math.Inf(1), 3, 1},                   //
		{-1e300, 1e5, 0},                      //
		{-2, math.Inf(1), 0.022750131948179207} /* R's pnorm */, {-2, 1e300, 0.022750131948179207},
	} {
		if got := TCDF(c.t, c.df); math.Abs(got-c.want) > 1e-11*c.want {
			t.Errorf("TCDF(%v, %v) = %v, want %v", c.t, c.df, got, c.want)
		}
	}
	for _, c := range []struct{ f, d1, d2, want float64 }{
		{1, 1, math.Inf(1), 0.6826894921370859}, // a squared normal
		{1, 1, 1e12, 0.6826894921370859},
		{1, math.Inf(1), 1, 0.31731050786291415},
		{3, 2, 1e10, 0.950212931632136}, // 1 - exp(-3)
		{math.Inf(1), 2, 3, 1},
		{1e300, 1e300, 2, 1},
	} {
		if got := FCDF(c.f, c.d1, c.d2); math.Abs(got-c.want) > 1e-6*c.want {
			t.Errorf("FCDF(%v, %v, %v) = %v, want %v", c.f, c.d1, c.d2, got, c.want)
		}
	}
	for _, c := range []struct{ f, d1, d2, want float64 }{ // R: pf
		{89703.86, 562341.325, 0.1, 0.49999996279936143}, // 1-x is lost before x rounds to 1
		{1, 1e9, 1, 0.31731050810488559},
		{4.840505173848385, 0.1, 1e8, 0.9464950325133336},
		{1, 1e8, 177827941.00389227, 0.5000065849334513}, // the incomplete beta function has .35
		{0.9745422361102042, 1e4, 31622.776601683792, 0.056711852317677454},
		{0.9787, 5623.5, 3e7, 0.12899138194063312},
		{3, 2, 5e7, 0.95021292267046364},
		{1e-300, 1e300, 3, 0},
		{1e300, 3, 1e300, 1},
	} {
		if got := FCDF(c.f, c.d1, c.d2); math.Abs(got-c.want) > 1e-7 {
			t.Errorf("FCDF(%v, %v, %v) = %v, want %v", c.f, c.d1, c.d2, got, c.want)
		}
	}
	cauchy := math.Cos(math.Pi*0.25e-9) / math.Sin(math.Pi*0.25e-9)
	for name, c := range map[string][2]float64{
		"t, far":            {TQuantile(1e-300, 1), -1e300 / math.Pi},
		"t, Cauchy":         {TQuantile(0.25e-9, 1), -cauchy},
		"t, beyond float64": {TQuantile(1e-300, 0.01), -math.MaxFloat64},
		"t, endless df":     {TQuantile(0.025, math.Inf(1)), -1.959963984540054},
		"F, near 0":         {FQuantile(1e-100, 1, 1), math.Pow(math.Pi/2, 2) * 1e-200}, // of a squared Cauchy: tan(pi p/2)^2
		"F, far below":      {FQuantile(1e-300, 1, 1), 0},
		"F, beyond":         {FQuantile(1-1e-16, 0.01, 0.01), math.MaxFloat64},
	} {
		if math.Abs(c[0]-c[1]) > 1e-9*math.Abs(c[1]) {
			t.Errorf("%s: %v, want %v", name, c[0], c[1])
		}
	}
}

// TestOutsideTheDomain: a distribution of nothing panics, and says why.
func TestOutsideTheDomain(t *testing.T) {
	nan := math.NaN()
	for want, run := range map[string]func(){
		"stats: distribution at NaN":           func() { NormalCDF(nan) },
		"stats: distribution at NaN (":         func() { TCDF(nan, 3) },
		"stats: distribution at NaN (want":     func() { FCDF(nan, 3, 3) },
		"stats: 0 degrees of freedom":          func() { TCDF(1, 0) },
		"stats: NaN degrees of freedom":        func() { TCDF(1, nan) },
		"stats: -1 degrees of freedom":         func() { TQuantile(0.1, -1) },
		"stats: 0 degrees of freedom (":        func() { FCDF(0, 0, 3) },
		"stats: -2 degrees of freedom":         func() { FQuantile(0.5, 3, -2) },
		"stats: quantile of p = NaN":           func() { NormalQuantile(nan) },
		"stats: quantile of p = 0 (":           func() { TQuantile(0, 3) },
		"stats: quantile of p = 1 (":           func() { FQuantile(1, 3, 3) },
		"stats: quantile of p = 1 (want betwe": func() { NormalQuantile(1) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.HasPrefix(got, want) {
					t.Errorf("%s, want %s", got, want)
				}
			}()
			run()
		}()
	}
}

// TestDistributionsRise: every distribution rises from 0 to 1, is turned by its
// sign, and its quantile is its inverse.
func TestDistributionsRise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		exponent := func(name string, lo, hi int) float64 {
			return math.Pow(10, float64(rapid.IntRange(lo, hi).Draw(t, name))/4)
		}
		df, d2, x := exponent("df", -4, 36), exponent("d2", -4, 32), exponent("x", -20, 20)
		p := rapid.Float64Range(1e-12, 0.5).Draw(t, "p")
		if a, b := TCDF(-x*1.01, df), TCDF(-x, df); !(a >= 0 && a <= b && b <= 0.5) || TCDF(x, df) != 1-b {
			t.Fatalf("t of %v: %v at %v, %v above", df, a, -x, b)
		}
		if a, b := FCDF(x, df, d2), FCDF(x*1.01, df, d2); !(a >= 0 && a <= b+1e-9 && b <= 1) {
			t.Fatalf("F of %v, %v: %v at %v, %v above", df, d2, a, x, b)
		}
		if got := TCDF(TQuantile(p, df), df); math.Abs(got-p) > 1e-9*p {
			t.Fatalf("t of %v: quantile of %v is that of %v", df, p, got)
		}
		if q := FQuantile(p, df, d2); q > 0 && math.Abs(FCDF(q, df, d2)-p) > 1e-6*p+1e-9 {
			t.Fatalf("F of %v, %v: quantile %v of %v is that of %v", df, d2, q, p, FCDF(q, df, d2))
		}
	})
}
