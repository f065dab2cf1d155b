package stats

// Gwet's coefficients (Gwet 2008; with missing marks and weights Gwet 2014,
// chapter 5):
//
//	AC = (pa - pe) / (1 - pe)
//	pa = mean over shared units of the mean weight of its pairs of marks
//	pe = sum of all weights / (q (q-1)) * sum pi_k (1-pi_k)
//
// pi_k is the mean over *all* marked units of the share of the unit's marks
// that fall in k, and q counts the categories of the *scale*, used or not:
// pass every value that a rater could have given. Unlike alpha and kappa, both
// exist when one category only was used. Undefined without a shared unit, for
// a scale of fewer than two categories, and when a mark is off the scale.

// AC1 weighs every disagreement alike (the sum of the weights is q). It is a
// [Figure] once its scale is fixed; AC2 with [Nominal] gives its standard error.
func (r *Ratings) AC1(scale []float64) (float64, error) { return GwetFigure(scale, Nominal)(r) }

// AC2Quadratic weighs a pair by 1 - (a-b)^2/(max-min)^2 over the scale's values.
func (r *Ratings) AC2Quadratic(scale []float64) (float64, error) {
	return GwetFigure(scale, Quadratic)(r)
}

// AC2 is Gwet's coefficient in (-1,1] under any weighting of the scale's
// categories, with the standard error of Gwet (2014), chapter 5, over the units:
// the same as irrCAC's without a finite-population correction. With [Nominal] it
// is AC1. Equal, up to rounding, to irrCAC's gwet.ac1.raw when the scale is its
// categ.labels. It is undefined as AC1 is, and without a second unit.
func (r *Ratings) AC2(scale []float64, w Weighting) (Coefficient, error) {
	s, err := newRubric(scale, w)
	if err != nil {
		return Coefficient{}, err
	}
	k, err := s.gwet(r)
	if err != nil {
		return Coefficient{}, err
	}
	return k.coefficient(r)
}

// GwetFigure is AC2 without its standard error, for [Ratings.Bootstrap]; a wrong
// scale or weighting is the figure's error.
func GwetFigure(scale []float64, w Weighting) Figure {
	return figureOf(scale, w, (*rubric).gwet)
}

func (s *rubric) gwet(r *Ratings) (corrected, error) {
	weight, err := s.weight(r)
	return corrected{weight, func(r *Ratings) chance {
		q := float64(len(s.values))
		factor, spread := s.total/(q*(q-1)), 0.0
		for _, x := range r.sums.share {
			spread += x / r.sums.marked * (1 - x/r.sums.marked)
		}
		return chance{factor * spread, func(p *pattern) float64 {
			sum := 0.0
			for _, a := range p.tally {
				sum += a.n * (1 - r.sums.share[a.category]/r.sums.marked)
			}
			return factor * sum / p.m()
		}}
	}}, err
}

// figureOf is a coefficient on a scale without its standard error.
func figureOf(scale []float64, w Weighting, of func(*rubric, *Ratings) (corrected, error)) Figure {
	s, wrong := newRubric(scale, w)
	return func(r *Ratings) (float64, error) {
		if wrong != nil {
			return 0, wrong
		}
		k, err := of(s, r)
		if err != nil {
			return 0, err
		}
		v, _, err := k.value(r)
		return v, err
	}
}
