package stats_test

import (
	"fmt"

	"github.com/uplift-eval/uplift/stats"
)

// Six tasks, each asked two or three times: score under a safeguard less score
// without it.
func Example() {
	differences := []float64{-0.5, -0.25, 0, -0.25, -0.5, 0, 0.25, -0.25, -0.25, 0, -0.5, -0.75, -0.25}
	tasks := []int{0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}
	c, err := stats.NewClustered(differences, tasks)
	if err != nil {
		fmt.Println(err)
		return
	}
	i, err := c.Interval(stats.CR2, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	flip, err := c.SignFlipClusters(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("pairs %d, tasks %d\n", c.N(), c.Clusters())
	fmt.Printf("difference %.3f [%.3f, %.3f], df %.2f\n", i.Value, i.Lo, i.Hi, i.DF)
	fmt.Printf("sign flip p %.4f (%s)\n", flip.P, flip.Method)
	// Output:
	// pairs 13, tasks 6
	// difference -0.250 [-0.453, -0.047], df 4.84
	// sign flip p 0.0625 (exact, lattice of step 1/4)
}

// A single task says nothing about other tasks.
func ExampleClustered_Interval_undefined() {
	c, err := stats.NewClustered([]float64{-0.5, 0, -0.25}, []int{7, 7, 7})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = c.Interval(stats.CR2, 0.95)
	fmt.Println(err)
	// Output:
	// cr2 interval: undefined, because all 3 values are in one cluster (want at least 2 clusters)
}

func ExampleClustered_BootClusters() {
	differences := []float64{-0.5, -0.25, 0, -0.25, -0.5, 0, 0.25, -0.25, -0.25, 0, -0.5, -0.75, -0.25}
	tasks := []int{0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}
	c, err := stats.NewClustered(differences, tasks)
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := c.BootClusters(stats.Resample{B: 10_000, Seed: 20260713, Level: 0.95})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("percentile [%.2f, %.2f]\n", b.Percentile.Lo, b.Percentile.Hi)
	fmt.Printf("BCa        [%.2f, %.2f]\n", b.BCa.Lo, b.BCa.Hi)
	// Output:
	// percentile [-0.38, -0.10]
	// BCa        [-0.37, -0.06]
}

func ExampleMcNemar() {
	fmt.Printf("%.4f\n", stats.McNemar(1, 9))
	// Output: 0.0215
}
