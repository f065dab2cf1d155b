package stats

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"pgregory.net/rapid"
)

// drawPredicted draws rows whose predictions follow the labels, more or less.
func drawPredicted(t *rapid.T) ([]Labelled, []Unlabelled) {
	var labelled []Labelled
	var rest []Unlabelled
	score := func(name string) float64 { return float64(rapid.IntRange(-4, 4).Draw(t, name)) / 4 }
	for range rapid.IntRange(1, 20).Draw(t, "n") {
		y := score("label")
		labelled = append(labelled, Labelled{y, y/2 + score("judge"), rapid.IntRange(0, 6).Draw(t, "cluster")})
	}
	for range rapid.IntRange(0, 30).Draw(t, "N") {
		rest = append(rest, Unlabelled{score("unrated"), rapid.IntRange(0, 8).Draw(t, "cluster")})
	}
	return labelled, rest
}

// methods is every interval of a sample, by name.
func (p *Predicted) methods() map[string]func(float64) (Interval, error) {
	return map[string]func(float64) (Interval, error){"human": p.Human, "ppi": p.PPI, "ppi++": p.PPIPlus, "judge": p.Judge,
		"human rows": p.HumanRows, "ppi rows": p.PPIRows, "ppi++ rows": p.PPIPlusRows, "judge rows": p.JudgeRows, "bias": p.Bias}
}

// TestPPIByDefinition sums psi_g over rows, cluster by cluster, as the equation
// stands.
func TestPPIByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labelled, rest := drawPredicted(t)
		p, err := NewPredicted(labelled, rest)
		if err != nil {
			t.Fatal(err)
		}
		for name, lambda := range map[string]float64{"human": 0, "ppi": 1, "ppi++": p.Lambda()} {
			got, err := p.methods()[name](0.9)
			if err != nil {
				continue
			}
			value, se, df := ppiByDefinition(labelled, rest, lambda)
			if !close9(got.Value, value) || !close9(got.SE, se) || got.DF != df {
				t.Fatalf("%s: %+v, want %v, %v, %v", name, got, value, se, df)
			}
		}
	})
}

func ppiByDefinition(labelled []Labelled, rest []Unlabelled, lambda float64) (value, se, df float64) {
	n, m := float64(len(labelled)), float64(len(rest))
	psi, seen, seenRest := map[int]float64{}, map[int]bool{}, map[int]bool{}
	var mean, meanRest float64
	for _, r := range labelled {
		mean += (r.Label - lambda*r.Prediction) / n
		seen[r.Cluster] = true
	}
	for _, r := range rest {
		meanRest += r.Prediction / m
		seenRest[r.Cluster] = true
	}
	for _, r := range labelled {
		psi[r.Cluster] += (r.Label - lambda*r.Prediction - mean) / n
	}
	for _, r := range rest {
		psi[r.Cluster] += lambda * (r.Prediction - meanRest) / m
	}
	g := float64(len(seen))
	if lambda > 0 {
		g = min(g, float64(len(seenRest)))
	}
	for _, x := range psi {
		se += x * x
	}
	return mean + lambda*meanRest, math.Sqrt(se * g / (g - 1)), g - 1
}

// TestPPISymmetries: order and names of clusters change nothing; a shift and a
// positive scale of all values move every interval along; a level that rises
// widens it.
func TestPPISymmetries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labelled, rest := drawPredicted(t)
		a := rapid.SampledFrom([]float64{0.5, 1, 7}).Draw(t, "a")
		b := rapid.SampledFrom([]float64{-2, 0, 0.75}).Draw(t, "b")
		var moved []Labelled
		var movedRest []Unlabelled
		for _, i := range rapid.Permutation(indices(len(labelled))).Draw(t, "order") {
			r := labelled[i]
			moved = append(moved, Labelled{a*r.Label + b, a*r.Prediction + b, 100 - 7*r.Cluster})
		}
		for _, i := range rapid.Permutation(indices(len(rest))).Draw(t, "order") {
			movedRest = append(movedRest, Unlabelled{a*rest[i].Prediction + b, 100 - 7*rest[i].Cluster})
		}
		one, err := NewPredicted(labelled, rest)
		if err != nil {
			t.Fatal(err)
		}
		two, err := NewPredicted(moved, movedRest)
		if err != nil || !close9(one.Lambda(), two.Lambda()) {
			t.Fatalf("lambda %v, moved %v, %v", one.Lambda(), two.Lambda(), err)
		}
		for name, run := range one.methods() {
			x, errX := run(0.8)
			y, errY := two.methods()[name](0.8)
			if (errX == nil) != (errY == nil) {
				t.Fatalf("%s: %v against %v", name, errX, errY)
			}
			if errX != nil {
				continue
			}
			shift := b
			if name == "bias" {
				shift = 0
			}
			if !close9(a*x.Lo+shift, y.Lo) || !close9(a*x.Hi+shift, y.Hi) || !close9(a*x.SE, y.SE) || !close9(x.DF, y.DF) {
				t.Fatalf("%s: %+v moved is %+v", name, x, y)
			}
			if wide, err := run(0.9); err != nil || wide.Lo >= x.Lo || wide.Hi <= x.Hi {
				t.Fatalf("%s: %+v at .8, %+v at .9, %v", name, x, wide, err)
			}
		}
	})
}

