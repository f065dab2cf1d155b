package stats

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestLogMass: the rejection step's masses, in which an error of a percent would
// hide from a chi-square.
func TestLogMass(t *testing.T) {
	for _, c := range []struct {
		n int
		p float64
	}{{25, 0.41}, {40, 0.5}, {900, 0.03}} {
		b := newBinomial(c.p)
		mode := int(float64(c.n+1) * c.p)
		for k := range c.n + 1 {
			want := logChoose(c.n, k) - logChoose(c.n, mode) + float64(k-mode)*math.Log(c.p/(1-c.p))
			if got := b.logMass(float64(c.n), float64(k)); math.Abs(got-want) > 1e-9 {
				t.Errorf("n = %d, p = %v, k = %d: %v, want %v", c.n, c.p, k, got, want)
			}
		}
	}
}

// TestBinomial compares 2e5 draws with the exact masses, by chi-square.
func TestBinomial(t *testing.T) {
	for _, c := range []struct {
		n int
		p float64
	}{{1, 0.3}, {5, 0.9}, {40, 0.2}, {40, 0.5}, {200, 0.04}, {25, 0.41}, {400, 0.97}, {1000, 0.5}, {5000, 0.55}, {100_000, 0.0002}} {
		b, s, counts, draws := newBinomial(c.p), newStream(1, uint64(c.n)), make([]float64, c.n+1), 200_000.0
		for range int(draws) {
			counts[int(b.draw(&s, float64(c.n)))]++
		}
		chi, cells, seen, expected := 0.0, 0, 0.0, 0.0
		for k := range counts {
			seen += counts[k]
			expected += draws * math.Exp(logChoose(c.n, k)+float64(k)*math.Log(c.p)+float64(c.n-k)*math.Log1p(-c.p))
			if expected > 20 {
				chi += (seen - expected) * (seen - expected) / expected
				cells, seen, expected = cells+1, 0, 0
			}
		}
		if df := float64(max(cells-1, 1)); (chi-df)/math.Sqrt(2*df) > 4.5 {
			t.Errorf("n = %d, p = %v: chi-square %.1f on %d cells", c.n, c.p, chi, cells)
		}
	}
}

// exactMeans is the distribution of the resampled mean by n-fold convolution,
// for values of k lattice steps: prob[i] belongs to the sum i + n*least.
func exactMeans(k []float64) (prob []float64, least float64) {
	least = slices.Min(k)
	one := make([]float64, int(slices.Max(k)-least)+1)
	for _, v := range k {
		one[int(v-least)] += 1 / float64(len(k))
	}
	prob = []float64{1}
	for range k {
		next := make([]float64, len(prob)+len(one)-1)
		for i, p := range prob {
			for j, q := range one {
				next[i+j] += p * q
			}
		}
		prob = next
	}
	return prob, least
}

// TestResamplesFollowTheExactDistribution checks both paths in every cell.
func TestResamplesFollowTheExactDistribution(t *testing.T) {
	k := []float64{0, 0, 0, 0, 0, 0, 0, 1, 1, -2, -2, -2, 3}
	var values []float64
	for _, v := range k {
		values = append(values, v/12)
	}
	prob, least := exactMeans(k)
	n := float64(len(k))
	units := sampleOf(t, values, indices(len(k))).singletons()
	for path, draw := range map[string]func(Resample) []float64{"index": units.meansByIndex, "count": units.meansByCount} {
		counts, b := make([]float64, len(prob)), 200_000.0
		for _, m := range draw(Resample{B: int(b), Seed: 4}) {
			counts[int(math.Round(units.lattice.value(m)*12*n-n*least))]++
		}
		chi, cells, seen, expected := 0.0, 0, 0.0, 0.0
		for i, p := range prob {
			seen, expected = seen+counts[i], expected+b*p
			if expected > 20 {
				chi += (seen - expected) * (seen - expected) / expected
				cells, seen, expected = cells+1, 0, 0
			}
		}
		if df := float64(cells - 1); (chi-df)/math.Sqrt(2*df) > 4.5 {
			t.Errorf("by %s: chi-square %.1f on %d cells", path, chi, cells)
		}
	}
}

