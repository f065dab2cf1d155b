package stats

import (
	"encoding/csv"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
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
