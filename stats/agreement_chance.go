package stats

import "math"

// chance is the agreement that a coefficient expects by chance, pe, and each
// pattern's part in it, of which pe is the mean over all marked units.
type chance struct {
	pe   float64
	part func(p *pattern) float64 // nil when every unit's part is pe
}

// corrected is (pa - pe)/(1 - pe), where pa is the mean over the shared units of
// the mean weight of their pairs of marks.
type corrected struct {
	weight func(c, k int32) float64 // of two categories; 1 when equal
	chance func(*Ratings) chance
}

// value needs a shared unit.
func (k corrected) value(r *Ratings) (value float64, c chance, err error) {
	s := &r.sums
	if s.shared == 0 {
		return 0, c, errNoShared
	}
	pa := 0.0
	for i, j := range r.meetings {
		pa += s.agreement[i] * k.weight(j.c, j.k)
	}
	c = k.chance(r)
	if c.pe >= 1 {
		return 0, c, errOneCategory
	}
	return (pa/s.shared - c.pe) / (1 - c.pe), c, nil
}

// coefficient adds the standard error of Gwet (2014), chapter 5, as irrCAC 1.4
// computes it for an infinite population of units: with n marked units, of which
// n2 are shared,
//
//	x_u = n/n2 * (pa_u - pe)/(1-pe) * [u is shared] - 2 (1-value) (pe_u - pe)/(1-pe)
//	SE^2 = sum (x_u - value)^2 / (n (n-1))
//
// A unit with one mark has a part of 0 in the first term, as if chance decided which
// units are shared; where there are such units the error is larger than a jackknife's.
func (k corrected) coefficient(r *Ratings) (Coefficient, error) {
	value, c, err := k.value(r)
	if err != nil {
		return Coefficient{}, err
	}
	n, shared := r.sums.marked, r.sums.shared
	if n < 2 {
		return Coefficient{}, errOneUnit
	}
	squares := 0.0
	for i := range r.patterns {
		p, x := &r.patterns[i], 0.0
		if m := p.m(); m > 1 {
			pairs := 0.0
			for _, j := range p.meetings {
				at := r.meetings[j.at]
				pairs += j.n * k.weight(at.c, at.k)
			}
			x = n / shared * (pairs/(m*(m-1)) - c.pe) / (1 - c.pe)
		}
		if c.part != nil {
			x -= 2 * (1 - value) * (c.part(p) - c.pe) / (1 - c.pe)
		}
		squares += float64(r.weight[i]) * (x - value) * (x - value)
	}
	return Coefficient{value, math.Sqrt(squares / (n * (n - 1)))}, nil
}
