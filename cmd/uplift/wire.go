package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/controller"
	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/attack"
	"github.com/uplift-eval/uplift/internal/benchmark"
	"github.com/uplift-eval/uplift/internal/rating"
	"github.com/uplift-eval/uplift/internal/run"
	"github.com/uplift-eval/uplift/internal/study"
	"github.com/uplift-eval/uplift/model"
)

// knownNames are the names that a study file may use.
func knownNames() study.Names {
	return study.Names{Sets: benchmark.Sets(), Attacks: append(attack.Names(), attack.Sets()...), Policies: controller.Names(), Classes: classes}
}

// classes are the features of a policy, which a study may ablate.
func classes(p study.Policy) ([]string, error) {
	policy, err := policyNamed(&p)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, where := range []string{"prompt", "output"} {
		all = append(all, controller.Features(where)...)
		all = append(all, policy.Classes(where)...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// wired is a study that is ready to run.
type wired struct {
	spec  run.Spec
	tasks []uplift.Task // that are asked
	cards map[itemKey]rating.Card
	notes []string // on the task file, for a person
	odd   []string // the same; they tell tiers
}

type itemKey struct{ task, attack string }

func (w *wired) card(i uplift.Item) rating.Card { return w.cards[itemKey{i.Task, i.Attack}] }

// wire turns a study's plan into models, conditions and items. Without an env
// nothing can be sent: the models are known, and no key is wanted.
func wire(env *Env, s *studyDir) (*wired, error) { return wireThrough(env, s, nil) }

// wireThrough is wire with another way to the network; nil for the usual one.
func wireThrough(env *Env, s *studyDir, transport http.RoundTripper) (*wired, error) {
	plan := s.plan.Plan()
	if plan.Conditions.Imported || plan.Benchmark == nil {
		return nil, fmt.Errorf("%s: conditions are imported: there is nothing to run", s.dir)
	}
	w := &wired{spec: run.Spec{Replicates: plan.Replicates, Simulated: plan.Simulated()}}
	if err := w.ask(s); err != nil {
		return nil, err
	}
	b := &builder{env: env, transport: transport, plan: plan, items: w.spec.Items, clients: map[string]model.Model{}}
	for _, m := range plan.Models {
		for _, c := range plan.Conditions.List {
			cond, err := b.condition(m, c)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.dir, err)
			}
			w.spec.Conditions = append(w.spec.Conditions, cond)
		}
	}
	return w, nil
}

// truth gives the known means of a simulated study by condition and endpoint.
// A study that is only partly simulated has none, nor one whose replies are judged
// or rewritten by what is not known here.
func truth(ctx context.Context, s *studyDir, opt analysis.Options) ([]analysis.Truth, error) {
	plan := s.plan.Plan()
	for _, m := range plan.Models {
		if m.Provider != study.Sim {
			return nil, nil
		}
	}
	for _, c := range plan.Conditions.List {
		if c.Controller != nil && (c.Controller.HTTP != "" || c.Controller.Rewriter != nil) {
			return nil, nil // what answers there has no law that is known
		}
	}
	w, err := wire(nil, s)
	if err != nil {
		return nil, err
	}
	return truths(ctx, w.spec, w.card, opt)
}
