package analysis

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// threeRated rebuilds the marks of two annotators and a judge over the published
// responses of three models; in the "missing" set some annotations are left out
// by a rule. Without the judge the annotators stand alone.
func threeRated(t testing.TB, set string, judge bool) *memory {
	t.Helper()
	m, n := &memory{}, 0
	for _, row := range readCSV(t, "testdata/xstest_patterns.csv")[1:] {
		if row[0] != set {
			continue
		}
		count, err := strconv.Atoi(row[4])
		if err != nil {
			t.Fatal(err)
		}
		for range count {
			p := place{condition: "c", task: fmt.Sprintf("x%04d", n), family: fmt.Sprintf("f%02d", n%18), tier: uplift.Harmful}
			n++
			for i, grader := range []string{"rater:ann", "rater:bob", "rater:gpt"} {
				if v, ok := complianceValue[row[i+1]]; ok && (judge || i < 2) {
					m.mark(p, uplift.Compliance, grader, v)
				}
			}
		}
	}
	return m
}

// krippendorff4x12 is the four-observer example of Krippendorff (2011), page 5.
func krippendorff4x12() *memory {
	m := &memory{}
	for rater, row := range []string{"123321412...", "1233224125.3", ".3332342251.", "12332441251."} {
		for unit, c := range row {
			if c != '.' {
				m.mark(place{condition: "c", task: fmt.Sprintf("u%02d", unit)}, "amount", fmt.Sprint("rater:", rater), float64(c-'0'))
			}
		}
	}
	return m
}

// goldenFigures are the statistics of irr, irrCAC, psych, vcd and base R by the
// name of our figure; "se." before it is its standard error.
var goldenFigures = map[string]string{
	"kripp_alpha_nominal": "alpha_nominal", "kripp_alpha_nominal_irrCAC": "alpha_nominal", "kripp_alpha_nominal_se": "se.alpha_nominal",
	"kripp_alpha_ordinal": "alpha_ordinal", "kripp_alpha_interval": "alpha_interval", "kripp_alpha_interval_irrCAC": "alpha_interval", "kripp_alpha_ratio": "alpha_ratio",
	"cohen_kappa": "kappa", "cohen_kappa_se": "se.kappa", "cohen_kappa_ASE": "se.kappa", "weighted_kappa_linear": "kappa_linear",
	"weighted_kappa_quadratic": "kappa_quadratic", "weighted_kappa_quadratic_ASE": "se.kappa_quadratic",
	"percent_agreement": "percent", "fleiss_kappa": "fleiss", "brennan_prediger": "brennan_prediger",
	"gwet_AC1": "ac1", "gwet_AC1_se": "se.ac1", "gwet_AC2_linear": "ac2_linear", "gwet_AC2_linear_se": "se.ac2_linear",
	"gwet_AC2_quadratic": "ac2_quadratic", "gwet_AC2_quadratic_se": "se.ac2_quadratic", "gwet_AC2_ordinal": "ac2_ordinal", "gwet_AC2_ordinal_se": "se.ac2_ordinal",
	"ICC_twoway_agreement_single": "icc_a1", "ICC_twoway_agreement_average": "icc_ak",
}

// number is a figure or standard error by the names of goldenFigures.
func (s *ScaleAgreement) number(key string) *float64 {
	if of, ok := strings.CutPrefix(key, "se."); ok {
		if v, ok := s.SE[of]; ok {
			return &v
		}
		return nil
	}
	for _, f := range s.Figures() {
		if f.Name == key {
			return f.Value
		}
	}
	return nil
}

func TestAgreeMeetsPublishedEngines(t *testing.T) {
	none := AgreeOptions{Replicates: -1, Ratio: []string{"amount"}}
	sets := map[string]ScaleAgreement{
		"pooled":               mustAgree(t, annotated(t), none).entry(t, uplift.Compliance, AllTiers),
		"pooled_missing":       mustAgree(t, threeRated(t, "missing", false), none).entry(t, uplift.Compliance, AllTiers),
		"three_raters":         mustAgree(t, threeRated(t, "complete", true), none).entry(t, uplift.Compliance, AllTiers),
		"three_raters_missing": mustAgree(t, threeRated(t, "missing", true), none).entry(t, uplift.Compliance, AllTiers),
		"Krippendorff4x12":     mustAgree(t, krippendorff4x12(), none).entry(t, "amount", AllTiers),
	}
	for _, model := range []string{"gpt4", "llama2new", "llama2orig"} {
		opt := none
		opt.Condition = model
		sets[model] = mustAgree(t, annotated(t), opt).entry(t, uplift.Compliance, AllTiers)
	}
	// Linear weights have their error in statsmodels alone.
	rows := [][]string{{"gpt4", "se.kappa_linear", "0.006994626256415349"}, {"llama2new", "se.kappa_linear", "0.011848412835973196"},
		{"llama2orig", "se.kappa_linear", "0.013016314721690812"}, {"pooled", "se.kappa_linear", "0.00588121403251464"}}
	met := map[string]bool{}
	for _, row := range append(rows, readCSV(t, "testdata/xstest_agreement.csv")[1:]...) {
		key, ok := goldenFigures[row[1]]
		if !ok {
			key = row[1]
		}
		s, known := sets[row[0]]
		if !known || strings.HasPrefix(key, "ICC_") { // other forms
			continue
		}
		want, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		met[key] = true
		if got := s.number(key); !near(got, want, 1e-9) {
			t.Errorf("%s: %s: got %v, want %v", row[0], key, show(got), want)
		}
	}
	var all ScaleAgreement
	for _, f := range all.Figures() {
		if !met[f.Name] {
			t.Errorf("no outside number for %s", f.Name)
		}
	}
}

