package stats

import "math"

// Alpha is Krippendorff's alpha under a metric with its standard error over the
// N shared units. With n = sum m_u their marks, D_u the summed d2 of the ordered
// pairs of unit u, a_uk its marks of k, e_k the mean d2 of k to all n marks, and
// Do and De the mean observed and expected d2,
//
//	x_u = [sum_k a_uk 2 Do/De e_k - D_u/(m_u-1) - m_u Do] / (De n/N)
//	SE^2 = sum x_u^2 / (N (N-1))
//
// For the nominal, interval and ratio metrics this is Gwet (2014), chapter 6, and
// equals irrCAC 1.4 (krippen.alpha.raw; interval is its quadratic weights). The
// ordinal metric depends on the n_c, and the terms by which a unit moves the
// distances themselves are added: the infinitesimal jackknife. A large-sample
// formula (see [Coefficient]). Undefined as alpha is, for an unknown metric, and
// without a second shared unit.
func (r *Ratings) Alpha(m Metric) (Coefficient, error) {
	observed, expected, err := r.disagreement(m)
	if err != nil {
		return Coefficient{}, err
	}
	s := &r.sums
	if s.shared < 2 {
		return Coefficient{}, errOneUnit
	}
	d2, err := r.squared(m)
	if err != nil {
		return Coefficient{}, err
	}
	ratio := observed / expected
	by, all := r.pull(m, d2, ratio)
	all += observed
	squares := 0.0
	for i := range r.patterns {
		p := &r.patterns[i]
		if len(p.cells) < 2 {
			continue
		}
		x := -all * p.m()
		for _, j := range p.meetings {
			x -= j.n * d2(r.meetings[j.at].c, r.meetings[j.at].k) / (p.m() - 1)
		}
		for _, a := range p.tally {
			x += a.n * by[a.category]
		}
		x /= expected * s.n / s.shared
		squares += float64(r.weight[i]) * x * x
	}
	return Coefficient{1 - (s.n-1)/s.n*ratio, math.Sqrt(squares / (s.shared * (s.shared - 1)))}, nil
}

// pull is, by category, how Do/De * De - Do rises with the share of its marks
// while Do/De is held, but for what is a unit's own; all is the mean of the part
// that only the ordinal metric has.
func (r *Ratings) pull(m Metric, d2 func(c, k int32) float64, ratio float64) (by []float64, all float64) {
	s := &r.sums
	by = make([]float64, len(s.nc))
	for c := range by {
		for k, y := range s.nc {
			if y > 0 {
				by[c] += 2 * ratio * y / s.n * d2(int32(c), int32(k))
			}
		}
	}
	if m != OrdinalMetric {
		return by, 0
	}
	for g, x := range r.lengthen(ratio) {
		by[g] += x
		all += s.nc[g] / s.n * x
	}
	return by, all
}

// lengthen is the part of pull that comes from the distances:
// d(stretch^2)/d(share of g) is 2 stretch for a category g between the two, and
// half of that at the ends.
func (r *Ratings) lengthen(ratio float64) []float64 {
	s, stretch := &r.sums, r.stretch()
	out, steps := make([]float64, len(s.nc)), make([]float64, len(s.nc)+1)
	add := func(c, k int32, by float64) { // c < k
		by *= 2 * stretch(c, k)
		out[c] -= by / 2
		out[k] -= by / 2
		steps[c] += by
		steps[k+1] -= by
	}
	for i, j := range r.meetings {
		if j.c != j.k {
			add(j.c, j.k, -s.coincidence[i]/s.n)
		}
	}
	for k, y := range s.nc {
		for c, x := range s.nc[:k] {
			add(int32(c), int32(k), 2*ratio*x/s.n*y/s.n)
		}
	}
	sum := 0.0
	for g := range out {
		sum += steps[g]
		out[g] += sum
	}
	return out
}
