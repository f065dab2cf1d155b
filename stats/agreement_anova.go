package stats

// anova is the analysis of variance of the n units that all k raters marked.
type anova struct {
	n, k                         float64
	byRater                      []float64 // mean marks
	units, raters, error, within float64   // mean squares; of n < 2 or k < 2 they are 0
	constant                     bool      // all marks are equal
}

// of fills a from the patterns of r at their weights, in two passes, so that marks
// far from 0 lose no digits.
func (a *anova) of(r *Ratings) {
	*a = anova{k: float64(len(r.raters)), byRater: a.byRater}
	grand := a.means(r)
	if a.n < 2 || a.k < 2 {
		return
	}
	var units, errors, raters float64
	r.eachComplete(func(p *pattern, w float64) {
		mean := 0.0
		for _, v := range p.values {
			mean += v / a.k
		}
		units += w * a.k * (mean - grand) * (mean - grand)
		for j, v := range p.values {
			e := v - mean - a.byRater[j] + grand
			errors += w * e * e
		}
	})
	for _, m := range a.byRater {
		raters += a.n * (m - grand) * (m - grand)
	}
	rounding := 1e-24 * (units + errors + raters)
	over := func(squares, df float64) float64 {
		if squares <= rounding {
			return 0
		}
		return squares / df
	}
	a.units, a.raters = over(units, a.n-1), over(raters, a.k-1)
	a.error, a.within = over(errors, (a.n-1)*(a.k-1)), over(errors+raters, a.n*(a.k-1))
}

// means counts the complete units and fills byRater; it returns the grand mean.
func (a *anova) means(r *Ratings) (grand float64) {
	clear(a.byRater)
	a.constant = true
	seen := int32(-1)
	r.eachComplete(func(p *pattern, w float64) {
		a.n += w
		for j, v := range p.values {
			a.byRater[j] += w * v
		}
		if seen < 0 {
			seen = p.tally[0].category
		}
		a.constant = a.constant && len(p.tally) == 1 && p.tally[0].category == seen
	})
	if a.n == 0 {
		return 0
	}
	for j := range a.byRater {
		a.byRater[j] /= a.n
		grand += a.byRater[j] / a.k
	}
	return grand
}

// eachComplete visits the patterns that hold a mark of every rater.
func (r *Ratings) eachComplete(visit func(p *pattern, weight float64)) {
	for i := range r.patterns {
		if p := &r.patterns[i]; r.weight[i] > 0 && len(p.cells) == len(r.raters) {
			visit(p, float64(r.weight[i]))
		}
	}
}
