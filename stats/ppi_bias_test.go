package stats

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestRoundedBias: .1+.2 is .3, and .3-.2 is .1: neither makes a judge wrong.
func TestRoundedBias(t *testing.T) {
	tenth, fifth := 0.1, 0.2
	exact := mustPredict(t, []Labelled{{0.3, tenth + fifth, 0}, {0, 0, 1}, {0.5, 0.5, 2}}, nil)
	if i, err := exact.Bias(0.9); err == nil || i != (Interval{}) {
		t.Errorf("a judge that is never wrong: %+v, %v", i, err)
	}
	a := mustPredict(t, []Labelled{{0, tenth, 0}, {0, 0, 1}, {0, 0, 2}}, nil)
	b := mustPredict(t, []Labelled{{fifth, tenth + fifth, 0}, {0, 0, 1}, {0, 0, 2}}, nil)
	if i, err := BiasDifference(a, b, 0.9); err == nil || err.Error() != "difference of judge biases: undefined, because it is the same in every cluster" {
		t.Errorf("equal biases: %+v, %v", i, err)
	}
}

// TestBiasByMatrix builds the difference from rows stacked in one matrix, and
// for matching rows from the differences of the pairs.
func TestBiasByMatrix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one, _ := drawPredicted(t)
		two, _ := drawPredicted(t)
		a, b := mustPredicted(t, one), mustPredicted(t, two)
		got, err := BiasDifference(a, b, 0.9)
		turned, errTurned := BiasDifference(b, a, 0.9)
		if (err == nil) != (errTurned == nil) || !close9(got.Lo, -turned.Hi) || !close9(got.SE, turned.SE) {
			t.Fatalf("%+v %v, turned %+v %v", got, err, turned, errTurned)
		}
		if err == nil {
			value, se, df := biasByMatrix(one, two)
			if !close9(got.Value, value) || !close9(got.SE, se) || !close9(got.DF, df) {
				t.Fatalf("%+v, want %v, %v, %v", got, value, se, df)
			}
		}
		var matched []Labelled
		var pairs []float64
		var ids []int
		for _, r := range one {
			f := r.Prediction/2 - r.Label
			matched = append(matched, Labelled{r.Label, f, r.Cluster})
			pairs, ids = append(pairs, r.Prediction-f), append(ids, r.Cluster)
		}
		want, errWant := mustSample(t, pairs, ids).Interval(CR2, 0.9)
		got, err = BiasDifference(a, mustPredicted(t, matched), 0.9)
		if (err == nil) != (errWant == nil) || !close9(got.Lo, want.Lo) || !close9(got.DF, want.DF) || !close9(got.P, want.P) {
			t.Fatalf("pairs: %+v %v, want %+v %v", got, err, want, errWant)
		}
	})
}

func mustPredicted(t *rapid.T, labelled []Labelled) *Predicted {
	p, err := NewPredicted(labelled, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// biasByMatrix: w_g holds (I - 11'/n) 1_g / (n sqrt(1-p_g)) of the first
// sample's rows and its negative of the second's.
func biasByMatrix(a, b []Labelled) (value, se, df float64) {
	weights := func(rows []Labelled, g int, sign float64) (w, e []float64) {
		n, size := float64(len(rows)), 0.0
		for _, r := range rows {
			if r.Cluster == g {
				size++
			}
		}
		for _, r := range rows {
			in := 0.0
			if r.Cluster == g {
				in = 1
			}
			w = append(w, sign*(in-size/n)/n/math.Sqrt(1-size/n))
			e = append(e, r.Prediction-r.Label)
		}
		return w, e
	}
	var all [][]float64
	var v float64
	for g := range 8 {
		wa, ea := weights(a, g, 1)
		wb, eb := weights(b, g, -1)
		w, dot := append(wa, wb...), 0.0
		for i, x := range append(ea, eb...) {
			dot += w[i] * x
		}
		v += dot * dot
		all = append(all, w)
	}
	var trace, square float64
	for i, x := range all {
		for j, y := range all {
			dot := 0.0
			for k := range x {
				dot += x[k] * y[k]
			}
			square += dot * dot
			if i == j {
				trace += dot
			}
		}
	}
	for _, r := range a {
		value += (r.Prediction - r.Label) / float64(len(a))
	}
	for _, r := range b {
		value -= (r.Prediction - r.Label) / float64(len(b))
	}
	return value, math.Sqrt(v), trace * trace / square
}
