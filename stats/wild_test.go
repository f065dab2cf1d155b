package stats

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestWildAgainstEnumeration meets a numpy enumeration of all 2^10 sign vectors
// from the definition, on ten types of unequal size.
func TestWildAgainstEnumeration(t *testing.T) {
	c := unbalanced(t)
	for null, want := range map[float64]float64{0: 0.001953125, -0.1: 0.017578125, -0.15: 0.09375, -0.3: 0.1953125, -0.32: 0.1015625, c.Mean(): 1} {
		got, err := c.WildTest(Rademacher, null, Resample{B: 999, Seed: 1})
		if err != nil || !got.Exact || got.Draws != 0 || got.P != want {
			t.Errorf("null %v: %+v, %v, want exactly %v", null, got, err, want)
		}
	}
	for level, want := range map[float64][2]float64{
		0.95: {-0.33792440717405314, -0.1333333331986699}, 0.90: {-0.320161730487402, -0.15183371892817232}} {
		got, err := c.Wild(Rademacher, Resample{B: 999, Seed: 1, Level: level})
		if err != nil || math.Abs(got.Lo-want[0]) > 1e-9 || math.Abs(got.Hi-want[1]) > 1e-9 || got.P != 0.001953125 {
			t.Errorf("level %v: %+v, %v, want %v", level, got, err, want)
		}
	}
}

// TestWildWebb meets all 6^5 vectors of weights on five of the types, by numpy.
func TestWildWebb(t *testing.T) {
	c, b := fiveTypes(t), 200_000
	for null, want := range map[float64]float64{0: 0.018775720164609055, -0.1: 0.022119341563786008, -0.2: 0.1111111111111111} {
		got, err := c.WildTest(Webb6, null, Resample{B: b, Seed: 7})
		slack := 4 * math.Sqrt(want*(1-want)/float64(b))
		if err != nil || got.Exact || got.Draws != b || math.Abs(got.P-want) > slack {
			t.Errorf("null %v: %+v, %v, want %v within %v", null, got, err, want, slack)
		}
	}
}

// fiveTypes have sums -4, -2, -2, -3.5, -6.5 and 10, 9, 11, 10, 15 values.
func fiveTypes(t testing.TB) *Clustered {
	var values []float64
	var cluster []int
	sums := []float64{-4, -2, -2, -3.5, -6.5}
	for g, n := range []int{10, 9, 11, 10, 15} {
		for i := range n {
			v := 0.0
			if i == 0 {
				v = sums[g]
			}
			values, cluster = append(values, v), append(cluster, g)
		}
	}
	return sampleOf(t, values, cluster)
}

// wildByDefinition makes each resample, value by value, and studentizes it by
// Sandwich. A resample without an error has an infinite |t*|.
func wildByDefinition(t testing.TB, c *Clustered, null float64) float64 {
	ratio := func(c *Clustered) float64 {
		se, _ := c.Sandwich(CR1)
		if d := math.Abs(c.Mean() - null); d > 1e-12 {
			return d / se
		}
		return 0
	}
	of, hits := clusterOfEach(c), 0
	for vector := range 1 << c.Clusters() {
		values := make([]float64, c.N())
		for i, v := range c.values {
			values[i] = v
			if vector>>of[i]&1 == 1 {
				values[i] = 2*null - v
			}
			if math.Abs(values[i]) < 1e-12 {
				values[i] = 0
			}
		}
		if ratio(sampleOf(t, values, of)) >= ratio(c)*(1-1e-9) {
			hits++
		}
	}
	return float64(hits) / float64(int(1)<<c.Clusters())
}

func TestWildByDefinition(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(r, "n")
		var values []float64
		var cluster []int
		for i := range n {
			values = append(values, float64(rapid.IntRange(-4, 4).Draw(r, "k"))/4)
			cluster = append(cluster, min(i, rapid.IntRange(0, 5).Draw(r, "cluster")))
		}
		ids := map[int]int{}
		for i, g := range cluster {
			if _, ok := ids[g]; !ok {
				ids[g] = len(ids)
			}
			cluster[i] = ids[g]
		}
		c, null := mustSample(r, values, cluster), float64(rapid.IntRange(-5, 5).Draw(r, "null"))/4
		got, err := c.WildTest(Rademacher, null, Resample{B: 99, Seed: 1})
		if err != nil {
			if _, err2 := c.Interval(CR2, 0.9); err2 == nil {
				r.Fatalf("%v, yet there is an interval", err)
			}
			return
		}
		if want := wildByDefinition(t, c, null); !got.Exact || !close9(got.P, want) {
			r.Fatalf("%v in %v, null %v: %+v, want exactly %v", values, cluster, null, got, want)
		}
	})
}

