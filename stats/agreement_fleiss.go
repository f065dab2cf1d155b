package stats

// Fleiss is Fleiss' kappa (1971) in [-1,1], with marks missing as Gwet (2014) has
// it: (pa - pe)/(1 - pe), where pa is [Ratings.Percent], pe = sum pi_k^2 and pi_k is
// the mean over all marked units of the share of their marks that fall in k. For two
// raters it is Scott's pi. Raters are interchangeable: unlike Cohen's, chance has
// one distribution, not one a rater. The value is exact. The standard error is
// irrCAC's, a large-sample formula that takes units as independent (see
// [Coefficient]), not that of Fleiss, Nee & Landis (1979), which holds only where
// there is no agreement: in simulated studies of 18 to 108 tasks with several
// responses each, value -+ 1.96 errors held the truth in 89 to 92 % of studies with
// complete marks, and in 94 % with marks missing (doc/coverage.md). Undefined
// without a shared unit, with one category only, and without a second unit.
func (r *Ratings) Fleiss() (Coefficient, error) { return fleiss.coefficient(r) }

// FleissKappa is the value of [Ratings.Fleiss], in [-1,1], a [Figure]. Exact.
// Undefined without a shared unit and with one category only; it needs no second unit.
func (r *Ratings) FleissKappa() (float64, error) {
	v, _, err := fleiss.value(r)
	return v, err
}

var fleiss = corrected{same, scott}

// same is the nominal weight.
func same(c, k int32) float64 {
	if c == k {
		return 1
	}
	return 0
}

// scott is chance agreement of equal categories under common marginals.
func scott(r *Ratings) chance {
	pe := 0.0
	for _, x := range r.sums.share {
		pe += x / r.sums.marked * x / r.sums.marked
	}
	return chance{pe, func(p *pattern) float64 {
		sum := 0.0
		for _, a := range p.tally {
			sum += a.n * r.sums.share[a.category] / r.sums.marked
		}
		return sum / p.m()
	}}
}

// BrennanPrediger is the coefficient of Brennan & Prediger (1981), at most 1, also
// known as Bennett's S and the free-marginal kappa: (pa - pe)/(1 - pe) with pa the
// mean over the shared units of the mean weight of its pairs of marks and
// pe = sum of all weights / q^2, as if each of the q categories of the *scale* were
// as likely. With weights it is in Gwet (2014). The value is exact. The standard
// error is irrCAC's, a large-sample formula that takes units as independent (see
// [Coefficient]); its coverage was not measured. It exists when one category only was
// used. Undefined without a shared unit, for a scale of fewer than two categories,
// when a mark is off the scale, for an unknown weighting, and without a second unit.
func (r *Ratings) BrennanPrediger(scale []float64, w Weighting) (Coefficient, error) {
	s, err := newRubric(scale, w)
	if err != nil {
		return Coefficient{}, err
	}
	k, err := s.brennanPrediger(r)
	if err != nil {
		return Coefficient{}, err
	}
	return k.coefficient(r)
}

// BrennanPredigerFigure is the value of [Ratings.BrennanPrediger] on a scale and
// under a weighting, at most 1, as a [Figure] for [Ratings.Bootstrap]. Exact.
// Undefined as that is, but that it needs no second unit; a wrong scale or weighting
// is the figure's error.
func BrennanPredigerFigure(scale []float64, w Weighting) Figure {
	return figureOf(scale, w, (*rubric).brennanPrediger)
}

func (s *rubric) brennanPrediger(r *Ratings) (corrected, error) {
	weight, err := s.weight(r)
	q := float64(len(s.values))
	return corrected{weight, func(*Ratings) chance { return chance{pe: s.total / (q * q)} }}, err
}
