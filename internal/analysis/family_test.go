package analysis

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	uplift "github.com/uplift-eval/uplift"
)

// goldenContrasts are the contrasts of XSTest's multiplicity and margin goldens.
var goldenContrasts = [][2]string{{"llama2orig", "llama2new"}, {"gpt4", "llama2new"}, {"gpt4", "llama2orig"}}

// xstestFamily holds the three contrasts as those of three models, since each
// has a reference of its own. Their types of prompts are the same.
func xstestFamily(t *testing.T, condition, reference string) *memory {
	t.Helper()
	out := &memory{}
	for _, g := range goldenContrasts {
		src := xstest(t, g[0], g[1], map[string]string{g[0]: condition, g[1]: reference})
		model := g[0] + "-" + g[1]
		for _, r := range src.responses {
			r.Model, r.Task, r.Item.Task = model, model+r.Task, model+r.Task
			out.responses = append(out.responses, r)
		}
		for _, l := range src.labels {
			l.Model, l.Task = model, model+l.Task
			out.labels = append(out.labels, l)
		}
	}
	return out
}

func (r *Result) of(t testing.TB, model, endpoint string) Contrast {
	t.Helper()
	for _, c := range r.Contrasts {
		if c.Model == model && c.Endpoint == endpoint {
			return c
		}
	}
	t.Fatalf("no contrast of model %s on %s", model, endpoint)
	return Contrast{}
}

// Holm by R's p.adjust, max-t by enumeration of all 2^10 sign vectors, joint
// over the contrasts because they share the ten types.
func TestXSTestFamily(t *testing.T) {
	r := mustRun(t, xstestFamily(t, "treated", "none"), labelStudy())
	for model, want := range map[string]struct{ p, signFlip, holmCR2, holm, maxT float64 }{
		"llama2orig-llama2new": {3.5405755160494626e-05, 0.001953125, 0.00010621726548148389, 3 * 0.001953125, 0.001953125},
		"gpt4-llama2new":       {0.09318022849960153, 0.09375, 0.09318022849960153, 0.09375, 0.09375},
		"gpt4-llama2orig":      {0.0008983912551491454, 0.001953125, 0.0017967825102982908, 3 * 0.001953125, 0.001953125},
	} {
		c := r.of(t, model, Utility)
		for name, x := range map[string]struct {
			got  *float64
			want float64
		}{"p": {c.P, want.p}, "sign flip": {c.PSignFlip, want.signFlip}, "Holm": {c.PHolm, want.holm},
			"Holm of CR2": {c.PHolmCR2, want.holmCR2}, "max-t": {c.PMaxT, want.maxT}} {
			if !near(x.got, x.want, 1e-9) {
				t.Errorf("%s: %s: got %v, want %v", model, name, show(x.got), x.want)
			}
		}
		if c.Family == nil || *c.Family != (Family{Name: Utility, Size: 3, Tested: 3}) || !strings.HasPrefix(c.MaxTMethod, "exact") {
			t.Errorf("%s: got family %+v by %s, want the three contrasts of utility, exact", model, c.Family, c.MaxTMethod)
		}
		if b := c.Band; b == nil || b.Lo >= *c.Difference.Lo || b.Hi <= *c.Difference.Hi || b.Critical <= 2.2621571627409915 {
			t.Errorf("%s: got band %+v around [%v, %v], want a wider one than t(9) gives", model, b, show(c.Difference.Lo), show(c.Difference.Hi))
		}
	}
}

// A contrast by itself is a family of one, whose adjusted p is its own.
func TestFamilyOfOne(t *testing.T) {
	c := mustRun(t, paired(spread(12)...), taskStudy()).find(t, "safe", Utility)
	if *c.Family != (Family{Name: Utility, Size: 1, Tested: 1}) || *c.PHolm != *c.PSignFlip || *c.PHolmCR2 != *c.P {
		t.Errorf("got %+v, Holm %v of %v, CR2 %v of %v", c.Family, *c.PHolm, *c.PSignFlip, *c.PHolmCR2, *c.P)
	}
	if c.Band != nil || c.Undefined["band"] != "it is the only contrast of its family with an interval" {
		t.Errorf("got band %+v because %q, want none", c.Band, c.Undefined["band"])
	}
}