// TestPathsAgree: by index and by counts are one distribution, for clusters of
// unequal size too: means and bootstrap-t quantiles within Monte Carlo error.
func TestPathsAgree(t *testing.T) {
	c := tasks10000(t)
	values, cluster := c.values[:120], make([]int, 120)
	for i := range cluster {
		cluster[i] = int(math.Sqrt(float64(i) * 8))
	}
	s := sampleOf(t, values, cluster)
	units, r := s.tuples(), Resample{B: 40_000, Seed: 9, Level: 0.95}
	se, _ := s.Sandwich(CR0)
	floor := seFloor * se / units.lattice.value(1)
	for name, paths := range map[string][2][]float64{
		"means":       {units.meansByIndex(r), units.meansByCount(r)},
		"bootstrap-t": {units.studentizedByIndex(r, floor), units.studentizedByCount(r, floor)},
	} {
		slices.Sort(paths[0])
		slices.Sort(paths[1])
		for _, p := range []float64{0.025, 0.25, 0.5, 0.75, 0.95, 0.975} {
			// x is a quantile of one path; its rank in the other is p within error, or x is tied there.
			x := nearest(paths[0], p)
			lo, _ := slices.BinarySearch(paths[1], x-1e-9)
			hi, _ := slices.BinarySearch(paths[1], x+1e-9)
			slack := 5 * math.Sqrt(2*p*(1-p)/float64(r.B))
			if float64(lo)/float64(r.B) > p+slack || float64(hi)/float64(r.B) < p-slack {
				t.Errorf("%s: quantile %v by index has rank %v to %v by count", name, p, float64(lo)/float64(r.B), float64(hi)/float64(r.B))
			}
		}
	}
}

// TestBootTByDefinition resamples real clusters with ClusterWeights and
// computes t* from scratch; its quantile must meet BootT's. The sparse sample
// has four tasks of six that are 0, so that the floor of se* decides.
func TestBootTByDefinition(t *testing.T) {
	sparse := sampleOf(t, []float64{-0.5, -0.25, -0.25, 0, 0, 0, 0, 0}, []int{0, 1, 1, 2, 3, 3, 4, 5})
	for name, c := range map[string]*Clustered{"unbalanced": unbalanced(t), "sparse": sparse} {
		b := 20_000
		ratios, se := studentizedByDefinition(t, c, b)
		got, err := c.BootT(Resample{B: b, Seed: 1, Level: 0.95})
		if err != nil {
			t.Fatal(err)
		}
		q, slack := (got.Hi-got.Lo)/2/se, 5*math.Sqrt(2*.95*.05/float64(b))
		below, _ := slices.BinarySearch(ratios, q-1e-9)
		upTo, _ := slices.BinarySearch(ratios, q+1e-9)
		if lo, hi := float64(below)/float64(b), float64(upTo)/float64(b); lo > 0.95+slack || hi < 0.95-slack {
			t.Errorf("%s: the quantile %v of BootT has rank %v to %v by definition, want .95", name, q, lo, hi)
		}
		if math.Abs(got.SE-se) > 1e-15 || math.Abs(got.Value-c.Mean()) > 1e-15 || math.Abs(got.Lo+got.Hi-2*got.Value) > 1e-12 {
			t.Errorf("%s: %+v, want it symmetric about %v with se %v", name, got, c.Mean(), se)
		}
	}
}

func studentizedByDefinition(t *testing.T, c *Clustered, b int) (ratios []float64, se float64) {
	se, _ = c.Sandwich(CR0)
	counts := make([]int32, c.Clusters())
	for i := range b {
		ClusterWeights(99, uint64(i), counts)
		var values []float64
		var cluster []int
		id := 0
		for k, times := range counts {
			for range times {
				for _, v := range c.values[c.start[k]:c.start[k+1]] {
					values, cluster = append(values, v), append(cluster, id)
				}
				id++
			}
		}
		again := sampleOf(t, values, cluster)
		seAgain, _ := again.Sandwich(CR0)
		ratios = append(ratios, math.Abs(again.Mean()-c.Mean())/max(seAgain, 0.25*se))
	}
	slices.Sort(ratios)
	return ratios, se
}

