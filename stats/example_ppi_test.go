package stats_test

import (
	"fmt"

	"github.com/uplift-eval/uplift/stats"
)

// judged is six tasks with four responses each: two that people and a judge
// scored, two that only the judge did.
func judged() *stats.Predicted {
	labelled := []stats.Labelled{
		{Cluster: 0, Label: 0.5, Prediction: 0.75}, {Cluster: 0, Label: 0.25, Prediction: 0.5},
		{Cluster: 1, Label: 0, Prediction: 0}, {Cluster: 1, Label: 0.25, Prediction: 0.25},
		{Cluster: 2, Label: 0.5, Prediction: 0.75}, {Cluster: 2, Label: 0.5, Prediction: 0.5},
		{Cluster: 3, Label: 0, Prediction: 0.25}, {Cluster: 3, Label: 0.25, Prediction: 0.25},
		{Cluster: 4, Label: 0.75, Prediction: 1}, {Cluster: 4, Label: 0.25, Prediction: 0.25},
		{Cluster: 5, Label: 0, Prediction: 0}, {Cluster: 5, Label: 0.25, Prediction: 0.5},
	}
	unlabelled := []stats.Unlabelled{
		{Cluster: 0, Prediction: 0.5}, {Cluster: 0, Prediction: 0.75},
		{Cluster: 1, Prediction: 0}, {Cluster: 1, Prediction: 0.25},
		{Cluster: 2, Prediction: 1}, {Cluster: 2, Prediction: 0.75},
		{Cluster: 3, Prediction: 0.25}, {Cluster: 3, Prediction: 0.5},
		{Cluster: 4, Prediction: 0.75}, {Cluster: 4, Prediction: 0.25},
		{Cluster: 5, Prediction: 0}, {Cluster: 5, Prediction: 0.25},
	}
	p, err := stats.NewPredicted(labelled, unlabelled)
	if err != nil {
		panic(err)
	}
	return p
}

// show prints an interval, or why there is none.
func show(name string, i stats.Interval, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s %.4f [%.4f, %.4f]\n", name, i.Value, i.Lo, i.Hi)
}

// A judge that scores .125 too high, on the rows that people scored: PPI and
// PPI++ take that out, the judge alone does not.
func ExamplePredicted() {
	p := judged()
	human, err := p.HumanRows(0.95)
	show("human-only", human, err)
	judge, err := p.JudgeRows(0.95)
	show("judge-only", judge, err)
	ppi, err := p.PPIRows(0.95)
	show("PPI       ", ppi, err)
	plus, err := p.PPIPlusRows(0.95)
	show("PPI++     ", plus, err)
	// Output:
	// human-only 0.2917 [0.1647, 0.4186]
	// judge-only 0.4375 [0.2631, 0.6119]
	// PPI        0.3125 [0.1243, 0.5007]
	// PPI++      0.2983 [0.2002, 0.3965]
}

func ExampleNewPredicted() {
	_, err := stats.NewPredicted(nil, []stats.Unlabelled{{Prediction: 0.5, Cluster: 3}})
	fmt.Println(err)
	// Output: labels: clustered sample: 0 values (want 1 to 2147483647)
}

func ExamplePredicted_N() {
	fmt.Println(judged().N())
	// Output: 12
}

func ExamplePredicted_Unlabelled() {
	fmt.Println(judged().Unlabelled())
	// Output: 12
}

func ExamplePredicted_Lambda() {
	fmt.Printf("%.4f\n", judged().Lambda())
	// Output: 0.3198
}

func ExamplePredicted_Human() {
	i, err := judged().Human(0.95)
	show("human-only, by tasks", i, err)
	// Output: human-only, by tasks 0.2917 [0.0942, 0.4892]
}

func ExamplePredicted_PPI() {
	i, err := judged().PPI(0.95)
	show("PPI, by tasks", i, err)
	// Output: PPI, by tasks 0.3125 [0.0405, 0.5845]
}

// The labels tell the tasks apart, and the judge does not help there: its
// lambda is tuned for independent rows.
func ExamplePredicted_PPIPlus() {
	i, err := judged().PPIPlus(0.95)
	show("PPI++, by tasks", i, err)
	// Output: PPI++, by tasks 0.2983 [0.0860, 0.5106]
}

func ExamplePredicted_Judge() {
	i, err := judged().Judge(0.95)
	show("judge-only, by tasks", i, err)
	// Output: judge-only, by tasks 0.4375 [0.1299, 0.7451]
}

func ExamplePredicted_HumanRows() {
	i, err := judged().HumanRows(0.95)
	show("human-only, assumes independent rows", i, err)
	// Output: human-only, assumes independent rows 0.2917 [0.1647, 0.4186]
}

func ExamplePredicted_PPIRows() {
	i, err := judged().PPIRows(0.95)
	show("PPI, assumes independent rows", i, err)
	// Output: PPI, assumes independent rows 0.3125 [0.1243, 0.5007]
}

func ExamplePredicted_PPIPlusRows() {
	i, err := judged().PPIPlusRows(0.95)
	show("PPI++, assumes independent rows", i, err)
	// Output: PPI++, assumes independent rows 0.2983 [0.2002, 0.3965]
}

func ExamplePredicted_JudgeRows() {
	i, err := judged().JudgeRows(0.95)
	show("judge-only, assumes independent rows", i, err)
	// Output: judge-only, assumes independent rows 0.4375 [0.2631, 0.6119]
}

func ExamplePredicted_Bias() {
	i, err := judged().Bias(0.95)
	show("prediction less label", i, err)
	// Output: prediction less label 0.1250 [0.0420, 0.2080]
}

// The judge scores the first condition .125 too high and the second about
// right, so its own contrast of the two would be off by .146.
func ExampleBiasDifference() {
	first := judged()
	second := []stats.Labelled{}
	labels := []float64{0.5, 0.25, 0, 0.25, 0.5, 0.5, 0, 0.25, 0.75, 0.25, 0, 0.25}
	for i, prediction := range []float64{0.5, 0.25, 0, 0.25, 0.25, 0.5, 0, 0.25, 1, 0.25, 0, 0} {
		second = append(second, stats.Labelled{Label: labels[i], Prediction: prediction, Cluster: i / 2})
	}
	p, err := stats.NewPredicted(second, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	i, err := stats.BiasDifference(first, p, 0.95)
	show("bias apart", i, err)
	fmt.Printf("p %.4f, df %g\n", i.P, i.DF)
	// Output:
	// bias apart 0.1458 [0.0169, 0.2748]
	// p 0.0335, df 5
}