// TestWildBalanced: with clusters of one size and null 0 it is the sign-flip
// test, exact or drawn.
func TestWildBalanced(t *testing.T) {
	for _, g := range []int{6, 9, 40} {
		values, cluster := quarters(2 * g)
		for i := range cluster {
			cluster[i] %= g
		}
		c := sampleOf(t, values, cluster)
		flip, err := c.SignFlipClusters(1)
		if err != nil || !flip.Exact {
			t.Fatal(flip, err)
		}
		got, err := c.WildTest(Rademacher, 0, Resample{B: 40_000, Seed: 3})
		slack := 1e-12
		if g == 40 {
			slack = 4*math.Sqrt(flip.P*(1-flip.P)/40_000) + 1.0/40_000
		}
		if err != nil || got.Exact != (g < 40) || math.Abs(got.P-flip.P) > slack {
			t.Errorf("%d clusters: %+v, %v, want %v within %v", g, got, err, flip.P, slack)
		}
	}
}

// TestWildMoves: the interval moves, scales and turns with the values, holds the
// mean, and decides as the p of every null does.
func TestWildMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, cluster := drawSample(t)
		a := rapid.SampledFrom([]float64{-3, -1, 0.5, 7}).Draw(t, "a")
		b := rapid.SampledFrom([]float64{-2, 0, 0.75}).Draw(t, "b")
		w := rapid.SampledFrom([]Weights{Rademacher, Webb6}).Draw(t, "weights")
		moved := make([]float64, len(values))
		for i, v := range values {
			moved[i] = a*v + b
		}
		r := Resample{B: 999, Seed: 4, Level: 0.9}
		one, two := mustSample(t, values, cluster), mustSample(t, moved, cluster)
		x, errX := one.Wild(w, r)
		y, errY := two.Wild(w, r)
		if (errX == nil) != (errY == nil) {
			t.Fatalf("%v against %v", errX, errY)
		}
		if errX != nil {
			return
		}
		if x.Lo > x.Value || x.Hi < x.Value || !(x.P > 0 && x.P <= 1) {
			t.Fatalf("%+v", x)
		}
		if w == Rademacher && one.exact && one.Clusters() <= 10 { // enumerated: no draw depends on rounding
			lo, hi := a*x.Lo+b, a*x.Hi+b
			if math.Abs(min(lo, hi)-y.Lo) > 1e-7*(1+y.Hi-y.Lo) || math.Abs(max(lo, hi)-y.Hi) > 1e-7*(1+y.Hi-y.Lo) {
				t.Fatalf("%+v moved by %v, %v is %+v", x, a, b, y)
			}
		}
		for _, end := range []float64{x.Lo - x.Value, x.Hi - x.Value} {
			for _, share := range []float64{1 + 1e-6, 1.5, 30} {
				if p, err := one.WildTest(w, x.Value+share*end, r); err != nil || p.P > 0.1+1e-9 {
					t.Fatalf("outside, at %v of the end: %+v, %v", share, p, err)
				}
			}
		}
		if p, err := one.WildTest(w, 0, r); err != nil || p.P != x.P {
			t.Fatalf("p of 0 is %+v, %v, in the interval %v", p, err, x.P)
		}
	})
}

