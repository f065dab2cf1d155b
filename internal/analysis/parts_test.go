package analysis

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
)

var probes = []string{"benign_boundary", "missing_detail"}

// The part of an item follows from its split, its form, the lock and what else
// there is.
func TestPartOfAnItem(t *testing.T) {
	const plain, probe = uplift.Direct, "missing_detail"
	type asked struct{ split, attack, part string }
	for _, c := range []struct {
		name  string
		testB bool
		items []asked
	}{
		{"imported labels", false, []asked{{"", plain, "headline"}, {"", "roleplay", "headline"}}},
		{"an imported probe", false, []asked{{"", plain, "headline"}, {"", probe, "adaptive"}}},
		{"an unknown split", false, []asked{{"validation", plain, "headline"}, {"train", plain, "headline"}}},
		{"train and dev alone", false, []asked{{"train", plain, "headline"}, {"dev", plain, "headline"}}},
		{"the whole benchmark", false, []asked{{"train", plain, "development"}, {"dev", plain, "development"}, {"test", plain, "headline"},
			{"test", probe, "adaptive"}, {"train", probe, "adaptive"}, {"test-b", plain, "test-b"}, {"test-b", probe, "adaptive"}, {"", plain, "headline"}}},
		{"test-b locked with test", true, []asked{{"dev", plain, "development"}, {"test", plain, "headline"}, {"test-b", plain, "headline"}, {"test-b", probe, "adaptive"}}},
		{"test-b locked, test not asked yet", true, []asked{{"dev", plain, "development"}, {"test-b", plain, "headline"}}},
		{"train and test-b", false, []asked{{"train", plain, "headline"}, {"test-b", plain, "test-b"}}},
		{"of test only probes", false, []asked{{"train", plain, "headline"}, {"test", probe, "adaptive"}}},
		{"test-b alone", false, []asked{{"test-b", plain, "headline"}}},
		{"test-b and probes", false, []asked{{"test-b", plain, "headline"}, {"test", probe, "adaptive"}}},
		{"probes alone", false, []asked{{"test", probe, "headline"}, {"test-b", probe, "headline"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			opt := taskStudy()
			opt.Standing.TestB, opt.Adaptive = c.testB, probes
			var items []uplift.Item
			var want []string
			src := &memory{}
			parts := map[string]int{} // responses
			for i, a := range c.items {
				items = append(items, uplift.Item{Split: a.split, Attack: a.attack})
				want = append(want, a.part)
				parts[a.part] += 2
				for k, condition := range []string{"ref", "safe"} {
					src.graded(place{condition: condition, task: fmt.Sprint("t", i), attack: a.attack, split: a.split}, float64(k))
				}
			}
			if diff := cmp.Diff(Parts(items, opt), want); diff != "" {
				t.Errorf("Parts (-got +want):\n%s", diff)
			}
			r := mustRun(t, src, opt)
			got := map[string]int{r.Part: r.Responses}
			for _, a := range r.Apart {
				got[a.Name] = a.Result.Responses
			}
			if diff := cmp.Diff(got, parts); diff != "" {
				t.Errorf("responses by part (-got +want):\n%s", diff)
			}
		})
	}
}

// whole is a study with something in every part: tasks of their own, conditions,
// models, graders and families that the headline does not know, and names before
// its own.
type whole struct {
	headline, testB, adaptive, development *memory
}

func newWhole(seed uint64) whole {
	r := rand.New(rand.NewPCG(seed, 7))
	some := func(least, most int) int { return least + r.IntN(most-least+1) }
	level := func() float64 { return float64(r.IntN(5)) / 4 }
	part := func(prefix, split string, attacks []string, also ...string) *memory {
		m := &memory{}
		conditions := append([]string{"ref", "safe"}, also...)
		for g := range some(3, 12) {
			for i := range some(1, 4) {
				attack := attacks[(g+i)%len(attacks)]
				for _, c := range conditions {
					tier := uplift.Tiers()[g%3]
					p := place{model: "m", condition: c, task: fmt.Sprintf("%s%02d", prefix, g), attack: attack, family: prefix + fmt.Sprint(g%4), split: split, tier: tier, replicate: i}
					m.respond(p)
					for _, scale := range []string{uplift.Correctness, uplift.Actionability, uplift.Caution} {
						if r.IntN(12) > 0 {
							m.mark(p, scale, uplift.Human, level())
						}
						m.mark(p, scale, "rater:ann", level())
						if r.IntN(2) > 0 {
							m.mark(p, scale, prefix+"-judge", level())
							m.mark(p, scale, "rater:"+prefix, level())
						}
					}
				}
			}
		}
		return m
	}
	standard, own := []string{uplift.Direct, "roleplay"}, []string{uplift.Direct, "a_form", "z_form"}
	w := whole{headline: part("k", uplift.Test, standard, "stern"), testB: part("b", uplift.TestB, own, "another"),
		adaptive: part("a", uplift.Test, probes, "stern", "zealous"), development: part("c", uplift.Train, own)}
	for _, l := range part("d", uplift.Dev, standard).labels { // without responses of their own
		l.Model = "a-model"
		w.development.labels = append(w.development.labels, l)
	}
	return w
}

func joined(parts ...*memory) *memory {
	m := &memory{}
	for _, p := range parts {
		m.responses, m.labels = append(m.responses, p.responses...), append(m.labels, p.labels...)
	}
	return m
}

func wholeStudy() Options {
	opt := taskStudy()
	opt.Replicates, opt.Adaptive = 200, probes
	opt.Endpoints[0].Margin = new(0.1)
	opt.Endpoints = append(opt.Endpoints, Endpoint{Name: Risk, Better: Lower, Scale: uplift.Actionability, Tiers: []uplift.Tier{uplift.Harmful}})
	return opt
}

// alone is a result without what says where it stands.
func alone(t testing.TB, r *Result) string {
	t.Helper()
	c := *r
	c.Apart, c.Part, c.Marks, c.Standing = nil, "", nil, Standing{}
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	drop(v)
	b, err = json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// drop takes all marks out.
func drop(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "marks")
		for _, x := range v {
			drop(x)
		}
	case []any:
		for _, x := range v {
			drop(x)
		}
	}
}