// families is utility of three conditions: one of twelve tasks, one of four,
// whose interval is withheld, and one without a pair.
func families() *memory {
	m := pairedAs("many", spread(12)...)
	few := pairedAs("few", spread(4)...)
	for _, r := range few.responses {
		if r.Condition == "few" {
			m.responses = append(m.responses, r)
		}
	}
	for _, l := range few.labels {
		if l.Condition == "few" {
			m.labels = append(m.labels, l)
		}
	}
	m.respond(place{condition: "unlabelled", task: "t0"})
	return m
}

// What a guard withholds keeps its place in the family with p = 1, and what was
// never tested has none.
func TestWithheldKeepsItsPlace(t *testing.T) {
	r := mustRun(t, families(), taskStudy())
	many, few, none := r.find(t, "many", Utility), r.find(t, "few", Utility), r.find(t, "unlabelled", Utility)
	if want := (Family{Name: Utility, Size: 2, Tested: 1}); *many.Family != want || *few.Family != want || none.Family != nil {
		t.Errorf("got families %+v, %+v and %+v, want two members, one of them tested", many.Family, few.Family, none.Family)
	}
	if !near(many.PHolmCR2, 2**many.P, 1e-15) {
		t.Errorf("got Holm %v of %v, want it doubled", show(many.PHolmCR2), show(many.P))
	}
	if few.PHolmCR2 != nil || few.Undefined["p_holm_cr2"] != "it has no p of its own; in the family it counts with p = 1" {
		t.Errorf("few tasks: got Holm %v because %q", show(few.PHolmCR2), few.Undefined["p_holm_cr2"])
	}
	// The exact tests stand for any number of tasks: 2^-11 and 2^-3.
	if !near(many.PHolm, 2**many.PSignFlip, 1e-15) || !near(few.PHolm, 0.125, 0) || *few.PSignFlip != 0.125 {
		t.Errorf("got Holm %v and %v, want %v doubled and .125", show(many.PHolm), show(few.PHolm), show(many.PSignFlip))
	}
	if many.PMaxT == nil || few.PMaxT != nil || few.Undefined["p_max_t"] != "4 tasks (want at least 5)" {
		t.Errorf("got max-t %v and %v because %q", show(many.PMaxT), show(few.PMaxT), few.Undefined["p_max_t"])
	}
	if none.PHolm != nil || none.PHolmCR2 != nil || none.PMaxT != nil || none.Undefined["difference"] == "" {
		t.Errorf("without pairs: got Holm %v and %v, max-t %v", show(none.PHolm), show(none.PHolmCR2), show(none.PMaxT))
	}
}

// What was planned and has no pairs counts with p = 1: whoever labels only the
// conditions that look well gets no smaller family.
func TestPlannedCounts(t *testing.T) {
	for _, c := range []struct {
		planned, k int
	}{{0, 2}, {1, 2}, {2, 2}, {3, 3}, {4, 4}} {
		opt := taskStudy()
		opt.Planned = c.planned
		r := mustRun(t, families(), opt)
		many, few, none := r.find(t, "many", Utility), r.find(t, "few", Utility), r.find(t, "unlabelled", Utility)
		if want := (Family{Name: Utility, Size: 2, Planned: c.planned, Tested: 1}); *many.Family != want || many.Family.K() != c.k || none.Family != nil {
			t.Errorf("%d planned: got family %+v of k %d, want %+v of k %d", c.planned, many.Family, many.Family.K(), want, c.k)
		}
		// The exact p are 2^-11 and 2^-3; the smaller is taken k times, the other k-1 times.
		k := float64(c.k)
		if !near(many.PHolm, k/2048, 1e-15) || !near(few.PHolm, (k-1)/8, 1e-15) || !near(many.PHolmCR2, k**many.P, 1e-15) || few.PHolmCR2 != nil {
			t.Errorf("%d planned: got Holm %v and %v, CR2 %v of %v and %v", c.planned, show(many.PHolm), show(few.PHolm), show(many.PHolmCR2), show(many.P), show(few.PHolmCR2))
		}
	}
}

