package main

import (
	"context"
	"fmt"
	"slices"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/rating"
	"github.com/uplift-eval/uplift/internal/run"
	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/sim"
)

// truths computes what a simulated study estimates: for every condition and
// endpoint, the exact mean of the adjudicated label over draws of the model,
// topics and raters, averaged over the items of the endpoint's tiers. Every
// reply of the model goes through the real access.Respond with the condition's
// controller, and every level through the real adjudication. Rows to which the
// scale does not apply are left out, in proportion to their probability.
//
// It wants models of package sim and items of one turn.
func truths(ctx context.Context, spec run.Spec, card func(uplift.Item) rating.Card, endpoints []analysis.Endpoint) ([]analysis.Truth, error) {
	var all []analysis.Truth
	for _, c := range spec.Conditions {
		sums := make([]moment, len(endpoints))
		for _, item := range spec.Items {
			levels, err := lawOfLevels(ctx, c, item, card(item))
			if err != nil {
				return nil, fmt.Errorf("truth: condition %s: task %s: %w", c.Name, item.Task, err)
			}
			for i, e := range endpoints {
				if len(e.Tiers) == 0 && item.Tier.Known() || slices.Contains(e.Tiers, item.Tier) {
					sums[i].add(e.Scale, levels[e.Scale])
				}
			}
		}
		for i, e := range endpoints {
			if sums[i].weight > 0 {
				all = append(all, analysis.Truth{Model: c.ModelName, Condition: c.Name, Endpoint: e.Name, Mean: sums[i].mean()})
			}
		}
	}
	return all, nil
}

// moment is a weighted mean in the making.
type moment struct{ weight, sum float64 }

func (m *moment) add(scale string, law [5]float64) {
	for level, p := range law {
		m.weight += p
		m.sum += p * rating.Expected(scale, level)
	}
}

func (m moment) mean() float64 { return m.sum / m.weight }

// lawOfLevels gives for each scale the probability of each level of one item
// under one condition; they sum to less than 1 where the scale may not apply.
func lawOfLevels(ctx context.Context, c access.Condition, item uplift.Item, card rating.Card) (map[string][5]float64, error) {
	simulated, ok := c.Model.(sim.Model)
	if !ok || len(item.Turns) != 1 {
		return nil, fmt.Errorf("no law (want a simulated model and one turn, got %T and %d)", c.Model, len(item.Turns))
	}
	laws := map[string][5]float64{}
	all := &enumerated{model: simulated}
	c.Model = all
	for all.next() {
		got, err := c.Respond(ctx, access.Request{Turns: item.Turns})
		if err != nil {
			return nil, err
		}
		row := blindRow("", got.Transcript, card)
		for _, scale := range rating.Scales() {
			if level, ok := rating.Read(row, scale); ok {
				law := laws[scale]
				law[level] += all.law[all.at].P
				laws[scale] = law
			}
		}
	}
	return laws, nil
}

// enumerated is a model that gives each reply of a simulated one in turn.
type enumerated struct {
	model sim.Model
	law   []sim.Weighted // of the request; nil before the first
	at    int
}

// next goes to the next reply and reports whether there is one.
func (e *enumerated) next() bool {
	if e.law != nil {
		e.at++
	}
	return e.law == nil || e.at < len(e.law)
}

// Generate gives the reply that is its turn.
func (e *enumerated) Generate(_ context.Context, req model.Request) (model.Reply, error) {
	if e.law == nil {
		law, err := e.model.Outcomes(req)
		if err != nil {
			return model.Reply{}, model.ErrNotSent
		}
		e.law = law
	}
	return e.law[e.at].Reply, nil
}
