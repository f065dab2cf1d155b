package stats

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// close12 compares to 1e-12, relative.
func close12(got, want float64) bool { return math.Abs(got-want) <= 1e-12*math.Abs(want) }

// TestHoeffdingBentkus meets a Python implementation (scipy's binomial).
func TestHoeffdingBentkus(t *testing.T) {
	for name, c := range map[string]struct {
		mean   float64
		n      int
		budget float64
		want   float64
	}{
		"108 tasks":   {0.05, 108, 0.1, 0.16458927887017458},
		"54 tasks":    {0.02, 54, 0.1, 0.06276496320539529},
		"zero loss":   {0, 22, 0.1, 0.098477090218361},
		"600 rows":    {0.08, 600, 0.1, 0.15061709081413227},
		"54 tasks, b": {0.03, 54, 0.1, 0.13905377097620905},
		"above":       {0.2, 54, 0.1, 1},
		"at budget":   {0.1, 50, 0.1, 1},
		"all lost":    {1, 9, 0.5, 1},
	} {
		if got, err := HoeffdingBentkus(c.mean, c.n, c.budget); err != nil || !close12(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
}

// TestCeilingOfLosses: 0.07*100 is 7.000000000000001, and seven losses.
func TestCeilingOfLosses(t *testing.T) {
	for _, c := range []struct {
		mean float64
		n    int
		want int
	}{{0.07, 100, 7}, {0.07 + 1e-6, 100, 8}, {0.57, 100, 57}, {1.1 / 3, 30, 11}, {0, 5, 0}, {1, 5, 5}, {0.29, 1e6, 290_000}, {1e-7, 10, 1}} {
		if got := losses(c.mean, c.n); got != c.want {
			t.Errorf("ceil of %d * %v = %d, want %d", c.n, c.mean, got, c.want)
		}
	}
	for k, n := range map[int]int{758_079_043: 1_301_594_149, 790_650_965: 1_407_664_118, 494_599_410: 1_879_008_978} {
		if got := losses(float64(k)/float64(n), n); got != k { // n r is 1e-7 above k
			t.Errorf("ceil of n times %d/n = %d", k, got)
		}
	}
	seven, err := HoeffdingBentkus(7.0/100, 100, 0.2)
	again, err2 := HoeffdingBentkus(0.07, 100, 0.2)
	want := math.E * binomialCDF(7, 100, 0.2, 0.8)
	if err != nil || err2 != nil || !close12(seven, want) || !close12(again, want) {
		t.Errorf("%v and %v, want e P(X <= 7) = %v; %v, %v", seven, again, want, err, err2)
	}
}

// TestDivergence: no loss and nothing but loss are no 0*log 0.
func TestDivergence(t *testing.T) {
	for _, c := range []struct{ y, a, want float64 }{
		{0, 0.1, -math.Log(0.9)}, {1, 0.1, -math.Log(0.1)}, {0.5, 0.5, 0}, {0.5, 0.25, 0.5*math.Log(2) + 0.5*math.Log(0.5/0.75)}} {
		if got := divergence(c.y, c.a); !(math.Abs(got-c.want) <= 1e-15) {
			t.Errorf("h(%v, %v) = %v, want %v", c.y, c.a, got, c.want)
		}
	}
}

// TestHoeffdingBentkusUpper meets a root found by scipy.
func TestHoeffdingBentkusUpper(t *testing.T) {
	for _, c := range []struct {
		mean  float64
		n     int
		delta float64
		want  float64
	}{{0.05, 108, 0.1, 0.1079660845140604}, {0.02, 54, 0.1, 0.09011252685297234}, {0, 22, 0.1, 0.09937197978872161}, {0.08, 600, 0.1, 0.10247336519062672},
		{0.03, 54, 0.05, 0.1230472340730091}, {0.5, 10, 0.1, 0.7941881676740348}, {0, 18, 0.1, 0.12007745643089297}, {1, 30, 0.1, 1}} {
		if got, err := HoeffdingBentkusUpper(c.mean, c.n, c.delta); err != nil || !near(got, c.want) {
			t.Errorf("mean %v of %d: %v, %v, want %v", c.mean, c.n, got, err, c.want)
		}
	}
}

func TestBoundsRefuse(t *testing.T) {
	nan := math.NaN()
	one := func(v float64, err error) error { return err }
	for want, err := range map[string]error{
		"hoeffding p: 0 losses":                   one(Hoeffding(0, 0, 0.1)),
		"hoeffding p: mean loss NaN":              one(Hoeffding(nan, 3, 0.1)),
		"hoeffding p: budget 1 ":                  one(Hoeffding(0, 3, 1)),
		"hoeffding bound: delta 0 ":               one(HoeffdingUpper(0, 3, 0)),
		"hoeffding-bentkus p: mean loss 1.5":      one(HoeffdingBentkus(1.5, 3, 0.1)),
		"hoeffding-bentkus p: budget NaN":         one(HoeffdingBentkus(0.5, 3, nan)),
		"hoeffding-bentkus bound: mean loss -0.1": one(HoeffdingBentkusUpper(-0.1, 3, 0.1)),
		"largest certifiable loss: budget 0 ":     nil,
		"wsr p: 0 losses":                         one(WSR(nil, 0.1, 0.1)),
		"wsr p: loss 1 is NaN":                    one(WSR([]float64{0, nan}, 0.1, 0.1)),
		"wsr p: delta 1 ":                         one(WSR([]float64{0}, 0.1, 1)),
		"wsr p: budget 2 ":                        one(WSR([]float64{0}, 2, 0.1)),
		"wsr bound: loss 0 is +Inf":               one(WSRUpper([]float64{math.Inf(1)}, 0.1)),
		"conformal risk: mean loss 7":             one(ConformalRisk(7, 3)),
		"largest conformal loss: budget -1 ":      one(LargestConformal(5, -1)),
		"zero-loss limit: 0 losses":               one(ZeroLossLimit(0, 0.1)),
		"clopper-pearson bound: 4 of 3":           one(ClopperPearsonUpper(4, 3, 0.1)),
		"clopper-pearson bound: delta 0 ":         one(ClopperPearsonUpper(1, 3, 0)),
	} {
		if strings.HasPrefix(want, "largest certifiable") {
			_, err = LargestCertifiable(50, 0, 0.1)
			want = "largest certifiable loss: tasks for zero loss: budget 0 "
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := LargestCertifiable(0, 0.1, 0.1); err == nil {
		t.Error("no tasks certify")
	}
	if _, err := ZeroLossTasks(0.1, 0.1, 0); err == nil {
		t.Error("no choices need tasks")
	}
	if _, err := ZeroLossTasks(0.1, 2, 1); err == nil {
		t.Error("delta 2 needs tasks")
	}
	for _, c := range []struct {
		x, n  int
		level float64
	}{{1, 0, 0.9}, {-1, 3, 0.9}, {1, 3, 1}, {1, 3, nan}} {
		if _, _, err := ClopperPearson(c.x, c.n, c.level); err == nil {
			t.Errorf("%+v has an interval", c)
		}
	}
}

// TestHugeSamples: tails that no float64 holds are its smallest number, and a
// hundred thousand tasks are no trouble.
func TestHugeSamples(t *testing.T) {
	const n = 100_000
	none := make([]float64, n)
	for name, p := range map[string]float64{
		"hoeffding": keep(Hoeffding(0, n, 0.5)), "hb": keep(HoeffdingBentkus(0, n, 0.5)), "wsr": keep(WSR(none, 0.5, 0.1))} {
		if p != math.SmallestNonzeroFloat64 {
			t.Errorf("%s: %v, want the smallest number", name, p)
		}
	}
	for name, u := range map[string]float64{
		"hb": keep(HoeffdingBentkusUpper(0.05, n, 0.1)), "wsr": keep(WSRUpper(slices.Repeat([]float64{0.05}, n), 0.1)), "counts": keep(ClopperPearsonUpper(n/20, n, 0.1))} {
		if u < 0.05 || u > 0.053 {
			t.Errorf("%s: %v, want just above .05", name, u)
		}
	}
	if u := keep(HoeffdingBentkusUpper(0.05, math.MaxInt32, 0.1)); u < 0.05 || u > 0.0501 {
		t.Errorf("%v, want just above .05", u)
	}
}