// Which marks are missing, who meets whom and how: by counting the published
// patterns a second way.
func TestAgreeTablesOfThreeRaters(t *testing.T) {
	got := mustAgree(t, threeRated(t, "missing", true), AgreeOptions{Replicates: -1}).entry(t, uplift.Compliance, AllTiers)
	if s := fmt.Sprint(got.Patterns); s != "[{[ann bob gpt] 771} {[ann gpt] 387} {[bob gpt] 129} {[gpt] 63}]" {
		t.Errorf("patterns: got %s", s)
	}
	if s := fmt.Sprint(got.Values, got.Coincidences); s != "[0 0.5 1] [[1556 27 131] [27 88 77] [131 77 1231]]" {
		t.Errorf("coincidences: got %s", s)
	}
	for _, f := range []string{"kappa", "kappa_linear", "kappa_quadratic"} {
		if _, ok := got.SE[f]; ok || !strings.Contains(got.Undefined["se."+f], "each pair has its own") {
			t.Errorf("%s: got an error of %v because %q, want none of a mean over pairs", f, got.SE[f], got.Undefined["se."+f])
		}
	}
	wantPairs := []struct {
		who, table          string
		shared              int
		percent, difference float64
		kappa, se           float64
		quadratic, se2      float64
	}{
		{"ann bob", "[[415 7 1] [8 55 3] [2 5 275]]", 771, 0.9663, 0.0032, 0.9395, 0.0115, 0.9742, 0.0062},
		{"ann gpt", "[[517 5 112] [11 15 68] [2 0 428]]", 1158, 0.8290, -0.1218, 0.6908, 0.0184, 0.7578, 0.0178},
		{"bob gpt", "[[397 4 93] [11 11 54] [1 0 329]]", 900, 0.8189, -0.1283, 0.6738, 0.0211, 0.7433, 0.0207},
	}
	if len(got.Pairs) != len(wantPairs) {
		t.Fatalf("got %d pairs, want %d", len(got.Pairs), len(wantPairs))
	}
	for i, w := range wantPairs {
		p := got.Pairs[i]
		if who, table := p.A+" "+p.B, fmt.Sprint(p.Table); who != w.who || table != w.table || p.Shared != w.shared {
			t.Errorf("pair %d: got %s, %d shared, %s", i, who, p.Shared, table)
		}
		for name, v := range map[string]struct {
			got  *float64
			want float64
		}{"percent": {&p.Percent, w.percent}, "mean difference": {&p.MeanDifference, w.difference}, "kappa": {p.Kappa, w.kappa}, "its error": {p.KappaSE, w.se},
			"quadratic kappa": {p.KappaQuadratic, w.quadratic}, "the error of that": {p.KappaQuadraticSE, w.se2}} {
			if !near(v.got, v.want, 5e-5) {
				t.Errorf("%s: %s: got %v, want %v", w.who, name, show(v.got), v.want)
			}
		}
	}
	wantRaters := []struct {
		name, counts                    string
		marks, shared                   int
		mean, difference, percentOthers float64
	}{
		{"ann", "[634 94 430]", 1158, 1158, 0.4119, -0.0790, 0.8769},
		{"bob", "[494 76 330]", 900, 900, 0.4089, -0.0747, 0.8828},
		{"gpt", "[614 24 712]", 1350, 1287, 0.5363, 0.1233, 0.8275},
	}
	for i, w := range wantRaters {
		r := got.ByRater[i]
		if r.Name != w.name || fmt.Sprint(r.Counts) != w.counts || r.Marks != w.marks || r.Shared != w.shared ||
			!near(&r.Mean, w.mean, 5e-5) || !near(r.Difference, w.difference, 5e-5) || !near(r.Percent, w.percentOthers, 5e-5) {
			t.Errorf("rater %d: got %+v (difference %v, percent %v), want %+v", i, r, show(r.Difference), show(r.Percent), w)
		}
	}
	if len(got.Coincidences) != len(got.Values) || got.Undefined["coincidences"] != "" {
		t.Errorf("got %d rows for %d values (%q)", len(got.Coincidences), len(got.Values), got.Undefined["coincidences"])
	}
}
