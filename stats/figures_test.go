package stats

import (
	"math"
	"testing"
)

// TestWilson meets Newcombe (1998), table I, method 3.
func TestWilson(t *testing.T) {
	for _, c := range []struct {
		x, n   int
		lo, hi float64
	}{{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}, {20, 20, 1 - 0.1611, 1}} {
		lo, hi, err := Wilson(c.x, c.n, 0.95)
		if err != nil || math.Abs(lo-c.lo) > 5e-5 || math.Abs(hi-c.hi) > 5e-5 {
			t.Errorf("%d of %d: [%v, %v], %v, want [%v, %v]", c.x, c.n, lo, hi, err, c.lo, c.hi)
		}
	}
	for _, c := range [][2]int{{0, 0}, {-1, 5}, {6, 5}} {
		if _, _, err := Wilson(c[0], c[1], 0.95); err == nil {
			t.Errorf("%d of %d has an interval", c[0], c[1])
		}
	}
	if _, _, err := Wilson(1, 2, 1); err == nil {
		t.Error("level 1 has an interval")
	}
}

func TestMcNemar(t *testing.T) {
	for name, c := range map[string]struct {
		gain, loss int
		want       float64
	}{
		"none":     {0, 0, 1},
		"even":     {4, 4, 1},
		"one":      {1, 0, 1},
		"five":     {0, 5, 2.0 / 32},
		"1 of 6":   {5, 1, 2 * 7.0 / 64},
		"turned":   {1, 5, 2 * 7.0 / 64},
		"negative": {-3, 5, 2.0 / 32},
		"far":      {0, 5000, math.SmallestNonzeroFloat64},
	} {
		if got := McNemar(c.gain, c.loss); math.Abs(got-c.want) > 1e-12*c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestICC meets Shrout & Fleiss (1979), table 4: ICC(1,1) = .17 with mean
// squares 11.24 and 6.26; and a sample of unequal sizes by pencil.
func TestICC(t *testing.T) {
	var values []float64
	var cluster []int
	for g, row := range [][]float64{{9, 2, 5, 8}, {6, 1, 3, 2}, {8, 4, 6, 8}, {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}} {
		for _, v := range row {
			values, cluster = append(values, v), append(cluster, g)
		}
	}
	msb, msw := 56.0/5+5.0/120, 112.75/18
	if got, err := sampleOf(t, values, cluster).ICC(); err != nil || math.Abs(got-(msb-msw)/(msb+3*msw)) > 1e-12 || math.Abs(got-0.17) > 0.005 {
		t.Errorf("icc %v, %v, want %v", got, err, (msb-msw)/(msb+3*msw))
	}
	// clusters {0, 2}, {5}: MSB = 32/3, MSW = 2, n0 = 3 - 5/3 = 4/3
	if got, err := sampleOf(t, []float64{0, 2, 5}, []int{0, 0, 1}).ICC(); err != nil || math.Abs(got-(32.0/3-2)/(32.0/3+2.0/3)) > 1e-12 {
		t.Errorf("unequal: icc %v, %v, want %v", got, err, (32.0/3-2)/(32.0/3+2.0/3))
	}
	if got := DesignEffect(5, 0.25); got != 2 {
		t.Errorf("design effect %v, want 2", got)
	}
}

// TestQuantiles meets closed forms: Cauchy, t with 2 df, F with d1 = 2, and
// F(1, d) = t(d)^2; and two printed values.
func TestQuantiles(t *testing.T) {
	for _, p := range []float64{1e-12, 0.001, 0.025, 0.3, 0.4999, 0.5, 0.50001, 0.9, 0.975, 0.99999} {
		check := func(what string, got, want float64) {
			t.Helper()
			if math.Abs(got-want) > 1e-9*max(math.Abs(want), 1e-2) {
				t.Errorf("%s(%v) = %v, want %v", what, p, got, want)
			}
		}
		check("t, 1 df", TQuantile(p, 1), -1/math.Tan(math.Pi*p))
		check("t, 2 df", TQuantile(p, 2), (2*p-1)/math.Sqrt(2*p*(1-p)))
		z := NormalQuantile(p)
		check("t, 1e9 df", TQuantile(p, 1e9), z*(1+(z*z+1)/4e9))
		check("F, 2 and 7.5 df", FQuantile(p, 2, 7.5), 7.5/2*math.Expm1(-math.Log1p(-p)*2/7.5))
		check("F, 1 and 11 df", FQuantile(p, 1, 11), math.Pow(TQuantile(0.5+p/2, 11), 2))
	}
	for _, c := range []struct{ p, df, want float64 }{ // R's qt
		{0.975, 9, 2.2621571627982049},
		{1e-12, 1e6, -7.03457260841125631}, {0.3, 1e6, -0.52440067986020866}, {0.025, 1e6, -1.95996635681410658},
	} {
		if got := TQuantile(c.p, c.df); math.Abs(got/c.want-1) > 1e-11 {
			t.Errorf("t quantile of %v with %v df: %v, want %v", c.p, c.df, got, c.want)
		}
	}
	for _, c := range [][2]float64{{-8, 6.5574492982502353e-16}, {-1.5, 0.066815093668842529}} { // R's pt, 2e4 df
		if got := TCDF(c[0], 2e4); math.Abs(got/c[1]-1) > 1e-11 {
			t.Errorf("t below %v with 2e4 df: %v, want %v", c[0], got, c[1])
		}
	}
	if got := NormalCDF(-1.959963984540054); math.Abs(got-0.025) > 1e-15 {
		t.Errorf("normal %v", got)
	}
	for _, p := range []float64{0, 1, -0.1, math.NaN()} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("quantile of %v does not panic", p)
				}
			}()
			TQuantile(p, 3)
		}()
	}
}

