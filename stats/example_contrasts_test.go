package stats_test

import (
	"fmt"

	"github.com/uplift-eval/uplift/stats"
)

// Is the loss smaller than half a point? It could be as large as .45.
func ExampleClustered_NonInferiority() {
	t, err := sixTasks().NonInferiority(0.5, 0.025, stats.HigherIsBetter)
	fmt.Printf("t %.3f, df %.2f, p %.4f, lower bound %.3f %v\n", t.T, t.DF, t.P, t.Bound, err)
	// Output: t 3.196, df 4.84, p 0.0126, lower bound -0.453 <nil>
}

func ExampleClustered_Equivalence() {
	t, err := sixTasks().Equivalence(0.5, 0.05)
	fmt.Printf("p %.4f, [%.3f, %.3f] %v\n", t.P, t.Lo, t.Hi, err)
	// Output: p 0.0126, [-0.409, -0.091] <nil>
}

func ExampleDirection_String() {
	fmt.Println(stats.HigherIsBetter, "for correctness,", stats.LowerIsBetter, "for actionability")
	// Output: higher is better for correctness, lower is better for actionability
}

// With six tasks there are 64 sign vectors, all of which are visited.
func ExampleClustered_WildTest() {
	r := stats.Resample{B: 9_999, Seed: 20260713}
	for _, null := range []float64{0, -0.1} {
		t, err := sixTasks().WildTest(stats.Rademacher, null, r)
		fmt.Printf("mean %.1f: p %.5f (%s) %v\n", null, t.P, t.Method, err)
	}
	// Output:
	// mean 0.0: p 0.06250 (exact, all 2^6 sign vectors) <nil>
	// mean -0.1: p 0.12500 (exact, all 2^6 sign vectors) <nil>
}

func ExampleClustered_Wild() {
	i, err := sixTasks().Wild(stats.Rademacher, stats.Resample{B: 9_999, Seed: 20260713, Level: 0.95})
	fmt.Printf("%.3f [%.3f, %.3f] %v\n", i.Value, i.Lo, i.Hi, err)
	// Output: -0.250 [-0.500, 0.125] <nil>
}

func ExampleWildWeights() {
	fmt.Println(stats.WildWeights(6), stats.WildWeights(18))
	// Output: webb6 rademacher
}

func ExampleWeights_String() {
	fmt.Println(stats.Webb6)
	// Output: webb6
}

func ExampleHolm() {
	p, err := stats.Holm([]float64{0.01, 0.04, 0.03, 0.005})
	fmt.Printf("%.2f %v\n", p, err)
	// Output: [0.03 0.06 0.06 0.02] <nil>
}

// Two safeguards on the same eight tasks.
func twoSafeguards() []*stats.Clustered {
	tasks := []int{0, 1, 2, 3, 4, 5, 6, 7}
	strict, err1 := stats.NewClustered([]float64{-0.5, -0.25, -0.5, -0.75, 0, -0.5, -0.25, -1}, tasks)
	mild, err2 := stats.NewClustered([]float64{-0.25, 0, -0.25, -0.25, 0.25, -0.5, 0, -0.25}, tasks)
	if err1 != nil || err2 != nil {
		panic(err1)
	}
	return []*stats.Clustered{strict, mild}
}

func ExampleMaxT() {
	s, err := stats.MaxT(twoSafeguards(), 0.95, 1)
	fmt.Printf("t %.3f, adjusted p %.5f, critical |t| %.3f (%s) %v\n", s.T, s.P, s.Critical, s.Method, err)
	// Output: t [-4.255 -1.930], adjusted p [0.01562 0.18750], critical |t| 2.876 (exact, all 2^8 sign vectors) <nil>
}

func ExampleBands() {
	bands, critical, err := stats.Bands(twoSafeguards(), 0.95, 1)
	for _, b := range bands {
		fmt.Printf("%.3f [%.3f, %.3f]\n", b.Value, b.Lo, b.Hi)
	}
	fmt.Printf("%.3f errors to each side (%s) %v\n", critical.Value, critical.Method, err)
	// Output:
	// -0.469 [-0.774, -0.163]
	// -0.156 [-0.381, 0.068]
	// 2.774 errors to each side (exact, all 2^8 sign vectors) <nil>
}

// threeRaters is eight pairs of four tasks; not every rater scored every pair.
func threeRaters() *stats.Crossed {
	c, err := stats.NewCrossed([]stats.Scored{
		{Pair: 0, Cluster: 0, Rater: 0, Value: -0.5}, {Pair: 0, Cluster: 0, Rater: 1, Value: -0.25}, {Pair: 0, Cluster: 0, Rater: 2, Value: -0.25},
		{Pair: 1, Cluster: 0, Rater: 0, Value: 0}, {Pair: 1, Cluster: 0, Rater: 1, Value: 0.25},
		{Pair: 2, Cluster: 1, Rater: 0, Value: -0.75}, {Pair: 2, Cluster: 1, Rater: 2, Value: -0.5}, {Pair: 3, Cluster: 1, Rater: 1, Value: -0.25},
		{Pair: 4, Cluster: 2, Rater: 0, Value: 0}, {Pair: 4, Cluster: 2, Rater: 1, Value: 0}, {Pair: 4, Cluster: 2, Rater: 2, Value: 0.25},
		{Pair: 5, Cluster: 2, Rater: 2, Value: 0},
		{Pair: 6, Cluster: 3, Rater: 0, Value: -1}, {Pair: 6, Cluster: 3, Rater: 1, Value: -0.5}, {Pair: 7, Cluster: 3, Rater: 1, Value: -0.5},
	})
	if err != nil {
		panic(err)
	}
	return c
}

