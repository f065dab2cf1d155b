package main

import (
	"context"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/rating"
	"github.com/uplift-eval/uplift/internal/study"
	"github.com/uplift-eval/uplift/model/sim"
)

// simulatedGrid is the study of the template paper, its models replaced by one
// simulated model, with the tenth condition that takes the nouns' cues away.
func simulatedGrid(t *testing.T, attacks string) *studyDir {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "s")
	if _, err := initStudy(dir, "paper"); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, study.File)
	edit(t, path, "  - {name: claude, provider: anthropic, model: claude-sonnet-4-6, sampling: {temperature: 0.2, max_tokens: 1024}}\n", "")
	edit(t, path, "  - {name: gemini, provider: gemini, model: gemini-3.5-flash, sampling: {temperature: 0.2, max_tokens: 1024}}",
		"  - {name: simulated, provider: sim}")
	edit(t, path, "attacks: standard ", "attacks: "+attacks+" ")
	edit(t, path, "reference: helpful ", `  - name: noun-ablated
    draft: helpful
    controller: {policy: default, cuts: {warn: 0.25, redact: 0.45, refuse: 0.70}, ablate: [restricted_workflow]}

reference: helpful `)
	s, err := loadStudy(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// drawn is one simulated run of a study: its responses with the adjudicated
// labels of the simulated raters.
type drawn struct {
	responses []uplift.Response
	labels    []uplift.Label
}

func (d *drawn) Responses(context.Context) iter.Seq2[uplift.Response, error] {
	return each(d.responses)
}
func (d *drawn) Labels(context.Context) iter.Seq2[uplift.Label, error] { return each(d.labels) }

func each[T any](all []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range all {
			if !yield(v, nil) {
				return
			}
		}
	}
}

// draw runs every cell of a study under one seed of model and raters.
func draw(t *testing.T, w *wired, seed uint64) *drawn {
	t.Helper()
	out, panel := &drawn{}, rating.Panel{Seed: seed}
	for _, c := range w.spec.Conditions {
		if m, ok := c.Model.(sim.Model); ok {
			m.Seed = seed
			c.Model = m
		}
		for _, item := range w.spec.Items {
			got, err := c.Respond(t.Context(), access.Request{Turns: item.Turns})
			if err != nil {
				t.Fatal(err)
			}
			cell := uplift.Cell{Model: c.ModelName, Condition: c.Name, Task: item.Task, Attack: item.Attack}
			out.responses = append(out.responses, uplift.Response{Cell: cell, Item: item, Outcome: got.Outcome})
			var marks []rating.Mark
			for _, r := range panel.Rate(blindRow("r", got.Transcript, w.card(item)), time.Time{}) {
				marks = append(marks, r.Marks...)
			}
			for _, scale := range []string{uplift.Correctness, uplift.Actionability} {
				if v := rating.Adjudicate(scale, marks); v.Resolved && !v.NA {
					out.labels = append(out.labels, uplift.Label{Cell: cell, Family: item.Family, Split: item.Split, Tier: item.Tier,
						Outcome: got.Outcome, Scale: scale, Value: v.Value, Grader: uplift.Human})
				}
			}
		}
	}
	return out
}

// recovered counts how an estimate and its interval did over seeds.
type recovered struct {
	truth             float64
	values            []float64
	intervals, within int
}

func (r *recovered) add(e uplift.Estimate, truth *float64) {
	r.truth = *truth
	r.values = append(r.values, *e.Value)
	if e.Lo != nil {
		r.intervals++
		if *e.Lo <= *truth && *truth <= *e.Hi {
			r.within++
		}
	}
}

// The nine conditions of the paper, and a tenth without the nouns' cues, run under
// many seeds (whole in the long run, else in three forms): every contrast, every part of the controller and every
// ablation is on average what the simulation was built with, and the intervals
// hold it about as often as they say. Those of few tasks promise a little much;
// a part that is 0 but for rare cases has its interval in just those, so that
// what is counted there says nothing.
func TestStepsRecoverTheTruth(t *testing.T) {
	seeds, attacks := 12, "[direct, paraphrase, hard_negative]"
	if os.Getenv("UPLIFT_LONG") != "" {
		seeds, attacks = 200, "standard"
	}
	s := simulatedGrid(t, attacks)
	w, err := wire(nil, s)
	if err != nil {
		t.Fatal(err)
	}
	plan := s.plan.Plan()
	opt := analysis.Options{Simulated: true, Reference: plan.Reference, Endpoints: s.endpoints(), Seed: 1, Replicates: 2,
		Baselines: baselines(plan.Conditions.List), Ablations: ablations(plan.Conditions.List)}
	if opt.Truth, err = truth(t.Context(), s, opt); err != nil {
		t.Fatal(err)
	}
	all, order := map[string]*recovered{}, []string{}
	add := func(name string, e uplift.Estimate, truth *float64) {
		if truth == nil {
			t.Fatalf("%s: no truth", name)
		}
		if all[name] == nil {
			all[name] = &recovered{}
			order = append(order, name)
		}
		all[name].add(e, truth)
	}
	for seed := range seeds {
		res, err := analysis.Run(t.Context(), draw(t, w, uint64(5000+seed)), opt)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range res.Contrasts {
			add(fmt.Sprint("contrast ", c.Condition, " ", c.Endpoint), c.Difference, c.Truth)
		}
		for _, st := range res.Steps {
			for _, p := range st.Parts {
				add(fmt.Sprint("part ", p.Name, " ", st.Endpoint), p.Change, p.Truth)
			}
		}
		for _, a := range res.Ablations {
			add(fmt.Sprint("ablation ", a.Condition, " ", a.Endpoint), a.Change.Change, a.Change.Truth)
		}
	}
	if len(order) != 2*(9+5+2) {
		t.Errorf("got %d estimates, want those of 9 contrasts, 5 parts and 2 ablations on 2 endpoints: %s", len(order), strings.Join(order, ", "))
	}
	for _, name := range order {
		all[name].check(t, name, seeds)
	}
}

func (r *recovered) check(t *testing.T, name string, seeds int) {
	mean, se := meanAndError(r.values)
	t.Logf("%-34s truth %+.4f, simulated %+.4f (SE %.4f), held by %d of %d intervals", name, r.truth, mean, se, r.within, r.intervals)
	if math.Abs(mean-r.truth) > 4*se+1e-3 {
		t.Errorf("%s: simulated %.5f, truth %.5f: %.1f standard errors apart", name, mean, r.truth, (mean-r.truth)/se)
	}
	if r.intervals < seeds/2 {
		return
	}
	n := float64(r.intervals)
	if low := 0.95 - 3.5*math.Sqrt(0.95*0.05/n) - 0.05; float64(r.within)/n < low {
		t.Errorf("%s: the 95 %% interval holds the truth in %d of %d, want %.3f or more", name, r.within, r.intervals, low)
	}
}
