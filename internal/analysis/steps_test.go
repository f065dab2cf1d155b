package analysis

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
)

// apartOf are the conditions of one controller taken apart.
var apartOf = Baselines{Full: "full", Monitor: "watch", Prompt: "prompt", Output: "output", Refuse: "refuse", Draft: "ref"}

func stepStudy() Options {
	opt := taskStudy()
	opt.Baselines = []Baselines{apartOf}
	return opt
}

// ladder holds n tasks whose scores by condition follow from the number of the task.
func ladder(n int, scores func(task int) map[string]float64) *memory {
	m := &memory{}
	for i := range n {
		of := scores(i)
		for _, c := range sortedKeys(of) {
			m.graded(place{condition: c, task: fmt.Sprintf("t%02d", i)}, of[c])
		}
	}
	return m
}

// By hand: in the even tasks 1 falls to 0 when both scores are there, to .5 by
// the request's alone and to .75 by the draft's alone, and refusing does half of
// it; in the odd ones nothing but the draft's score moves anything.
func handMade(task int) map[string]float64 {
	if task%2 == 0 {
		return map[string]float64{"ref": 1, "watch": 1, "full": 0, "prompt": .5, "output": .75, "refuse": .5}
	}
	return map[string]float64{"ref": 1, "watch": 1, "full": .5, "prompt": 1, "output": .5, "refuse": 1}
}

func TestStepsByHand(t *testing.T) {
	res := mustRun(t, ladder(10, handMade), stepStudy())
	if len(res.Steps) != 1 {
		t.Fatalf("got %d controllers taken apart, want 1", len(res.Steps))
	}
	s := res.Steps[0]
	got := map[string][3]float64{}
	for _, p := range s.Parts {
		row := [3]float64{*p.Change.Value}
		if p.First != nil {
			row[1], row[2] = *p.First, *p.Last
		}
		got[p.Name] = row
	}
	// Even and odd tasks weigh the same. Prompt: first (-.5 + 0)/2, last (-.75 + 0)/2.
	want := map[string][3]float64{
		StepWhole:   {-.75, 0, 0},
		StepPrompt:  {-.3125, -.25, -.375},
		StepOutput:  {-.4375, -.375, -.5},
		StepRefusal: {-.25, 0, 0},
		StepRewrite: {-.5, 0, 0},
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("parts (-got +want):\n%s", diff)
	}
	if s.Items != 10 || s.Asked != 10 || s.Partly != 0 || s.Tasks != 10 || s.Clusters != 10 || s.Start != "watch" || s.StandsIn || len(s.Missing) > 0 {
		t.Errorf("got %+v", s)
	}
}

// The whole of a controller is the contrast with what only watches, to the last
// digit of its interval and p; each score's parts sum to it, and so do the
// actions'.
func TestWholeStepIsTheContrast(t *testing.T) {
	m := ladder(23, func(i int) map[string]float64 {
		f := func(k int) float64 { return float64((i*k+i/3)%5) / 4 }
		return map[string]float64{"ref": f(7), "watch": f(7), "full": f(3), "prompt": f(5), "output": f(11), "refuse": f(13)}
	})
	opt := stepStudy()
	opt.Reference = "watch"
	res := mustRun(t, m, opt)
	c, s := res.find(t, "full", Utility), res.Steps[0]
	whole := s.Parts[0]
	if diff := cmp.Diff(whole.Change, c.Difference); diff != "" || *whole.P != *c.P || *whole.PSignFlip != *c.PSignFlip || whole.NonZero != c.NonZero {
		t.Errorf("whole (-step +contrast): %s %+v %+v", diff, whole, c)
	}
	value := func(i int) float64 { return *s.Parts[i].Change.Value }
	for _, i := range []int{1, 3} {
		if math.Abs(value(i)+value(i+1)-value(0)) > 1e-15 {
			t.Errorf("%s and %s sum to %v, want %v", s.Parts[i].Name, s.Parts[i+1].Name, value(i)+value(i+1), value(0))
		}
	}
	for _, p := range s.Parts[1:3] {
		if math.Abs((*p.First+*p.Last)/2-*p.Change.Value) > 1e-15 {
			t.Errorf("%s: %v is not the mean of %v and %v", p.Name, *p.Change.Value, *p.First, *p.Last)
		}
	}
}

