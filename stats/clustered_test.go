package stats

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNewClusteredRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		values  []float64
		cluster []int
		want    string
	}{
		"empty":            {nil, nil, "0 values"},
		"lengths":          {[]float64{1, 2}, []int{0}, "2 values with 1 cluster ids"},
		"not a number":     {[]float64{1, math.NaN()}, []int{0, 0}, "value 1 is NaN"},
		"infinite":         {[]float64{math.Inf(-1)}, []int{0}, "value 0 is -Inf"},
		"huge":             {[]float64{1e60}, []int{0}, "value 0 is 1e+60"},
		"tiny":             {[]float64{1e-300}, []int{0}, "value 0 is 1e-300"},
		"negative cluster": {[]float64{1}, []int{-1}, "cluster id -1 of value 0"},
	} {
		if _, err := NewClustered(c.values, c.cluster); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", name, err, c.want)
		}
	}
}

// TestHandWorked is a sample small enough for pencil and paper: clusters
// {1, 2}, {4}, {-3, 0, 0}; n = 6, sum 4.
func TestHandWorked(t *testing.T) {
	c := sampleOf(t, []float64{0, 1, -3, 4, 2, 0}, []int{9, 4, 9, 7, 4, 9})
	for name, v := range map[string][2]float64{
		"n":                {float64(c.N()), 6},
		"clusters":         {float64(c.Clusters()), 3},
		"mean":             {c.Mean(), 4.0 / 6},
		"cluster weighted": {c.ClusterWeighted(), (1.5 + 4 - 1) / 3},
		"non-zero":         {float64(c.NonZero()), 3},
		"largest share":    {c.MaxShare(), 0.5},
	} {
		if math.Abs(v[0]-v[1]) > 1e-15 {
			t.Errorf("%s = %v, want %v", name, v[0], v[1])
		}
	}
	wantLeft := []Left{{4, 1.0 / 4}, {7, 0}, {9, 7.0 / 3}}
	for i, l := range c.LeaveOneOut() {
		if l.Cluster != wantLeft[i].Cluster || math.Abs(l.Mean-wantLeft[i].Mean) > 1e-15 {
			t.Errorf("left out %d: %+v, want %+v", i, l, wantLeft[i])
		}
	}
	want := []Group{{4, 2, 1.5}, {7, 1, 4}, {9, 3, -1}}
	if got := c.Groups(); !slices.Equal(got, want) {
		t.Errorf("groups %v, want %v", got, want)
	}
}

// TestCancelling: a cluster whose changes cancel is a zero cluster, also when
// the cancelling leaves rounding behind.
func TestCancelling(t *testing.T) {
	c := sampleOf(t, []float64{0.1, 0.2, -0.3, 0.5, -0.5, 0.25}, []int{0, 0, 0, 1, 1, 2})
	if got := c.NonZero(); got != 1 {
		t.Errorf("non-zero clusters %d, want 1", got)
	}
}

// drawSample draws values of a lattice, or of none, in up to 12 clusters.
func drawSample(t *rapid.T) (values []float64, cluster []int) {
	n := rapid.IntRange(1, 40).Draw(t, "n")
	onLattice := rapid.Bool().Draw(t, "lattice")
	for range n {
		if onLattice {
			values = append(values, float64(rapid.IntRange(-4, 4).Draw(t, "k"))/4)
		} else {
			values = append(values, float64(rapid.IntRange(-1e6, 1e6).Draw(t, "v"))*1e-6*math.Sqrt2)
		}
		cluster = append(cluster, rapid.IntRange(0, 11).Draw(t, "cluster"))
	}
	return values, cluster
}

