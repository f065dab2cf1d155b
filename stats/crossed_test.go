package stats

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// fifteen is 8 pairs of 4 tasks, each scored by one to three raters.
var fifteen = []Scored{
	{0, 0, 0, -0.5}, {0, 0, 1, -0.25}, {0, 0, 2, -0.25}, {1, 0, 0, 0}, {1, 0, 1, 0.25}, {2, 1, 0, -0.75}, {2, 1, 2, -0.5}, {3, 1, 1, -0.25},
	{4, 2, 0, 0}, {4, 2, 1, 0}, {4, 2, 2, 0.25}, {5, 2, 2, 0}, {6, 3, 0, -1}, {6, 3, 1, -0.5}, {7, 3, 1, -0.5},
}

func crossedOf(tb testing.TB, rows []Scored) *Crossed {
	tb.Helper()
	c, err := NewCrossed(rows)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// TestPigeonhole meets numpy's enumeration of all 4^4 * 3^3 resamples, without
// the one that holds no difference.
func TestPigeonhole(t *testing.T) {
	c, b := crossedOf(t, fifteen), 200_000
	got, err := c.Pigeonhole(Resample{B: b, Seed: 1, Level: 0.95})
	if err != nil {
		t.Fatal(err)
	}
	if !near(got.Value, -4.0/15) || math.Abs(got.SE/0.16759681508986898-1) > 5/math.Sqrt(float64(b)) {
		t.Errorf("mean %v with error %v, want %v and 0.1676", got.Value, got.SE, -4.0/15)
	}
	if p0 := 0.9737375198958182; math.Abs(got.P-2*(1-p0)) > 8*math.Sqrt(p0*(1-p0)/float64(b)) {
		t.Errorf("p %v, want %v", got.P, 2*(1-p0))
	}
	shifts := c.resample(Resample{B: b, Seed: 1})
	slices.Sort(shifts)
	for x, want := range map[float64][2]float64{ // of the mean: P(below), P(up to)
		-0.65: {0.024309072493126898, 0.026045434814064534}, -0.575: {0.049920416726957025, 0.05165677904789466},
		-0.375: {0.24960208363478512, 0.2614672261611923}, -0.265625: {0.49602083634785127, 0.5012299233106642},
		-0.078125: {0.8988568948053828, 0.9005932571263203}, 0: {0.9655621473014036, 0.981912892490233}} {
		below, _ := slices.BinarySearch(shifts, x-c.Mean()-1e-9)
		upTo, _ := slices.BinarySearch(shifts, x-c.Mean()+1e-9)
		for k, n := range []int{below, upTo} {
			if p := want[k]; math.Abs(float64(n)/float64(b)-p) > 4.5*math.Sqrt(p*(1-p)/float64(b)) {
				t.Errorf("P at %v is %v, want %v", x, float64(n)/float64(b), p)
			}
		}
	}
	if math.Abs(got.Lo - -0.65) > 0.02 || math.Abs(got.Hi) > 1e-9 {
		t.Errorf("interval %v to %v, want -0.65 to 0", got.Lo, got.Hi)
	}
}

// TestRaters meets numpy, to the last digits.
func TestRaters(t *testing.T) {
	c := crossedOf(t, fifteen)
	if c.N() != 15 || c.Clusters() != 4 || c.Raters() != 3 {
		t.Errorf("%d differences of %d clusters and %d raters, want 15, 4, 3", c.N(), c.Clusters(), c.Raters())
	}
	wantBy := []RaterMean{{0, 5, -0.45}, {1, 6, -0.20833333333333334}, {2, 4, -0.125}}
	for i, r := range c.ByRater() {
		if r.Rater != wantBy[i].Rater || r.Pairs != wantBy[i].Pairs || math.Abs(r.Mean-wantBy[i].Mean) > 1e-14 {
			t.Errorf("%+v, want %+v", r, wantBy[i])
		}
	}
	for i, r := range c.LeaveOneRaterOut() {
		if want := []float64{-0.175, -0.3055555555555556, -0.3181818181818182}[i]; r.Rater != i || math.Abs(r.Mean-want) > 1e-14 {
			t.Errorf("%+v, want %v", r, want)
		}
	}
	got, err := c.TwoWay(0.95)
	want := Interval{Lo: -0.9294253294463322, Hi: 0.3960919961129989, SE: 0.1540348953036078, DF: 2, P: 0.22555390286209517}
	for name, v := range map[string][2]float64{"lo": {got.Lo, want.Lo}, "hi": {got.Hi, want.Hi}, "se": {got.SE, want.SE}, "df": {got.DF, want.DF}, "p": {got.P, want.P}} {
		if err != nil || math.Abs(v[0]/v[1]-1) > 1e-8 {
			t.Errorf("two-way %s: %v, %v, want %v", name, v[0], err, v[1])
		}
	}
}

// TestRatersApart: one rater sees a whole point more than the others, so that
// raters make most of the error. By numpy.
func TestRatersApart(t *testing.T) {
	rows := slices.Clone(fifteen)
	for i, r := range rows {
		if r.Rater == 2 {
			rows[i].Value++
		}
	}
	got, err := crossedOf(t, rows).TwoWay(0.95)
	if err != nil || math.Abs(got.SE/0.37749172176353746-1) > 1e-12 || math.Abs(got.Hi/1.6242157871647918-1) > 1e-8 || math.Abs(got.Value) > 1e-15 {
		t.Errorf("%+v, %v, want 0 -+ 1.6242 with error .3775", got, err)
	}
}

// TestOneWayErrors: where all the variance is one way, the two-way sum falls short
// of it, and the error is that way's. By hand: sums of 2 and -2, G/(G-1) = 2.
func TestOneWayErrors(t *testing.T) {
	for name, of := range map[string]func(g, r int) float64{
		"raters": func(_, r int) float64 { return float64(1 - 2*r) }, "clusters": func(g, _ int) float64 { return float64(1 - 2*g) }} {
		var rows []Scored
		for i := range 4 {
			rows = append(rows, Scored{i, i / 2, i % 2, 5 + of(i/2, i%2)})
		}
		if got, err := crossedOf(t, rows).TwoWay(0.95); err != nil || !close9(got.SE, 1) {
			t.Errorf("%s: %+v, %v, want an error of 1", name, got, err)
		}
	}
}

// TestCrossedAgreeing: with as many raters for all, the mean is that of
// the pairs' means, and with raters who agree the two-way error is the cluster's.
func TestCrossedAgreeing(t *testing.T) {
	c := unbalanced(t)
	var rows []Scored
	for i, g := range clusterOfEach(c) {
		for r := range 3 {
			rows = append(rows, Scored{Pair: i, Cluster: g, Rater: r, Value: c.values[i]})
		}
	}
	x := crossedOf(t, rows)
	cr1, _ := c.Sandwich(CR1)
	got, err := x.TwoWay(0.95)
	if err != nil || !close9(x.Mean(), c.Mean()) || math.Abs(got.SE-cr1) > 1e-12 {
		t.Errorf("mean %v, %+v, %v; want %v with error %v", x.Mean(), got, err, c.Mean(), cr1)
	}
	boot, err1 := c.BootClusters(Resample{B: 20_000, Seed: 1, Level: 0.95})
	hole, err2 := x.Pigeonhole(Resample{B: 20_000, Seed: 2, Level: 0.95})
	if err1 != nil || err2 != nil || math.Abs(hole.SE/boot.Percentile.SE-1) > 0.03 {
		t.Errorf("error %v, %v, want the cluster bootstrap's %v, %v", hole.SE, err2, boot.Percentile.SE, err1)
	}
}

// drawScored draws up to 8 clusters, 5 raters, and not each by all.
func drawScored(t *rapid.T) []Scored {
	var rows []Scored
	for pair := range rapid.IntRange(1, 12).Draw(t, "pairs") {
		cluster := rapid.IntRange(0, 7).Draw(t, "cluster")
		for rater := range 5 {
			if rapid.Bool().Draw(t, "rated") {
				rows = append(rows, Scored{pair, cluster, rater, float64(rapid.IntRange(-4, 4).Draw(t, "k")) / 4})
			}
		}
	}
	return rows
}

// TestCrossedMoves: order changes no bit; shifting, scaling and turning the
// differences shifts, scales and turns the figures.
func TestCrossedMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := drawScored(t)
		if len(rows) == 0 {
			return
		}
		a := rapid.SampledFrom([]float64{-3, -1, 0.5, 7}).Draw(t, "a")
		b := rapid.SampledFrom([]float64{-2, 0, 0.75}).Draw(t, "b")
		var shuffled, moved []Scored
		for _, i := range rapid.Permutation(indices(len(rows))).Draw(t, "order") {
			r := rows[i]
			shuffled = append(shuffled, r)
			r.Value = a*r.Value + b
			moved = append(moved, r)
		}
		r := Resample{B: 101, Seed: 3, Level: 0.8}
		one, err1 := NewCrossed(rows)
		two, err2 := NewCrossed(shuffled)
		three, err3 := NewCrossed(moved)
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatal(err1, err2, err3)
		}
		if keep(one.Pigeonhole(r)) != keep(two.Pigeonhole(r)) || keep(one.TwoWay(0.8)) != keep(two.TwoWay(0.8)) {
			t.Fatal("the order of rows changes bits")
		}
		x, errX := one.TwoWay(0.8)
		y, errY := three.TwoWay(0.8)
		if (errX == nil) != (errY == nil) || errX == nil && (!close9(math.Abs(a)*x.SE, y.SE) || !close9(a*x.Value+b, y.Value)) {
			t.Fatalf("two-way %+v, %v; moved by %v, %v: %+v, %v", x, errX, a, b, y, errY)
		}
		x, errX = one.Pigeonhole(r)
		y, errY = three.Pigeonhole(r)
		if (errX == nil) != (errY == nil) || errX == nil && (!close9(math.Abs(a)*x.SE, y.SE) || a > 0 && (!close9(a*x.Lo+b, y.Lo) || !close9(a*x.Hi+b, y.Hi))) {
			t.Fatalf("pigeonhole %+v, %v; moved by %v, %v: %+v, %v", x, errX, a, b, y, errY)
		}
		n := 0
		for _, m := range one.ByRater() {
			n += m.Pairs
		}
		if n != one.N() {
			t.Fatalf("raters hold %d differences, want %d", n, one.N())
		}
		for _, l := range one.LeaveOneRaterOut() {
			sum, n := 0.0, 0.0
			for _, r := range rows {
				if r.Rater != l.Rater {
					sum, n = sum+r.Value, n+1
				}
			}
			if !close9(l.Mean, sum/n) {
				t.Fatalf("without rater %d: %v, want %v", l.Rater, l.Mean, sum/n)
			}
		}
	})
}

