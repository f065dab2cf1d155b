package analysis

import (
	"context"
	"fmt"
	"slices"

	"github.com/uplift-eval/uplift/stats"
)

// maxTable is the widest table: of more values none is made, since a study of
// many raters would hold millions of its cells.
const maxTable = 25

// tables fills in who marked what: the coincidences, each rater, each two
// raters, and who marked together.
func (a *agreer) tables(ctx context.Context, out *ScaleAgreement, r *stats.Ratings) {
	out.Values = slices.Concat(a.categories, r.Categories())
	slices.Sort(out.Values)
	out.Values = slices.Compact(out.Values)
	scale, err := out.Values, error(nil)
	if len(scale) > maxTable {
		scale, err = nil, fmt.Errorf("%d values were marked (a table has at most %d)", len(scale), maxTable)
	}
	if err == nil {
		out.Coincidences, err = r.Coincidences(scale)
	}
	if err != nil {
		out.Undefined["coincidences"], scale = err.Error(), nil
	}
	a.raters(out, r, scale)
	a.pairs(ctx, out, r, scale)
	out.Patterns = []RaterPattern{}
	for _, p := range r.Patterns() {
		q := RaterPattern{Units: p.Units}
		for _, id := range p.Raters {
			q.Raters = append(q.Raters, a.rater(id))
		}
		out.Patterns = append(out.Patterns, q)
	}
}

// raters summarises each rater; counts follow the scale, if there is one.
func (a *agreer) raters(out *ScaleAgreement, r *stats.Ratings, scale []float64) {
	used := r.Categories()
	for _, m := range r.ByRater() {
		row := RaterMarks{Name: a.rater(m.Rater), Marks: m.Marks, Shared: m.Shared, Mean: m.Mean, Difference: m.MeanDifference, Percent: m.Percent}
		if scale != nil {
			row.Counts = make([]int, len(scale))
			for i, n := range m.Counts {
				at, _ := slices.BinarySearch(scale, used[i])
				row.Counts[at] = n
			}
		}
		out.ByRater = append(out.ByRater, row)
	}
}

// pairs lists who share a response.
func (a *agreer) pairs(ctx context.Context, out *ScaleAgreement, r *stats.Ratings, scale []float64) {
	out.Pairs = []RaterPair{}
	for _, p := range r.Pairs() {
		if ctx.Err() != nil {
			return
		}
		row := RaterPair{A: a.rater(p.A), B: a.rater(p.B), Shared: p.Shared, Percent: p.Percent, MeanDifference: p.MeanDifference, Undefined: map[string]string{}}
		row.kappa("kappa", &row.Kappa, &row.KappaSE, p, stats.Nominal)
		row.kappa("kappa_quadratic", &row.KappaQuadratic, &row.KappaQuadraticSE, p, stats.Quadratic)
		if scale != nil {
			row.Table, _ = p.Table(scale) // every mark is on the scale, which has two values
		}
		out.Pairs = append(out.Pairs, row)
	}
}

func (row *RaterPair) kappa(name string, value, se **float64, p stats.RaterPair, w stats.Weighting) {
	k, err := p.Kappa(w)
	if err != nil {
		row.Undefined[name] = err.Error()
		return
	}
	*value, *se = new(k.Value), new(k.SE)
}
