package analysis

import (
	"context"
	"errors"
	"slices"

	"github.com/uplift-eval/uplift/stats"
)

// measure is how one coefficient is had.
type measure struct {
	name   string
	figure stats.Figure
	// err gives the coefficient with its standard error; nil when no formula does.
	err func() (stats.Coefficient, error)
}

// until is a measure that takes no more time once the context has ended: a
// bootstrap asks it thousands of times.
func (m measure) until(ctx context.Context) measure {
	figure, formula := m.figure, m.err
	m.figure = func(r *stats.Ratings) (float64, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return figure(r)
	}
	if formula != nil {
		m.err = func() (stats.Coefficient, error) {
			if err := ctx.Err(); err != nil {
				return stats.Coefficient{}, err
			}
			return formula()
		}
	}
	return m
}

// measures are those of [ScaleAgreement.Figures], in their order.
func (a *agreer) measures(r *stats.Ratings, out *ScaleAgreement) []measure {
	alpha := func(m stats.Metric) func() (stats.Coefficient, error) {
		return func() (stats.Coefficient, error) { return r.Alpha(m) }
	}
	gwet := func(name string, w stats.Weighting) measure {
		return measure{name, stats.GwetFigure(a.categories, w), func() (stats.Coefficient, error) { return r.AC2(a.categories, w) }}
	}
	kappa := pairErrors(r)
	return []measure{
		{"percent", (*stats.Ratings).Percent, nil},
		{"alpha_nominal", (*stats.Ratings).AlphaNominal, alpha(stats.NominalMetric)},
		{"alpha_ordinal", (*stats.Ratings).AlphaOrdinal, alpha(stats.OrdinalMetric)},
		{"alpha_interval", (*stats.Ratings).AlphaInterval, alpha(stats.IntervalMetric)},
		{"alpha_ratio", a.ratio((*stats.Ratings).AlphaRatio), alpha(stats.RatioMetric)},
		{"kappa", (*stats.Ratings).Kappa, kappa(stats.Nominal)},
		{"kappa_linear", (*stats.Ratings).KappaLinear, kappa(stats.Linear)},
		{"kappa_quadratic", (*stats.Ratings).KappaQuadratic, kappa(stats.Quadratic)},
		{"fleiss", (*stats.Ratings).FleissKappa, r.Fleiss},
		{"brennan_prediger", stats.BrennanPredigerFigure(a.categories, stats.Nominal), func() (stats.Coefficient, error) {
			return r.BrennanPrediger(a.categories, stats.Nominal)
		}},
		gwet("ac1", stats.Nominal), gwet("ac2_linear", stats.Linear), gwet("ac2_quadratic", stats.Quadratic), gwet("ac2_ordinal", stats.Ordinal),
		{"icc_a1", out.whole((*stats.Ratings).ICCA1), nil},
		{"icc_ak", out.whole((*stats.Ratings).ICCAK), nil},
	}
}

// Reasons that do not come from the marks.
var (
	errNotAmounts = errors.New("not asked for: a ratio of two values has a meaning only for amounts with a true zero")
	errLight      = errors.New("a mean over pairs of raters (Light) has no standard error in closed form; each pair has its own")
	errNoFormula  = errors.New("none is computed by formula; its interval says how sure it is")
	errFewWhole   = errors.New("fewer than half of the shared responses are marked by all raters, and those may be the disputed ones")
)

// ratio gives a figure only of a scale that is said to be of amounts.
func (a *agreer) ratio(f stats.Figure) stats.Figure {
	if slices.Contains(a.opt.Ratio, a.scale) {
		return f
	}
	return func(*stats.Ratings) (float64, error) { return 0, errNotAmounts }
}

// whole gives a figure that knows complete responses only. Where raters differ
// from response to response those are few, and often the disputed ones.
func (s *ScaleAgreement) whole(f stats.Figure) stats.Figure {
	shared := s.Shared
	return func(r *stats.Ratings) (float64, error) {
		if n := r.Complete(); n > 0 && 2*n < shared {
			return 0, errFewWhole
		}
		return f(r)
	}
}

// pairErrors gives Cohen's kappa with its standard error where two raters have
// one.
func pairErrors(r *stats.Ratings) func(stats.Weighting) func() (stats.Coefficient, error) {
	pairs := r.Pairs()
	return func(w stats.Weighting) func() (stats.Coefficient, error) {
		return func() (stats.Coefficient, error) {
			if len(pairs) != 1 {
				return stats.Coefficient{}, errLight
			}
			return pairs[0].Kappa(w)
		}
	}
}

// figures fills in every coefficient and its standard error, or why there is
// none.
func (s *ScaleAgreement) figures(r *stats.Ratings, measures []measure) {
	places := s.places()
	for i, m := range measures {
		v, err := m.figure(r)
		if err != nil {
			s.Undefined[m.name] = err.Error()
			continue
		}
		*places[i].at = new(v)
		if m.err == nil {
			s.Undefined["se."+m.name] = errNoFormula.Error()
			continue
		}
		if c, err := m.err(); err != nil {
			s.Undefined["se."+m.name] = err.Error()
		} else {
			s.SE[m.name] = c.SE
		}
	}
}
