package stats_test

import (
	"fmt"

	"github.com/uplift-eval/uplift/stats"
)

// sixTasks is the sample of the package's first example: 13 differences of six
// tasks.
func sixTasks() *stats.Clustered {
	differences := []float64{-0.5, -0.25, 0, -0.25, -0.5, 0, 0.25, -0.25, -0.25, 0, -0.5, -0.75, -0.25}
	tasks := []int{0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}
	c, err := stats.NewClustered(differences, tasks)
	if err != nil {
		panic(err)
	}
	return c
}

func ExampleNewClustered() {
	_, err := stats.NewClustered([]float64{-0.5, 0}, []int{7})
	fmt.Println(err)
	// Output: clustered sample: 2 values with 1 cluster ids (want one id a value)
}

func ExampleClustered_N() {
	fmt.Println(sixTasks().N(), "pairs")
	// Output: 13 pairs
}

func ExampleClustered_Clusters() {
	fmt.Println(sixTasks().Clusters(), "tasks")
	// Output: 6 tasks
}

func ExampleClustered_Mean() {
	fmt.Printf("%.4f\n", sixTasks().Mean())
	// Output: -0.2500
}

func ExampleClustered_ClusterWeighted() {
	fmt.Printf("%.4f\n", sixTasks().ClusterWeighted())
	// Output: -0.2500
}

func ExampleClustered_NonZero() {
	fmt.Println(sixTasks().NonZero(), "tasks changed")
	// Output: 6 tasks changed
}

func ExampleClustered_MaxShare() {
	fmt.Printf("%.3f\n", sixTasks().MaxShare())
	// Output: 0.231
}

func ExampleClustered_Groups() {
	for _, g := range sixTasks().Groups() {
		fmt.Printf("task %d: %d pairs, mean %.3f\n", g.Cluster, g.N, g.Mean)
	}
	// Output:
	// task 0: 2 pairs, mean -0.375
	// task 1: 3 pairs, mean -0.250
	// task 2: 2 pairs, mean 0.125
	// task 3: 2 pairs, mean -0.250
	// task 4: 2 pairs, mean -0.250
	// task 5: 2 pairs, mean -0.500
}

func ExampleClustered_LeaveOneOut() {
	for _, l := range sixTasks().LeaveOneOut() {
		fmt.Printf("without task %d: %.4f\n", l.Cluster, l.Mean)
	}
	// Output:
	// without task 0: -0.2273
	// without task 1: -0.2500
	// without task 2: -0.3182
	// without task 3: -0.2500
	// without task 4: -0.2500
	// without task 5: -0.2045
}

func ExampleCR_String() {
	fmt.Println(stats.CR2)
	// Output: cr2
}

func ExampleClustered_Sandwich() {
	for kind := stats.CR0; kind <= stats.CR3; kind++ {
		se, df := sixTasks().Sandwich(kind)
		fmt.Printf("%s: se %.4f, df %.2f\n", kind, se, df)
	}
	// Output:
	// cr0: se 0.0720, df 4.90
	// cr1: se 0.0788, df 4.90
	// cr2: se 0.0782, df 4.84
	// cr3: se 0.0850, df 4.76
}

func ExampleClustered_Interval() {
	i, err := sixTasks().Interval(stats.CR2, 0.95)
	fmt.Printf("%.3f [%.3f, %.3f], df %.2f, p %.4f %v\n", i.Value, i.Lo, i.Hi, i.DF, i.P, err)
	// Output: -0.250 [-0.453, -0.047], df 4.84, p 0.0252 <nil>
}

// Two contrasts of the same tasks share their noise.
func ExampleCrossCovariance() {
	c := sixTasks()
	se, _ := c.Sandwich(stats.CR2)
	fmt.Printf("%.6f %.6f\n", stats.CrossCovariance(c, c), se*se)
	// Output: 0.006119 0.006119
}

func ExampleClustered_BootPairs() {
	b, err := sixTasks().BootPairs(stats.Resample{B: 100_000, Seed: 20260713, Level: 0.95})
	fmt.Printf("percentile [%.2f, %.2f], assumes independent pairs %v\n", b.Percentile.Lo, b.Percentile.Hi, err)
	// Output: percentile [-0.38, -0.12], assumes independent pairs <nil>
}

// The expanded percentile interval reaches further with few tasks.
func ExampleBootstrap() {
	b, err := sixTasks().BootClusters(stats.Resample{B: 100_000, Seed: 20260713, Level: 0.9})
	fmt.Printf("percentile [%.3f, %.3f]\n", b.Percentile.Lo, b.Percentile.Hi)
	fmt.Printf("expanded   [%.3f, %.3f] %v\n", b.Expanded.Lo, b.Expanded.Hi, err)
	// Output:
	// percentile [-0.365, -0.125]
	// expanded   [-0.396, -0.077] <nil>
}

func ExampleClustered_BootT() {
	i, err := sixTasks().BootT(stats.Resample{B: 100_000, Seed: 20260713, Level: 0.95})
	fmt.Printf("%.2f [%.2f, %.2f] %v\n", i.Value, i.Lo, i.Hi, err)
	// Output: -0.25 [-0.44, -0.06] <nil>
}

func ExampleClusterWeights() {
	counts := make([]int32, 6)
	stats.ClusterWeights(20260713, 0, counts)
	drawn := int32(0)
	for _, k := range counts {
		drawn += k
	}
	fmt.Println(drawn, "tasks drawn from 6")
	// Output: 6 tasks drawn from 6
}

func ExampleClustered_SignFlipClusters() {
	flip, err := sixTasks().SignFlipClusters(1)
	fmt.Printf("p %.4f (%s) %v\n", flip.P, flip.Method, err)
	// Output: p 0.0625 (exact, lattice of step 1/4) <nil>
}

func ExampleClustered_SignFlipPairs() {
	flip, err := sixTasks().SignFlipPairs(1)
	fmt.Printf("p %.6f (%s) %v\n", flip.P, flip.Method, err)
	// Output: p 0.013672 (exact, lattice of step 1/4) <nil>
}

// No refusal in 18 prompts does not mean that there are none.
func ExampleWilson() {
	lo, hi, err := stats.Wilson(0, 18, 0.95)
	fmt.Printf("%.3f to %.3f %v\n", lo, hi, err)
	// Output: 0.000 to 0.176 <nil>
}

func ExampleClustered_PairsT() {
	i, err := sixTasks().PairsT(0.95)
	fmt.Printf("%.3f [%.3f, %.3f], df %.0f, p %.4f, assumes independent pairs %v\n", i.Value, i.Lo, i.Hi, i.DF, i.P, err)
	// Output: -0.250 [-0.413, -0.087], df 12, p 0.0059, assumes independent pairs <nil>
}

func ExampleClustered_SignedRank() {
	w, err := sixTasks().SignedRank()
	fmt.Printf("V %.1f of %d pairs that changed, p %.5f, assumes independent pairs %v\n", w.V, w.N, w.P, err)
	// Output: V 3.5 of 10 pairs that changed, p 0.01205, assumes independent pairs <nil>
}
