package stats

// Krippendorff's alpha by coincidences; Krippendorff (2011), "Computing
// Krippendorff's alpha-reliability". With o_ck the coincidences of the values c
// and k,
//
//	o_ck = sum over units of (ordered pairs of marks c, k) / (m_u - 1)
//	alpha = 1 - (n-1) sum o_ck d2(c,k) / sum n_c n_k d2(c,k)
//
// where n_c = sum_k o_ck and n = sum n_c. Units with one mark carry no
// coincidence and drop out. Alpha is 1 for perfect agreement, 0 at chance, and
// may be negative. It is undefined without a shared unit, and when the shared
// units show one category only.

// AlphaNominal takes d2 = 1 for different values.
func (r *Ratings) AlphaNominal() (float64, error) {
	return r.alpha(func(n []float64) func(c, k int32) float64 {
		return func(c, k int32) float64 {
			if c == k {
				return 0
			}
			return 1
		}
	})
}

// AlphaInterval takes d2 = (c-k)^2 of the values themselves.
func (r *Ratings) AlphaInterval() (float64, error) {
	return r.alpha(func(n []float64) func(c, k int32) float64 {
		return func(c, k int32) float64 {
			d := r.categories[c] - r.categories[k]
			return d * d
		}
	})
}

// AlphaOrdinal takes d2 = (sum_{g=c..k} n_g - (n_c+n_k)/2)^2, with the observed
// n_g: only the order of the values counts. (The fixed "ordinal weights" of
// some packages are not Krippendorff's.)
func (r *Ratings) AlphaOrdinal() (float64, error) {
	return r.alpha(func(n []float64) func(c, k int32) float64 {
		below := make([]float64, len(n)) // sum of n up to and including
		sum := 0.0
		for g, x := range n {
			sum += x
			below[g] = sum
		}
		return func(c, k int32) float64 {
			if c > k {
				c, k = k, c
			}
			d := below[k] - below[c] + (n[c]-n[k])/2
			return d * d
		}
	})
}

// alpha works with any squared difference of two category indices, which may
// depend on the n_c.
func (r *Ratings) alpha(metric func(n []float64) func(c, k int32) float64) (float64, error) {
	nc, n := r.coincident()
	if n == 0 {
		return 0, errNoShared
	}
	d2 := metric(nc)
	within := 0.0
	for i, p := range r.patterns {
		if r.weight[i] == 0 || len(p.cells) < 2 {
			continue
		}
		pairs := 0.0
		for _, a := range p.tally {
			for _, b := range p.tally {
				pairs += a.n * b.n * d2(a.category, b.category)
			}
		}
		within += float64(r.weight[i]) * pairs / (p.m() - 1)
	}
	expected := 0.0
	for c, x := range nc {
		for k, y := range nc {
			expected += x * y * d2(int32(c), int32(k))
		}
	}
	if expected == 0 {
		return 0, errOneCategory
	}
	return 1 - (n-1)*within/expected, nil
}

// coincident gives n_c by category, and n.
func (r *Ratings) coincident() (nc []float64, n float64) {
	nc = make([]float64, len(r.categories))
	for i, p := range r.patterns {
		if len(p.cells) < 2 {
			continue
		}
		w := float64(r.weight[i])
		for _, a := range p.tally {
			nc[a.category] += w * a.n
		}
		n += w * p.m()
	}
	return nc, n
}
