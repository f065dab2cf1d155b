package stats_test

import (
	"fmt"

	"github.com/uplift-eval/uplift/stats"
)

// Two raters mark responses on a scale of three levels; one response
// has one mark only, and drops out of every pair.
func ExampleRatings() {
	r, err := stats.NewRatings([]stats.Mark{
		{Unit: 0, Rater: 1, Value: 1}, {Unit: 0, Rater: 2, Value: 1},
		{Unit: 1, Rater: 1, Value: 0}, {Unit: 1, Rater: 2, Value: 0.5},
		{Unit: 2, Rater: 1, Value: 0},
		{Unit: 3, Rater: 1, Value: 0}, {Unit: 3, Rater: 2, Value: 0},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	alpha, err := r.AlphaOrdinal()
	fmt.Printf("%.3f %v\n", alpha, err)
	_, err = r.AC1([]float64{0, 1})
	fmt.Println(err)
	// Output:
	// 0.778 <nil>
	// a mark of 0.5 is not on the scale [0 1]
}
