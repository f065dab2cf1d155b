package analysis

import (
	"fmt"
	"slices"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/stats"
)

// described is a condition with the samples behind its means, which the
// frontier needs.
type described struct {
	Condition
	samples map[string]*stats.Clustered // by endpoint; none without a label
	guards  map[string]verdict
}

// describeAll gives every condition of every model, in order of name.
func (t *table) describeAll(opt Options) ([]described, error) {
	var out []described
	for m := range t.models.list {
		for c := range t.conditions.list {
			if !t.present[m][c] {
				continue
			}
			d, err := t.condition(int32(m), int32(c), opt)
			if err != nil {
				return nil, err
			}
			out = append(out, d)
		}
	}
	return out, nil
}

func (t *table) condition(model, condition int32, opt Options) (described, error) {
	var cells []int
	for i := t.modelStart[model]; i < t.modelStart[model+1]; i++ {
		if t.cells[i].condition() == condition {
			cells = append(cells, i)
		}
	}
	d := described{samples: map[string]*stats.Clustered{}, guards: map[string]verdict{}}
	d.Model, d.Condition.Condition = t.models.list[model], t.conditions.list[condition]
	d.Responses = len(cells)
	d.Marks = t.markings(opt, about{models: []string{d.Model}, conditions: []string{d.Condition.Condition}})
	d.Endpoints = map[string]Mean{}
	t.ends(&d.Condition, cells, opt.Level)
	for e, end := range opt.Endpoints {
		mean, err := t.mean(&d, end, t.endpoints[e], cells, opt)
		if err != nil {
			return d, fmt.Errorf("%s of %s under %s: %w", end.Name, d.Condition.Condition, d.Model, err)
		}
		d.Endpoints[end.Name] = mean
		if truth, ok := opt.truth(t.name, d.Model, d.Condition.Condition, end.Name); ok {
			if d.Truth == nil {
				d.Truth = map[string]float64{}
			}
			d.Truth[end.Name] = truth
		}
	}
	return d, nil
}

// ends counts outcomes and refusals.
func (t *table) ends(c *Condition, cells []int, level float64) {
	c.Outcomes = map[uplift.Outcome]int{}
	c.ByTier = map[uplift.Tier]Rate{}
	var all tally
	tiers := map[uplift.Tier]*tally{}
	for _, i := range cells {
		c.Outcomes[t.outcome(i)]++
		refused, tier := t.refused(i), t.tier(i)
		all.add(refused)
		if tiers[tier] == nil {
			tiers[tier] = &tally{}
		}
		tiers[tier].add(refused)
	}
	c.RefusalRate = all.rate(level)
	for tier, count := range tiers {
		if tier.Known() {
			c.ByTier[tier] = count.rate(level)
		}
	}
}

// mean is an endpoint over every labelled cell of its tiers, matched or not.
func (t *table) mean(d *described, e Endpoint, column int, cells []int, opt Options) (Mean, error) {
	out := Mean{Scale: e.Scale, Grader: t.columns[column].grader,
		Marks: t.markings(opt, about{[]string{d.Model}, []string{d.Condition.Condition}, []string{e.Name}})}
	var values []float64
	var cluster []int
	tasks := map[int32]bool{}
	for _, i := range cells {
		if !slices.Contains(e.Tiers, t.tier(i)) {
			continue
		}
		v, ok := t.value(i, column)
		if t.blockedAs != "" && t.blocked(i) {
			out.Blocks++
			if t.blockedAs == BlocksApart {
				continue
			}
			if t.zero[i*len(t.columns)+column] {
				out.BlocksZero++
			}
		}
		if !ok {
			out.Missing++
			if t.gradedElsewhere(i, column) {
				out.MissingGraded++
			}
			continue
		}
		values = append(values, v)
		cluster = append(cluster, t.clusterOf(i))
		tasks[t.items.list[t.cells[i].item()].task] = true
	}
	out.Responses, out.Tasks = len(values), len(tasks)
	if len(values) == 0 {
		out.Estimate = uplift.Estimate{Level: opt.Level, Method: HeadlineInterval}
		out.Withheld = "no response of the tiers has a label"
		return out, nil
	}
	s, err := stats.NewClustered(values, cluster)
	if err != nil {
		return out, err
	}
	v := t.judge(s, opt.Cluster)
	out.Clusters, out.Mean, out.Withheld = s.Clusters(), new(s.Mean()), v.interval
	out.Estimate, _ = estimate(s, v, opt.Level)
	d.samples[e.Name], d.guards[e.Name] = s, v
	return out, nil
}