func mustSample(t *rapid.T, values []float64, cluster []int) *Clustered {
	c, err := NewClustered(values, cluster)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func close9(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

// TestSymmetries: shifting, scaling and turning the values shifts, scales and
// turns every interval; order and names of clusters change nothing at all.
func TestSymmetries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, cluster := drawSample(t)
		a := rapid.SampledFrom([]float64{-3, -1, 0.5, 7}).Draw(t, "a")
		b := rapid.SampledFrom([]float64{-2, 0, 0.75}).Draw(t, "b")
		moved := make([]float64, len(values))
		for i, v := range values {
			moved[i] = a*v + b
		}
		one, two := mustSample(t, values, cluster), mustSample(t, moved, cluster)
		if !close9(a*one.ClusterWeighted()+b, two.ClusterWeighted()) {
			t.Fatalf("cluster-weighted %v, moved %v", one.ClusterWeighted(), two.ClusterWeighted())
		}
		for k := CR0; k <= CR3; k++ {
			x, errX := one.Interval(k, 0.9)
			y, errY := two.Interval(k, 0.9)
			if (errX == nil) != (errY == nil) {
				t.Fatalf("%v: %v against %v", k, errX, errY)
			}
			if errX != nil {
				continue
			}
			lo, hi := a*x.Lo+b, a*x.Hi+b
			if !close9(min(lo, hi), y.Lo) || !close9(max(lo, hi), y.Hi) || !close9(math.Abs(a)*x.SE, y.SE) || !close9(x.DF, y.DF) {
				t.Fatalf("%v: %+v moved by %v, %v is %+v", k, x, a, b, y)
			}
		}
		x, errX := one.ICC()
		y, errY := two.ICC()
		if (errX == nil) != (errY == nil) || (errX == nil && !close9(x, y)) {
			t.Fatalf("icc %v %v, moved %v %v", x, errX, y, errY)
		}
	})
}

func TestOrderAndNamesDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, cluster := drawSample(t)
		order := rapid.Permutation(indices(len(values))).Draw(t, "order")
		var shuffled []float64
		var moved, renamed []int
		for _, i := range order {
			shuffled, moved, renamed = append(shuffled, values[i]), append(moved, cluster[i]), append(renamed, 100-7*cluster[i])
		}
		one, two := mustSample(t, values, cluster), mustSample(t, shuffled, renamed)
		if again := mustSample(t, shuffled, moved); again.Mean() != one.Mean() || !slices.Equal(again.sums, one.sums) {
			t.Fatalf("the caller's order changes bits: %v, %v", one.sums, again.sums)
		}
		r := Resample{B: 50, Seed: 3, Level: 0.9}
		figures := map[string]func(*Clustered) any{
			"bootstrap-t":       func(c *Clustered) any { return keep(c.BootT(r)) },
			"cluster bootstrap": func(c *Clustered) any { return keep(c.BootClusters(r)) },
			"pairs bootstrap":   func(c *Clustered) any { return keep(c.BootPairs(r)) },
			"wild bootstrap":    func(c *Clustered) any { return keep(c.Wild(Webb6, r)) },
			"pairs t":           func(c *Clustered) any { return keep(c.PairsT(0.9)) },
			"sign flip":         func(c *Clustered) any { return keep(c.SignFlipClusters(1)) },
		}
		if len(values) <= 25 { // above, a Monte Carlo would take the test's time
			figures["sign flip, pairs"] = func(c *Clustered) any { return keep(c.SignFlipPairs(1)) }
		}
		for name, run := range figures {
			if x, y := run(one), run(two); !sameFigures(x, y) {
				t.Fatalf("%s: %v, reordered %v", name, x, y)
			}
		}
	})
}

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// keep drops an error; the figures beside it are then zero.
func keep[T any](v T, err error) T {
	if err != nil {
		return *new(T)
	}
	return v
}

// sameFigures allows the rounding of sums over clusters in another order.
func sameFigures(x, y any) bool {
	switch x := x.(type) {
	case Interval:
		y := y.(Interval)
		return close9(x.Value, y.Value) && close9(x.Lo, y.Lo) && close9(x.Hi, y.Hi) && close9(x.SE, y.SE) && close9(x.P, y.P)
	case SignFlip:
		y := y.(SignFlip)
		return close9(x.P, y.P) && x.Exact == y.Exact && x.Method == y.Method
	case Bootstrap:
		y := y.(Bootstrap)
		return sameFigures(x.Percentile, y.Percentile) && sameFigures(x.BCa, y.BCa) && sameFigures(x.Expanded, y.Expanded)
	}
	return false
}