// TestWildMirror: the mirrored sample gives the mirrored interval to the digit,
// also by Monte Carlo.
func TestWildMirror(t *testing.T) {
	c := simulated(t, 5, 40)
	m := sampleOf(t, negated(c.values), clusterOfEach(c))
	for _, w := range []Weights{Rademacher, Webb6} {
		x, err1 := c.Wild(w, Resample{B: 999, Seed: 2, Level: 0.95})
		y, err2 := m.Wild(w, Resample{B: 999, Seed: 2, Level: 0.95})
		if err1 != nil || err2 != nil || !close9(x.Lo, -y.Hi) || !close9(x.Hi, -y.Lo) || x.P != y.P {
			t.Errorf("%v: %+v, %v, mirrored %+v, %v", w, x, err1, y, err2)
		}
	}
}

// TestWildEnds: an end is the outermost null that is not rejected, though nearer
// ones are, and a p of exactly 1-Level rejects.
func TestWildEnds(t *testing.T) {
	for name, v := range map[string]struct{ from, to float64 }{
		"nearer than four steps": {2.4, 2.47}, "at eight": {7.5, 9}, "at thirty-two": {30, 34},
	} {
		for _, sign := range []float64{1, -1} {
			got, ok := outermost(func(x float64) bool { x *= sign; return x >= 0 && x <= 0.5 || x >= v.from && x <= v.to }, sign)
			if !ok || !close9(got, sign*v.to) {
				t.Errorf("%s: %v, %v, want %v", name, got, ok, sign*v.to)
			}
		}
	}
	c := simulated(t, 5, 40)
	se, _ := c.Sandwich(CR1)
	for b, level := range map[int]float64{9: 0.9, 19: 0.95} {
		i, err := c.Wild(Rademacher, Resample{B: b, Seed: 3, Level: level})
		if err != nil || i.SE != se {
			t.Errorf("%d draws at %v: %+v, %v, want ends, and the CR1 error %v", b, level, i, err, se)
		}
	}
}

// TestWildRounding: clusters whose means differ by rounding alone do not differ, and
// a null that differs so from the mean is the mean; off the lattice, where sums are
// not exact.
func TestWildRounding(t *testing.T) {
	for i := range 20 {
		x := math.Sqrt(float64(i) + 2)
		a, b, c := 0.1*math.Pi*x, 0.2*math.E, 0.7*x*x*math.Sqrt2
		same := sampleOf(t, []float64{a, b, c, a + (b + c), 0, 0, a + b, c, 0, b + c + 1, a - 1, 0}, []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3})
		if same.exact {
			t.Fatal("on a lattice")
		}
		if _, err := same.WildTest(Rademacher, 0, Resample{B: 99, Seed: 1}); err == nil || !strings.Contains(err.Error(), "same mean") {
			t.Errorf("equal but for rounding: %v, want an error", err)
		}
	}
	far := sampleOf(t, affine([]float64{-1, 1, -2, 2, 0.1 * math.Pi, -0.1 * math.Pi}, 1, 1e9), indices(6))
	if far.exact {
		t.Fatal("on a lattice")
	}
	for _, null := range []float64{far.Mean(), math.Nextafter(far.Mean(), 2e9), math.Nextafter(far.Mean(), 0)} {
		if got, err := far.WildTest(Rademacher, null, Resample{B: 99, Seed: 1}); err != nil || got.P != 1 {
			t.Errorf("the mean: %+v, %v, want p 1", got, err)
		}
	}
}