// Max-t and the band are joint over what was tested, whatever was planned.
func TestPlannedMovesNoJointTest(t *testing.T) {
	opt := taskStudy()
	src := twoConditions(spread(12), spread(9))
	alone := mustRun(t, src, opt)
	opt.Planned = 5
	planned := mustRun(t, src, opt)
	for _, name := range []string{"a", "b"} {
		a, b := alone.find(t, name, Utility), planned.find(t, name, Utility)
		if *a.PMaxT != *b.PMaxT || a.Band.Lo != b.Band.Lo || a.Band.Hi != b.Band.Hi || !near(b.PHolm, *a.PHolm*5/2, 1e-15) && name == "a" {
			t.Errorf("%s: got max-t %v, band %+v and Holm %v, alone %v, %+v and %v", name, *b.PMaxT, *b.Band, *b.PHolm, *a.PMaxT, *a.Band, *a.PHolm)
		}
	}
}

// twoConditions is utility of two conditions, a and b, by their differences.
func twoConditions(a, b [][]float64) *memory {
	m, other := pairedAs("a", a...), pairedAs("b", b...)
	for _, r := range other.responses {
		if r.Condition == "b" {
			m.responses = append(m.responses, r)
		}
	}
	for _, l := range other.labels {
		if l.Condition == "b" {
			m.labels = append(m.labels, l)
		}
	}
	return m
}

// Six tasks give a sign-flip p of 1/32 at least: enough by itself, and for no
// contrast of a family of two. One of twelve tasks leaves the other room.
func TestFloorOfAFamily(t *testing.T) {
	const says = "with 6 tasks the sign-flip p cannot fall below .0312, and adjusted by Holm for the 2 contrasts of utility not below .0625, so no result could pass .05 once adjusted; more tasks would mend it"
	warned := func(c Contrast) string {
		for _, w := range c.Warnings {
			if w.Code == CodeSignFlipFloor {
				return w.Text
			}
		}
		return ""
	}
	r := mustRun(t, twoConditions(spread(6), spread(6)), taskStudy())
	for _, name := range []string{"a", "b"} {
		c := r.find(t, name, Utility)
		if got := warned(c); got != says || *c.PSignFlip != 1.0/32 || *c.PHolm != 1.0/16 {
			t.Errorf("%s: got %q with p %v and %v, want %q with 1/32 and 1/16", name, got, *c.PSignFlip, *c.PHolm, says)
		}
	}
	if got := warned(mustRun(t, paired(spread(6)...), taskStudy()).find(t, "safe", Utility)); got != "" {
		t.Errorf("alone: got %q, want no warning", got)
	}
	opt := taskStudy()
	opt.Planned = 3
	want := strings.NewReplacer("2 contrasts", "3 planned contrasts", ".0625", ".0938").Replace(says)
	for name, src := range map[string]*memory{"a": twoConditions(spread(6), spread(6)), "safe": paired(spread(6)...)} {
		got := mustRun(t, src, opt).find(t, name, Utility)
		if warned(got) != want || *got.PHolm != 3.0/32 {
			t.Errorf("%s of 3 planned: got %q with Holm %v, want %q with 3/32", name, warned(got), *got.PHolm, want)
		}
	}
	c := mustRun(t, twoConditions(spread(12), spread(6)), taskStudy()).find(t, "b", Utility)
	if got := warned(c); got != "" || *c.PHolm != 1.0/32 {
		t.Errorf("beside twelve tasks: got %q with Holm %v, want no warning with 1/32", got, *c.PHolm)
	}
}

// Holm's p is never below the p that it adjusts.
func TestHolmIsNotBelowItsOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tasks := func(name string) [][]float64 {
			return rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom([]float64{-0.5, -0.25, 0, 0.25, 0.5}), 1, 3), 1, 9).Draw(t, name)
		}
		r, err := Run(context.Background(), twoConditions(tasks("a"), tasks("b")), taskStudy())
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Contrasts {
			for own, adjusted := range map[*float64]*float64{c.PSignFlip: c.PHolm, c.P: c.PHolmCR2} {
				if (own == nil) != (adjusted == nil) || own != nil && *adjusted < *own {
					t.Errorf("%s: got Holm %v of %v", c.Condition, show(adjusted), show(own))
				}
			}
		}
	})
}