func TestCrossedRefuses(t *testing.T) {
	for name, v := range map[string]struct {
		rows []Scored
		want string
	}{
		"empty":          {nil, "0 values"},
		"not a number":   {[]Scored{{0, 0, 0, math.NaN()}}, "value 0 is NaN"},
		"negative":       {[]Scored{{0, 0, -1, 0}}, "pair 0 of rater -1 (want ids of 0 or more)"},
		"twice":          {[]Scored{{3, 0, 1, 0}, {3, 0, 1, 1}}, "pair 3 has two rows of rater 1 (want one)"},
		"two clusters":   {[]Scored{{3, 0, 1, 0}, {3, 1, 2, 1}}, "pair 3 is in clusters 0 and 1 (want one)"},
		"cluster's sign": {[]Scored{{3, -2, 1, 0}}, "cluster id -2"},
	} {
		if _, err := NewCrossed(v.rows); err == nil || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%s: %v, want an error with %q", name, err, v.want)
		}
	}
	r := Resample{B: 99, Seed: 1, Level: 0.95}
	for name, v := range map[string]struct {
		c    *Crossed
		r    Resample
		want string
	}{
		"empty":       {&Crossed{}, r, "no values"},
		"no level":    {crossedOf(t, fifteen), Resample{B: 99}, "level 0"},
		"one cluster": {crossedOf(t, []Scored{{0, 0, 0, 1}, {0, 0, 1, 0}}), r, "all 2 values are in one cluster"},
		"one rater":   {crossedOf(t, []Scored{{0, 0, 0, 1}, {1, 1, 0, 0}}), r, "all 2 values are of one rater"},
		"all equal":   {crossedOf(t, []Scored{{0, 0, 0, 0.3}, {1, 1, 1, 0.3}}), r, "the same mean 0.3"},
	} {
		_, err1 := v.c.Pigeonhole(v.r)
		_, err2 := v.c.TwoWay(v.r.Level)
		for _, err := range []error{err1, err2} {
			if err == nil || !strings.Contains(err.Error(), v.want) {
				t.Errorf("%s: %v, want an error with %q", name, err, v.want)
			}
		}
	}
	if _, err := crossedOf(t, fifteen).Pigeonhole(Resample{B: 1, Level: 0.9}); err == nil {
		t.Error("one replicate gives an interval")
	}
	if got := crossedOf(t, []Scored{{0, 0, 0, 1}, {1, 1, 0, 0}}).LeaveOneRaterOut(); got != nil {
		t.Errorf("without the only rater: %v, want nothing", got)
	}
}