// TestUncorrelatedJudge: labels and predictions whose covariance is 0 but for its
// rounding leave what the labels alone say, with their degrees of freedom.
func TestUncorrelatedJudge(t *testing.T) {
	rest := []Unlabelled{{0, 0}, {0.25, 0}, {1, 1}, {0.5, 1}}
	for name, shift := range map[string]float64{"at 0": 0, "near 0": 0.1, "far off": 1e6} {
		labelled := []Labelled{{0, 0.5, 0}, {0.75, 0.5, 0}, {0.25, 0, 1}, {0.25, 0, 1}, {1, 0.25, 2}, {0.75, 0, 2}}
		for i := range labelled {
			labelled[i].Label += shift
			labelled[i].Prediction -= shift / 3
		}
		p := mustPredict(t, labelled, rest)
		human, err := p.Human(0.95)
		plus, err2 := p.PPIPlus(0.95)
		if err != nil || err2 != nil || p.Lambda() != 0 || plus != human || plus.DF != 2 {
			t.Errorf("%s: lambda %v, %+v, %v, want %+v, %v", name, p.Lambda(), plus, err2, human, err)
		}
	}
}

// TestHumanIsCR1: without predictions there is nothing new.
func TestHumanIsCR1(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labelled, rest := drawPredicted(t)
		p, err := NewPredicted(labelled, rest)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Human(0.9)
		se, _ := p.labels.Sandwich(CR1)
		if err == nil && (!close9(got.SE, se) || got.Value != p.labels.Mean()) {
			t.Fatalf("%+v, want se %v", got, se)
		}
		for i := range labelled {
			labelled[i].Prediction = 0.25
		}
		for i := range rest {
			rest[i].Prediction = 0.25
		}
		flat, err2 := NewPredicted(labelled, rest)
		if err2 != nil || flat.Lambda() != 0 {
			t.Fatalf("constant predictions: lambda %v, %v", flat.Lambda(), err2)
		}
		plus, err2 := flat.PPIPlus(0.9)
		if (err == nil) != (err2 == nil) || plus.Lo != got.Lo || plus.Hi != got.Hi {
			t.Fatalf("constant predictions: %+v %v, want %+v %v", plus, err2, got, err)
		}
	})
}

// TestPPICoverage draws tasks whose labels and judge share a task effect, and
// counts how often the interval by clusters and the one by rows hold the mean.
func TestPPICoverage(t *testing.T) {
	draws, random := 400, rand.New(rand.NewPCG(20260713, 1))
	if os.Getenv("UPLIFT_LONG") == "1" {
		draws = 10_000
	}
	held := map[string]int{}
	for range draws {
		var labelled []Labelled
		var rest []Unlabelled
		for g := range 40 {
			task := random.NormFloat64()
			for k := range 8 {
				y := task + random.NormFloat64() // of mean 0
				f := 0.7*y + 0.5*random.NormFloat64() + 0.4
				if k < 2 {
					labelled = append(labelled, Labelled{y, f, g})
				} else {
					rest = append(rest, Unlabelled{f, g})
				}
			}
		}
		for name, run := range mustPredict(t, labelled, rest).methods() {
			if i, err := run(0.95); err == nil && i.Lo <= 0 && i.Hi >= 0 {
				held[name]++
			}
		}
	}
	slack := 4 * math.Sqrt(0.95*0.05/float64(draws))
	for _, name := range []string{"human", "ppi", "ppi++"} {
		if share := float64(held[name]) / float64(draws); math.Abs(share-0.95) > slack+0.01 {
			t.Errorf("%s holds the mean in %.3f of samples, want .95", name, share)
		}
	}
	if rows := float64(held["ppi++ rows"]) / float64(draws); rows > 0.85 {
		t.Errorf("rows taken as independent hold the mean in %.3f, want well below .95", rows)
	}
	t.Logf("of %d samples: %v", draws, held)
}
