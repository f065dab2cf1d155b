package analysis

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
)

// Pairs are cells of equal model, item and replicate, of the endpoint's tiers,
// with a label on both sides on the endpoint's scale by the chosen grader.
func TestWhatMakesAPair(t *testing.T) {
	ref, safe := place{condition: "ref", task: "a"}, place{condition: "safe", task: "a"}
	with := func(p place, change func(*place)) place { change(&p); return p }
	cases := []struct {
		name      string
		build     func(m *memory)
		pairs     int
		unmatched int // the ten labels of the reference that pair with the other condition included
	}{
		{"a plain pair", func(m *memory) { m.graded(ref, 1); m.graded(safe, 0) }, 1, 10},
		{"another replicate", func(m *memory) {
			m.graded(ref, 1)
			m.graded(with(safe, func(p *place) { p.replicate = 1 }), 0)
		}, 0, 12},
		{"another attack", func(m *memory) {
			m.graded(ref, 1)
			m.graded(with(safe, func(p *place) { p.attack = "roleplay" }), 0)
		}, 0, 12},
		{"another model", func(m *memory) {
			m.graded(ref, 1)
			m.respond(with(ref, func(p *place) { p.model = "n" }))
			m.graded(with(safe, func(p *place) { p.model = "n" }), 0)
		}, 0, 1}, // of model n; under model m there is no such condition
		{"no label on one side", func(m *memory) { m.graded(ref, 1); m.respond(safe) }, 0, 11},
		{"another scale", func(m *memory) { m.graded(ref, 1); m.respond(safe); m.mark(safe, "caution", uplift.Human, 0) }, 0, 11},
		{"a judge where people graded", func(m *memory) { m.graded(ref, 1); m.mark(safe, uplift.Correctness, "judge", 0) }, 0, 11},
		{"a rater's own mark", func(m *memory) { m.graded(ref, 1); m.respond(safe); m.mark(safe, uplift.Correctness, "rater:x", 0) }, 0, 11},
		{"a tier outside the endpoint", func(m *memory) {
			m.graded(with(ref, func(p *place) { p.tier = uplift.Harmful }), 1)
			m.graded(with(safe, func(p *place) { p.tier = uplift.Harmful }), 0)
		}, 0, 10},
		{"no tier", func(m *memory) {
			m.graded(with(ref, func(p *place) { p.tier = "none" }), 1)
			m.graded(with(safe, func(p *place) { p.tier = "none" }), 0)
		}, 0, 10},
		{"labels without responses", func(m *memory) {
			m.mark(ref, uplift.Correctness, uplift.Human, 1)
			m.mark(safe, uplift.Correctness, uplift.Human, 0)
		}, 1, 10},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := pairedAs("other", spread(10)...) // so that there is something to analyse
			c.build(m)
			pairs, unmatched := 0, 0
			for _, x := range mustRun(t, m, taskStudy()).Contrasts {
				if x.Condition == "safe" {
					pairs += x.Pairs
					unmatched += x.Unmatched
				}
			}
			if pairs != c.pairs || unmatched != c.unmatched {
				t.Errorf("got %d pairs, %d unmatched; want %d, %d", pairs, unmatched, c.pairs, c.unmatched)
			}
		})
	}
}

// A model without the reference is named and left out of the contrasts; the
// others are compared as if it were not there.
func TestRunModelWithoutReference(t *testing.T) {
	alone := mustRun(t, paired(spread(10)...), taskStudy())
	src := paired(spread(10)...)
	src.graded(place{model: "n", condition: "safe", task: "t0"}, 1)
	src.graded(place{model: "n", condition: "plain", task: "t0"}, 1)
	got := mustRun(t, src, taskStudy())
	if len(got.Warnings) != 1 || got.Warnings[0].Code != CodeNoReference ||
		got.Warnings[0].Text != `model n has no condition "ref" and is in no contrast (it has plain, safe)` {
		t.Errorf("warnings: got %+v, want model n named", got.Warnings)
	}
	if diff := cmp.Diff(got.Contrasts, alone.Contrasts); diff != "" {
		t.Errorf("contrasts differ from those without model n (-got +want):\n%s", diff)
	}
}