// Families go by endpoint: a second endpoint changes no p of the first.
func TestFamiliesGoByEndpoint(t *testing.T) {
	opt := labelStudy()
	one := opt
	one.Endpoints = opt.Endpoints[:1]
	both := mustRun(t, xstestFamily(t, "treated", "none"), opt)
	alone := mustRun(t, xstestFamily(t, "treated", "none"), one)
	for _, g := range goldenContrasts {
		a, b := both.of(t, g[0]+"-"+g[1], Utility), alone.of(t, g[0]+"-"+g[1], Utility)
		if *a.PHolm != *b.PHolm || *a.PMaxT != *b.PMaxT || a.Band.Lo != b.Band.Lo || a.Band.Hi != b.Band.Hi {
			t.Errorf("%v: got %v, %v, %+v beside risk, and %v, %v, %+v alone", g, *a.PHolm, *a.PMaxT, *a.Band, *b.PHolm, *b.PMaxT, *b.Band)
		}
	}
}

// The names are a contract with whoever reads the JSON.
func TestContrastNames(t *testing.T) {
	opt := labelStudy()
	opt.Endpoints[0].Margin = new(0.05)
	src := xstestFamily(t, "treated", "none")
	for _, l := range src.labels {
		for _, rater := range []string{"a", "b"} {
			l.Grader = uplift.RaterPrefix + rater
			src.labels = append(src.labels, l)
		}
	}
	data, err := json.Marshal(mustRun(t, src, opt).of(t, "llama2orig-llama2new", Utility))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	for path, names := range map[string]string{
		"": "model condition reference endpoint scale grader tiers better pairs tasks clusters unmatched nonzero_clusters mean_condition mean_reference " +
			"difference coverage p_cr2 p_sign_flip sign_flip_method p_sign_flip_pairs family p_holm p_holm_cr2 p_max_t max_t_method band icc design_effect " +
			"task_weighted leave_one_out mcnemar refusal_change refusal_pairs sensitivity non_inferiority equivalence by_rater rater_pairs leave_one_rater_out rating_noise " +
			"bounds groups provider_blocks undefined warnings marks",
		"family":              "name size planned tested",
		"coverage":            "lo hi clusters",
		"band":                "lo hi critical method coverage",
		"non_inferiority":     "margin alpha better p lower shown",
		"equivalence":         "margin alpha p lo hi shown",
		"by_rater":            "rater pairs mean",
		"leave_one_rater_out": "lo hi lo_name hi_name",
		"rating_noise":        "pairs df variance share lo hi clamped left unknown withheld",
		"sensitivity":         "method value lo hi coverage assumes",
	} {
		at, ok := got, true
		if path != "" {
			v := got[path]
			if list, is := v.([]any); is && len(list) > 0 {
				v = list[0]
			}
			at, ok = v.(map[string]any)
		}
		if !ok {
			t.Errorf("%s: got %v, want an object", path, got[path])
			continue
		}
		want := strings.Fields(names)
		for _, name := range want {
			if _, there := at[name]; !there {
				t.Errorf("%s has no %s", path, name)
			}
		}
		if len(at) != len(want) {
			t.Errorf("%s: got %d keys, want %d: a new key is named here", path, len(at), len(want))
		}
	}
	var methods []string
	for _, s := range got["sensitivity"].([]any) {
		methods = append(methods, s.(map[string]any)["method"].(string))
	}
	const want = "boot_t task_percentile task_expanded task_bca wild pigeonhole pairs_percentile pairs_bca pairs_t"
	if strings.Join(methods, " ") != want {
		t.Errorf("got methods %v, want %s", methods, want)
	}
}

// Progress counts up to the number of contrasts.
func TestProgress(t *testing.T) {
	opt, got := taskStudy(), []int{}
	opt.Progress = func(done, total int) { got = append(got, done, total) }
	r := mustRun(t, families(), opt)
	n := len(r.Contrasts)
	if len(got) != 2*(n+1) || got[0] != 0 || got[1] != n || got[len(got)-2] != n {
		t.Errorf("got %v for %d contrasts, want 0 to all of them", got, n)
	}
}
