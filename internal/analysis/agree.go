package analysis

import (
	"context"
	"errors"
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
		Replicates: m.opt.Replicates, Scales: []ScaleAgreement{}, Warnings: []uplift.Warning{}}
	for _, scale := range m.scalesOf(m.opt) {
		a := agreer{m.reader, m.opt, of, scale, m.scales.find(scale), nil, false}
		a.setCategories()
		for _, tier := range append(uplift.Tiers(), AllTiers) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			entry, err := a.entry(tier)
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

// entry is nil when the tier has no mark.
func (a *agreer) entry(tier uplift.Tier) (*ScaleAgreement, error) {
	marks, cluster := a.collect(tier)
	if len(marks) == 0 {
		return nil, nil
	}
	r, err := stats.NewRatings(marks)
	if err != nil {
		return nil, err
	}
	out := &ScaleAgreement{Scale: a.scale, Tier: string(tier), Units: len(cluster), Ratings: len(marks), Raters: len(r.Raters()),
		Categories: a.categories, CI: map[string]Range{}, Undefined: map[string]string{}, Warnings: []uplift.Warning{}}
	for _, id := range r.Raters() {
		name, _ := strings.CutPrefix(a.graders.list[id], uplift.RaterPrefix)
		out.RaterNames = append(out.RaterNames, name)
	}
	shared := map[int]int{}
	for u, ok := range r.Shared() {
		if ok {
			out.Shared++
			shared[cluster[u]]++
		}
	}
	out.Clusters = len(shared)
	a.figures(out, r)
	a.intervals(out, r, cluster, shared)
	a.warn(out, r)
	return out, nil
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

func (a *agreer) ac1(r *stats.Ratings) (float64, error) { return r.AC1(a.categories) }

func (a *agreer) ac2(r *stats.Ratings) (float64, error) { return r.AC2Quadratic(a.categories) }

func (a *agreer) figures(out *ScaleAgreement, r *stats.Ratings) {
	for _, f := range []struct {
		name   string
		to     **float64
		figure stats.Figure
	}{
		{"percent", &out.Percent, (*stats.Ratings).Percent},
		{"alpha_nominal", &out.AlphaNominal, (*stats.Ratings).AlphaNominal},
		{"alpha_ordinal", &out.AlphaOrdinal, (*stats.Ratings).AlphaOrdinal},
		{"alpha_interval", &out.AlphaInterval, (*stats.Ratings).AlphaInterval},
		{"kappa", &out.Kappa, (*stats.Ratings).Kappa},
		{"kappa_linear", &out.KappaLinear, (*stats.Ratings).KappaLinear},
		{"kappa_quadratic", &out.KappaQuadratic, (*stats.Ratings).KappaQuadratic},
		{"ac1", &out.AC1, a.ac1},
		{"ac2_quadratic", &out.AC2Quadratic, a.ac2},
		{"icc_a1", &out.ICCA1, func(r *stats.Ratings) (float64, error) { return icc(out, r) }},
	} {
		v, err := f.figure(r)
		if err != nil {
			out.Undefined[f.name] = err.Error()
			continue
		}
		*f.to = new(v)
	}
}

// icc is ICC(A,1), which knows complete responses only. Where raters differ from
// response to response those are few, and often the disputed ones.
func icc(out *ScaleAgreement, r *stats.Ratings) (float64, error) {
	if n := r.Complete(); n > 0 && 2*n < out.Shared {
		return 0, errors.New("fewer than half of the shared responses are marked by all raters, and those may be the disputed ones")
	}
	return r.ICCA1()
}

// intervals bootstraps units in clusters, under the guards of every interval.
func (a *agreer) intervals(out *ScaleAgreement, r *stats.Ratings, cluster []int, shared map[int]int) {
	if a.opt.Replicates == 0 {
		return
	}
	names := []string{"alpha_ordinal", "kappa_quadratic", "ac1"}
	reason := a.withheld(out.Shared, shared)
	if reason != "" {
		for _, n := range names {
			out.Undefined["ci."+n] = reason
		}
		return
	}
	got, errs := r.Bootstrap(cluster, stats.Resample{B: a.opt.Replicates, Seed: a.opt.Seed, Level: a.opt.Level},
		(*stats.Ratings).AlphaOrdinal, (*stats.Ratings).KappaQuadratic, a.ac1)
	for i, n := range names {
		if errs[i] != nil {
			out.Undefined["ci."+n] = errs[i].Error()
			continue
		}
		out.CI[n] = Range{Lo: got[i].Lo, Hi: got[i].Hi}
	}
}

// withheld says why the shared units carry no interval.
func (a *agreer) withheld(units int, shared map[int]int) string {
	if len(shared) < minClusters {
		return fmt.Sprintf("%d %s with two ratings of a response (want at least %d)", len(shared), a.opt.Cluster.plural(), minClusters)
	}
	for _, n := range shared {
		if float64(n) > maxShare*float64(units) {
			return fmt.Sprintf("one %s holds more than half of the responses with two ratings", a.opt.Cluster)
		}
	}
	return ""
}

// exploratoryAlpha is the agreement on actionability below which claims are
// exploratory.
const exploratoryAlpha = 0.67

// Codes of warnings about agreement.
const (
	CodeLight       = "light_kappa"
	CodeCategories  = "categories"
	CodeExploratory = "exploratory"
)

func (a *agreer) warn(out *ScaleAgreement, r *stats.Ratings) {
	add := func(code, format string, args ...any) {
		out.Warnings = append(out.Warnings, uplift.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
	}
	all := out.Raters * (out.Raters - 1) / 2
	if shared, constant := r.RaterPairs(); shared > 0 && shared-constant < all {
		add(CodeLight, "the kappas are plain means over %d of %d pairs of raters (Light); %d pairs share no response and %d used one category only",
			shared-constant, all, all-shared, constant)
	}
	if a.observed {
		add(CodeCategories, "the scale's categories are not known: ac1 and ac2 take the %d values that were seen, and would change if it has more", len(a.categories))
	}
	if out.Scale == uplift.Actionability && out.AlphaOrdinal != nil && *out.AlphaOrdinal < exploratoryAlpha {
		add(CodeExploratory, "alpha is below %.2f: claims about actionability are exploratory; a clearer rubric or more training of raters would mend it", exploratoryAlpha)
	}
}