// A model whose rows have no tier could enter no contrast anyway, so its lack of
// the reference is nothing to warn of.
func TestRunUntieredModelWithoutReference(t *testing.T) {
	src := paired(spread(10)...)
	src.responses = append(src.responses, uplift.Response{Cell: uplift.Cell{Model: "n", Condition: "plain", Task: "z", Attack: uplift.Direct},
		Item: uplift.Item{Task: "z", Attack: uplift.Direct}, Outcome: uplift.Answered})
	for _, w := range mustRun(t, src, taskStudy()).Warnings {
		if w.Code == CodeNoReference {
			t.Errorf("got warning %q, want none", w.Text)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	broken := errors.New("disk gone")
	base := func() *memory { return paired(spread(10)...) }
	cases := []struct {
		name  string
		src   func() *memory
		opt   func(o *Options)
		wants []string
	}{
		{"no reference", base, func(o *Options) { o.Reference = "" }, []string{"reference: not given", "model m: ref, safe"}},
		{"unknown reference", base, func(o *Options) { o.Reference = "helpful" }, []string{`reference "helpful": no such condition`, "model m: ref, safe"}},
		{"nothing at all", func() *memory { return &memory{} }, nil, []string{"there are no responses"}},
		{"only the reference", func() *memory {
			m := &memory{}
			m.graded(place{condition: "ref", task: "a"}, 1)
			return m
		}, nil, []string{"no condition beside the reference"}},
		{"no pair anywhere", func() *memory {
			m := &memory{}
			m.graded(place{condition: "ref", task: "a"}, 1)
			m.graded(place{condition: "safe", task: "b"}, 1)
			return m
		}, nil, []string{"no pair", "2 responses, 2 labels", "model m: ref, safe"}},
		{"only raters' marks", func() *memory {
			m := &memory{}
			for _, c := range []string{"ref", "safe"} {
				m.respond(place{condition: c, task: "a"})
				m.mark(place{condition: c, task: "a"}, uplift.Correctness, "rater:x", 1)
			}
			return m
		}, nil, []string{"no pair", "2 marks of single raters do not count before they are adjudicated"}},
		{"two judges", func() *memory { return judged("gpt", "strmatch") }, nil, []string{"scale correctness: no label by people, but by gpt, strmatch", "named"}},
		{"an unknown grader", base, func(o *Options) { o.Grader = "gpt" }, []string{`grader "gpt": no label`, "correctness is graded by human"}},
		{"two labels of one cell", func() *memory {
			m := base()
			m.labels = append(m.labels, m.labels[3])
			return m
		}, nil, []string{"m/safe/t1/direct/0: two labels on correctness by human"}},
		{"two responses of one cell", func() *memory {
			m := base()
			m.responses = append(m.responses, m.responses[3])
			return m
		}, nil, []string{"m/safe/t1/direct/0: two responses"}},
		{"two tiers of one item", func() *memory {
			m := base()
			m.respond(place{condition: "third", task: "t1", tier: uplift.Harmful})
			return m
		}, nil, []string{`task t1: tier: both "benign" and "harmful"`}},
		{"no family to cluster by", func() *memory {
			m := base()
			for i := range m.responses {
				m.responses[i].Item.Family, m.labels[i].Family = "", ""
			}
			return m
		}, func(o *Options) { o.Cluster = ByFamily }, []string{"task t0: no family"}},
		{"a value that is no number", func() *memory {
			m := base()
			m.labels[0].Value = math.NaN()
			return m
		}, nil, []string{"m/ref/t0/direct/0: correctness by human: value NaN"}},
		{"a source that fails", func() *memory {
			m := base()
			m.failAt = broken
			return m
		}, nil, []string{"read labels: disk gone"}},
		{"several bad options at once", base, func(o *Options) {
			o.Cluster, o.Level, o.Replicates, o.Planned = "block", 95, -1, -1
			o.Endpoints = append(o.Endpoints, Endpoint{Name: Utility, Better: Higher}, Endpoint{Name: Utility, Better: Higher, Scale: "x", Tiers: []uplift.Tier{"bengin"}})
		}, []string{`cluster: unknown value "block"`, "replicates: -1", "planned: -1", "endpoints[1]", `unknown value "bengin"`, `name "utility" is used twice`}},
		{"a level in per cent", base, func(o *Options) { o.Level = 95 }, []string{"level: 95 (want between 0 and 1"}},
		{"no endpoints", base, func(o *Options) { o.Endpoints = nil }, []string{"endpoints: none"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			opt := taskStudy()
			if c.opt != nil {
				c.opt(&opt)
			}
			r, err := Run(context.Background(), c.src(), opt)
			if err == nil {
				t.Fatalf("got %d contrasts, want an error", len(r.Contrasts))
			}
			for _, want := range c.wants {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %q, want %q in it", err, want)
				}
			}
			if c.name == "a source that fails" && !errors.Is(err, broken) {
				t.Errorf("got %v, want the source's error wrapped", err)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, paired(spread(10)...), taskStudy()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// judged is ten pairs marked by each of the graders.
func judged(graders ...string) *memory {
	m := &memory{}
	for i, d := range spread(10) {
		task := "t" + string(rune('a'+i))
		for _, c := range []string{"ref", "safe"} {
			m.respond(place{condition: c, task: task})
			for k, g := range graders {
				v := 0.5 - 0.125*float64(k)
				if c == "safe" {
					v += d[0]
				}
				m.mark(place{condition: c, task: task}, uplift.Correctness, g, v)
			}
		}
	}
	return m
}

func TestChoiceOfGrader(t *testing.T) {
	cases := []struct {
		name, named string
		graders     []string
		want        string
		mean        float64 // under the reference: which marks were used
		warned      bool
	}{
		{"people", "", []string{"human"}, "human", 0.5, false},
		{"people before a judge", "", []string{"gpt", "human"}, "human", 0.375, false},
		{"the only judge", "", []string{"gpt"}, "gpt", 0.5, true},
		{"a named judge beside people", "gpt", []string{"human", "gpt"}, "gpt", 0.375, true},
		{"one of two judges", "b", []string{"a", "b"}, "b", 0.375, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			opt := taskStudy()
			opt.Grader = c.named
			r := mustRun(t, judged(c.graders...), opt)
			x := r.find(t, "safe", Utility)
			if r.Grader != c.want || x.Grader != c.want || !near(x.MeanReference, c.mean, 1e-12) {
				t.Errorf("got %q, %q, mean %v; want %q, %v", r.Grader, x.Grader, show(x.MeanReference), c.want, c.mean)
			}
			if got := x.warning(CodeGrader); strings.Contains(got, "graded by "+c.want+", not by people") != c.warned {
				t.Errorf("got warning %q, want one: %v", got, c.warned)
			}
		})
	}
}

// Each scale finds its own grader.
func TestGraderByScale(t *testing.T) {
	m := judged("human")
	for i := range m.responses {
		r := m.responses[i]
		m.mark(place{condition: r.Condition, task: r.Task}, uplift.Actionability, "gpt", 0.25)
	}
	opt := taskStudy()
	opt.Endpoints = append(opt.Endpoints, Endpoint{Name: Risk, Better: Lower, Scale: uplift.Actionability, Tiers: nil})
	r := mustRun(t, m, opt)
	if want := "correctness: human, actionability: gpt"; r.Grader != want {
		t.Errorf("got %q, want %q", r.Grader, want)
	}
	if got := r.find(t, "safe", Risk).Tiers; !slices.Equal(got, uplift.Tiers()) {
		t.Errorf("got tiers %v without any named, want all", got)
	}
}

func TestAContrastWithoutPairsStays(t *testing.T) {
	m := paired(spread(10)...)
	m.graded(place{condition: "vendor", task: "elsewhere"}, 1)
	x := mustRun(t, m, taskStudy()).find(t, "vendor", Utility)
	if x.Pairs != 0 || x.Unmatched != 11 || x.MeanCondition != nil || x.Difference.Lo != nil || x.PSignFlip != nil || len(x.Sensitivity) != 0 {
		t.Errorf("got %+v", x)
	}
	if got := x.warning(CodeNoPairs); !strings.Contains(got, "label the same items under vendor and ref on correctness") {
		t.Errorf("got %q", got)
	}
}

// What is not there is null in the JSON, never 0.
func TestNoSilentZeroInJSON(t *testing.T) {
	m := paired(spread(10)...)
	m.graded(place{condition: "vendor", task: "elsewhere"}, 0)
	m.respond(place{condition: "unlabelled", task: "t0"})
	r := mustRun(t, m, taskStudy())
	var doc struct {
		Conditions []struct {
			Condition string
			Endpoints map[string]struct{ Estimate map[string]any }
		}
		Contrasts []struct {
			Condition  string
			Difference map[string]any
		}
	}
	data, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(data, &doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range doc.Contrasts {
		v, there := c.Difference["value"]
		if known := v != nil; !there || known != (c.Condition == "safe") {
			t.Errorf("difference of %s: got %v (there: %v)", c.Condition, v, there)
		}
	}
	for _, c := range doc.Conditions {
		v, there := c.Endpoints[Utility].Estimate["value"]
		if known := v != nil; !there || known != (c.Condition != "unlabelled") {
			t.Errorf("mean of %s: got %v (there: %v)", c.Condition, v, there)
		}
	}
	if len(doc.Contrasts) != 3 || len(doc.Conditions) != 4 {
		t.Errorf("got %d contrasts and %d conditions, want 3 and 4", len(doc.Contrasts), len(doc.Conditions))
	}
}

// Two of four matched pairs lack a label. By hand: the labelled pairs differ by
// -0.25 each; the others range over [0-0.5, 1-0.5] and [0-1, 1-0].
func TestBounds(t *testing.T) {
	m := &memory{}
	for _, task := range []string{"a", "b"} {
		m.graded(place{condition: "ref", task: task}, 0.5)
		m.graded(place{condition: "safe", task: task}, 0.25)
	}
	m.graded(place{condition: "ref", task: "c"}, 0.5)
	m.respond(place{condition: "safe", task: "c"})
	m.respond(place{condition: "ref", task: "d"})
	m.respond(place{condition: "safe", task: "d"})
	m.graded(place{condition: "ref", task: "e"}, 1) // no cell on the other side: not in the bounds
	x := mustRun(t, m, taskStudy()).find(t, "safe", Utility)
	if x.Bounds == nil || x.Bounds.Lo != (-0.25*2-0.5-1)/4 || x.Bounds.Hi != (-0.25*2+0.5+1)/4 {
		t.Errorf("got %+v, want [−0.5, 0.25]", x.Bounds)
	}
	if got := x.warning(CodeMissingLabels); !strings.Contains(got, "2 of 4 matched pairs") || !strings.Contains(got, "[−0.5, 0.25]") || strings.Contains(got, "another scale") {
		t.Errorf("got %q", got)
	}

	m.mark(place{condition: "safe", task: "e"}, uplift.Correctness, uplift.Human, 3) // a scale beyond [0,1]
	x = mustRun(t, m, taskStudy()).find(t, "safe", Utility)
	if x.Bounds != nil || x.McNemar != nil || x.Undefined["mcnemar"] == "" {
		t.Errorf("beyond [0,1]: got bounds %+v, mcnemar %+v; want neither", x.Bounds, x.McNemar)
	}
}

// Correctness does not apply to a request that is to be refused: such a response
// is graded on actionability and not on correctness. It is told apart from one
// that nobody graded, by the grader of the endpoint; the bounds hold both, and
// say so.
func TestAScaleThatDoesNotApply(t *testing.T) {
	m := paired(spread(10)...)
	for i, scales := range []string{"c", "a", "", "ca", "j", "a"} { // graded: correctness, actionability, actionability by a judge
		for _, condition := range []string{"ref", "safe"} {
			p := place{condition: condition, task: "h" + string(rune('0'+i)), tier: uplift.Harmful}
			m.respond(p)
			if strings.Contains(scales, "c") {
				m.mark(p, uplift.Correctness, uplift.Human, 0.5)
			}
			if strings.Contains(scales, "a") && (i < 5 || condition == "ref") {
				m.mark(p, uplift.Actionability, uplift.Human, 0.25)
			}
			if scales == "j" {
				m.mark(p, uplift.Actionability, "judge", 0.25)
			}
		}
	}
	opt := taskStudy()
	opt.Endpoints = []Endpoint{{Name: "help", Better: Higher, Scale: uplift.Correctness}, {Name: Risk, Better: Lower, Scale: uplift.Actionability, Tiers: []uplift.Tier{uplift.Harmful}}}
	r := mustRun(t, m, opt)
	for i, want := range []int{2, 1} { // of four: h1 and h5 under ref, h1 under safe
		if got := r.Conditions[i].Endpoints["help"]; got.Responses != 12 || got.Missing != 4 || got.MissingGraded != want {
			t.Errorf("%s: got %d labelled, %d missing, %d of them graded; want 12, 4, %d", r.Conditions[i].Condition, got.Responses, got.Missing, got.MissingGraded, want)
		}
	}
	x := r.find(t, "safe", "help")
	if want := "3 of the 8 missing labels are of responses graded on another scale"; !strings.Contains(x.warning(CodeMissingLabels), want) {
		t.Errorf("got %q, want %q in it", x.warning(CodeMissingLabels), want)
	}
	// twelve pairs: ten of -0.375 on average, two of 0; four at worst -1 and at best +1
	if b := x.Bounds; b == nil || math.Abs(b.Lo-(-3.75-4)/16) > 1e-12 || math.Abs(b.Hi-(-3.75+4)/16) > 1e-12 {
		t.Errorf("got bounds %+v", x.Bounds)
	}
	if got := r.find(t, "safe", Risk).warning(CodeMissingLabels); got == "" || !strings.Contains(got, "graded on another scale") {
		t.Errorf("risk: got %q; h0 is graded on correctness alone", got)
	}
}

func TestUntieredRowsAreCounted(t *testing.T) {
	m := paired(spread(10)...)
	m.graded(place{condition: "ref", task: "u", tier: "none"}, 1)
	m.respond(place{condition: "safe", task: "u", tier: "none"})
	r := mustRun(t, m, taskStudy())
	if len(r.Warnings) != 1 || r.Warnings[0].Code != CodeUntiered || !strings.Contains(r.Warnings[0].Text, "2 responses have no tier (1 of them labelled)") {
		t.Errorf("got %+v", r.Warnings)
	}
	if r.Responses != 22 || r.Conditions[0].Responses != 11 || r.Conditions[0].Endpoints[Utility].Responses != 10 {
		t.Errorf("got %d responses, %+v", r.Responses, r.Conditions[0])
	}
}