// TestTails: the t distribution at arguments far out, against 1 - CDF written
// as the integral's closed forms for 1 and 2 df.
func TestTails(t *testing.T) {
	for _, x := range []float64{0, 0.3, 0.999, 1, 1.001, 5, 1e3, 1e8} {
		for df, want := range map[float64]float64{1: math.Atan2(1, x) / math.Pi, 2: 1 / (x*x + 2 + x*math.Sqrt(x*x+2))} {
			if got := TCDF(-x, df); math.Abs(got/want-1) > 1e-12 {
				t.Errorf("t, %v df, below -%v: %v, want %v", df, x, got, want)
			}
		}
	}
}

// TestCoverage simulates every interval against a known truth: 18 tasks of one
// to six pairs, a task effect, differences in quarters, mean -1/4 exactly. The
// bounds, widened by four binomial errors, are what the methods' theory leaves:
// near nominal for the first two, short for the cluster bootstraps, and far
// short where pairs of a task count as independent.
func TestCoverage(t *testing.T) {
	const runs, truth = 1500, -0.25
	hits := map[string]float64{}
	for run := range runs {
		c := simulated(t, uint64(run), 18)
		r := Resample{B: 199, Seed: uint64(run), Level: 0.95}
		cr2, err := c.Interval(CR2, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		bootT, _ := c.BootT(r)
		tasks, _ := c.BootClusters(r)
		pairs, _ := c.BootPairs(r)
		for name, i := range map[string]Interval{"cr2": cr2, "boot_t": bootT, "percentile": tasks.Percentile,
			"expanded": tasks.Expanded, "bca": tasks.BCa, "pairs": pairs.Percentile} {
			if i.Lo <= truth && truth <= i.Hi {
				hits[name]++
			}
		}
	}
	slack := 4 * math.Sqrt(0.95*0.05/runs)
	for name, want := range map[string][2]float64{
		"cr2": {0.94, 0.95}, "boot_t": {0.94, 0.96}, "percentile": {0.90, 0.94}, "expanded": {0.93, 0.96}, "bca": {0.89, 0.94}, "pairs": {0, 0.83},
	} {
		if got := hits[name] / runs; got < want[0]-slack || got > want[1]+slack {
			t.Errorf("%s covers %.3f, want %v within %.3f", name, got, want, slack)
		}
		t.Logf("%s covers %.3f", name, hits[name]/runs)
	}
}

func simulated(t testing.TB, run uint64, tasks int) *Clustered {
	s, three, six := newStream(1000, run), newDie(3), newDie(6)
	var values []float64
	var cluster []int
	for g := range tasks {
		effect, size := six.pair(&s)
		for range size + 1 {
			e, _ := three.pair(&s)
			values = append(values, -0.25+0.25*(float64(effect%3)-1)+0.25*(float64(e)-1))
			cluster = append(cluster, g)
		}
	}
	return sampleOf(t, values, cluster)
}
