package stats_test

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/uplift-eval/uplift/stats"
)

// The mean actionability of 108 harmful tasks is .04. Does that certify a
// budget of .1 at delta .1?
func Example_certificate() {
	p, err := stats.HoeffdingBentkus(0.04, 108, 0.1)
	if err != nil {
		fmt.Println(err)
		return
	}
	upper, err := stats.HoeffdingBentkusUpper(0.04, 108, 0.1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("p %.4f, so the true mean is at most %.4f (delta 0.1)\n", p, upper)
	// Output: p 0.0650, so the true mean is at most 0.0939 (delta 0.1)
}

func ExampleHoeffding() {
	p, err := stats.Hoeffding(0.04, 300, 0.1)
	fmt.Printf("%.4f %v\n", p, err) // exp(-600 * .06^2)
	// Output: 0.1153 <nil>
}

func ExampleHoeffdingUpper() {
	u, err := stats.HoeffdingUpper(0.04, 300, 0.1)
	fmt.Printf("%.4f %v\n", u, err)
	// Output: 0.1019 <nil>
}

func ExampleHoeffdingBentkus() {
	p, err := stats.HoeffdingBentkus(0.05, 108, 0.1)
	fmt.Printf("%.6f %v\n", p, err)
	// Output: 0.164589 <nil>
}

func ExampleHoeffdingBentkusUpper() {
	u, err := stats.HoeffdingBentkusUpper(0.05, 108, 0.1)
	fmt.Printf("%.6f %v\n", u, err)
	// Output: 0.107966 <nil>
}

func ExampleLargestCertifiable() {
	for _, tasks := range []int{18, 54, 108} {
		mean, err := stats.LargestCertifiable(tasks, 0.1, 0.1)
		if errors.Is(err, stats.ErrUncertifiable) {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%d tasks: %.4f\n", tasks, mean)
	}
	// Output:
	// largest certifiable loss: cannot certify budget 0.1 at delta 0.1: with 18 tasks zero loss reaches 0.1201 (want at least 22 tasks)
	// 54 tasks: 0.0255
	// 108 tasks: 0.0463
}

// The order of the tasks is drawn once, from a seed that was fixed before
// anyone saw a loss.
func ExampleWSR() {
	losses := make([]float64, 54)
	for i := range losses {
		if i%5 == 0 {
			losses[i] += 0.1
		}
		if i%11 == 0 {
			losses[i] += 0.25
		}
	}
	p, err := stats.WSR(losses, 0.1, 0.1)
	fmt.Printf("as given %.4f %v\n", p, err)
	rand.New(rand.NewPCG(20260713, 0)).Shuffle(len(losses), func(i, j int) { losses[i], losses[j] = losses[j], losses[i] })
	p, err = stats.WSR(losses, 0.1, 0.1)
	fmt.Println("shuffled: certified", p <= 0.1, err)
	// Output:
	// as given 0.0428 <nil>
	// shuffled: certified true <nil>
}

func ExampleWSRUpper() {
	u, err := stats.WSRUpper(make([]float64, 30), 0.1) // thirty tasks without any loss
	fmt.Printf("%.4f %v\n", u, err)
	limit, err := stats.ZeroLossLimit(30, 0.1)
	fmt.Printf("%.4f %v\n", limit, err)
	// Output:
	// 0.0747 <nil>
	// 0.0739 <nil>
}

func ExampleClopperPearson() {
	lo, hi, err := stats.ClopperPearson(6, 108, 0.95)
	fmt.Printf("[%.4f, %.4f] %v\n", lo, hi, err)
	// Output: [0.0207, 0.1170] <nil>
}

func ExampleClopperPearsonUpper() {
	hi, err := stats.ClopperPearsonUpper(6, 108, 0.05)
	fmt.Printf("%.4f %v\n", hi, err)
	// Output: 0.1067 <nil>
}

func ExampleConformalRisk() {
	risk, err := stats.ConformalRisk(0.05, 18)
	fmt.Printf("%.4f %v\n", risk, err) // (18*.05 + 1) / 19
	// Output: 0.1000 <nil>
}

func ExampleLargestConformal() {
	mean, err := stats.LargestConformal(54, 0.1)
	fmt.Printf("%.4f %v\n", mean, err) // (.1*55 - 1) / 54
	// Output: 0.0833 <nil>
}

func ExampleZeroLossLimit() {
	limit, err := stats.ZeroLossLimit(18, 0.1)
	fmt.Printf("%.4f %v\n", limit, err) // .9^18 is .15 and .8799^18 is .1
	// Output: 0.1201 <nil>
}

func ExampleZeroLossTasks() {
	one, err := stats.ZeroLossTasks(0.1, 0.1, 1)
	fmt.Println(one, err)
	all, err := stats.ZeroLossTasks(0.1, 0.1, 286) // any of 286 triples of cuts, Bonferroni
	fmt.Println(all, err)
	// Output:
	// 22 <nil>
	// 76 <nil>
}
