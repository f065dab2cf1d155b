package main

import (
	"context"
	"errors"
	"fmt"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/controller"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/attack"
	"github.com/uplift-eval/uplift/internal/benchmark"
	"github.com/uplift-eval/uplift/internal/rating"
	"github.com/uplift-eval/uplift/internal/run"
	"github.com/uplift-eval/uplift/internal/study"
	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/sim"
)

// defaultPolicy is the name of the policy that the program carries.
const defaultPolicy = "default"

// knownNames are the names that a study file may use.
func knownNames() study.Names {
	return study.Names{Sets: benchmark.Sets(), Attacks: append(attack.Names(), attack.Sets()...), Policies: []string{defaultPolicy}}
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

// wire turns a study's plan into models, conditions and items.
func wire(s *studyDir) (*wired, error) {
	plan := s.plan.Plan()
	if plan.Conditions.Imported || plan.Benchmark == nil {
		return nil, fmt.Errorf("%s: conditions are imported: there is nothing to run", s.dir)
	}
	if err := unsupported(plan); err != nil {
		return nil, fmt.Errorf("%s: %w", s.dir, err)
	}
	w := &wired{spec: run.Spec{Replicates: plan.Replicates, Simulated: plan.Simulated()}}
	if err := w.ask(s); err != nil {
		return nil, err
	}
	for _, m := range plan.Models {
		client, err := client(m, plan.Seed, w.spec.Items)
		if err != nil {
			return nil, fmt.Errorf("%s: models: %s: %w", s.dir, m.Name, err)
		}
		for _, c := range plan.Conditions.List {
			cond, err := condition(plan, m, c)
			if err != nil {
				return nil, fmt.Errorf("%s: conditions: %s: %w", s.dir, c.Name, err)
			}
			cond.Model = client
			w.spec.Conditions = append(w.spec.Conditions, cond)
		}
	}
	return w, nil
}

// unsupported names what a study asks for that cannot be honoured yet. Leaving
// it out in silence would measure something else than was planned.
func unsupported(p study.Plan) error {
	switch {
	case p.Hazard != "":
		return errors.New("hazard: texts cannot be encrypted yet, so real hazardous requests are not sent")
	case p.Limits.MaxCostUSD > 0:
		return errors.New("limits.max_cost_usd: costs cannot be limited yet (want max_requests)")
	case p.Limits.MaxMinutes > 0:
		return errors.New("limits.max_minutes: time cannot be limited yet (want max_requests)")
	case p.Quarantine != nil:
		return errors.New("quarantine: texts cannot be withheld yet")
	case p.ProviderBlocks == study.BlocksApart:
		return errors.New("provider_blocks: blocks cannot stand apart yet (want count)")
	}
	return nil
}

// client is the model behind a study's model.
func client(m study.Model, seed uint64, items []uplift.Item) (model.Model, error) {
	if m.Provider == study.Sim {
		return sim.Model{Seed: seed, Senses: senses(items)}, nil
	}
	return nil, fmt.Errorf("provider %s cannot be asked yet (want sim)", m.Provider)
}

// condition builds one access condition of one model. A condition that acts on
// the drafts of another one sends that one's requests.
func condition(plan study.Plan, m study.Model, c study.Condition) (access.Condition, error) {
	out := access.Condition{
		Name: c.Name, ModelName: m.Name,
		Sampling: model.Sampling{Temperature: m.Sampling.Temperature, TopP: m.Sampling.TopP},
	}
	if m.Sampling.MaxTokens > 0 {
		out.Sampling.MaxTokens = &m.Sampling.MaxTokens
	}
	if c.BaseURL != "" || c.Model != "" {
		return out, fmt.Errorf("base_url: a guarded server cannot be asked yet")
	}
	prompt := c
	for prompt.Draft != "" {
		prompt = named(plan, prompt.Draft)
	}
	if prompt.System != nil {
		out.System = prompt.System.Value
	}
	if c.Controller == nil {
		return out, nil
	}
	ctl, err := controllerOf(*c.Controller)
	if err != nil {
		return out, fmt.Errorf("controller: %w", err)
	}
	out.Controller, out.OnError = ctl, access.OnError(c.Controller.OnError)
	return out, nil
}

// named is the condition of that name; the study was checked to have it.
func named(plan study.Plan, name string) study.Condition {
	for _, c := range plan.Conditions.List {
		if c.Name == name {
			return c
		}
	}
	return study.Condition{}
}

func controllerOf(c study.Controller) (*controller.Controller, error) {
	if c.HTTP != "" {
		return nil, fmt.Errorf("http: an outside controller cannot be asked yet")
	}
	policy := controller.Default()
	if c.Policy != nil && c.Policy.File != "" {
		var err error
		if policy, err = controller.ParsePolicy(c.Policy.File, c.Policy.Content); err != nil {
			return nil, err
		}
	}
	if c.Cuts != nil {
		policy.Cuts = controller.Cuts{Warn: c.Cuts.Warn, Redact: c.Cuts.Redact, Refuse: c.Cuts.Refuse}
	}
	return controller.New(policy)
}

// truth gives the known means of a simulated study by condition and endpoint.
// A study that is only partly simulated has none.
func truth(ctx context.Context, s *studyDir, opt analysis.Options) ([]analysis.Truth, error) {
	for _, m := range s.plan.Plan().Models {
		if m.Provider != study.Sim {
			return nil, nil
		}
	}
	w, err := wire(s)
	if err != nil {
		return nil, err
	}
	return truths(ctx, w.spec, w.card, opt)
}
