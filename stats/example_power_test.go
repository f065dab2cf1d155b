package stats_test

import (
	"fmt"

	"github.com/uplift-eval/uplift/stats"
)

// How likely is a t test on 17 degrees of freedom to stay below its critical
// value when the truth lies 2.33 standard errors away? R: pt(2.1098, 17, 2.33).
func ExampleNoncentralTCDF() {
	p, err := stats.NoncentralTCDF(stats.TQuantile(0.975, 17), 17, 2.33)
	fmt.Printf("%.4f %v\n", p, err)
	// Output: 0.4062 <nil>
}

// The published difference on 18 tasks, were it true.
func ExampleDesign_Power() {
	for _, icc := range []float64{0, 0.1, 0.25, 0.5} {
		p, err := stats.Design{Tasks: 18, PairsPerTask: 2.72, SD: 0.189, ICC: icc}.Power(-0.063)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("ICC %.2f: %.2f\n", icc, p)
	}
	// Output:
	// ICC 0.00: 0.59
	// ICC 0.10: 0.53
	// ICC 0.25: 0.45
	// ICC 0.50: 0.36
}

func ExampleDesign_SE() {
	// SD 0.2, 40 pairs, design effect 1 + 3*0.25
	se, err := stats.Design{Tasks: 10, PairsPerTask: 4, SD: 0.2, ICC: 0.25}.SE()
	fmt.Printf("%.4f %v\n", se, err)
	// Output: 0.0418 <nil>
}

func ExampleDesign_Check() {
	fmt.Println(stats.Design{Tasks: 1, PairsPerTask: 4, SD: 0.2}.Check())
	// Output: design: 1 tasks (want at least 2)
}

func ExampleDesign_TasksFor() {
	for _, raters := range []int{1, 2} {
		d := stats.Design{PairsPerTask: 2.72, SD: 0.189, ICC: 0.1, Raters: stats.Raters{Each: raters, Noise: 0.4}}
		tasks, err := d.TasksFor(-0.063, 0.8)
		fmt.Println(raters, tasks, err)
	}
	// Output:
	// 1 33 <nil>
	// 2 28 <nil>
}

func ExampleDesign_Detectable() {
	d, err := stats.Design{Tasks: 18, PairsPerTask: 2.72, SD: 0.189, ICC: 0.1}.Detectable(0.8)
	fmt.Printf("%.4f %v\n", d, err)
	// Output: 0.0869 <nil>
}

func ExampleDesign_NonInferiority() {
	p, err := stats.Design{Tasks: 80, PairsPerTask: 2.72, SD: 0.239, ICC: 0.1}.NonInferiority(0.05, 0)
	fmt.Printf("%.3f %v\n", p, err)
	// Output: 0.804 <nil>
}

func ExampleDesign_TasksForNonInferiority() {
	tasks, err := stats.Design{PairsPerTask: 2.72, SD: 0.239, ICC: 0.1}.TasksForNonInferiority(0.05, 0, 0.8)
	fmt.Println(tasks, err)
	// Output: 80 <nil>
}

// Every response rated once, a quarter of them twice.
func ExampleRaters_PerResponse() {
	fmt.Println(stats.Raters{Double: 0.25}.PerResponse())
	// Output: 1.25
}

// -.063 [-.117, -.011] over 49 pairs in 18 tasks, once the pairs of a task may
// be alike.
func ExamplePublished_P() {
	p := stats.Published{Value: -0.063, Lo: -0.117, Hi: -0.011, Pairs: 49, Tasks: 18}
	for _, icc := range []float64{0, 0.1, 0.2, 0.3} {
		v, err := p.P(icc)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%.3f\n", v)
	}
	// Output:
	// 0.032
	// 0.046
	// 0.061
	// 0.076
}

func ExamplePublished_SE() {
	fmt.Printf("%.4f\n", stats.Published{Value: -0.063, Lo: -0.117, Hi: -0.011, Pairs: 49, Tasks: 18}.SE())
	// Output: 0.0270
}

func ExamplePublished_SD() {
	fmt.Printf("%.3f\n", stats.Published{Value: -0.063, Lo: -0.117, Hi: -0.011, Pairs: 49, Tasks: 18}.SD())
	// Output: 0.189
}

func ExamplePublished_PairsPerTask() {
	fmt.Printf("%.2f\n", stats.Published{Value: -0.063, Lo: -0.117, Hi: -0.011, Pairs: 49, Tasks: 18}.PairsPerTask())
	// Output: 2.72
}

func ExamplePublished_Check() {
	fmt.Println(stats.Published{Value: 0.1, Lo: 0.2, Hi: 0.3, Pairs: 49, Tasks: 18}.Check())
	// Output: published interval: the value 0.1 lies outside of [0.2, 0.3]
}

// Four tasks say little about how alike the pairs of a task are.
func ExampleClustered_ICCInterval() {
	values := []float64{0.5, 0.25, 0.5, -0.25, 0, -0.5, -0.25, 0.25, 0, 0.25, -0.75, -0.5}
	c, err := stats.NewClustered(values, []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	icc, err := c.ICCInterval(0.95)
	fmt.Printf("%.2f [%.2f, %.2f] %v\n", icc.Value, icc.Lo, icc.Hi, err)
	// Output: 0.43 [-0.15, 0.94] <nil>
}

func ExampleSignFlipFloor() {
	fmt.Println(stats.SignFlipFloor(6), stats.SignFlipFloor(7))
	// Output: 0.03125 0.015625
}

// A family of two under Holm at .05 wants a p of .025.
func ExampleSignFlipTasks() {
	fmt.Println(stats.SignFlipTasks(2, 0.05))
	// Output: 7 <nil>
}
