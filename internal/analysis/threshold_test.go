package analysis

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/stats"
)

// The thresholds of the guards, just below and just above.

func TestLeverageBeginsAboveThreeTenths(t *testing.T) {
	for _, c := range []struct {
		others, large int
		want          bool
	}{
		{701, 299, false}, {700, 300, false}, {699, 301, true},
	} {
		d := append(spread(c.others), repeat(-0.375, c.large))
		got := mustRun(t, paired(d...), taskStudy()).find(t, "safe", Utility).warning(CodeLeverage)
		if (got != "") != c.want {
			t.Errorf("%d of %d pairs in one task: got warning %q, want one: %v", c.large, c.others+c.large, got, c.want)
		}
	}
}

// weightingGap is the distance of the two weightings in standard errors, by the
// textbook: CR2 is the sum of U_g^2 / (1 - p_g) over n^2.
func weightingGap(differences [][]float64) float64 {
	n, sum, byTask := 0.0, 0.0, 0.0
	for _, ds := range differences {
		s := 0.0
		for _, d := range ds {
			s += d
		}
		n += float64(len(ds))
		sum += s
		byTask += s / float64(len(ds)) / float64(len(differences))
	}
	v := 0.0
	for _, ds := range differences {
		u := -float64(len(ds)) * sum / n
		for _, d := range ds {
			u += d
		}
		v += u * u / (1 - float64(len(ds))/n)
	}
	return math.Abs(sum/n-byTask) / (math.Sqrt(v) / n)
}

func TestWeightingBeginsAboveHalfAStandardError(t *testing.T) {
	withLarge := func(x float64) [][]float64 { return append(spread(12), repeat(x, 4)) }
	// The gap grows with x from 0 at the mean of the others.
	solve := func(gap float64) float64 {
		lo, hi := -0.375, 0.5
		for range 60 {
			if mid := (lo + hi) / 2; weightingGap(withLarge(mid)) < gap {
				lo = mid
			} else {
				hi = mid
			}
		}
		return lo
	}
	for _, c := range []struct {
		gap  float64
		want bool
	}{{0.499, false}, {0.501, true}} {
		d := withLarge(solve(c.gap))
		if got := weightingGap(d); math.Abs(got-c.gap) > 1e-9 {
			t.Fatalf("no sample with a gap of %v: got %v", c.gap, got)
		}
		got := mustRun(t, paired(d...), taskStudy()).find(t, "safe", Utility).warning(CodeWeighting)
		if (got != "") != c.want {
			t.Errorf("a gap of %v standard errors: got warning %q, want one: %v", c.gap, got, c.want)
		}
	}
}

func TestAgreementIsExploratoryBelowItsThreshold(t *testing.T) {
	r, err := stats.NewRatings([]stats.Mark{{Unit: 0, Rater: 0, Value: 1}, {Unit: 0, Rater: 1, Value: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		scale string
		alpha float64
		want  bool
	}{
		{uplift.Actionability, 0.6699, true}, {uplift.Actionability, 0.67, false}, {uplift.Actionability, 0.6701, false}, {uplift.Correctness, 0.1, false},
	} {
		out := ScaleAgreement{Scale: c.scale, Raters: 2, AlphaOrdinal: new(c.alpha)}
		(&agreer{}).warn(&out, r)
		if got := out.warning(CodeLowAlpha); (got != "") != c.want {
			t.Errorf("alpha %v on %s: got warning %q, want one: %v", c.alpha, c.scale, got, c.want)
		}
	}
}

// Half of the shared responses in one task is the most.
func TestAgreementIntervalsNeedSharesAtMostHalf(t *testing.T) {
	for _, c := range []struct {
		clusters, large, others int // others in each of the other clusters
		want                    string
	}{
		{5, 400, 100, ""}, {5, 401, 100, "one task holds more than half"}, {5, 399, 100, ""},
		{4, 100, 100, "4 tasks with two ratings of a response (want at least 5)"},
	} {
		shared := map[int]int{0: c.large}
		for i := 1; i < c.clusters; i++ {
			shared[i] = c.others
		}
		a := agreer{opt: AgreeOptions{Cluster: ByTask}}
		got := a.withheld(c.large+(c.clusters-1)*c.others, shared)
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%d of %d tasks: got %q, want %q", c.large, c.clusters, got, c.want)
		}
	}
}

// A share of resamples stands when at most 1 % of them, 20 of 2,000, have no
// value. The draws are counted here, for seeds that give 20 and 21.
func TestResamplesWithoutAValue(t *testing.T) {
	const tasks, having = 20, 4 // (1 - 4/20)^20 is 1.15 %
	sample := func(of int, shift float64) *stats.Clustered {
		values, ids := make([]float64, of), make([]int, of)
		for i := range of {
			values[i], ids[i] = shift+0.01*float64(i), i
		}
		s, err := stats.NewClustered(values, ids)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	at := func(u, r *stats.Clustered) point {
		return point{described: described{samples: map[string]*stats.Clustered{Utility: u, Risk: r}}}
	}
	points := []point{at(sample(tasks, 0.2), sample(tasks, 0.2)), at(sample(having, 0.1), sample(tasks, 0.3))}
	seeds := map[int]uint64{}
	for seed := uint64(1); len(seeds) < 2 && seed < 300; seed++ {
		if n := lost(seed, tasks, having); n == 20 || n == 21 {
			seeds[n] = seed
		}
	}
	if len(seeds) < 2 {
		t.Fatalf("no seeds that lose 20 and 21 resamples: %v", seeds)
	}
	for n, seed := range seeds {
		share, err := dominatedShare(context.Background(), points, seed)
		if err != nil || (share != nil) != (n == 20) {
			t.Errorf("%d of 2000 lost: got %v, %v; want a share: %v", n, share, err, n == 20)
		}
	}
}

// lost counts the resamples that hold none of the first clusters.
func lost(seed uint64, clusters, first int) int {
	n, counts := 0, make([]int32, clusters)
	for b := range uint64(2000) {
		stats.ClusterWeights(seed, b, counts)
		if !slices.ContainsFunc(counts[:first], func(c int32) bool { return c > 0 }) {
			n++
		}
	}
	return n
}
