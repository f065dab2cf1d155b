package stats

// AC1 is Gwet's AC1 (2008), in (-1,1], of marks on a scale; with marks missing as
// Gwet (2014) has it:
//
//	AC1 = (pa - pe) / (1 - pe)
//	pa = mean over the shared units of the share of its pairs of marks that agree
//	pe = sum pi_k (1-pi_k) / (q-1)
//
// pi_k is the mean over *all* marked units of the share of the unit's marks that
// fall in k, and q counts the categories of the *scale*, used or not: pass every
// value that a rater could have given. Unlike alpha and kappa it exists when one
// category only was used. Exact. Undefined without a shared unit, for a scale of
// fewer than two categories, and when a mark is off the scale. [Ratings.AC2] with
// [Nominal] is the same with its standard error.
func (r *Ratings) AC1(scale []float64) (float64, error) { return GwetFigure(scale, Nominal)(r) }

// AC2Quadratic is the value of [Ratings.AC2] under [Quadratic], in (-1,1]: a pair of
// marks a, b weighs 1 - (a-b)^2/(max-min)^2 over the scale's values. Exact. Undefined
// as AC1 is.
func (r *Ratings) AC2Quadratic(scale []float64) (float64, error) {
	return GwetFigure(scale, Quadratic)(r)
}

// AC2 is Gwet's coefficient in (-1,1] with weights w(c,k) = 1 less the distance of
// the scale's categories, and its standard error; Gwet (2014):
//
//	AC2 = (pa - pe) / (1 - pe)
//	pa = mean over the shared units of the mean weight of its pairs of marks
//	pe = sum of all w(c,k) / (q (q-1)) * sum pi_k (1-pi_k)
//
// with pi_k and q as in [Ratings.AC1], which it is under [Nominal]. Equal, up to
// rounding, to irrCAC's gwet.ac1.raw when the scale is its categ.labels. The value
// is exact. The error is a large-sample formula, irrCAC's without a
// finite-population correction, that takes units as independent (see
// [Coefficient]): in simulated studies of 6 to 108 tasks with several responses each,
// value -+ 1.96 errors held the true AC1 in 76 to 80 % of studies where every rater
// marked every response, and in 95 to 96 % where marks were missing, for which the
// error is too large (doc/coverage.md). Undefined as AC1 is, for an unknown
// weighting, and without a second unit.
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

// GwetFigure is the value of [Ratings.AC2] on a scale and under a weighting, in
// (-1,1], as a [Figure] for [Ratings.Bootstrap]. Exact. Undefined as
// [Ratings.AC1] is; a wrong scale or weighting is the figure's error. It needs no
// second unit.
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
