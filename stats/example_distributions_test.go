package stats_test

import (
	"fmt"

	"github.com/uplift-eval/uplift/stats"
)

func ExampleNormalCDF() {
	fmt.Printf("%.4f %.3e\n", stats.NormalCDF(-1.96), stats.NormalCDF(-10))
	// Output: 0.0250 7.620e-24
}

func ExampleNormalQuantile() {
	fmt.Printf("%.6f\n", stats.NormalQuantile(0.975))
	// Output: 1.959964
}

func ExampleTCDF() {
	fmt.Printf("%.6f\n", stats.TCDF(-2, 17))
	// Output: 0.030869
}

func ExampleTQuantile() {
	fmt.Printf("%.6f\n", stats.TQuantile(0.975, 17))
	// Output: 2.109816
}

func ExampleFCDF() {
	fmt.Printf("%.6f\n", stats.FCDF(2, 5, 43))
	// Output: 0.902140
}

func ExampleFQuantile() {
	fmt.Printf("%.6f\n", stats.FQuantile(0.95, 5, 43))
	// Output: 2.432236
}

func ExampleClustered_ICC() {
	icc, err := sixTasks().ICC()
	fmt.Printf("%.4f %v\n", icc, err)
	// Output: 0.1566 <nil>
}

func ExampleDesignEffect() {
	fmt.Printf("%.3f\n", stats.DesignEffect(49.0/18, 0.25))
	// Output: 1.431
}
