package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// entry is one interval of a sample, and what must hold of it.
type entry struct {
	name   string
	family string // that is undefined together, as in TestDegenerate
	run    func(c *Clustered, level float64) (Interval, error)
	closed bool // no draws: it moves with a shift and turns with the sign
	around bool // it holds the mean, which is in its middle
	dual   bool // P tests 0 by the same method: 0 lies outside exactly when P is below 1-level
}

// entries is all intervals, those by resampling with so many draws.
func entries(draws int) []entry {
	r := func(level float64) Resample { return Resample{B: draws, Seed: 5, Level: level} }
	boot := func(of func(*Clustered, Resample) (Bootstrap, error), pick func(Bootstrap) Interval) func(*Clustered, float64) (Interval, error) {
		return func(c *Clustered, level float64) (Interval, error) {
			b, err := of(c, r(level))
			return pick(b), err
		}
	}
	out := []entry{
		{"pairs t", "pairs", (*Clustered).PairsT, true, true, true},
		{"boot-t", "boott", func(c *Clustered, level float64) (Interval, error) { return c.BootT(r(level)) }, false, true, false},
		{"equivalence", "CR", func(c *Clustered, level float64) (Interval, error) {
			e, err := c.Equivalence(1, (1-level)/2)
			se, _ := c.Sandwich(CR2)
			return Interval{Value: c.Mean(), Lo: e.Lo, Hi: e.Hi, DF: e.DF, SE: se}, err
		}, true, true, false},
	}
	for k := CR0; k <= CR3; k++ {
		out = append(out, entry{k.String(), "CR", func(c *Clustered, level float64) (Interval, error) { return c.Interval(k, level) }, true, true, true})
	}
	for w := Rademacher; w <= Webb6; w++ {
		out = append(out, entry{"wild " + w.String(), "wild", func(c *Clustered, level float64) (Interval, error) { return c.Wild(w, r(level)) }, false, false, false})
	}
	for name, pick := range map[string]func(Bootstrap) Interval{
		"percentile": func(b Bootstrap) Interval { return b.Percentile },
		"bca":        func(b Bootstrap) Interval { return b.BCa },
		"expanded":   func(b Bootstrap) Interval { return b.Expanded }} {
		out = append(out, entry{"clusters " + name, "clusters", boot((*Clustered).BootClusters, pick), false, false, false},
			entry{"pairs " + name, "pairs", boot((*Clustered).BootPairs, pick), false, false, false})
	}
	return out
}

func affine(values []float64, a, b float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = a*v + b
	}
	return out
}

// TestEveryIntervalMoves: a change of units changes nothing but the units, and
// for the closed forms a shift and a turn likewise.
func TestEveryIntervalMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, cluster := drawSample(t)
		one := mustSample(t, values, cluster)
		a := rapid.SampledFrom([]float64{0.5, 4, 1024}).Draw(t, "a")
		b := rapid.SampledFrom([]float64{-2, 0.75}).Draw(t, "b")
		for _, e := range entries(40) {
			x, errX := e.run(one, 0.9)
			check := func(what string, values []float64, a, b float64) {
				y, errY := e.run(mustSample(t, values, cluster), 0.9)
				if (errX == nil) != (errY == nil) {
					t.Fatalf("%s %s: %v against %v", e.name, what, errX, errY)
				}
				lo, hi := a*x.Lo+b, a*x.Hi+b
				if errX == nil && (!close9(min(lo, hi), y.Lo) || !close9(max(lo, hi), y.Hi) || !close9(math.Abs(a)*x.SE, y.SE) || (b == 0 && !close9(x.P, y.P))) {
					t.Fatalf("%s %s: %+v becomes %+v", e.name, what, x, y)
				}
			}
			check("scaled", affine(values, a, 0), a, 0)
			if e.closed {
				check("turned", affine(values, -a, 0), -a, 0)
				check("shifted", affine(values, 1, b), 1, b)
			}
		}
	})
}

// TestEveryIntervalIsOrdered: ends in order, a higher level no narrower, P
// within its bounds and, where interval and P are one method, of one mind.
func TestEveryIntervalIsOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, cluster := drawSample(t)
		c := mustSample(t, values, cluster)
		for _, e := range entries(40) {
			narrow, err := e.run(c, 0.8)
			if err != nil {
				continue
			}
			wide, err := e.run(c, 0.95)
			if err != nil && e.family != "wild" { // which may have no bound at the higher level
				t.Fatalf("%s: %v at .95 only", e.name, err)
			}
			if err == nil && (wide.Lo > narrow.Lo+1e-9 || wide.Hi < narrow.Hi-1e-9) {
				t.Fatalf("%s: [%v, %v] at .8, [%v, %v] at .95", e.name, narrow.Lo, narrow.Hi, wide.Lo, wide.Hi)
			}
			if !(narrow.Lo <= narrow.Hi) || !(narrow.SE > 0) || !(narrow.P >= 0 && narrow.P <= 1) || !close9(narrow.Value, c.Mean()) {
				t.Fatalf("%s: %+v", e.name, narrow)
			}
			if e.around && !close9(narrow.Hi-narrow.Value, narrow.Value-narrow.Lo) {
				t.Fatalf("%s: %+v is not around the mean", e.name, narrow)
			}
			outside := narrow.Lo > 0 || narrow.Hi < 0
			if e.dual && math.Abs(narrow.P-0.2) > 1e-9 && outside != (narrow.P < 0.2) {
				t.Fatalf("%s: [%v, %v] with p %v", e.name, narrow.Lo, narrow.Hi, narrow.P)
			}
		}
	})
}

