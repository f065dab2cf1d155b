package stats_test

import (
	"fmt"
	"log"

	"github.com/uplift-eval/uplift/stats"
)

// fourObservers are the twelve units of Krippendorff (2011), page 5: four
// observers, five categories, some marks missing.
func fourObservers() *stats.Ratings {
	var marks []stats.Mark
	for observer, row := range []string{"123321412...", "1233224125.3", ".3332342251.", "12332441251."} {
		for unit, c := range row {
			if c != '.' {
				marks = append(marks, stats.Mark{Unit: unit, Rater: observer, Value: float64(c - '0')})
			}
		}
	}
	return ratingsOf(marks)
}

// shroutFleiss are the six targets by four judges of Shrout & Fleiss (1979).
func shroutFleiss() *stats.Ratings {
	var marks []stats.Mark
	for target, row := range [][]float64{{9, 2, 5, 8}, {6, 1, 3, 2}, {8, 4, 6, 8}, {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}} {
		for judge, v := range row {
			marks = append(marks, stats.Mark{Unit: target, Rater: judge, Value: v})
		}
	}
	return ratingsOf(marks)
}

func ratingsOf(marks []stats.Mark) *stats.Ratings {
	r, err := stats.NewRatings(marks)
	if err != nil {
		log.Fatal(err)
	}
	return r
}

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

func ExampleNewRatings() {
	_, err := stats.NewRatings([]stats.Mark{{Unit: 7, Rater: 1, Value: 0.5}, {Unit: 7, Rater: 1, Value: 1}})
	fmt.Println(err)
	// Output: ratings: unit 7, rater 1: two marks (want one)
}

func ExampleRatings_Percent() {
	printFigure(fourObservers().Percent())
	// Output: 0.8182
}

func ExampleRatings_Units() {
	fmt.Println(fourObservers().Units())
	// Output: [0 1 2 3 4 5 6 7 8 9 10 11]
}

func ExampleRatings_Raters() {
	fmt.Println(fourObservers().Raters())
	// Output: [0 1 2 3]
}

func ExampleRatings_Categories() {
	fmt.Println(fourObservers().Categories())
	// Output: [1 2 3 4 5]
}

func ExampleRatings_Marks() {
	fmt.Println(fourObservers().Marks())
	// Output: 41
}

// The last unit has one mark.
func ExampleRatings_Shared() {
	fmt.Println(fourObservers().Shared()[10:])
	// Output: [true false]
}

func ExampleRatings_Complete() {
	fmt.Println(fourObservers().Complete())
	// Output: 8
}

// twoAnnotators are the labels of 450 responses of one XSTest model: comply 1,
// partial refusal 0.5, refuse 0.
func twoAnnotators() *stats.Ratings {
	var marks []stats.Mark
	unit := 0
	for _, c := range []struct {
		a, b  float64
		units int
	}{{1, 1, 230}, {1, 0.5, 1}, {0.5, 0.5, 7}, {0, 1, 1}, {0, 0.5, 5}, {0, 0, 206}} {
		for range c.units {
			marks = append(marks, stats.Mark{Unit: unit, Rater: 1, Value: c.a}, stats.Mark{Unit: unit, Rater: 2, Value: c.b})
			unit++
		}
	}
	return ratingsOf(marks)
}

// Of the six pairs each shares a unit on which both do not say the same.
func ExampleRatings_RaterPairs() {
	fmt.Println(fourObservers().RaterPairs())
	// Output: 6 0
}

func ExampleRatings_Pairs() {
	for _, p := range fourObservers().Pairs() {
		fmt.Printf("%d and %d: %d units, %.0f%% equal, mean difference %+.3f\n", p.A, p.B, p.Shared, 100*p.Percent, p.MeanDifference)
	}
	// Output:
	// 0 and 1: 9 units, 89% equal, mean difference -0.111
	// 0 and 2: 8 units, 62% equal, mean difference -0.500
	// 0 and 3: 9 units, 89% equal, mean difference -0.333
	// 1 and 2: 9 units, 67% equal, mean difference -0.333
	// 1 and 3: 10 units, 90% equal, mean difference -0.200
	// 2 and 3: 10 units, 70% equal, mean difference +0.100
}

func ExampleRaterPair_Table() {
	table, err := twoAnnotators().Pairs()[0].Table([]float64{0, 0.5, 1})
	fmt.Println(table, err)
	// Output: [[206 5 1] [0 7 0] [0 1 230]] <nil>
}

func ExampleRaterPair_Kappa() {
	pair := twoAnnotators().Pairs()[0]
	for w := stats.Nominal; w <= stats.Quadratic; w++ {
		fmt.Printf("%-10v", w)
		printCoefficient(pair.Kappa(w))
	}
	// Output:
	// nominal   0.9701 (SE 0.0111)
	// linear    0.9822 (SE 0.0070)
	// quadratic 0.9886 (SE 0.0053)
}

func ExampleRatings_ByRater() {
	for _, s := range twoAnnotators().ByRater() {
		fmt.Printf("%d: %d marks %v, mean %.4f, %+.4f to the other, %.4f equal\n", s.Rater, s.Marks, s.Counts, s.Mean, *s.MeanDifference, *s.Percent)
	}
	// Output:
	// 1: 450 marks [212 7 231], mean 0.5211, -0.0067 to the other, 0.9844 equal
	// 2: 450 marks [206 13 231], mean 0.5278, +0.0067 to the other, 0.9844 equal
}

func ExampleRatings_Patterns() {
	for _, p := range fourObservers().Patterns() {
		fmt.Println(p.Units, "by", p.Raters)
	}
	// Output:
	// 8 by [0 1 2 3]
	// 1 by [0 1 3]
	// 1 by [1]
	// 1 by [1 2 3]
	// 1 by [2 3]
}

func ExampleRatings_Coincidences() {
	o, err := fourObservers().Coincidences(oneToFive)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range o {
		fmt.Printf("%5.2f\n", row)
	}
	// Output:
	// [ 7.00  1.33  0.33  0.33  0.00]
	// [ 1.33 10.00  1.33  0.33  0.00]
	// [ 0.33  1.33  8.00  0.33  0.00]
	// [ 0.33  0.33  0.33  4.00  0.00]
	// [ 0.00  0.00  0.00  0.00  3.00]
}

// Two figures by tasks of three responses each, on the same draws.
func ExampleRatings_Bootstrap() {
	r := twoAnnotators()
	task := make([]int, len(r.Units()))
	for i := range task {
		task[i] = i % 150
	}
	spreads, errs := r.Bootstrap(task, stats.Resample{B: 1000, Seed: 1, Level: 0.9},
		(*stats.Ratings).Kappa, stats.GwetFigure([]float64{0, 0.5, 1}, stats.Nominal))
	for i, s := range spreads {
		fmt.Printf("%.3f [%.2f, %.2f] %v\n", s.Value, s.Lo, s.Hi, errs[i])
	}
	// Output:
	// 0.970 [0.95, 0.99] <nil>
	// 0.979 [0.97, 0.99] <nil>
}

// A figure may be any function of the ratings: here, how much AC2 gains over AC1.
func ExampleFigure() {
	scale := []float64{0, 0.5, 1}
	var gain stats.Figure = func(r *stats.Ratings) (float64, error) {
		ac1, err := r.AC1(scale)
		if err != nil {
			return 0, err
		}
		ac2, err := r.AC2Quadratic(scale)
		return ac2 - ac1, err
	}
	printFigure(gain(twoAnnotators()))
	// Output: 0.0094
}