// Whatever stands apart, every number of the headline stays as it is to the last
// bit, its pairs and warnings too; and each part is what it would be by itself.
func TestPartsDoNotMoveEachOther(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(12) {
		for _, by := range []Cluster{ByTask, ByFamily} {
			w, opt := newWhole(seed), wholeStudy()
			opt.Cluster = by
			by := func(m *memory) *Result { return mustRun(t, m, opt) }
			own := by(w.headline)
			ownPairs := pairsOf(t, w.headline, opt)
			for name, with := range map[string][]*memory{"test-b": {w.testB}, "adaptive": {w.adaptive}, "development": {w.development}, "all": {w.testB, w.adaptive, w.development}} {
				src := joined(append(with, w.headline)...).shuffled(seed)
				f, err := Full(ctx, src, opt, nil)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(alone(t, f.Result), alone(t, own)); diff != "" {
					t.Fatalf("seed %d: %s moves the headline (-got +want):\n%s", seed, name, diff)
				}
				if diff := cmp.Diff(slices.Collect(f.Pairs), ownPairs); diff != "" {
					t.Errorf("seed %d: %s moves the pairs (-got +want):\n%s", seed, name, diff)
				}
				if name != "all" {
					continue
				}
				for i, m := range with {
					part := f.Result.Apart[i]
					if diff := cmp.Diff(alone(t, part.Result), alone(t, by(m))); diff != "" {
						t.Fatalf("seed %d: %s differs from what it is by itself (-got +want):\n%s", seed, part.Name, diff)
					}
				}
			}
		}
	}
}

func pairsOf(t testing.TB, src Source, opt Options) []Pair {
	t.Helper()
	pairs, err := Pairs(context.Background(), src, opt)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(pairs)
}

