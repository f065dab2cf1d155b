package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

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
	laws, err := lawsOfLevels(ctx, spec, card)
	if err != nil {
		return nil, err
	}
	var all []analysis.Truth
	parts := analysis.Parts(spec.Items, opt)
	for c, cond := range spec.Conditions {
		for _, part := range slices.Compact(slices.Sorted(slices.Values(parts))) {
			for _, e := range opt.Endpoints {
				var sum moment
				for i, item := range spec.Items {
					if parts[i] == part && (len(e.Tiers) == 0 && item.Tier.Known() || slices.Contains(e.Tiers, item.Tier)) {
						sum.add(e.Scale, laws[c][i][e.Scale])
					}
				}
				if sum.weight > 0 {
					all = append(all, analysis.Truth{Model: cond.ModelName, Condition: cond.Name, Endpoint: e.Name, Part: part, Mean: sum.mean()})
				}
			}
		}
	}
	return all, nil
}

// lawsOfLevels gives the law of every item under every condition, by condition,
// then item.
func lawsOfLevels(ctx context.Context, spec run.Spec, card func(uplift.Item) rating.Card) ([][]map[string][5]float64, error) {
	laws := make([][]map[string][5]float64, len(spec.Conditions))
	for c := range laws {
		laws[c] = make([]map[string][5]float64, len(spec.Items))
	}
	errs := make([]error, len(spec.Items))
	var taken atomic.Int64
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := int(taken.Add(1)) - 1; i < len(spec.Items) && ctx.Err() == nil; i = int(taken.Add(1)) - 1 {
				for c, cond := range spec.Conditions {
					var err error
					if laws[c][i], err = lawOfLevels(ctx, cond, spec.Items[i], card(spec.Items[i])); err != nil {
						errs[i] = fmt.Errorf("truth: condition %s: task %s: %w", cond.Name, spec.Items[i].Task, err)
					}
				}
			}
		})
	}
	group.Wait()
	return laws, errors.Join(append(errs, ctx.Err())...)
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
