package stats

import (
	"cmp"
	"slices"
)

// RaterSummary is one rater beside the others.
type RaterSummary struct {
	Rater  int     // id
	Marks  int     // units that the rater marked, 1 or more
	Counts []int   // of these, by category in order of [Ratings.Categories]
	Mean   float64 // mean mark
	Shared int     // units that another rater marked too

	// Over the shared units, nil when there is none: the mean of the rater's mark
	// less the mean of the others' marks of the unit, in units of the marks (above
	// 0 for one who marks higher than the others), and the mean share in [0,1] of
	// the others' marks that equal the rater's.
	MeanDifference, Percent *float64
}

// ByRater summarizes each of [Ratings.Raters]. Exact.
func (r *Ratings) ByRater() []RaterSummary {
	out, difference, equal := make([]RaterSummary, len(r.raters)), make([]float64, len(r.raters)), make([]float64, len(r.raters))
	for j, id := range r.raters {
		out[j] = RaterSummary{Rater: id, Counts: make([]int, len(r.categories))}
	}
	for i := range r.patterns {
		p, w := &r.patterns[i], int(r.weight[i])
		for _, c := range p.cells {
			s := &out[c.rater]
			s.Marks += w
			s.Counts[c.category] += w
			s.Mean += float64(w) * r.categories[c.category]
			if len(p.cells) < 2 {
				continue
			}
			s.Shared += w
			d, e := r.others(p, c)
			difference[c.rater] += float64(w) * d
			equal[c.rater] += float64(w) * e
		}
	}
	for j := range out {
		s := &out[j]
		s.Mean /= float64(s.Marks)
		if s.Shared > 0 {
			s.MeanDifference, s.Percent = new(difference[j]/float64(s.Shared)), new(equal[j]/float64(s.Shared))
		}
	}
	return out
}

// others is the mean difference of one mark to the other marks of its unit, and
// the share of those that equal it.
func (r *Ratings) others(p *pattern, own cell) (difference, equal float64) {
	for _, c := range p.cells {
		difference += r.categories[own.category] - r.categories[c.category]
		if c.category == own.category {
			equal++
		}
	}
	rest := p.m() - 1
	return difference / rest, (equal - 1) / rest
}

// Pattern is a set of raters, ascending, and how many units exactly they marked.
type Pattern struct {
	Raters []int
	Units  int
}

// Patterns counts the units by who marked them: which marks are missing, and how
// often together. Most units first, then by the raters. Exact.
func (r *Ratings) Patterns() []Pattern {
	var out []Pattern
	for i, p := range r.patterns {
		who := make([]int, len(p.cells))
		for j, c := range p.cells {
			who[j] = r.raters[c.rater]
		}
		out = append(out, Pattern{who, int(r.weight[i])})
	}
	slices.SortFunc(out, func(a, b Pattern) int { return slices.Compare(a.Raters, b.Raters) })
	merged := out[:0]
	for _, p := range out {
		if last := len(merged) - 1; last >= 0 && slices.Equal(merged[last].Raters, p.Raters) {
			merged[last].Units += p.Units
			continue
		}
		merged = append(merged, p)
	}
	slices.SortStableFunc(merged, func(a, b Pattern) int { return cmp.Compare(b.Units, a.Units) })
	return merged
}

// Coincidences is Krippendorff's matrix o_ck over the scale's categories in
// ascending order: the ordered pairs of marks c, k within a unit, each unit's over
// m_u - 1, summed over the shared units. It is symmetric, its rows sum to n_c, and
// all of it to the number n of marks of shared units. Exact; Krippendorff (2011). A
// scale of fewer than two categories and a mark off the scale are errors; without a
// shared unit it is all 0.
func (r *Ratings) Coincidences(scale []float64) ([][]float64, error) {
	scale, err := ascending(scale)
	if err != nil {
		return nil, err
	}
	at, err := places(r.categories, scale)
	if err != nil {
		return nil, err
	}
	out := make([][]float64, len(scale))
	for i := range out {
		out[i] = make([]float64, len(scale))
	}
	for i, j := range r.meetings {
		c, k, n := at[j.c], at[j.k], r.sums.coincidence[i]
		if c == k {
			out[c][c] = n
			continue
		}
		out[c][k], out[k][c] = n/2, n/2
	}
	return out, nil
}
