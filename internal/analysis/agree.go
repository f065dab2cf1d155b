package analysis

import (
	"context"
	"fmt"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/stats"
)

// Agree measures how far raters' own marks agree, by scale and tier. A unit is
// a response. Its source should give a rater's mark of a text that stands for
// several responses once only, else that text counts more than once.
// Responses are read for their mark of simulation alone.
//
// It is an error when the options are invalid, and when no rater's mark is left.
func Agree(ctx context.Context, src Source, opt AgreeOptions) (*Agreement, error) {
	m, err := newMarks(opt)
	if err != nil {
		return nil, fmt.Errorf("agreement: %w", err)
	}
	if err := readLabels(ctx, src, feed{m.reader, m.keep}); err != nil {
		return nil, fmt.Errorf("agreement: %w", err)
	}
	out, err := m.agreement(ctx)
	if err == nil {
		out.Simulated, err = anySimulated(ctx, src)
	}
	if err != nil {
		return nil, fmt.Errorf("agreement: %w", err)
	}
	return out, nil
}

// anySimulated reports whether a response is simulated. It keeps none of them.
func anySimulated(ctx context.Context, src Source) (bool, error) {
	for r, err := range src.Responses(ctx) {
		if err != nil {
			return false, fmt.Errorf("read responses: %w", err)
		}
		if r.Simulated {
			return true, nil
		}
	}
	return false, nil
}

// agreement makes every entry from the marks that were read.
func (m *marks) agreement(ctx context.Context) (*Agreement, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	of, _, err := m.clusterItems(m.opt.Cluster)
	if err != nil {
		return nil, err
	}
	out := &Agreement{Condition: m.opt.Condition, Cluster: m.opt.Cluster, Level: m.opt.Level, Seed: m.opt.Seed,
		Replicates: m.opt.Replicates, Scales: []ScaleAgreement{}, Warnings: []uplift.Warning{}, Marks: m.markings()}
	for _, scale := range m.scalesOf(m.opt) {
		a := agreer{m.reader, m.opt, of, scale, m.scales.find(scale), nil, false}
		a.setCategories()
		for _, tier := range m.opt.tiers() {
			entry, err := a.entry(ctx, tier)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", scale, err)
			}
			if entry != nil {
				out.Scales = append(out.Scales, *entry)
			}
		}
	}
	return out, nil
}

// markings are the marks of every figure: of all conditions together only what
// touches all of them, of one alone what touches it.
func (m *marks) markings() []uplift.Warning {
	var a about
	if m.opt.Condition != "" {
		a.conditions = []string{m.opt.Condition}
	}
	return m.opt.Standing.marks(nil, a)
}

// agreer makes the entries of one scale.
type agreer struct {
	*reader
	opt        AgreeOptions
	clusterOf  []int // by item
	scale      string
	id         int32
	categories []float64
	observed   bool // the categories are only those that were seen
}

func (a *agreer) setCategories() {
	switch a.scale {
	case uplift.Correctness, uplift.Actionability, uplift.Caution:
		a.categories = []float64{0, 0.25, 0.5, 0.75, 1}
	case uplift.Compliance:
		a.categories = []float64{0, 0.5, 1}
	default:
		a.observed = true
		for _, m := range a.marks {
			if m.scale == a.id {
				a.categories = append(a.categories, m.value)
			}
		}
	}
	if given, ok := a.opt.Categories[a.scale]; ok {
		a.categories, a.observed = slices.Clone(given), false
	}
	slices.Sort(a.categories)
	a.categories = slices.Compact(a.categories)
}

// entry is nil when the tier has no mark. When the context ends it holds less
// than everything.
func (a *agreer) entry(ctx context.Context, tier uplift.Tier) (*ScaleAgreement, error) {
	marks, cluster := a.collect(tier)
	if len(marks) == 0 {
		return nil, nil
	}
	r, err := stats.NewRatings(marks)
	if err != nil {
		return nil, err
	}
	out := &ScaleAgreement{Scale: a.scale, Tier: string(tier), Units: len(cluster), Ratings: len(marks), Raters: len(r.Raters()),
		Categories: a.categories, CI: map[string]Range{}, Coverage: map[string]Coverage{}, SE: map[string]float64{}, Undefined: map[string]string{}, Warnings: []uplift.Warning{}}
	for _, id := range r.Raters() {
		out.RaterNames = append(out.RaterNames, a.rater(id))
	}
	shared := map[int]int{}
	for u, ok := range r.Shared() {
		if ok {
			out.Shared++
			shared[cluster[u]]++
		}
	}
	out.Clusters = len(shared)
	measures := a.measures(r, out)
	for i := range measures {
		measures[i] = measures[i].until(ctx)
	}
	out.figures(r, measures)
	a.intervals(out, r, measures, cluster, shared)
	a.tables(ctx, out, r)
	a.warn(out, r)
	return out, nil
}

// rater is the name of a grader.
func (a *agreer) rater(id int) string {
	name, _ := strings.CutPrefix(a.graders.list[id], uplift.RaterPrefix)
	return name
}

// collect gives the marks of a tier, with units numbered from 0 in order of
// their cells, and the cluster of each unit.
func (a *agreer) collect(tier uplift.Tier) (marks []stats.Mark, cluster []int) {
	var last key
	for _, m := range a.marks {
		it := m.item()
		if m.scale != a.id || tier != AllTiers && a.items.list[it].tier != tier {
			continue
		}
		if len(cluster) == 0 || m.key != last {
			cluster = append(cluster, a.clusterOf[it])
			last = m.key
		}
		marks = append(marks, stats.Mark{Unit: len(cluster) - 1, Rater: int(m.grader), Value: m.value})
	}
	return marks, cluster
}