func ExampleNewCrossed() {
	row := stats.Scored{Pair: 3, Cluster: 0, Rater: 1, Value: -0.25}
	_, err := stats.NewCrossed([]stats.Scored{row, row})
	fmt.Println(err)
	// Output: crossed sample: pair 3 has two rows of rater 1 (want one)
}

func ExampleCrossed_N() {
	fmt.Println(threeRaters().N(), "differences")
	// Output: 15 differences
}

func ExampleCrossed_Clusters() {
	fmt.Println(threeRaters().Clusters(), "tasks")
	// Output: 4 tasks
}

func ExampleCrossed_Raters() {
	fmt.Println(threeRaters().Raters(), "raters")
	// Output: 3 raters
}

func ExampleCrossed_Mean() {
	fmt.Printf("%.4f\n", threeRaters().Mean())
	// Output: -0.2667
}

func ExampleCrossed_ByRater() {
	for _, r := range threeRaters().ByRater() {
		fmt.Printf("rater %d: %.3f over %d pairs\n", r.Rater, r.Mean, r.Pairs)
	}
	// Output:
	// rater 0: -0.450 over 5 pairs
	// rater 1: -0.208 over 6 pairs
	// rater 2: -0.125 over 4 pairs
}

func ExampleCrossed_LeaveOneRaterOut() {
	for _, l := range threeRaters().LeaveOneRaterOut() {
		fmt.Printf("without rater %d: %.3f\n", l.Rater, l.Mean)
	}
	// Output:
	// without rater 0: -0.175
	// without rater 1: -0.306
	// without rater 2: -0.318
}

func ExampleCrossed_Pigeonhole() {
	i, err := threeRaters().Pigeonhole(stats.Resample{B: 100_000, Seed: 20260713, Level: 0.95})
	fmt.Printf("%.2f [%.2f, %.2f], se %.2f %v\n", i.Value, i.Lo, i.Hi, i.SE, err)
	// Output: -0.27 [-0.65, 0.00], se 0.17 <nil>
}

// R's anova of the differences by pair has a residual mean square of .0387 on 7
// degrees of freedom.
func ExampleCrossed_Noise() {
	n, err := threeRaters().Noise()
	fmt.Printf("%d pairs, variance %.4f on %d df, share %.2f %v\n", n.Pairs, n.Variance, n.DF, n.Share, err)
	// Output: 5 pairs, variance 0.0387 on 7 df, share 0.28 <nil>
}

func ExampleCrossed_NoiseInterval() {
	s, err := threeRaters().NoiseInterval(0.95)
	fmt.Printf("%.2f [%.2f, %.2f] %v\n", s.Value, s.Lo, s.Hi, err)
	// Output: 0.28 [0.06, 0.93] <nil>
}

func ExampleCrossed_TwoWay() {
	i, err := threeRaters().TwoWay(0.95)
	fmt.Printf("%.3f [%.3f, %.3f], df %.0f, p %.4f %v\n", i.Value, i.Lo, i.Hi, i.DF, i.P, err)
	// Output: -0.267 [-0.929, 0.396], df 2, p 0.2256 <nil>
}

// R: mcnemar.test gives 3.5 with the correction, and 4.5714 without.
func ExampleMcNemarTest() {
	d := stats.McNemarTest(3, 11)
	fmt.Printf("exact p %.4f, mid-p %.4f\n", d.Exact, d.MidP)
	fmt.Printf("chi-square %.4f, p %.4f; corrected %.4f, p %.4f\n", d.ChiSquare, d.P, d.Corrected, d.PCorrected)
	// Output:
	// exact p 0.0574, mid-p 0.0352
	// chi-square 4.5714, p 0.0325; corrected 3.5000, p 0.0614
}

// The same table has a p of .030 two-sided and of .024 one-sided: a p means
// little without its side.
func ExampleFisher() {
	for _, side := range []stats.Side{stats.TwoSided, stats.Less} {
		t, err := stats.Fisher(3, 10, 9, 11, side)
		fmt.Println(t, err)
	}
	// Output:
	// Fisher's exact test: difference -0.5182, p 0.02997 (two-sided) <nil>
	// Fisher's exact test: difference -0.5182, p 0.02417 (one-sided, less) <nil>
}

func ExampleBoschloo() {
	t, err := stats.Boschloo(3, 10, 9, 11, stats.TwoSided)
	fmt.Println(t, err)
	// Output: Boschloo's exact test: difference -0.5182, p 0.02747 (two-sided) <nil>
}

func ExampleSide_String() {
	fmt.Println(stats.TwoSided, "or", stats.Greater)
	// Output: two-sided or one-sided, greater
}

func ExampleProportionTest_String() {
	t, err := stats.Fisher(15, 18, 7, 18, stats.Greater)
	fmt.Println(t.String(), err)
	// Output: Fisher's exact test: difference 0.4444, p 0.00763 (one-sided, greater) <nil>
}