// What is not there takes its parts along, and is named.
func TestStepsOfIncompleteStudies(t *testing.T) {
	cases := []struct {
		name    string
		without []string // conditions
		parts   []string
		missing []string
		start   string
	}{
		{"everything", nil, []string{StepWhole, StepPrompt, StepOutput, StepRefusal, StepRewrite}, nil, "watch"},
		{"no draft's score", []string{"output"}, []string{StepWhole, StepRefusal, StepRewrite},
			[]string{"the parts of the prompt score and of the output score (wants labels under output)"}, "watch"},
		{"no refusing alone", []string{"refuse"}, []string{StepWhole, StepPrompt, StepOutput},
			[]string{"the parts of refusing and of rewriting (wants labels under refuse)"}, "watch"},
		{"nothing that watches", []string{"watch"}, []string{StepWhole, StepPrompt, StepOutput, StepRefusal, StepRewrite}, nil, "ref"},
		{"no controller", []string{"full"}, nil, nil, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			res := mustRun(t, ladder(10, func(i int) map[string]float64 {
				of := handMade(i)
				for _, name := range c.without {
					delete(of, name)
				}
				return of
			}), stepStudy())
			if c.start == "" {
				if len(res.Steps) != 0 {
					t.Errorf("got %+v, want nothing", res.Steps)
				}
				return
			}
			s := res.Steps[0]
			var parts []string
			for _, p := range s.Parts {
				parts = append(parts, p.Name)
			}
			standsIn := slices.ContainsFunc(s.Warnings, func(w uplift.Warning) bool { return w.Code == CodeStandIn })
			if !slices.Equal(parts, c.parts) || !slices.Equal(s.Missing, c.missing) || s.Start != c.start || s.StandsIn != (c.start == "ref") || standsIn != s.StandsIn {
				t.Errorf("got %v, missing %q, start %s (%v); want %v, %q, %s", parts, s.Missing, s.Start, s.StandsIn, c.parts, c.missing, c.start)
			}
		})
	}
}

// What the nouns do is asked for beside every controller that has cues.
func TestNounsAreMissed(t *testing.T) {
	opt := stepStudy()
	opt.Baselines[0].Cues = true
	for _, c := range []struct {
		name      string
		ablations []Ablation
		missed    bool
	}{
		{"no such condition", nil, true},
		{"nouns and more", []Ablation{{Condition: "output", Parent: "full"}}, true},
		{"of another controller", []Ablation{{Condition: "output", Parent: "other", Nouns: true}}, true},
		{"not labelled", []Ablation{{Condition: "none", Parent: "full", Nouns: true}}, true},
		{"the nouns alone", []Ablation{{Condition: "output", Parent: "full", Nouns: true}}, false},
	} {
		opt.Ablations = c.ablations
		if got := mustRun(t, ladder(10, handMade), opt).Steps[0].Missing; (len(got) == 1) != c.missed {
			t.Errorf("%s: missing %q, want something: %v", c.name, got, c.missed)
		}
	}
}

// Items that lack a label anywhere are in no part, whatever the part needs.
func TestStepsShareTheirItems(t *testing.T) {
	m := ladder(10, handMade)
	for _, c := range []string{"full", "watch", "prompt", "output"} {
		m.graded(place{condition: c, task: "t90"}, .25)
	}
	m.respond(place{condition: "refuse", task: "t90"})
	s := mustRun(t, m, stepStudy()).Steps[0]
	if s.Items != 10 || s.Asked != 11 || s.Partly != 1 || *s.Parts[0].Change.Value != -.75 || len(s.Warnings) != 1 || s.Warnings[0].Code != CodePartlyLabelled {
		t.Errorf("got %d of %d items, %d partly, %v; whole %v", s.Items, s.Asked, s.Partly, s.Warnings, *s.Parts[0].Change.Value)
	}
}

