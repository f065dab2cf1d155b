package analysis

import (
	"fmt"
	"slices"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/stats"
)

// shared are the items of a model that several conditions have in common, on
// one endpoint.
type shared struct {
	conditions []string
	first      []int       // of each item: a cell of it
	scores     [][]float64 // items x conditions
	asked      int
	partly     int
	tasks      int
	clusters   int
}

// share finds the items of the plan's model and tiers that carry a label under
// every one of the conditions. What the plan says of conditions is not used.
func (t *table) share(p plan, conditions []string) shared {
	out := shared{conditions: conditions}
	tasks, clusters := map[int32]bool{}, map[int]bool{}
	t.blocks(p.model, func(lo, hi int) {
		if !slices.Contains(p.tiers, t.tier(lo)) {
			return
		}
		scores, there, labelled := make([]float64, len(conditions)), 0, 0
		for i := lo; i < hi; i++ {
			c := slices.Index(conditions, t.conditions.list[t.cells[i].condition()])
			if c < 0 {
				continue
			}
			there++
			if v, ok := t.value(i, p.column); ok {
				scores[c], labelled = v, labelled+1
			}
		}
		if there == len(conditions) {
			out.asked++
		}
		switch labelled {
		case 0:
		case len(conditions):
			out.first, out.scores = append(out.first, lo), append(out.scores, scores)
			tasks[t.items.list[t.cells[lo].item()].task], clusters[t.clusterOf(lo)] = true, true
		default:
			out.partly++
		}
	})
	out.tasks, out.clusters = len(tasks), len(clusters)
	return out
}

// blocks visits the cells of a model that have item and replicate in common.
func (t *table) blocks(model int32, visit func(lo, hi int)) {
	end := t.modelStart[model+1]
	for lo, hi := t.modelStart[model], 0; lo < end; lo = hi {
		for hi = lo; hi < end && t.cells[hi].block() == t.cells[lo].block(); hi++ {
		}
		visit(lo, hi)
	}
}

// anyLabel reports whether any cell of a condition carries a label of the plan.
func (t *table) anyLabel(p plan, condition string) bool {
	c := t.conditions.find(condition)
	if condition == "" || c < 0 {
		return false
	}
	for i := t.modelStart[p.model]; i < t.modelStart[p.model+1]; i++ {
		if _, ok := t.value(i, p.column); ok && t.cells[i].condition() == c && slices.Contains(p.tiers, t.tier(i)) {
			return true
		}
	}
	return false
}

// pairs are the weighted sums of an item's scores: those that are added stand
// as a pair's condition, those that are taken away as its reference.
func (s shared) pairs(terms []Term) []pair {
	out := make([]pair, len(s.first))
	for i, scores := range s.scores {
		out[i] = pair{condition: s.first[i], reference: s.first[i]}
		for _, term := range terms {
			v := term.Weight * scores[slices.Index(s.conditions, term.Condition)]
			if term.Weight > 0 {
				out[i].scoreCondition += v
			} else {
				out[i].scoreReference -= v
			}
		}
	}
	return out
}

// step makes one combination: the estimators and guards of a contrast, on the
// combination's value of every item.
func (t *table) step(p plan, s shared, name string, terms []Term, opt Options) (*Step, error) {
	out := &Step{Name: name, Terms: terms, Change: uplift.Estimate{Level: opt.Level, Method: HeadlineInterval},
		Truth: t.truthOf(p, terms, opt), Undefined: map[string]string{}, Warnings: []uplift.Warning{}}
	pairs := s.pairs(terms)
	c, err := t.sample(pairs)
	if err != nil {
		return nil, fmt.Errorf("steps of %s: %s: %w", opt.Endpoints[p.endpoint].Name, name, err)
	}
	v := t.judgeDifference(c, pairs, opt.Cluster)
	out.Change, out.P = estimate(c, v, opt.Level)
	if out.P == nil {
		out.Undefined["p_cr2"] = v.interval
	}
	out.NonZero = c.NonZero()
	out.flip(c, opt.Seed)
	out.Warnings = append(out.Warnings, v.warnings...)
	return out, nil
}

func (s *Step) flip(c *stats.Clustered, seed uint64) {
	if c.Clusters() == 1 {
		s.Undefined["p_sign_flip"] = "there is a single cluster to flip"
	} else if f, err := c.SignFlipClusters(seed); err != nil {
		s.Undefined["p_sign_flip"] = err.Error()
	} else {
		s.PSignFlip, s.SignFlipMethod = new(f.P), f.Method
	}
}

// truthOf is the same combination of known means; nil unless all are known.
func (t *table) truthOf(p plan, terms []Term, opt Options) *float64 {
	sum := 0.0
	for _, term := range terms {
		v, ok := opt.truth(t.name, t.models.list[p.model], term.Condition, opt.Endpoints[p.endpoint].Name)
		if !ok {
			return nil
		}
		sum += term.Weight * v
	}
	return new(sum)
}

// mean is the mean of a combination, without anything beside it.
func (s shared) mean(terms []Term) *float64 {
	sum := 0.0
	for _, p := range s.pairs(terms) {
		sum += p.difference()
	}
	return new(sum / float64(len(s.first)))
}

// less is the difference of two conditions.
func less(a, b string) []Term { return []Term{{a, 1}, {b, -1}} }
