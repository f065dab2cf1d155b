package stats_test

import (
	"fmt"

	"github.com/uplift-eval/uplift/stats"
)

func printFigure(v float64, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", v)
}

func printCoefficient(c stats.Coefficient, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f (SE %.4f)\n", c.Value, c.SE)
}

var oneToFive = []float64{1, 2, 3, 4, 5}

func ExampleRatings_AlphaNominal() {
	printFigure(fourObservers().AlphaNominal())
	// Output: 0.7434
}

func ExampleRatings_AlphaOrdinal() {
	printFigure(fourObservers().AlphaOrdinal())
	// Output: 0.8154
}

func ExampleRatings_AlphaInterval() {
	printFigure(fourObservers().AlphaInterval())
	// Output: 0.8491
}

func ExampleRatings_AlphaRatio() {
	printFigure(fourObservers().AlphaRatio())
	printFigure(ratingsOf([]stats.Mark{{Unit: 1, Rater: 1, Value: -1}, {Unit: 1, Rater: 2, Value: 1}}).AlphaRatio())
	// Output:
	// 0.7974
	// a mark of -1 is negative (the ratio metric wants 0 or more)
}

func ExampleRatings_Alpha() {
	for m := stats.NominalMetric; m <= stats.RatioMetric; m++ {
		fmt.Printf("%-9v", m)
		printCoefficient(fourObservers().Alpha(m))
	}
	// Output:
	// nominal  0.7434 (SE 0.1455)
	// ordinal  0.8154 (SE 0.1469)
	// interval 0.8491 (SE 0.1291)
	// ratio    0.7974 (SE 0.1404)
}

func ExampleMetric_String() {
	fmt.Println(stats.OrdinalMetric, stats.Metric(0))
	// Output: ordinal metric 0
}

func ExampleWeighting_String() {
	fmt.Println(stats.Quadratic, stats.Weighting(0))
	// Output: quadratic weighting 0
}

func ExampleICCForm_String() {
	fmt.Println(stats.Absolute, "/", stats.ICCForm(0))
	// Output: absolute agreement / icc form 0
}

// A scale of more categories than were used makes agreement by chance rarer.
func ExampleRatings_AC1() {
	printFigure(fourObservers().AC1(oneToFive))
	printFigure(fourObservers().AC1([]float64{1, 2, 3, 4, 5, 6, 7}))
	// Output:
	// 0.7754
	// 0.7918
}

func ExampleRatings_AC2Quadratic() {
	printFigure(fourObservers().AC2Quadratic(oneToFive))
	// Output: 0.9140
}

func ExampleRatings_AC2() {
	for w := stats.Nominal; w <= stats.Ordinal; w++ {
		fmt.Printf("%-10v", w)
		printCoefficient(fourObservers().AC2(oneToFive, w))
	}
	// Output:
	// nominal   0.7754 (SE 0.1429)
	// linear    0.8587 (SE 0.1173)
	// quadratic 0.9140 (SE 0.1040)
	// ordinal   0.8989 (SE 0.1069)
}

func ExampleGwetFigure() {
	printFigure(stats.GwetFigure(oneToFive, stats.Linear)(fourObservers()))
	printFigure(stats.GwetFigure([]float64{1, 2}, stats.Linear)(fourObservers()))
	// Output:
	// 0.8587
	// a mark of 3 is not on the scale [1 2]
}

func ExampleRatings_Fleiss() {
	printCoefficient(fourObservers().Fleiss())
	// Output: 0.7612 (SE 0.1530)
}

func ExampleRatings_FleissKappa() {
	printFigure(fourObservers().FleissKappa())
	// Output: 0.7612
}

func ExampleRatings_BrennanPrediger() {
	printCoefficient(fourObservers().BrennanPrediger(oneToFive, stats.Nominal))
	printCoefficient(fourObservers().BrennanPrediger(oneToFive, stats.Quadratic))
	// Output:
	// 0.7727 (SE 0.1447)
	// 0.9015 (SE 0.1109)
}

func ExampleBrennanPredigerFigure() {
	printFigure(stats.BrennanPredigerFigure(oneToFive, stats.Nominal)(fourObservers()))
	// Output: 0.7727
}

func ExampleRatings_Kappa() {
	printFigure(twoAnnotators().Kappa())
	printFigure(ratingsOf([]stats.Mark{{Unit: 1, Rater: 1, Value: 1}, {Unit: 1, Rater: 2, Value: 1}}).Kappa())
	// Output:
	// 0.9701
	// one category only
}

func ExampleRatings_KappaLinear() {
	printFigure(twoAnnotators().KappaLinear())
	// Output: 0.9822
}

func ExampleRatings_KappaQuadratic() {
	printFigure(twoAnnotators().KappaQuadratic())
	// Output: 0.9886
}

func ExampleRatings_ICC() {
	for form := stats.OneWay; form <= stats.Absolute; form++ {
		one, err := shroutFleiss().ICC(form, false)
		if err != nil {
			fmt.Println(err)
			return
		}
		average, err := shroutFleiss().ICC(form, true)
		fmt.Printf("%v: %.2f, average %.2f, %v\n", form, one, average, err)
	}
	// Output:
	// one-way: 0.17, average 0.44, <nil>
	// consistency: 0.71, average 0.91, <nil>
	// absolute agreement: 0.29, average 0.62, <nil>
}

func ExampleRatings_ICCA1() {
	printFigure(shroutFleiss().ICCA1())
	// Output: 0.2898
}

func ExampleRatings_ICCAK() {
	printFigure(shroutFleiss().ICCAK())
	// Output: 0.6201
}

func ExampleRatings_ICCInterval() {
	i, err := shroutFleiss().ICCInterval(stats.Absolute, false, 0.95)
	fmt.Printf("%.3f [%.3f, %.3f], %v\n", i.Value, i.Lo, i.Hi, err)
	// Output: 0.290 [0.019, 0.761], <nil>
}