// What each part is called, and why it stands apart, in the order in which they
// are shown.
func TestPartsAndTheirReasons(t *testing.T) {
	w := newWhole(1)
	r := mustRun(t, joined(w.development, w.adaptive, w.testB, w.headline), wholeStudy())
	if r.Part != PartHeadline || len(r.Marks) != 0 || cmp.Diff(r.Splits, []string{"test"}) != "" {
		t.Errorf("headline: got part %q, marks %v, splits %v", r.Part, r.Marks, r.Splits)
	}
	type said struct{ name, code, text, splits string }
	var got []said
	for _, a := range r.Apart {
		if a.Result.Part != a.Name || a.Result.Apart == nil || len(a.Result.Apart) > 0 {
			t.Errorf("%s: its result is of %q with %d parts", a.Name, a.Result.Part, len(a.Result.Apart))
		}
		got = append(got, said{a.Name, a.Marks[0].Code, a.Marks[0].Text, strings.Join(a.Result.Splits, " ")})
	}
	want := []said{
		{"test-b", "post_hoc", "test-b was not locked together with test", "test-b"},
		{"adaptive", "post_hoc", "adaptive probes are never part of the locked estimate", "test"},
		{"development", "development", "rules and thresholds are made on train and dev", "train dev"},
	}
	if diff := cmp.Diff(got, want, cmp.AllowUnexported(said{})); diff != "" {
		t.Errorf("parts (-got +want):\n%s", diff)
	}
	// Alone, test-b and probes are the headline, and marked; train and dev are not.
	for _, c := range []struct {
		name string
		src  *memory
		want int
	}{{"test-b", w.testB, 1}, {"adaptive", w.adaptive, 1}, {"development", w.development, 0}} {
		r := mustRun(t, c.src, wholeStudy())
		if len(r.Apart) != 0 || len(r.Marks) != c.want || len(r.Contrasts[0].Marks) != c.want {
			t.Errorf("%s alone: got %d parts, marks %v and %v, want %d", c.name, len(r.Apart), r.Marks, r.Contrasts[0].Marks, c.want)
		}
	}
}

// A part that cannot be analysed says why, and holds nothing back.
func TestPartThatCannotBeAnalysed(t *testing.T) {
	src := paired(spread(10)...)
	for _, c := range []string{"ref", "safe"} {
		p := place{condition: c, task: "b", split: uplift.TestB}
		src.respond(p)
		src.mark(p, uplift.Correctness, "gpt", 1)
		src.mark(p, uplift.Correctness, "strmatch", 0)
		src.respond(place{condition: c, task: "q", attack: "missing_detail"})
		src.graded(place{condition: "safe", task: c, split: uplift.Train}, 1)
	}
	opt := taskStudy()
	opt.Adaptive = probes
	r := mustRun(t, src, opt)
	if r.find(t, "safe", Utility).Pairs != 10+0 {
		t.Errorf("headline: got %d pairs, want 10", r.find(t, "safe", Utility).Pairs)
	}
	if a := r.Apart[0]; a.Name != PartTestB || a.Result != nil || !strings.Contains(a.Withheld, "no label by people, but by gpt, strmatch") {
		t.Errorf("test-b: got %+v, want it withheld for two judges", a)
	}
	a := r.Apart[1]
	if a.Name != PartAdaptive || a.Result == nil || a.Result.Contrasts[0].Pairs != 0 || a.Result.Contrasts[0].warning(CodeNoPairs) == "" || a.Result.Conditions[0].Responses != 1 {
		t.Errorf("adaptive: got %+v, want responses without a pair", a)
	}
}

// With pairs in a part apart alone there is a result, whose headline says that it
// is empty; with none anywhere there is none.
func TestHeadlineWithoutAPair(t *testing.T) {
	src := &memory{}
	for i, d := range spread(10) {
		for k, c := range []string{"ref", "safe"} {
			src.graded(place{model: "another", condition: c, task: fmt.Sprint("t", i), split: uplift.Dev}, 0.5+float64(k)*d[0])
			if i == 0 {
				src.respond(place{condition: c, task: "locked", split: uplift.Test})
			}
		}
	}
	r := mustRun(t, src, taskStudy())
	if len(r.Warnings) != 1 || r.Warnings[0].Code != CodeNoHeadline || !strings.Contains(r.Warnings[0].Text, "(2 responses, 0 labels, model m: ref, safe)") {
		t.Errorf("got warnings %+v, want one of an empty headline", r.Warnings)
	}
	if c := r.Apart[0].Result.Contrasts[0]; r.Contrasts[0].Pairs != 0 || c.Pairs != 10 {
		t.Errorf("got %d pairs in the headline and %d apart, want 0 and 10", r.Contrasts[0].Pairs, c.Pairs)
	}
	src.labels = nil
	if _, err := Run(context.Background(), src, taskStudy()); err == nil || !strings.Contains(err.Error(), "no pair") {
		t.Errorf("without any label: got %v, want no pair", err)
	}
}

