package stats

// Fleiss is Fleiss' kappa (1971) in [-1,1], with marks missing as Gwet (2014),
// chapter 5, has it: (pa - pe)/(1 - pe), where pe = sum pi_k^2 and pi_k is the
// mean over all marked units of the share of their marks that fall in k. For two
// raters it is Scott's pi. Raters are interchangeable: unlike Cohen's, chance has
// one distribution, not one a rater. The standard error is irrCAC's over the
// units (see [Coefficient]), not that of Fleiss, Nee & Landis (1979), which
// holds only where there is no agreement. Undefined without a shared unit, with
// one category only, and without a second unit.
func (r *Ratings) Fleiss() (Coefficient, error) { return fleiss.coefficient(r) }

// FleissKappa is the value of [Ratings.Fleiss], a [Figure]; it needs no second
// unit.
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

// BrennanPrediger is the coefficient of Brennan & Prediger (1981), also known as
// Bennett's S and the free-marginal kappa: (pa - pe)/(1 - pe) with
// pe = sum of all weights / q^2, as if each of the q categories of the *scale*
// were as likely. With weights it is Gwet (2014), chapter 4; the standard error is
// irrCAC's over the units (see [Coefficient]). It exists when one category only
// was used. Undefined without a shared unit, for a scale of fewer than two
// categories, when a mark is off the scale, and without a second unit.
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

// BrennanPredigerFigure is [Ratings.BrennanPrediger] without its standard error,
// for [Ratings.Bootstrap]; a wrong scale or weighting is the figure's error.
func BrennanPredigerFigure(scale []float64, w Weighting) Figure {
	return figureOf(scale, w, (*rubric).brennanPrediger)
}

func (s *rubric) brennanPrediger(r *Ratings) (corrected, error) {
	weight, err := s.weight(r)
	q := float64(len(s.values))
	return corrected{weight, func(*Ratings) chance { return chance{pe: s.total / (q * q)} }}, err
}
