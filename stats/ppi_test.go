package stats

import (
	"encoding/csv"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// judgement is one prompt with the labels and the judge's predictions of two
// models.
type judgement struct {
	rated        bool
	kind         string
	label, judge [2]float64
}

// judgements rebuilds the 450 prompts from their counts.
func judgements(t testing.TB) []judgement {
	t.Helper()
	var out []judgement
	for _, r := range goldenRows(t, "ppi_counts.csv") {
		j := judgement{r[0] == "1", r[1], [2]float64{number(t, r[2]), number(t, r[4])}, [2]float64{number(t, r[3]), number(t, r[5])}}
		for range int(number(t, r[6])) {
			out = append(out, j)
		}
	}
	return out
}

func (j judgement) tier() string {
	if strings.HasPrefix(j.kind, "contrast_") {
		return "unsafe"
	}
	return "benign"
}

// predictedOf is the golden sample of a name: a model, or "difference" and a
// tier.
func predictedOf(t testing.TB, all []judgement, sample string) *Predicted {
	t.Helper()
	of, tier, _ := strings.Cut(sample, " ")
	value := func(v [2]float64) float64 {
		return map[string]float64{"llama2orig": v[0], "llama2new": v[1], "difference": v[0] - v[1]}[of]
	}
	var rated []Labelled
	var rest []Unlabelled
	ids := map[string]int{}
	for _, j := range all {
		if tier != "" && tier != "all" && j.tier() != tier {
			continue
		}
		if _, ok := ids[j.kind]; !ok {
			ids[j.kind] = len(ids)
		}
		if j.rated {
			rated = append(rated, Labelled{value(j.label), value(j.judge), ids[j.kind]})
		} else {
			rest = append(rest, Unlabelled{value(j.judge), ids[j.kind]})
		}
	}
	p, err := NewPredicted(rated, rest)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPPIGolden(t *testing.T) { meetPPI(t, judgements(t)) }

// TestPPIFromTheData does the same from the data set itself.
func TestPPIFromTheData(t *testing.T) { meetPPI(t, sharedJudgements(t)) }

func meetPPI(t *testing.T, all []judgement) {
	met := 0
	for _, r := range goldenRows(t, "ppi.csv") {
		got, ok := ppiFigures(t, predictedOf(t, all, r[0]))[r[1]]
		want, tolerance := number(t, r[2]), 1e-9
		if strings.HasSuffix(r[1], "4 digits") {
			tolerance = 5e-5
		}
		if !ok || math.Abs(got-want) > tolerance {
			t.Errorf("%s %s = %v, want %v", r[0], r[1], got, want)
		}
		met++
	}
	if met != 5*16+5 {
		t.Errorf("%d figures compared, want 85", met)
	}
}

// ppiFigures is everything that the golden rows name.
func ppiFigures(t *testing.T, p *Predicted) map[string]float64 {
	out := map[string]float64{"n": float64(p.N()), "N": float64(p.Unlabelled()), "clusters": float64(p.labels.Clusters()),
		"ppi lam": 1, "ppi++ lam": p.Lambda()}
	for name, run := range map[string]func(float64) (Interval, error){
		"human": p.HumanRows, "ppi": p.PPIRows, "ppi++": p.PPIPlusRows, "judge": p.JudgeRows,
		"by cluster human": p.Human, "by cluster ppi": p.PPI, "by cluster ppi++": p.PPIPlus, "by cluster judge": p.Judge} {
		i, err := run(0.95)
		if err != nil {
			t.Fatal(name, err)
		}
		out[name+" est"], out[name+" se"], out[name+" lo"], out[name+" hi"] = i.Value, i.SE, i.Lo, i.Hi
		out[name+" est 4 digits"] = i.Value
	}
	return out
}

// TestBiasGolden meets the judge's bias by tier and between models.
func TestBiasGolden(t *testing.T) { meetBias(t, judgements(t)) }

// TestBiasFromTheData does the same from the data set itself.
func TestBiasFromTheData(t *testing.T) { meetBias(t, sharedJudgements(t)) }

func meetBias(t *testing.T, all []judgement) {
	all = slices.Clone(all)
	for i := range all {
		all[i].rated = true
	}
	for _, r := range goldenRows(t, "ppi_bias.csv") {
		a, b := predictedOf(t, all, "llama2orig "+r[0]), predictedOf(t, all, "llama2new "+r[0])
		got, err := map[string]func() (Interval, error){
			"llama2orig": func() (Interval, error) { return a.Bias(0.95) },
			"llama2new":  func() (Interval, error) { return b.Bias(0.95) },
			"difference": func() (Interval, error) { return BiasDifference(a, b, 0.95) },
		}[r[1]]()
		if err != nil || !near(got.Value, number(t, r[2])) || !near(got.SE, number(t, r[3])) || !near(got.DF, number(t, r[4])) {
			t.Errorf("%v: %+v, %v", r, got, err)
		}
	}
}

// sharedJudgements reads the data set, if it is at hand.
func sharedJudgements(t *testing.T) []judgement {
	t.Helper()
	shared := os.Getenv("UPLIFT_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "shared")
	}
	f, err := os.Open(filepath.Join(shared, "data", "xstest", "labels.csv"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no data set: %v (set UPLIFT_SHARED)", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	rated := map[string]bool{}
	for i := range 100 {
		rated["v2-"+strconv.Itoa(37*i%450+1)] = true
	}
	score := map[string]float64{"1": 1, "2": 0, "3": 0.5}
	byID, order := map[string]*judgement{}, []string{}
	for _, r := range rows[1:] {
		m, ok := map[string]int{"llama2orig": 0, "llama2new": 1}[r[column["model"]]]
		id := r[column["id"]]
		if !ok {
			continue
		}
		if byID[id] == nil {
			byID[id] = &judgement{rated: rated[id], kind: r[column["type"]]}
			order = append(order, id)
		}
		byID[id].label[m], byID[id].judge[m] = score[r[column["final"]]], score[r[column["gpt"]]]
	}
	out := make([]judgement, len(order))
	for i, id := range order {
		out[i] = *byID[id]
	}
	return out
}

// TestUnmatchedBias drops prompts k of the second model where 3 divides k; the
// numbers come from the definition, with matrices, in Python.
func TestUnmatchedBias(t *testing.T) {
	var a, b []Labelled
	ids := map[string]int{}
	for i, j := range sharedJudgements(t) {
		if _, ok := ids[j.kind]; !ok {
			ids[j.kind] = len(ids)
		}
		if j.tier() != "benign" {
			continue
		}
		a = append(a, Labelled{j.label[0], j.judge[0], ids[j.kind]})
		if (i+1)%3 != 0 {
			b = append(b, Labelled{j.label[1], j.judge[1], ids[j.kind]})
		}
	}
	got, err := BiasDifference(mustPredict(t, a, nil), mustPredict(t, b, nil), 0.95)
	if err != nil || !near(got.Value, 0.06019161676646706) || !near(got.SE, 0.02097504411183853) || !near(got.DF, 8.997326854398558) {
		t.Errorf("%+v, %v", got, err)
	}
}

func mustPredict(t testing.TB, labelled []Labelled, unlabelled []Unlabelled) *Predicted {
	t.Helper()
	p, err := NewPredicted(labelled, unlabelled)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

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

// TestPPIDegenerate: what does not exist is an error that says why.
func TestPPIDegenerate(t *testing.T) {
	two := []Labelled{{1, 0.5, 0}, {0, 0, 1}}
	rest := []Unlabelled{{0.5, 0}, {0, 1}, {1, 1}}
	for name, c := range map[string]struct {
		labelled   []Labelled
		unlabelled []Unlabelled
		method     string
		level      float64
		why        string // "" for a number
	}{
		"sound":                       {two, rest, "ppi++", 0.9, ""},
		"nothing unlabelled: human":   {two, nil, "ppi++", 0.9, ""},
		"nothing unlabelled: ppi":     {two, nil, "ppi", 0.9, "the unlabelled rows number 0"},
		"nothing unlabelled: judge":   {two, nil, "judge", 0.9, "the unlabelled rows number 0"},
		"one unlabelled: human":       {two, rest[:1], "ppi++", 0.9, ""},
		"one unlabelled: ppi rows":    {two, rest[:1], "ppi rows", 0.9, "the unlabelled rows number 1"},
		"one labelled":                {two[:1], rest, "ppi++ rows", 0.9, "one row is labelled"},
		"one labelled cluster":        {[]Labelled{{1, 1, 0}, {0, 0, 0}}, rest, "human", 0.9, "all 2 labelled rows are in one cluster"},
		"one labelled cluster, rows":  {[]Labelled{{1, 1, 0}, {0, 0, 0}}, rest, "human rows", 0.9, ""},
		"one unlabelled cluster":      {two, rest[1:], "ppi", 0.9, "all 2 unlabelled rows are in one cluster"},
		"one unlabelled, judge":       {two, rest[1:], "judge", 0.9, "in one cluster"},
		"equal labels":                {[]Labelled{{0.5, 0, 0}, {0.5, 1, 1}}, rest, "ppi++", 0.9, "every cluster gives the same mean 0.5"},
		"equal labels, rows":          {[]Labelled{{0.5, 0, 0}, {0.5, 1, 1}}, rest, "human rows", 0.9, "every row gives the same mean 0.5"},
		"equal predictions":           {two, []Unlabelled{{0.5, 0}, {0.5, 1}}, "judge", 0.9, "same mean prediction 0.5"},
		"equal predictions, rows":     {two, []Unlabelled{{0.5, 0}, {0.5, 1}}, "judge rows", 0.9, "every prediction is 0.5"},
		"a judge that is never wrong": {[]Labelled{{1, 1, 0}, {0, 0, 1}}, rest, "bias", 0.9, "judge bias"},
		"off by a constant, rounded":  {[]Labelled{{0.3, 0.2, 0}, {0.1, 0, 1}, {0.2, 0.1, 2}}, []Unlabelled{{0.5, 0}, {0.5, 1}}, "ppi", 0.9, "every cluster gives the same mean"},
		"level 1":                     {two, rest, "ppi", 1, "level 1"},
		"level, judge":                {two, rest, "judge rows", math.NaN(), "level NaN"},
		"extreme sizes":               {[]Labelled{{1e50, -1e50, 0}, {1e-50, 1e50, 1}}, []Unlabelled{{1e50, 0}, {-1e50, 1}}, "ppi++", 0.9, ""},
	} {
		p := mustPredict(t, c.labelled, c.unlabelled)
		i, err := p.methods()[c.method](c.level)
		if c.why == "" && err != nil || c.why != "" && (err == nil || !strings.Contains(err.Error(), c.why)) {
			t.Errorf("%s: %+v, %v, want %q", name, i, err, c.why)
		}
	}
	for name, run := range (&Predicted{}).methods() {
		if _, err := run(0.9); err == nil {
			t.Errorf("the empty sample has a %s interval", name)
		}
	}
	if _, err := BiasDifference(&Predicted{}, &Predicted{}, 0.9); err == nil {
		t.Error("two empty samples have a difference")
	}
	one := mustPredict(t, []Labelled{{1, 0, 0}, {0, 0.5, 0}}, nil)
	if _, err := BiasDifference(mustPredict(t, two, nil), one, 0.9); err == nil || !strings.Contains(err.Error(), "second sample: undefined") {
		t.Errorf("a single cluster: %v", err)
	}
}

func TestNewPredictedRefuses(t *testing.T) {
	good := []Labelled{{1, 1, 0}}
	for name, c := range map[string]struct {
		labelled   []Labelled
		unlabelled []Unlabelled
		want       string
	}{
		"empty":                 {nil, []Unlabelled{{1, 0}}, "labels: clustered sample: 0 values"},
		"label":                 {[]Labelled{{math.NaN(), 1, 0}}, nil, "labels: clustered sample: value 0 is NaN"},
		"prediction":            {[]Labelled{{1, math.Inf(1), 0}}, nil, "predictions of labelled rows: clustered sample: value 0 is +Inf"},
		"unlabelled prediction": {good, []Unlabelled{{1, 0}, {1e300, 0}}, "predictions of unlabelled rows: clustered sample: value 1 is 1e+300"},
		"cluster":               {good, []Unlabelled{{1, -1}}, "cluster id -1"},
	} {
		if _, err := NewPredicted(c.labelled, c.unlabelled); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
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

// FuzzPPI: no sample makes a figure that is not finite.
func FuzzPPI(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 200, 9, 17, 60}, []byte{7, 8, 9, 200}, 0.25, 0.0)
	f.Add([]byte{7, 7, 7, 8, 9}, []byte{}, 1e40, -3.0)
	f.Fuzz(func(t *testing.T, rated, rest []byte, scale, shift float64) {
		var labelled []Labelled
		var unlabelled []Unlabelled
		value := func(x byte) float64 { return float64(int(x>>3)-16)*scale + shift }
		for i := 0; i+1 < min(len(rated), 64); i += 2 {
			labelled = append(labelled, Labelled{value(rated[i]), value(rated[i+1]), int(rated[i] & 7)})
		}
		for _, x := range rest[:min(len(rest), 64)] {
			unlabelled = append(unlabelled, Unlabelled{value(x), int(x & 7)})
		}
		p, err := NewPredicted(labelled, unlabelled)
		if err != nil {
			return
		}
		finiteInterval(t, "bias difference", keep(BiasDifference(p, p, 0.95)))
		for name, run := range p.methods() {
			i, err := run(0.95)
			if err == nil {
				finiteInterval(t, name, i)
			}
		}
		if l := p.Lambda(); !(l >= 0 && l <= 1) {
			t.Fatalf("lambda %v", l)
		}
	})
}

func finiteInterval(t testing.TB, name string, i Interval) {
	t.Helper()
	for _, x := range []float64{i.Value, i.Lo, i.Hi, i.SE, i.DF, i.P} {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("%s: %+v", name, i)
		}
	}
	if i.Lo > i.Value || i.Hi < i.Value || i.P < 0 || i.P > 1 || i.SE < 0 {
		t.Fatalf("%s: %+v", name, i)
	}
}