func TestNoItemInCommon(t *testing.T) {
	m := ladder(10, func(i int) map[string]float64 {
		of := handMade(i)
		delete(of, []string{"prompt", "output"}[i%2])
		return of
	})
	s := mustRun(t, m, stepStudy()).Steps[0]
	if s.Items != 0 || len(s.Parts) != 0 || s.Partly != 10 || !slices.Equal(s.Missing, []string{"everything: no item carries a label under all of the conditions"}) {
		t.Errorf("got %+v", s)
	}
}

// Guards hold for parts as for contrasts: four tasks carry no interval.
func TestGuardsOfSteps(t *testing.T) {
	for _, p := range mustRun(t, ladder(4, handMade), stepStudy()).Steps[0].Parts {
		if p.Change.Lo != nil || p.P != nil || p.Undefined["p_cr2"] == "" || !slices.ContainsFunc(p.Warnings, func(w uplift.Warning) bool { return w.Code == CodeNoInterval }) {
			t.Errorf("%s: got %+v", p.Name, p)
		}
	}
}

// A part's truth is the same combination of known means, and there is none
// unless all of them are known.
func TestTruthOfSteps(t *testing.T) {
	opt := stepStudy()
	opt.Simulated = true
	for c, mean := range map[string]float64{"watch": .9, "full": .3, "prompt": .5, "output": .6, "refuse": .7} {
		opt.Truth = append(opt.Truth, Truth{Model: "m", Condition: c, Endpoint: Utility, Mean: mean})
	}
	want := map[string]float64{StepWhole: -.6, StepPrompt: -.35, StepOutput: -.25, StepRefusal: -.2, StepRewrite: -.4}
	for _, p := range mustRun(t, ladder(10, handMade), opt).Steps[0].Parts {
		if p.Truth == nil || math.Abs(*p.Truth-want[p.Name]) > 1e-12 {
			t.Errorf("%s: got %v, want %v", p.Name, p.Truth, want[p.Name])
		}
	}
	opt.Truth = slices.DeleteFunc(opt.Truth, func(x Truth) bool { return x.Condition == "refuse" })
	for _, p := range mustRun(t, ladder(10, handMade), opt).Steps[0].Parts {
		if known := p.Name != StepRefusal && p.Name != StepRewrite; (p.Truth != nil) != known {
			t.Errorf("%s: truth %v, want one: %v", p.Name, p.Truth, known)
		}
	}
}

// An ablation is its contrast with the parent as the reference.
func TestAblations(t *testing.T) {
	opt := stepStudy()
	opt.Reference = "full"
	opt.Ablations = []Ablation{
		{Condition: "output", Parent: "full", Of: AblatedCues, Without: []string{"a class"}, Nouns: true},
		{Condition: "output", Parent: "not there", Of: AblatedCues, Without: []string{"b"}},
	}
	res := mustRun(t, ladder(12, handMade), opt)
	if len(res.Ablations) != 1 {
		t.Fatalf("got %d ablations, want the one with labels", len(res.Ablations))
	}
	a, c := res.Ablations[0], res.find(t, "output", Utility)
	if diff := cmp.Diff(a.Change.Change, c.Difference); diff != "" || *a.Change.PSignFlip != *c.PSignFlip || a.Items != c.Pairs || !a.Nouns || a.Of != AblatedCues {
		t.Errorf("(-ablation +contrast): %s\n%+v", diff, a)
	}
}

// An amendment that touches any of the conditions marks all parts.
func TestMarksOfSteps(t *testing.T) {
	opt := stepStudy()
	opt.Ablations = []Ablation{{Condition: "output", Parent: "full", Of: AblatedCues, Without: []string{"a"}}}
	opt.Standing.Amendments = []Amendment{{Touches: Touches{Conditions: []string{"prompt"}}}}
	res := mustRun(t, ladder(10, handMade), opt)
	if !marked(res.Steps[0].Marks, MarkPostHoc) || marked(res.Ablations[0].Marks, MarkPostHoc) {
		t.Errorf("got %v and %v, want a mark on the first alone", res.Steps[0].Marks, res.Ablations[0].Marks)
	}
}