// TestEveryIntervalForgetsOrder: neither the order of the values nor the names
// of the clusters matter.
func TestEveryIntervalForgetsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, cluster := drawSample(t)
		var shuffled []float64
		var renamed []int
		for _, i := range rapid.Permutation(indices(len(values))).Draw(t, "order") {
			shuffled, renamed = append(shuffled, values[i]), append(renamed, 100-7*cluster[i])
		}
		one, two := mustSample(t, values, cluster), mustSample(t, shuffled, renamed)
		for _, e := range entries(40) {
			x, errX := e.run(one, 0.9)
			y, errY := e.run(two, 0.9)
			if (errX == nil) != (errY == nil) || errX == nil && (!close9(x.Lo, y.Lo) || !close9(x.Hi, y.Hi) || !close9(x.SE, y.SE) || !close9(x.P, y.P)) {
				t.Fatalf("%s: %+v %v, reordered %+v %v", e.name, x, errX, y, errY)
			}
		}
	})
}

// TestMargins: a wider margin is easier to show, a test and its bound agree, and
// a turned sample is the other direction.
func TestMargins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, cluster := drawSample(t)
		c, turned := mustSample(t, values, cluster), mustSample(t, affine(values, -1, 0), cluster)
		margin := rapid.Float64Range(0.01, 2).Draw(t, "margin")
		alpha := rapid.SampledFrom([]float64{0.025, 0.05, 0.3}).Draw(t, "alpha")
		up, err := c.NonInferiority(margin, alpha, HigherIsBetter)
		if err != nil {
			return
		}
		wider, err1 := c.NonInferiority(2*margin, alpha, HigherIsBetter)
		down, err2 := turned.NonInferiority(margin, alpha, LowerIsBetter)
		both, err3 := c.Equivalence(margin, alpha)
		if err1 != nil || err2 != nil || err3 != nil {
			t.Fatal(err1, err2, err3)
		}
		if wider.P > up.P || wider.Bound != up.Bound || !close9(down.P, up.P) || !close9(down.Bound, -up.Bound) {
			t.Fatalf("%+v, wider %+v, turned %+v", up, wider, down)
		}
		if math.Abs(up.P-alpha) > 1e-9 && (up.P < alpha) != (up.Bound > -margin) {
			t.Fatalf("%+v: p and bound disagree", up)
		}
		if both.P != max(both.PLower, both.PUpper) || !close9(both.PLower, up.P) || !close9(both.Lo, up.Bound) ||
			math.Abs(both.P-alpha) > 1e-9 && (both.P < alpha) != (both.Lo > -margin && both.Hi < margin) {
			t.Fatalf("%+v against %+v", both, up)
		}
	})
}

// TestZerosSayNothing: a task in which nothing changed leaves the sign tests as
// they are.
func TestZerosSayNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var values []float64
		var cluster []int
		for range rapid.IntRange(1, 30).Draw(t, "n") {
			values = append(values, float64(rapid.IntRange(-4, 4).Draw(t, "k"))/4)
			cluster = append(cluster, rapid.IntRange(0, 11).Draw(t, "cluster"))
		}
		n := rapid.IntRange(1, 5).Draw(t, "zeros")
		one := mustSample(t, values, cluster)
		two := mustSample(t, append(slices.Clone(values), make([]float64, n)...), append(slices.Clone(cluster), slices.Repeat([]int{1000}, n)...))
		x, err1 := one.SignFlipClusters(1)
		y, err2 := two.SignFlipClusters(1)
		if err1 != nil || err2 != nil || !close9(x.P, y.P) || one.NonZero() != two.NonZero() {
			t.Fatalf("sign flip %+v, %v, with zeros %+v, %v", x, err1, y, err2)
		}
		v, err1 := one.SignedRank()
		w, err2 := two.SignedRank()
		if err1 != nil || err2 != nil || v != w {
			t.Fatalf("signed rank %+v, %v, with zeros %+v, %v", v, err1, w, err2)
		}
	})
}