// TestCoresDoNotMatter: one worker and two give the same bits.
func TestCoresDoNotMatter(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	c := tasks10000(t)
	values, cluster := quarters(49)
	small := sampleOf(t, values, cluster)
	r := Resample{B: 3001, Seed: 8, Level: 0.95}
	figures := func(cores int) (out []any) {
		runtime.GOMAXPROCS(cores)
		for _, s := range []*Clustered{c, small} {
			out = append(out, keep(s.BootT(r)))
			for _, run := range []func(Resample) (Bootstrap, error){s.BootClusters, s.BootPairs} {
				b, err := run(r)
				out = append(out, b, err)
			}
			out = append(out, keep(s.Wild(Rademacher, Resample{B: 301, Seed: 1, Level: 0.9})), keep(s.Wild(Webb6, Resample{B: 99, Seed: 1, Level: 0.9})))
			units := s.tuples()
			out = append(out, sampleSigns([]magnitude{{1.5, 3}, {1, 30}, {0.3, 100}}, 20, 1))
			for _, m := range [][]float64{units.meansByIndex(r), units.meansByCount(r), units.studentizedByIndex(r, 1), units.studentizedByCount(r, 1)} {
				sum := uint64(0)
				for i, x := range m {
					sum = mix(sum ^ math.Float64bits(x) ^ uint64(i))
				}
				out = append(out, sum)
			}
		}
		joint := keep(MaxT([]*Clustered{small, simulated(t, 1, 40)}, 0.95, 3))
		return append(out, joint.Critical, joint.P[0], joint.P[1], keep(crossedOf(t, fifteen).Pigeonhole(r)))
	}
	if one, two := figures(1), figures(2); !slices.Equal(one, two) {
		t.Errorf("GOMAXPROCS 1: %v\nGOMAXPROCS 2: %v", one, two)
	}
}

// TestReplicatesAreKeyed: the first replicates of a long run are a short run.
func TestReplicatesAreKeyed(t *testing.T) {
	units := tasks10000(t).tuples()
	for name, draw := range map[string]func(Resample) []float64{"index": units.meansByIndex, "count": units.meansByCount} {
		long, short := draw(Resample{B: 300, Seed: 2}), draw(Resample{B: 40, Seed: 2})
		if !slices.Equal(long[:40], short) {
			t.Errorf("by %s: the first 40 of 300 replicates differ from 40", name)
		}
		if other := draw(Resample{B: 40, Seed: 3}); slices.Equal(other, short) {
			t.Errorf("by %s: another seed gives the same replicates", name)
		}
	}
}

