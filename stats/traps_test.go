package stats

import (
	"math"
	"testing"
)

// TestFourHalfPoints: four half-point changes in eighteen tasks give every
// bootstrap a clear "significant", while the exact p is .125. An analysis must
// look at NonZero first.
func TestFourHalfPoints(t *testing.T) {
	values := make([]float64, 49)
	for i := range 4 {
		values[i] = -0.5
	}
	cluster := make([]int, 49)
	for i := range cluster {
		cluster[i] = i % 18
	}
	c := sampleOf(t, values, cluster)
	flip, err := c.SignFlipClusters(1)
	if err != nil || flip.P != 0.125 || c.NonZero() != 4 {
		t.Errorf("sign flip %+v, %v, %d clusters that are not 0, want p .125 and 4", flip, err, c.NonZero())
	}
	r := Resample{B: 10_000, Seed: 1, Level: 0.95}
	tasks, err1 := c.BootClusters(r)
	pairs, err2 := c.BootPairs(r)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	for name, i := range map[string]Interval{"percentile": tasks.Percentile, "bca": tasks.BCa, "pairs percentile": pairs.Percentile, "pairs bca": pairs.BCa} {
		if i.Hi >= 0 {
			t.Errorf("%s: %+v, want it below 0: the trap is gone, so say so in METHOD", name, i)
		}
	}
	// What imposes the null, or turns signs, keeps the floor 2^(1-4).
	wild, err1 := c.WildTest(Rademacher, 0, Resample{B: 100_000, Seed: 1})
	joint, err2 := MaxT([]*Clustered{c}, 0.95, 1)
	if err1 != nil || err2 != nil || wild.P < 0.12 || joint.P[0] != 0.125 {
		t.Errorf("wild %+v, %v; max-t %+v, %v: want p of .125", wild, err1, joint, err2)
	}
}

// TestFloors: six clusters cannot give less than 2^(1-6) by signs, however clear
// their change, and two contrasts of six do not pass Holm at .05.
func TestFloors(t *testing.T) {
	c := sampleOf(t, []float64{-1, -1, -0.75, -1, -0.5, -1}, indices(6))
	flip, err1 := c.SignFlipClusters(1)
	wild, err2 := c.WildTest(Rademacher, 0, Resample{B: 999, Seed: 1})
	joint, err3 := MaxT([]*Clustered{c, c}, 0.95, 1)
	if err1 != nil || err2 != nil || err3 != nil || flip.P != 0.03125 || wild.P != 0.03125 || joint.P[1] != 0.03125 {
		t.Errorf("%+v, %+v, %+v, %v, %v, %v: want p .03125", flip, wild, joint, err1, err2, err3)
	}
	if holm, err := Holm([]float64{flip.P, flip.P}); err != nil || holm[0] <= 0.05 {
		t.Errorf("holm %v, %v, want above .05", holm, err)
	}
}

// TestMidRankTies: on a lattice the share of resampled means that tie with the
// mean is large, and half of it must count as below, or BCa leans to one side.
func TestMidRankTies(t *testing.T) {
	ascending := []float64{-1, 0, 0, 0, 0, 0, 0, 1, 1, 1}
	if got := midRank(ascending, 0, 0); got != 0.4 {
		t.Errorf("rank %v, want (1 + 7)/2/10 = .4", got)
	}
	c := sampleOf(t, []float64{-0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0.5}, indices(10)) // symmetric: no bias, no acceleration
	b, err := c.BootPairs(Resample{B: 50_000, Seed: 3, Level: 0.95})
	if err != nil || math.Abs(b.BCa.Lo+b.BCa.Hi) > 0.051 || math.Abs(b.BCa.Lo-b.Percentile.Lo) > 0.051 {
		t.Errorf("bca %+v beside percentile %+v, %v: want both symmetric", b.BCa, b.Percentile, err)
	}
}

// TestInverseCDF: ends are order statistics, never between two of them.
func TestInverseCDF(t *testing.T) {
	ascending := []float64{10, 20, 30, 40}
	for p, want := range map[float64]float64{0.025: 10, 0.25: 10, 0.26: 20, 0.5: 20, 0.75: 30, 0.975: 40} {
		if got := nearest(ascending, p); got != want {
			t.Errorf("quantile %v: %v, want %v", p, got, want)
		}
	}
	c := unbalanced(t)
	b, err := c.BootPairs(Resample{B: 1000, Seed: 1, Level: 0.95})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []Interval{b.Percentile, b.BCa, b.Expanded} {
		for _, end := range []float64{i.Lo, i.Hi} { // 130 pairs in halves: steps of 1/260
			if k := end * 260; math.Abs(k-math.Round(k)) > 1e-9 {
				t.Errorf("end %v is no mean of 130 halves", end)
			}
		}
	}
}

// TestTailsAreSummed: probabilities far below 1e-16 are summed as tails, not taken as one
// less the distribution function.
func TestTailsAreSummed(t *testing.T) {
	far := sampleOf(t, []float64{-1, -1.01, -0.99, -1, -1.02, -0.98, -1, -1, -1.01, -0.99, -1, -1.02, -0.98, -1}, indices(14))
	ni, err1 := far.NonInferiority(5, 0.025, HigherIsBetter)
	eq, err2 := far.Equivalence(5, 0.025)
	pairs, err3 := far.PairsT(0.95)
	if err1 != nil || err2 != nil || err3 != nil {
		t.Fatal(err1, err2, err3)
	}
	for name, p := range map[string]float64{"non-inferiority": ni.P, "equivalence": eq.P, "pairs t": pairs.P, "mcnemar": McNemar(0, 100), "chi-square": McNemarTest(0, 100).P} {
		if !(p > 0 && p < 1e-17) {
			t.Errorf("%s: p %v, want a tail between 0 and 1e-17", name, p)
		}
	}
	if f, err := Fisher(0, 100, 100, 100, Less); err != nil || !near(f.P, 1/math.Exp(logChoose(200, 100))) {
		t.Errorf("fisher %v, %v, want one table of C(200,100)", f.P, err)
	}
}

// TestNoDiscordantPair: no change is p 1, not an error and not a division by 0.
func TestNoDiscordantPair(t *testing.T) {
	zero := sampleOf(t, make([]float64, 20), indices(20))
	flip, err1 := zero.SignFlipClusters(1)
	ranks, err2 := zero.SignedRank()
	if d := McNemarTest(0, 0); err1 != nil || err2 != nil || flip.P != 1 || ranks.P != 1 || McNemar(0, 0) != 1 || d.Exact != 1 || d.MidP != 1 || d.P != 1 || d.PCorrected != 1 {
		t.Errorf("%+v, %+v, %+v, %v, %v: want p 1", flip, ranks, d, err1, err2)
	}
}