func TestWildRefuses(t *testing.T) {
	five := fiveTypes(t)
	r := Resample{B: 999, Seed: 1, Level: 0.95}
	for name, v := range map[string]struct {
		c    *Clustered
		w    Weights
		null float64
		r    Resample
		want string // of the test, "" when it succeeds
		and  string // of the interval
	}{
		"no weights":    {five, 0, 0, r, "weights Weights(0) (want Rademacher or Webb6)", ""},
		"no draws":      {five, Webb6, 0, Resample{Level: 0.95}, "0 replicates (want 2", ""},
		"no level":      {five, Webb6, 0, Resample{B: 99}, "", "level 0 (want between 0 and 1)"},
		"null":          {five, Webb6, math.NaN(), r, "null NaN (want", "ok"},
		"empty":         {&Clustered{}, Webb6, 0, r, "undefined, because", ""},
		"one cluster":   {sampleOf(t, []float64{1, 2}, []int{0, 0}), Webb6, 0, r, "undefined, because", ""},
		"equal means":   {sampleOf(t, []float64{1, 2, 1.5}, []int{0, 0, 1}), Rademacher, 0, r, "every cluster has the same mean 1.5", ""},
		"five clusters": {five, Rademacher, 0, r, "", "unbounded, because with 5 clusters and rademacher p never falls to 0.05"},
		"few draws":     {five, Webb6, 0, Resample{B: 10, Seed: 1, Level: 0.95}, "", "unbounded, because"},
		"many draws":    {five, Webb6, 0, Resample{B: 20_000_000, Seed: 1, Level: 0.95}, "skip", "20000000 replicates (want 2 to 10000000)"},
	} {
		if v.want != "skip" {
			_, err := v.c.WildTest(v.w, v.null, v.r)
			if (err != nil) != (v.want != "") || err != nil && !strings.Contains(err.Error(), v.want) {
				t.Errorf("%s: %v, want an error with %q", name, err, v.want)
			}
		}
		if v.and == "" {
			v.and = v.want
		}
		_, err := v.c.Wild(v.w, v.r)
		if (err != nil) != (v.and != "ok") || err != nil && !strings.Contains(err.Error(), v.and) {
			t.Errorf("%s: interval: %v, want an error with %q", name, err, v.and)
		}
	}
	if WildWeights(9) != Webb6 || WildWeights(10) != Rademacher {
		t.Error("Webb's weights are for fewer than 10 clusters")
	}
}

// TestSignTable compares the look-ups with signs one by one.
func TestSignTable(t *testing.T) {
	for _, g := range []int{1, 4, 7, 64, 65, 131} {
		x, y := make([]float64, g), make([]float64, g)
		for i := range x {
			x[i], y[i] = float64(i+1), 1
		}
		s, again := newStream(3, 1), newStream(3, 1)
		word := s.next()
		a, b, zero, _ := newSignTable(x, y).sum(word, s)
		_ = again.next()
		want := [2]float64{}
		for i := range x {
			if i > 0 && i%64 == 0 {
				word = again.next()
			}
			sign := 1 - 2*float64(word>>(i%64)&1)
			want[0], want[1] = want[0]+sign*x[i], want[1]+sign*y[i]
		}
		if a != want[0] || b != want[1] || zero != 0 {
			t.Errorf("%d clusters: %v, %v, %v, want %v and 0", g, a, b, zero, want)
		}
	}
}

// FuzzWild: no sample makes a wild bootstrap that is not finite or in range.
func FuzzWild(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 200, 9, 77, 90}, 0.25, 0.0, 0.1)
	f.Add([]byte{7, 7, 7, 8, 9, 250, 3}, 1e40, -3.0, -1e45)
	f.Fuzz(func(t *testing.T, data []byte, scale, shift, null float64) {
		var values []float64
		var cluster []int
		for _, x := range data[:min(len(data), 64)] {
			values, cluster = append(values, float64(int(x>>3)-16)*scale+shift), append(cluster, int(x&7))
		}
		c, err := NewClustered(values, cluster)
		if err != nil {
			return
		}
		for _, w := range []Weights{Rademacher, Webb6} {
			r := Resample{B: 99, Seed: 1, Level: 0.8}
			if p, err := c.WildTest(w, null, r); err == nil && !(p.P > 0 && p.P <= 1) {
				t.Fatalf("%+v", p)
			}
			i, err := c.Wild(w, r)
			if err != nil {
				continue
			}
			for _, v := range []float64{i.Lo, i.Hi, i.SE, i.P} {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%v: %+v", w, i)
				}
			}
			if i.Lo > i.Hi {
				t.Fatalf("%v: %+v", w, i)
			}
		}
	})
}

func BenchmarkWildTest108(b *testing.B) {
	c := simulated(b, 3, 108)
	for name, w := range map[string]Weights{"rademacher": Rademacher, "webb6": Webb6} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.WildTest(w, -0.25, Resample{B: 999, Seed: 1}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWild10000(b *testing.B) {
	c := tasks10000(b)
	for name, w := range map[string]Weights{"rademacher": Rademacher, "webb6": Webb6} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := c.Wild(w, Resample{B: 100_000, Seed: 1, Level: 0.95}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
