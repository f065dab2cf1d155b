package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// annotated rebuilds the marks of two XSTest annotators, one condition a model;
// the ids of tasks are made up, 18 families in turn.
func annotated(t testing.TB) *memory {
	t.Helper()
	m := &memory{}
	n := map[string]int{}
	for _, row := range readCSV(t, "testdata/xstest_annotators.csv")[1:] {
		count, err := strconv.Atoi(row[3])
		if err != nil {
			t.Fatal(err)
		}
		for range count {
			p := place{model: "m", condition: row[0], task: fmt.Sprintf("x%03d", n[row[0]]), family: fmt.Sprintf("f%02d", n[row[0]]%18)}
			p.tier = []uplift.Tier{uplift.Benign, uplift.Harmful}[n[row[0]]%2]
			n[row[0]]++
			m.mark(p, uplift.Compliance, "rater:ann", complianceValue[row[1]])
			m.mark(p, uplift.Compliance, "rater:bob", complianceValue[row[2]])
			m.mark(p, uplift.Compliance, uplift.Human, complianceValue[row[1]])
			m.mark(p, uplift.Compliance, "gpt", 1)
		}
	}
	return m
}

func mustAgree(t testing.TB, src Source, opt AgreeOptions) *Agreement {
	t.Helper()
	a, err := Agree(context.Background(), src, opt)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *Agreement) entry(t testing.TB, scale, tier string) ScaleAgreement {
	t.Helper()
	for _, s := range a.Scales {
		if s.Scale == scale && s.Tier == tier {
			return s
		}
	}
	t.Fatalf("no entry of %s, %s", scale, tier)
	return ScaleAgreement{}
}

func (s ScaleAgreement) warning(code string) string {
	for _, w := range s.Warnings {
		if w.Code == code {
			return w.Text
		}
	}
	return ""
}

// The values are those of irr, irrCAC, psych, vcd and statsmodels.
func TestAgreeOnXSTest(t *testing.T) {
	a := mustAgree(t, annotated(t), AgreeOptions{Seed: 3, Replicates: 400, Cluster: ByFamily})
	pooled := a.entry(t, uplift.Compliance, AllTiers)
	one := mustAgree(t, annotated(t), AgreeOptions{Condition: "llama2new", Replicates: -1}).entry(t, uplift.Compliance, AllTiers)
	for _, c := range []struct {
		name string
		got  *float64
		want float64
	}{
		{"percent", pooled.Percent, 0.96888888888888891},
		{"alpha nominal", pooled.AlphaNominal, 0.94378653183659522},
		{"alpha ordinal", pooled.AlphaOrdinal, 0.97306961838763739},
		{"alpha interval", pooled.AlphaInterval, 0.97512917654445141},
		{"kappa", pooled.Kappa, 0.94376656877884202},
		{"kappa linear", pooled.KappaLinear, 0.96312751506764505},
		{"kappa quadratic", pooled.KappaQuadratic, 0.97512002285271959},
		{"ac1", pooled.AC1, 0.95699199592220408},
		{"ac2", pooled.AC2Quadratic, 0.97512952604245673},
		{"icc", pooled.ICCA1, 0.97513799426828474},
		{"one condition: alpha ordinal", one.AlphaOrdinal, 0.96454500667066689},
		{"one condition: kappa", one.Kappa, 0.9257619171659287},
	} {
		if !near(c.got, c.want, 1e-9) {
			t.Errorf("%s: got %v, want %v", c.name, show(c.got), c.want)
		}
	}
	if pooled.Units != 1350 || pooled.Shared != 1350 || pooled.Ratings != 2700 || pooled.Raters != 2 || pooled.Clusters != 18 || strings.Join(pooled.RaterNames, " ") != "ann bob" {
		t.Errorf("got %+v", pooled)
	}
	if one.Units != 450 || len(one.CI) != 0 || strings.Join(sortedKeys(one.Undefined), " ") != "alpha_ratio se.icc_a1 se.icc_ak se.percent" {
		t.Errorf("one condition without intervals: got %d units, %v, %v", one.Units, one.CI, one.Undefined)
	}
	// Independent units have these standard errors; made-up families cluster nothing.
	for name, want := range map[string]struct {
		value *float64
		se    float64
	}{"kappa_quadratic": {pooled.KappaQuadratic, 0.00474771778708284}, "ac1": {pooled.AC1, 0.00657723272648626}} {
		ci, ok := pooled.CI[name]
		if !ok || ci.Lo > *want.value-want.se || ci.Hi < *want.value+want.se || ci.Hi-ci.Lo > 6*want.se {
			t.Errorf("%s: got %+v (%v) around %v, want about -+ 1.96 * %v", name, ci, ok, *want.value, want.se)
		}
	}
	var tiers []string
	for _, s := range a.Scales {
		tiers = append(tiers, s.Tier)
	}
	if got := strings.Join(tiers, " "); got != "benign harmful all" {
		t.Errorf("got tiers %q, want benign harmful all", got)
	}
}

