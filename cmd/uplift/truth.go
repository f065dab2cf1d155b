package main

import (
	"context"
	"fmt"
	"slices"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/rating"
	"github.com/uplift-eval/uplift/internal/run"
)

// truths computes what a simulated study estimates: for every part, condition and
// endpoint, the exact mean of the adjudicated label over draws of the model,
// topics and raters, averaged over the part's items of the endpoint's tiers. Every
// reply of the model goes through the real access.Respond with the condition's
// controller, and every level through the real adjudication. Rows to which the
// scale does not apply are left out, in proportion to their probability.
//
// It wants models of package sim.
func truths(ctx context.Context, spec run.Spec, card func(uplift.Item) rating.Card, opt analysis.Options) ([]analysis.Truth, error) {
	var all []analysis.Truth
	parts, endpoints := analysis.Parts(spec.Items, opt), opt.Endpoints
	names := slices.Compact(slices.Sorted(slices.Values(parts)))
	for _, c := range spec.Conditions {
		sums := map[string][]moment{}
		for _, part := range names {
			sums[part] = make([]moment, len(endpoints))
		}
		for k, item := range spec.Items {
			levels, err := lawOfLevels(ctx, c, item, card(item))
			if err != nil {
				return nil, fmt.Errorf("truth: condition %s: task %s: %w", c.Name, item.Task, err)
			}
			for i, e := range endpoints {
				if len(e.Tiers) == 0 && item.Tier.Known() || slices.Contains(e.Tiers, item.Tier) {
					sums[parts[k]][i].add(e.Scale, levels[e.Scale])
				}
			}
		}
		for _, part := range names {
			for i, e := range endpoints {
				if sum := sums[part][i]; sum.weight > 0 {
					all = append(all, analysis.Truth{Model: c.ModelName, Condition: c.Name, Endpoint: e.Name, Part: part, Mean: sum.mean()})
				}
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