// Labels are counted where they stand, also those that no endpoint is made of;
// what a caller notes stands once.
func TestWarningsOfAPart(t *testing.T) {
	src := judged("gpt")
	for i := range src.labels {
		src.labels[i].Split = uplift.Test
	}
	for i, r := range src.responses {
		src.responses[i].Item.Split = uplift.Test
		p := place{condition: r.Condition, task: "b" + r.Task, split: uplift.TestB}
		src.graded(p, float64(i%2))
		src.mark(place{condition: r.Condition, task: r.Task, split: uplift.Test}, uplift.Correctness, "rater:ann", 1)
	}
	opt := taskStudy()
	opt.Notes = []uplift.Warning{{Code: CodeStudyChanged, Text: "changed"}}
	r := mustRun(t, src, opt)
	var got []string
	for _, w := range r.Warnings {
		got = append(got, w.Code)
	}
	if strings.Join(got, " ") != "rater_marks_unused study_changed" || !strings.HasPrefix(r.Warnings[0].Text, "20 marks") {
		t.Errorf("headline: got %+v, want 20 marks of raters and the note", r.Warnings)
	}
	if a := r.Apart[0].Result; len(a.Warnings) != 0 || a.Grader != uplift.Human || r.Grader != "gpt" {
		t.Errorf("test-b: got warnings %+v, graded by %s beside %s", a.Warnings, a.Grader, r.Grader)
	}
}

// Two rows that put one item into two splits contradict each other; a row
// without a split states nothing.
func TestSplitsThatContradict(t *testing.T) {
	src := paired(spread(10)...)
	src.respond(place{condition: "ref", task: "x", split: uplift.Test})
	src.mark(place{condition: "ref", task: "x"}, uplift.Correctness, uplift.Human, 1)
	mustRun(t, src, taskStudy())
	src.mark(place{condition: "safe", task: "x", split: uplift.Dev}, uplift.Correctness, uplift.Human, 1)
	_, err := Run(context.Background(), src, taskStudy())
	if err == nil || !strings.Contains(err.Error(), `task x: split: both "dev" and "test" (want one)`) {
		t.Errorf("got %v, want the contradiction named", err)
	}
}

// counted counts how often a source is read.
type counted struct {
	*showing
	responses, labels, texts int
}

func (s *counted) Responses(ctx context.Context) iter.Seq2[uplift.Response, error] {
	s.responses++
	return s.showing.Responses(ctx)
}

func (s *counted) Labels(ctx context.Context) iter.Seq2[uplift.Label, error] {
	s.labels++
	return s.showing.Labels(ctx)
}

func (s *counted) Texts(ctx context.Context) iter.Seq2[uplift.Response, error] {
	s.texts++
	return s.showing.Texts(ctx)
}

// However many parts there are, the source is read once, texts included, and
// each part finds its own twins.
func TestOneReadingForAllParts(t *testing.T) {
	src := &counted{showing: twinned()}
	src.show(fifth("ref", 0), "same")
	src.show(fifth("safe", 0), "same")
	n := len(src.memory.responses)
	for _, r := range src.memory.responses[:n] {
		r.Task, r.Item.Task, r.Item.Split = "b"+r.Task, "b"+r.Task, uplift.TestB
		src.memory.responses = append(src.memory.responses, r)
	}
	for _, l := range slices.Clone(src.memory.labels) {
		l.Task, l.Split = "b"+l.Task, uplift.TestB
		src.memory.labels = append(src.memory.labels, l)
	}
	for _, r := range slices.Clone(src.rows) {
		r.Task = "b" + r.Task
		src.rows = append(src.rows, r)
	}
	r := mustRun(t, src, taskStudy())
	if src.responses != 1 || src.labels != 1 || src.texts != 1 {
		t.Errorf("read responses %d, labels %d and texts %d times, want once each", src.responses, src.labels, src.texts)
	}
	for _, c := range []Contrast{r.Contrasts[0], r.Apart[0].Result.Contrasts[0]} {
		if c.Pairs != 25 || c.RaterPairs != 25 {
			t.Errorf("got %d pairs, %d seen by raters; want 25 and 25", c.Pairs, c.RaterPairs)
		}
	}
}