func TestAgreeIsDeterministic(t *testing.T) {
	src := annotated(t)
	opt := AgreeOptions{Seed: 3, Replicates: 50}
	want, err := json.Marshal(mustAgree(t, src, opt))
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(3) {
		got, err := json.Marshal(mustAgree(t, src.shuffled(seed), opt))
		if err != nil || string(got) != string(want) {
			t.Fatalf("shuffle %d gives another result (%v)", seed, err)
		}
	}
}

// The names of the JSON are a contract; a null figure has its reason.
func TestAgreementJSON(t *testing.T) {
	m := &memory{}
	for i := range 3 {
		p := place{condition: "c", task: strconv.Itoa(i)}
		m.mark(p, uplift.Caution, "rater:a", 0.5)
		m.mark(p, uplift.Caution, "rater:b", 0.5)
	}
	data, err := json.Marshal(mustAgree(t, m, AgreeOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Scales []map[string]json.RawMessage }
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	entry := doc.Scales[0]
	for _, key := range []string{"scale", "tier", "units", "ratings", "raters", "percent", "alpha_nominal", "alpha_ordinal", "alpha_interval",
		"kappa", "kappa_linear", "kappa_quadratic", "ac1", "ac2_quadratic", "icc_a1", "ci", "undefined",
		"alpha_ratio", "fleiss", "brennan_prediger", "ac2_linear", "ac2_ordinal", "icc_ak", "se", "shared", "rater_names", "clusters", "categories", "values",
		"coincidences", "by_rater", "pairs", "patterns", "warnings"} {
		if _, ok := entry[key]; !ok {
			t.Errorf("%s: absent", key)
		}
	}
	var undefined map[string]string
	if err := json.Unmarshal(entry["undefined"], &undefined); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"alpha_nominal", "alpha_ordinal", "alpha_interval", "kappa", "kappa_linear", "kappa_quadratic", "icc_a1"} {
		if string(entry[key]) != "null" || undefined[key] != "one category only" {
			t.Errorf("%s: got %s because %q, want null because of one category only", key, entry[key], undefined[key])
		}
	}
	if got := undefined["ci.alpha_ordinal"]; got != "3 tasks with two ratings of a response (want at least 5)" {
		t.Errorf("ci.alpha_ordinal: got %q", got)
	}
	if string(entry["ac1"]) != "1" || string(entry["percent"]) != "1" {
		t.Errorf("got ac1 %s, percent %s; both exist for one category", entry["ac1"], entry["percent"])
	}
}

func TestAgreeWhoCounts(t *testing.T) {
	m := annotated(t)
	with := mustAgree(t, m, AgreeOptions{Judges: []string{"gpt"}, Replicates: -1}).entry(t, uplift.Compliance, AllTiers)
	if with.Raters != 3 || with.Ratings != 4050 || strings.Join(with.RaterNames, " ") != "gpt ann bob" {
		t.Errorf("with a judge: got %d raters %v, %d marks", with.Raters, with.RaterNames, with.Ratings)
	}
	if got := with.warning(CodeLight); got != "" {
		t.Errorf("all pairs of raters count: got warning %q", got)
	}

	p := place{condition: "gpt4", task: "x000"}
	m.mark(p, "helpfulness", "rater:ann", 3)
	m.mark(p, "helpfulness", "rater:bob", 4)
	m.mark(place{condition: "gpt4", task: "x001"}, "helpfulness", "rater:ann", 5)
	m.items()
	own := mustAgree(t, m, AgreeOptions{Scales: []string{"helpfulness"}, Replicates: -1})
	h := own.entry(t, "helpfulness", AllTiers)
	if len(h.Categories) != 3 || h.Units != 2 || h.Shared != 1 || !strings.Contains(h.warning(CodeCategories), "the 3 values that were seen") {
		t.Errorf("own scale: got %+v", h)
	}
	five := mustAgree(t, m, AgreeOptions{Scales: []string{"helpfulness"}, Replicates: -1,
		Categories: map[string][]float64{"helpfulness": {5, 4, 3, 2, 1}}}).entry(t, "helpfulness", AllTiers)
	if len(five.Categories) != 5 || five.warning(CodeCategories) != "" {
		t.Errorf("stated categories: got %v, %q", five.Categories, five.warning(CodeCategories))
	}
}

// items makes every label state the tier and family of its task's first label.
func (m *memory) items() {
	first := map[string]uplift.Label{}
	for i, l := range m.labels {
		if f, ok := first[l.Task]; ok {
			m.labels[i].Tier, m.labels[i].Family = f.Tier, f.Family
		} else {
			first[l.Task] = l
		}
	}
}