// TestSandwichByMatrix builds the estimators from their definition, with the
// residual maker I - 11'/n as a matrix, and compares the closed forms.
func TestSandwichByMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, cluster := drawSample(t)
		c := mustSample(t, values, cluster)
		if c.Clusters() < 2 {
			return
		}
		for k := CR0; k <= CR3; k++ {
			se, df := c.Sandwich(k)
			wantSE, wantDF := sandwichByMatrix(values, cluster, k)
			if !close9(se, wantSE) || !close9(df, wantDF) {
				t.Fatalf("%v: se %v df %v, want %v %v", k, se, df, wantSE, wantDF)
			}
			if df > float64(c.Clusters()-1)+1e-9 {
				t.Fatalf("%v: df %v above %d clusters - 1", k, df, c.Clusters())
			}
		}
	})
}

// sandwichByMatrix: V = sum_g (w_g' d)^2 with w_g = sqrt(c_g) (I-H) 1_g / n, and
// df = (sum_g |w_g|^2)^2 / sum_gh (w_g' w_h)^2.
func sandwichByMatrix(values []float64, cluster []int, kind CR) (se, df float64) {
	n, size := len(values), map[int]int{}
	for _, g := range cluster {
		size[g]++
	}
	var w [][]float64
	for g, ng := range size {
		p := float64(ng) / float64(n)
		factor := map[CR]float64{CR0: 1, CR1: float64(len(size)) / float64(len(size)-1), CR2: 1 / (1 - p), CR3: 1 / (1 - p) / (1 - p)}[kind]
		row := make([]float64, n)
		for i := range row {
			row[i] = -p
			if cluster[i] == g {
				row[i]++
			}
			row[i] *= math.Sqrt(factor) / float64(n)
		}
		w = append(w, row)
	}
	dot := func(a, b []float64) (s float64) {
		for i := range a {
			s += a[i] * b[i]
		}
		return s
	}
	var v, trace, square float64
	for _, a := range w {
		v += dot(a, values) * dot(a, values)
		trace += dot(a, a)
		for _, b := range w {
			square += dot(a, b) * dot(a, b)
		}
	}
	return math.Sqrt(v), trace * trace / square
}

func TestCrossCovariance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, cluster := drawSample(t)
		other, cluster2 := drawSample(t)
		a, b := mustSample(t, values, cluster), mustSample(t, other, cluster2)
		se, _ := a.Sandwich(CR2)
		if got := CrossCovariance(a, a); !close9(got, se*se) {
			t.Fatalf("with itself %v, want %v", got, se*se)
		}
		seB, _ := b.Sandwich(CR2)
		ab := CrossCovariance(a, b)
		if ab != CrossCovariance(b, a) || math.Abs(ab) > se*seB*(1+1e-9)+1e-15 {
			t.Fatalf("%v, turned %v, bound %v", ab, CrossCovariance(b, a), se*seB)
		}
		for i := range cluster2 {
			cluster2[i] += 1000
		}
		if got := CrossCovariance(a, mustSample(t, other, cluster2)); got != 0 {
			t.Fatalf("without a shared cluster %v, want 0", got)
		}
	})
}

func TestLeaveOneOutIsTheSampleWithout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values, cluster := drawSample(t)
		for _, l := range mustSample(t, values, cluster).LeaveOneOut() {
			var rest []float64
			var ids []int
			for i, g := range cluster {
				if g != l.Cluster {
					rest, ids = append(rest, values[i]), append(ids, g)
				}
			}
			if want := mustSample(t, rest, ids).Mean(); !close9(l.Mean, want) {
				t.Fatalf("without %d: %v, want %v", l.Cluster, l.Mean, want)
			}
		}
	})
}