// TestICCBounds: the coefficient lies between its floor and 1, is 1 when
// clusters hold one value each time over, and its interval widens with the
// level.
func TestICCBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, cluster := drawSample(t)
		c := mustSample(t, values, cluster)
		icc, err := c.ICC()
		if err != nil {
			return
		}
		n, g, squares := float64(c.N()), float64(c.Clusters()), 0.0
		for _, size := range c.sizes {
			squares += size * size
		}
		n0 := (n - squares/n) / (g - 1)
		narrow, err := c.ICCInterval(0.8)
		wide, err2 := c.ICCInterval(0.95)
		if icc >= 1-rounding { // no variance within clusters
			if err == nil || err2 == nil {
				t.Fatalf("icc %v in %+v, %+v, want no interval", icc, narrow, wide)
			}
			return
		}
		lo, hi, lo2, hi2 := narrow.Lo, narrow.Hi, wide.Lo, wide.Hi
		floor := -1/(n0-1) - 1e-9
		if err != nil || err2 != nil || icc > 1 || icc < floor || lo2 < floor || lo2 > lo || hi2 < hi || lo > icc+1e-9 || hi < icc-1e-9 {
			t.Fatalf("icc %v in [%v, %v] in [%v, %v], floor %v; %v, %v", icc, lo, hi, lo2, hi2, floor, err, err2)
		}
		twice := mustSample(t, append(slices.Clone(clusterMeans(c)), clusterMeans(c)...), append(slices.Clone(c.ids), c.ids...))
		if one, err := twice.ICC(); err == nil && !close9(one, 1) {
			t.Fatalf("equal values within clusters: icc %v", one)
		}
	})
}

func clusterMeans(c *Clustered) (out []float64) {
	for _, g := range c.Groups() {
		out = append(out, g.Mean)
	}
	return out
}

// TestEmpty: of nothing, everything is an error, an empty list or 0.
func TestEmpty(t *testing.T) {
	c := &Clustered{}
	for name, err := range everyFigure(t, c) {
		if err == nil {
			t.Errorf("the empty sample has a %s", name)
		}
	}
	if c.N() != 0 || c.Clusters() != 0 || c.NonZero() != 0 || len(c.Groups()) != 0 || len(c.LeaveOneOut()) != 0 || CrossCovariance(c, c) != 0 {
		t.Error("the empty sample holds something")
	}
	if _, err := MaxT(nil, 0.95, 1); err == nil {
		t.Error("the empty family has a test")
	}
	if _, _, err := Bands([]*Clustered{nil}, 0.95, 1); err == nil {
		t.Error("a family of nil has bands")
	}
	ClusterWeights(1, 1, nil)
}

// TestManyClusters: of a hundred thousand clusters, of one value and of many,
// every figure is finite, and there in a second.
func TestManyClusters(t *testing.T) {
	const g = 100_000
	values, cluster := quarters(g)
	for i := range cluster {
		cluster[i] = i
	}
	uneven, ids := slices.Clone(values), slices.Clone(cluster)
	for i := range g {
		uneven, ids = append(uneven, math.Sqrt(float64(i%7))-1), append(ids, i%(g/2))
	}
	for name, c := range map[string]*Clustered{"one value each": sampleOf(t, values, cluster), "uneven": sampleOf(t, uneven, ids)} {
		if c.Clusters() != g {
			t.Fatalf("%s: %d clusters", name, c.Clusters())
		}
		for what, err := range everyFigure(t, c) {
			if err != nil && !(what == "icc" && c.N() == g) {
				t.Errorf("%s: %s: %v", name, what, err)
			}
		}
	}
}

// TestLargeAndSmall: values at both ends of what a sample may hold, alone and
// mixed, with ties and without, make finite figures or errors; what no sample
// may hold is refused.
func TestLargeAndSmall(t *testing.T) {
	for _, scale := range []float64{1e-50, 1e-49, 1e49, 1e50} {
		for _, shape := range [][]float64{{1, 1, 1, 1, 1, 1}, {1, -1, 1, -1, 1, -1}, {1, 0, 0, 0, 0, 1}, {1, 0.5, -0.25, 0.75, 1, 0.125}, {0, 0, 0, 0, 0, 1}} {
			if scale*0.125 < minValue {
				shape = affine(shape, 8, 0)
			}
			everyFigure(t, sampleOf(t, affine(shape, scale, 0), []int{0, 0, 1, 1, 2, 3}))
			everyFigure(t, sampleOf(t, append(affine(shape, scale, 0), 1e-50, 1e50, 1), []int{0, 0, 1, 1, 2, 3, 4, 4, 5}))
		}
	}
	for _, v := range []float64{5e-324, 1e-51, -1e-300, 1.01e50, math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, err := NewClustered([]float64{1, v, 2}, []int{0, 1, 2}); err == nil {
			t.Errorf("%v is taken", v)
		}
	}
}