func TestClusterWeights(t *testing.T) {
	counts, totals := make([]int32, 7), make([]float64, 7)
	for r := range uint64(70_000) {
		ClusterWeights(5, r, counts)
		sum := int32(0)
		for g, k := range counts {
			sum, totals[g] = sum+k, totals[g]+float64(k)
		}
		if sum != 7 {
			t.Fatalf("replicate %d draws %d clusters, want 7", r, sum)
		}
	}
	for g, k := range totals {
		if math.Abs(k-70_000) > 5*math.Sqrt(70_000*6.0/7) {
			t.Errorf("cluster %d drawn %v times in all, want 70000 or nearly", g, k)
		}
	}
	ClusterWeights(1, 1, nil)
	if n := testing.AllocsPerRun(10, func() { ClusterWeights(5, 1, counts) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}

func TestResampleRefuses(t *testing.T) {
	c := unbalanced(t)
	for name, v := range map[string]struct {
		r    Resample
		want string
	}{
		"zero":      {Resample{}, "0 replicates (want 2 to"},
		"too many":  {Resample{B: 1 << 40, Level: 0.9}, "replicates (want 2 to"},
		"no level":  {Resample{B: 10}, "level 0 (want between 0 and 1)"},
		"level one": {Resample{B: 10, Level: 1}, "level 1 (want between 0 and 1)"},
		"not one":   {Resample{B: 10, Level: math.NaN()}, "level NaN"},
	} {
		_, err := c.BootT(v.r)
		_, err2 := c.BootClusters(v.r)
		_, err3 := c.BootPairs(v.r)
		for _, err := range []error{err, err2, err3} {
			if err == nil || !strings.Contains(err.Error(), v.want) {
				t.Errorf("%s: %v, want an error with %q", name, err, v.want)
			}
		}
	}
	if _, err := c.Interval(CR(0), 0.95); err == nil {
		t.Error("the zero CR gives an interval")
	}
	if _, err := c.Interval(CR2, 1); err == nil {
		t.Error("level 1 gives an interval")
	}
}

// TestRank: the ceil(p*B)-th, where p*B is an integer up to rounding.
func TestRank(t *testing.T) {
	level, tenth, fifth := 0.95, 0.1, 0.2 // variables, so that arithmetic is rounded
	for _, c := range []struct {
		p    float64
		b    int
		want int
	}{
		{(1 - level) / 2, 100_000, 2500}, {(1 + level) / 2, 100_000, 97_500}, {0.025, 1000, 25}, {0.975, 999, 975},
		{0.95, 20, 19}, {tenth + fifth, 10, 3}, {0, 10, 1}, {1, 10, 10}, {0.251, 10, 3},
	} {
		if got := rank(c.p, c.b); got != c.want {
			t.Errorf("rank(%v, %d) = %d, want %d", c.p, c.b, got, c.want)
		}
	}
}

// TestBCaInverse: the inverse undoes the correction, and without bias and
// acceleration both do nothing.
func TestBCaInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z0 := rapid.Float64Range(-0.5, 0.5).Draw(t, "z0")
		z := rapid.Float64Range(-2.5, 2.5).Draw(t, "z")
		a := rapid.Float64Range(-0.1, 0.1).Draw(t, "a")
		if got, want := bcaInverse(z0, NormalQuantile(bcaLevel(z0, z, a)), a), NormalCDF(z); math.Abs(got-want) > 1e-7 {
			t.Fatalf("inverse %v, want %v", got, want)
		}
		if got, want := bcaLevel(0, z, 0), NormalCDF(z); math.Abs(got-want) > 1e-14 {
			t.Fatalf("uncorrected %v, want %v", got, want)
		}
	})
	for _, far := range []float64{7, -7} {
		if got := bcaLevel(far, 2, 0.2) + bcaLevel(far, 2, -0.2) + bcaInverse(far, -2, 0.2); math.IsNaN(got) {
			t.Errorf("beyond the pole: %v", got)
		}
	}
}

// TestLattice: the coarsest step that holds every value, or none.
func TestLattice(t *testing.T) {
	fifth := 0.2 // a variable, so that its sum is rounded
	for name, c := range map[string]struct {
		values []float64
		unit   float64
		q      float64
		ok     bool
	}{
		"halves":          {[]float64{0.5, 1, -0.5}, 1, 2, true},
		"all zero":        {[]float64{0, 0}, 1, 1, true},
		"twelfths":        {[]float64{1.0/3 - 1.0/4, 0.25, 0}, 1, 12, true},
		"240ths":          {[]float64{1.0/16 - 1.0/15, 0.5}, 1, 240, true},
		"decimals":        {[]float64{0.1 + fifth, 0.7 - 0.1}, 1, 10, true},
		"another unit":    {[]float64{math.Pi / 4, math.Pi / 2, -math.Pi}, math.Pi / 4, 1, true},
		"no lattice":      {[]float64{math.Pi, math.E, math.Sqrt2}, 0, 0, false},
		"nearly a third":  {[]float64{0.3333, 1}, 0, 0, false},
		"beyond the span": {[]float64{0.25, 1e9 / 3}, 0, 0, false},
	} {
		s := sampleOf(t, c.values, indices(len(c.values)))
		l, ok := s.lattice, s.exact
		if ok != c.ok || l.q != c.q || math.Abs(l.unit-c.unit) > 1e-15 {
			t.Errorf("%s: %+v %v, want unit %v q %v %v", name, l, ok, c.unit, c.q, c.ok)
		}
	}
}