// One simulated response marks the agreement, whoever asks and of whatever
// condition; the responses of a source that fails are no answer.
func TestAgreementOfASimulation(t *testing.T) {
	m := annotated(t)
	if mustAgree(t, m, AgreeOptions{Replicates: -1}).Simulated {
		t.Error("marked without a simulated response")
	}
	m.respond(place{condition: "other", task: "a"})
	m.responses[0].Simulated = true
	a := mustAgree(t, m, AgreeOptions{Replicates: -1, Condition: "gpt4"})
	data, err := json.Marshal(a)
	if err != nil || !strings.Contains(string(data), `"simulated":true`) {
		t.Errorf("got %.60s (%v), want the mark", data, err)
	}
	rated := ratedPairs()
	rated.responses[7].Simulated = true
	for name, c := range map[string]struct {
		src *memory
		opt func(*Options)
	}{"by a response": {rated, func(*Options) {}}, "by the study": {ratedPairs(), func(o *Options) { o.Simulated = true }}} {
		opt := taskStudy()
		c.opt(&opt)
		f, err := Full(context.Background(), c.src, opt, &AgreeOptions{Replicates: -1})
		if err != nil || !f.Agreement.Simulated {
			t.Errorf("%s: got no mark (%v)", name, err)
		}
	}
	if _, err := Agree(context.Background(), failing{m}, AgreeOptions{}); err == nil || !strings.Contains(err.Error(), "agreement: read responses: disk gone") {
		t.Errorf("got %v, want the error of the responses", err)
	}
}

// failing is a source whose responses cannot be read.
type failing struct{ *memory }

func (failing) Responses(context.Context) iter.Seq2[uplift.Response, error] {
	return func(yield func(uplift.Response, error) bool) { yield(uplift.Response{}, errors.New("disk gone")) }
}

func TestAgreeRefuses(t *testing.T) {
	unrated := &memory{}
	unrated.mark(place{condition: "c", task: "a"}, uplift.Correctness, uplift.Human, 1)
	cases := []struct {
		name string
		src  Source
		opt  AgreeOptions
		want string
	}{
		{"an unknown condition", annotated(t), AgreeOptions{Condition: "vendor"}, `condition "vendor": no rater marked it (want one of: gpt4, llama2new, llama2orig)`},
		{"adjudicated values only", unrated, AgreeOptions{}, "no rater's own marks (want labels whose grader is rater:NAME"},
		{"a scale without marks", annotated(t), AgreeOptions{Scales: []string{"tone"}}, "no rater's own marks on tone"},
		{"bad options", annotated(t), AgreeOptions{Cluster: "x", Categories: map[string][]float64{"y": {1}}}, "categories of y"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Agree(context.Background(), c.src, c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestLowAgreementOnActionabilityIsExploratory(t *testing.T) {
	m := &memory{}
	for i := range 12 {
		p := place{condition: "c", task: fmt.Sprintf("t%02d", i), tier: uplift.Harmful}
		m.mark(p, uplift.Actionability, "rater:a", float64(i%5)/4)
		m.mark(p, uplift.Actionability, "rater:b", float64((i+2)%5)/4)
	}
	s := mustAgree(t, m, AgreeOptions{Replicates: 100}).entry(t, uplift.Actionability, "harmful")
	if got := s.warning(CodeLowAlpha); !strings.Contains(got, "claims about actionability are tentative") {
		t.Errorf("got %q with alpha %v", got, show(s.AlphaOrdinal))
	}
	for _, f := range s.Figures() {
		if _, ok := s.CI[f.Name]; !ok && s.Undefined["ci."+f.Name] == "" {
			t.Errorf("%s has neither an interval nor a reason for none", f.Name)
		}
	}
	if len(s.CI) < 12 {
		t.Errorf("got intervals %v, undefined %v", s.CI, s.Undefined)
	}
}

// Raters who share no response are in no kappa, which is said; and an ICC that
// could rest on a few responses only is not given.
func TestAgreePartlyShared(t *testing.T) {
	m := &memory{}
	for i := range 10 {
		p := place{condition: "ref", task: fmt.Sprintf("t%d", i)}
		second := "rater:b"
		if i > 7 {
			second = "rater:c"
		}
		m.mark(p, uplift.Compliance, "rater:a", float64(i%3)/2)
		m.mark(p, uplift.Compliance, second, float64(i%2)/2)
	}
	m.items()
	got := mustAgree(t, m, AgreeOptions{Replicates: -1}).entry(t, uplift.Compliance, AllTiers)
	if w := got.warning(CodeLight); !strings.Contains(w, "over 2 of 3 pairs of raters (Light); 1 pairs share no response") {
		t.Errorf("got warning %q", w)
	}
	m.mark(place{condition: "ref", task: "t0"}, uplift.Compliance, "rater:c", 1)
	m.mark(place{condition: "ref", task: "t1"}, uplift.Compliance, "rater:c", 0.5)
	m.items()
	got = mustAgree(t, m, AgreeOptions{Replicates: -1}).entry(t, uplift.Compliance, AllTiers)
	if got.ICCA1 != nil || got.Undefined["icc_a1"] != "fewer than half of the shared responses are marked by all raters, and those may be the disputed ones" {
		t.Errorf("got ICC %v because %q", show(got.ICCA1), got.Undefined["icc_a1"])
	}
}
