package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The wanted values are the series of Poisson weights and incomplete beta
// functions (Johnson, Kotz & Balakrishnan 1995, eq. 31.11) summed with 40 digits
// by mpmath 1.3; R 4 pt and scipy nct agree to 1e-9 and 1e-13 where they work.
var nctWant = []struct{ t, df, ncp, p float64 }{
	{2.5, 10, 1.5, 0.793939109036183494},
	{2.1098155778331806, 17, 2.33, 0.40621957680565416},
	{-2.1098155778331806, 17, 2.33, 0.0000153445253479362898},
	{2.5705818366147395, 5, 1.6, 0.743896674105806932},
	{-2.57, 5, 1.6, 0.000459239392141575368},
	{1.96, 1, 0.5, 0.744304311020543275},
	{0, 7, -1.25, 0.894350226333144742},
	{3, 0.5, 1, 0.600967022051432972},
	{12.7, 1, 20, 0.116428178525268972},
	{1, 3, -2, 0.996994752404601494},
	{40, 17, 38, 0.570328165113950101},
	{45, 50, 50, 0.129019925941567895},
	{130, 17, 120, 0.632398710388811496},
	{99, 3, 101, 0.373181203664502258},
	{2, 1000, 2.8, 0.211942039555340163},
	{1.9599, 1e6, 3, 0.149146840026796683},
	{1.5, 2.37, 0, 0.873320707202633528},
	{25, 2, 10, 0.851217944994038406},
	{1e-3, 9, -0.5, 0.691804812815318959},
}

func TestNoncentralTCDF(t *testing.T) {
	for _, c := range nctWant {
		got, err := NoncentralTCDF(c.t, c.df, c.ncp)
		if err != nil || math.Abs(got-c.p) > 1e-13 {
			t.Errorf("P(T <= %v) at df %v, ncp %v: got %.17g (%v), want %.17g", c.t, c.df, c.ncp, got, err, c.p)
		}
		if math.Abs(got/c.p-1) > 1e-11 {
			t.Errorf("P(T <= %v) at df %v, ncp %v: got %.17g, off by %.1e of it", c.t, c.df, c.ncp, got, got/c.p-1)
		}
	}
	if got := nctCDF(-1, 4, 8); math.Abs(got/3.90087882094726219e-18-1) > 1e-10 {
		t.Errorf("far tail: got %.17g, want 3.90087882094726219e-18", got)
	}
}

// Without noncentrality it is Student's t; with infinite df it is normal.
func TestNoncentralTLimits(t *testing.T) {
	for _, df := range []float64{0.01, 1, 2.5, 17, 1e4, 1e9, 1e15, 1e300} {
		for _, x := range []float64{-30, -2.1, -0.3, 0, 1e-9, 0.7, 5} {
			if got, want := nctCDF(x, df, 0), TCDF(x, df); math.Abs(got-want) > 1e-12 {
				t.Errorf("ncp 0, t %v, df %v: got %.16g, want %.16g", x, df, got, want)
			}
		}
	}
	for _, ncp := range []float64{-4, 0.5, 30, 150} {
		for _, z := range []float64{-2, 0, 1} {
			if got, want := nctCDF(ncp+z, 1e18, ncp), NormalCDF(z); math.Abs(got-want) > 1e-9 {
				t.Errorf("df 1e18, ncp %v, z %v: got %.16g, want %.16g", ncp, z, got, want)
			}
		}
	}
}

// The two integrals are different algorithms: they agree where both serve.
func TestNoncentralTIntegralsAgree(t *testing.T) {
	for _, df := range []float64{1, 2.5, 17, 400, 5000} {
		for _, ncp := range []float64{101, 130} {
			for _, ratio := range []float64{0.3, 0.9, 1, 1.1, 2, 30} {
				for _, sign := range []float64{-1, 1} {
					x := ratio * ncp
					a, b := nctOverChi(sign*x, df, sign*ncp), nctOverNormal(sign*x, df, sign*ncp)
					if math.Abs(a-b) > 1e-12 {
						t.Errorf("t %v, df %v, ncp %v: over s %.16g, over z %.16g", sign*x, df, sign*ncp, a, b)
					}
				}
			}
		}
	}
}

func TestNoncentralTProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-60, 60).Draw(t, "t")
		df := rapid.Float64Range(0.5, 500).Draw(t, "df")
		ncp := rapid.Float64Range(-40, 40).Draw(t, "ncp")
		step := rapid.Float64Range(0.01, 5).Draw(t, "step")
		p := nctCDF(x, df, ncp)
		if !(p >= 0 && p <= 1) {
			t.Fatalf("got %v (want a probability)", p)
		}
		if mirror := 1 - nctCDF(-x, df, -ncp); math.Abs(p-mirror) > 1e-12 {
			t.Fatalf("got %v, and %v from the other side", p, mirror)
		}
		if nctCDF(x+step, df, ncp) < p-1e-13 {
			t.Fatal("falls in t")
		}
		if nctCDF(x, df, ncp+step) > p+1e-13 {
			t.Fatal("rises in ncp")
		}
	})
}

// A hundred standard deviations on the other side of 0.
func TestNoncentralTOpposite(t *testing.T) {
	for _, c := range []struct{ t, ncp, want float64 }{{-1, 150, 0}, {1, -150, 1}, {-1e-3, 101, 0}} {
		if got, err := NoncentralTCDF(c.t, 17, c.ncp); err != nil || math.Abs(got-c.want) > 1e-300 {
			t.Errorf("t %v, ncp %v: %v, %v, want %v", c.t, c.ncp, got, err, c.want)
		}
	}
}

func TestNoncentralTBadInput(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		t, df, ncp float64
		want       string
	}{
		{nan, 5, 1, "noncentral t: t is not a number"},
		{1, 0, 1, "noncentral t: 0 degrees of freedom (want a finite number of at least 0.01)"},
		{1, nan, 1, "noncentral t: NaN degrees of freedom (want a finite number of at least 0.01)"},
		{1, inf, 1, "noncentral t: +Inf degrees of freedom (want a finite number of at least 0.01)"},
		{1, 5, inf, "noncentral t: noncentrality +Inf (want a finite number)"},
		{1, 5, nan, "noncentral t: noncentrality NaN (want a finite number)"},
	} {
		if p, err := NoncentralTCDF(c.t, c.df, c.ncp); err == nil || err.Error() != c.want || p != 0 {
			t.Errorf("(%v, %v, %v): got %v, %v, want %s", c.t, c.df, c.ncp, p, err, c.want)
		}
	}
	for x, want := range map[float64]float64{inf: 1, -inf: 0} {
		if p, err := NoncentralTCDF(x, 5, 2); err != nil || p != want {
			t.Errorf("t %v: got %v, %v, want %v", x, p, err, want)
		}
	}
}

func FuzzNoncentralTCDF(f *testing.F) {
	for _, c := range nctWant {
		f.Add(c.t, c.df, c.ncp)
	}
	f.Add(1e300, 1e-2, 1e300)
	f.Add(-1e-300, 1e300, 99.0)
	f.Fuzz(func(t *testing.T, x, df, ncp float64) {
		p, err := NoncentralTCDF(x, df, ncp)
		if err == nil && !(p >= 0 && p <= 1) {
			t.Errorf("P(T <= %v) at df %v, ncp %v: got %v", x, df, ncp, p)
		}
	})
}