// TestPigeonholeSparse: a cluster each with a rater of its own leaves many
// resamples empty; they are drawn again.
func TestPigeonholeSparse(t *testing.T) {
	c := crossedOf(t, []Scored{{0, 0, 0, 1}, {1, 1, 1, 0}})
	got, err := c.Pigeonhole(Resample{B: 1000, Seed: 1, Level: 0.9})
	if err != nil || got.Lo != 0 || got.Hi != 1 {
		t.Errorf("%+v, %v, want 0 to 1", got, err)
	}
	// Of 16 equally likely pairs of draws, 2 hold nothing and 4 hold both differences.
	shifts, both := c.resample(Resample{B: 20_000, Seed: 1}), 0.0
	for _, x := range shifts {
		if x == 0 {
			both++
		}
	}
	if share := both / 20_000; math.Abs(share-4.0/14) > 0.015 {
		t.Errorf("a share of %v holds both differences, want 4/14", share)
	}
}

func FuzzCrossed(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 200, 9, 77, 90}, 0.25, 0.0)
	f.Fuzz(func(t *testing.T, data []byte, scale, shift float64) {
		var rows []Scored
		for i, x := range data[:min(len(data), 48)] {
			rows = append(rows, Scored{Pair: i / 3, Cluster: i / 3 % 5, Rater: int(x & 7), Value: float64(int(x>>3)-16)*scale + shift})
		}
		c, err := NewCrossed(rows)
		if err != nil {
			return
		}
		hole, err1 := c.Pigeonhole(Resample{B: 30, Seed: 1, Level: 0.9})
		two, err2 := c.TwoWay(0.9)
		if n, err := c.Noise(); err == nil {
			if s, err := c.NoiseInterval(0.9); !(n.Share >= 0 && n.Share <= 1 && n.Variance >= 0 && n.DF >= 1) || (err == nil && !(s.Lo <= s.Hi && s.Lo >= 0 && s.Hi <= 1)) {
				t.Fatalf("%+v in %+v", n, s)
			}
		}
		for _, i := range []Interval{hole, two} {
			for _, v := range []float64{i.Value, i.Lo, i.Hi, i.SE, i.P} {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%+v", i)
				}
			}
			if i.Lo > i.Hi || (err1 == nil && err2 == nil && !(i.P > 0 && i.P <= 1)) {
				t.Fatalf("%+v", i)
			}
		}
	})
}

func BenchmarkPigeonhole(b *testing.B) {
	s, d := newStream(5, 0), newDie(9)
	var rows []Scored
	for pair := range 25_000 {
		for rater := range 3 {
			k, _ := d.pair(&s)
			rows = append(rows, Scored{pair, pair % 10_000, rater, float64(k)/4 - 1})
		}
	}
	c := crossedOf(b, rows)
	for b.Loop() {
		if _, err := c.Pigeonhole(Resample{B: 10_000, Seed: 1, Level: 0.95}); err != nil {
			b.Fatal(err)
		}
	}
}
