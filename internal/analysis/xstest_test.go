package analysis

import (
	"context"
	"encoding/json"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

func near(a *float64, b, within float64) bool { return a != nil && math.Abs(*a-b) <= within }

func show(p *float64) any {
	if p == nil {
		return nil
	}
	return *p
}

func mustRun(t testing.TB, src Source, opt Options) *Result {
	t.Helper()
	r, err := Run(context.Background(), src, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *Result) find(t testing.TB, condition, endpoint string) Contrast {
	t.Helper()
	for _, c := range r.Contrasts {
		if c.Condition == condition && c.Endpoint == endpoint {
			return c
		}
	}
	t.Fatalf("no contrast of %s on %s", condition, endpoint)
	return Contrast{}
}

func (c Contrast) warning(code string) string {
	for _, w := range c.Warnings {
		if w.Code == code {
			return w.Text
		}
	}
	return ""
}

// The numbers come from clubSandwich, R and exact convolution.
func TestXSTest(t *testing.T) {
	src := xstest(t, "llama2orig", "llama2new", map[string]string{"llama2orig": "original", "llama2new": "none"})
	r := mustRun(t, src, labelStudy())

	u := r.find(t, "original", Utility)
	for _, c := range []struct {
		name   string
		got    *float64
		want   float64
		within float64
	}{
		{"difference", u.Difference.Value, -0.27, 1e-12},
		{"lo", u.Difference.Lo, -0.35100361928605345, 1e-10},
		{"hi", u.Difference.Hi, -0.18899638071394659, 1e-10},
		{"se", u.Difference.SE, 0.035808130671988736, 1e-12},
		{"df", u.Difference.DF, 9, 1e-9},
		{"p", u.P, 3.5405755160494504e-05, 1e-12},
		{"sign flip", u.PSignFlip, 0.001953125, 0},
		{"sign flip by pairs", u.PSignFlipPairs, 1.083854826205764e-21, 1e-30},
		{"mean under the condition", u.MeanCondition, 0.512, 1e-12},
		{"mean under the reference", u.MeanReference, 0.782, 1e-12},
		{"mcnemar", &u.McNemar.P, 1.8057729139211329e-18, 1e-27},
		{"task weighted", u.TaskWeighted, -0.27, 1e-12},
	} {
		if !near(c.got, c.want, c.within) {
			t.Errorf("utility: %s: got %v, want %v", c.name, show(c.got), c.want)
		}
	}
	if u.Pairs != 250 || u.Clusters != 10 || u.Tasks != 250 || u.Unmatched != 0 || u.McNemar.Gain != 5 || u.McNemar.Loss != 80 {
		t.Errorf("utility: got %d pairs, %d clusters, %d tasks, %d unmatched, mcnemar %+v", u.Pairs, u.Clusters, u.Tasks, u.Unmatched, u.McNemar)
	}
	if len(u.Warnings) != 0 {
		t.Errorf("utility: got warnings %v, want none", u.Warnings)
	}
	wantSensitivity(t, u, "type", "task_percentile", "perc_lo", "perc_hi")
	wantSensitivity(t, u, "type", "task_bca", "bca_lo_mid(scipy)", "bca_hi_mid(scipy)")
	wantSensitivity(t, u, "pairs", "pairs_percentile", "perc_lo", "perc_hi")
	wantSensitivity(t, u, "pairs", "pairs_bca", "bca_lo_mid(scipy)", "bca_hi_mid(scipy)")

	risk := r.find(t, "original", Risk)
	if !near(risk.Difference.Value, -0.01, 1e-12) || !near(risk.PSignFlip, 0.25, 0) || !near(risk.PSignFlipPairs, 0.125, 1e-15) {
		t.Errorf("risk: got %v, sign flip %v and %v", show(risk.Difference.Value), show(risk.PSignFlip), show(risk.PSignFlipPairs))
	}
	if !near(risk.Difference.Lo, -0.022639448282738485, 1e-10) || !near(risk.P, 0.10355171027145899, 1e-10) || risk.McNemar.P != 1 {
		t.Errorf("risk: got lo %v, p %v, mcnemar %v", show(risk.Difference.Lo), show(risk.P), risk.McNemar.P)
	}
	for _, s := range risk.Sensitivity {
		if s.Lo != nil || s.Hi != nil || !strings.Contains(s.Withheld, "3 of 8 families show a difference") {
			t.Errorf("risk: %s: got [%v, %v], withheld %q; want no interval and why", s.Method, show(s.Lo), show(s.Hi), s.Withheld)
		}
	}
	for code, want := range map[string]string{
		CodeFewClusters:   "too few families: 8",
		CodeFewNonZero:    "only 3 of 8 families show a difference",
		CodeSignFlipFloor: "cannot fall below .25",
	} {
		if got := risk.warning(code); !strings.Contains(got, want) {
			t.Errorf("risk: %s: got %q, want %q in it", code, got, want)
		}
	}
}

// wantSensitivity compares a bootstrap with its exact limit, within the noise
// of 2,000 replicates and one lattice step.
func wantSensitivity(t *testing.T, c Contrast, unit, method, lo, hi string) {
	t.Helper()
	golden := map[string]float64{}
	for _, row := range readCSV(t, "testdata/xstest_bootstrap_exact.csv")[1:] {
		if row[0] == "llama2orig-llama2new" && row[1] == "benign" && row[2] == unit {
			golden[row[3]], _ = strconv.ParseFloat(row[4], 64)
		}
	}
	const atQuantile = 0.0584 // normal density at its 2.5 % point
	tolerance := 4*math.Sqrt(.025*.975/2000)/atQuantile*golden["boot_sd_exact"] + golden["lattice_step"]
	for _, s := range c.Sensitivity {
		if s.Method != method {
			continue
		}
		if !near(s.Lo, golden[lo], tolerance) || !near(s.Hi, golden[hi], tolerance) {
			t.Errorf("%s: got [%v, %v], want [%v, %v] within %.3g", method, show(s.Lo), show(s.Hi), golden[lo], golden[hi], tolerance)
		}
		return
	}
	t.Errorf("%s: absent", method)
}

// Compliance is refusal read the other way, so both sides' refusal is known.
func TestXSTestConditions(t *testing.T) {
	src := xstest(t, "llama2orig", "llama2new", map[string]string{"llama2orig": "original", "llama2new": "none"})
	r := mustRun(t, src, labelStudy())
	if len(r.Conditions) != 2 || r.Conditions[0].Condition != "none" || r.Conditions[1].Condition != "original" {
		t.Fatalf("got %d conditions, want none and original", len(r.Conditions))
	}
	none := r.Conditions[0]
	if u := none.Endpoints[Utility]; !near(u.Mean, 0.782, 1e-12) || u.Responses != 250 || u.Clusters != 10 || u.Missing != 0 {
		t.Errorf("utility of none: got %+v", u)
	}
	refusals := 0
	for _, l := range src.labels {
		if l.Condition == "none" && l.Value == 0 {
			refusals++
		}
	}
	if none.RefusalRate.N != 450 || none.RefusalRate.Count != refusals || none.Outcomes[uplift.Unreported] != 450 {
		t.Errorf("refusals of none: got %+v with outcomes %v, want %d of 450", none.RefusalRate, none.Outcomes, refusals)
	}
	if r.Grader != "human" || r.Labels != 900 || r.Responses != 900 {
		t.Errorf("got grader %q, %d labels, %d responses", r.Grader, r.Labels, r.Responses)
	}
}

// Whoever takes the tidy rows to another tool finds the headline there.
func TestPairsReproduceTheHeadline(t *testing.T) {
	src := xstest(t, "llama2orig", "llama2new", map[string]string{"llama2orig": "original", "llama2new": "none"})
	pairs, err := Pairs(context.Background(), src, labelStudy())
	if err != nil {
		t.Fatal(err)
	}
	sums, n := map[string]map[string]float64{Utility: {}, Risk: {}}, map[string]float64{}
	for p := range pairs {
		if p.ScoreCondition-p.ScoreReference != p.Difference || p.Reference != "none" || p.Scale != uplift.Compliance {
			t.Fatalf("got %+v", p)
		}
		sums[p.Endpoint][p.Family] += p.Difference
		n[p.Endpoint]++
	}
	// Balanced families: the CR2 variance is that of ten or eight means.
	for endpoint, want := range map[string]struct{ mean, se float64 }{
		Utility: {-0.27, 0.035808130671988736}, Risk: {-0.01, 0.0053452248382484854}} {
		g, total, squares := float64(len(sums[endpoint])), 0.0, 0.0
		for _, s := range sums[endpoint] {
			total += s / 25
		}
		mean := total / g
		for _, s := range sums[endpoint] {
			squares += (s/25 - mean) * (s/25 - mean)
		}
		if se := math.Sqrt(squares / (g - 1) / g); math.Abs(mean-want.mean) > 1e-12 || math.Abs(se-want.se) > 1e-12 || n[endpoint] != 25*g {
			t.Errorf("%s: got %v, se %v from %v rows; want %v, se %v", endpoint, mean, se, n[endpoint], want.mean, want.se)
		}
	}
}

// Neither the order of the rows nor the number of cores shows in a result.
func TestRowOrderDoesNotMatter(t *testing.T) {
	src := xstest(t, "llama2orig", "llama2new", map[string]string{"llama2orig": "original", "llama2new": "none"})
	other := xstest(t, "gpt4", "llama2new", map[string]string{"gpt4": "third", "llama2new": "unused"})
	for _, l := range other.labels { // a third condition, on other made-up tasks
		if l.Condition == "third" {
			src.labels = append(src.labels, l)
		}
	}
	opt := labelStudy()
	opt.Replicates = 200
	want, err := json.Marshal(mustRun(t, src, opt))
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for seed := range uint64(3) {
		runtime.GOMAXPROCS(1 + 2*int(seed))
		got, err := json.Marshal(mustRun(t, src.shuffled(seed), opt))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Fatalf("shuffle %d gives another result", seed)
		}
	}
}
