package stats

import "fmt"

// Metric is the squared difference d2 of two values under which alpha counts
// their disagreement. The zero value is invalid.
type Metric int

const (
	// NominalMetric takes d2 = 1 for different values.
	NominalMetric Metric = iota + 1
	// OrdinalMetric takes d2 = (sum_{g=c..k} n_g - (n_c+n_k)/2)^2 with the
	// observed n_g: only the order of the values counts.
	OrdinalMetric
	// IntervalMetric takes d2 = (c-k)^2.
	IntervalMetric
	// RatioMetric takes d2 = ((c-k)/(c+k))^2, for values of at least 0.
	RatioMetric
)

// String is the metric in lower case, such as "ordinal".
func (m Metric) String() string {
	names := [...]string{"", "nominal", "ordinal", "interval", "ratio"}
	if m < NominalMetric || m > RatioMetric {
		return fmt.Sprintf("metric %d", int(m))
	}
	return names[m]
}

// AlphaNominal is Krippendorff's alpha by coincidences, at most 1, when every
// disagreement counts alike: d2 = 1 for different values. With o_ck the coincidences
// of the values c and k ([Ratings.Coincidences]),
//
//	o_ck = sum over units of (ordered pairs of marks c, k) / (m_u - 1)
//	alpha = 1 - (n-1) sum o_ck d2(c,k) / sum n_c n_k d2(c,k)
//
// where n_c = sum_k o_ck and n = sum n_c; Krippendorff (2011), "Computing
// Krippendorff's alpha-reliability". Units with one mark carry no coincidence and
// drop out. Alpha is 1 for perfect agreement, 0 at chance, and may be negative.
// Exact. Undefined without a shared unit, and when the shared units show one category
// only ("one category only"). [Ratings.Alpha] gives its standard error.
func (r *Ratings) AlphaNominal() (float64, error) { return r.alpha(NominalMetric) }

// AlphaOrdinal is Krippendorff's alpha, as [Ratings.AlphaNominal], with
// d2 = (sum_{g=c..k} n_g - (n_c+n_k)/2)^2 and the observed n_g: only the order of the
// values counts. (The fixed "ordinal weights" of some packages are not
// Krippendorff's; here they are [Ordinal].) At most 1. Exact. Undefined as
// AlphaNominal is.
func (r *Ratings) AlphaOrdinal() (float64, error) { return r.alpha(OrdinalMetric) }

// AlphaInterval is Krippendorff's alpha, as [Ratings.AlphaNominal], with
// d2 = (c-k)^2 of the values themselves. At most 1. Exact. Undefined as AlphaNominal
// is.
func (r *Ratings) AlphaInterval() (float64, error) { return r.alpha(IntervalMetric) }

// AlphaRatio is Krippendorff's alpha, as [Ratings.AlphaNominal], with
// d2 = ((c-k)/(c+k))^2 of the values, which must not be negative: 1 between 0 and
// anything else. At most 1. Exact. Undefined as AlphaNominal is, and where a mark is
// below 0. Its time is quadratic in the number of distinct values; that of the other
// coefficients is not.
func (r *Ratings) AlphaRatio() (float64, error) { return r.alpha(RatioMetric) }

func (r *Ratings) alpha(m Metric) (float64, error) {
	observed, expected, err := r.disagreement(m)
	if err != nil {
		return 0, err
	}
	n := r.sums.n
	return 1 - (n-1)/n*observed/expected, nil
}

// disagreement is the mean d2 of the coincidences, and of two marks drawn by
// their shares n_c/n; the latter is above 0.
func (r *Ratings) disagreement(m Metric) (observed, expected float64, err error) {
	s := &r.sums
	if s.shared == 0 {
		return 0, 0, errNoShared
	}
	d2, err := r.squared(m)
	if err != nil {
		return 0, 0, err
	}
	for i, j := range r.meetings {
		observed += s.coincidence[i] / s.n * d2.apart(j.c, j.k)
	}
	expected = d2.total(s.nc, s.nc) / s.n / s.n
	if expected == 0 {
		return 0, 0, errOneCategory
	}
	return observed, expected, nil
}

// squared is d2 of two category indices, up to a factor, which alpha does not
// feel.
func (r *Ratings) squared(m Metric) (distances, error) {
	v := r.categories
	switch m {
	case NominalMetric:
		return Nominal.distances(v), nil
	case OrdinalMetric:
		return r.stretch(), nil
	case IntervalMetric:
		return Quadratic.distances(v), nil
	case RatioMetric:
		if v[0] < 0 {
			return distances{}, fmt.Errorf("a mark of %v is negative (the ratio metric wants 0 or more)", v[0])
		}
		return distances{apart: func(c, k int32) float64 {
			if c == k {
				return 0
			}
			d := (v[c] - v[k]) / (v[c] + v[k])
			return d * d
		}}, nil
	}
	return distances{}, fmt.Errorf("%v is unknown (want nominal, ordinal, interval or ratio)", m)
}

// stretch has for distance the square of the share of the marks of shared units from
// one category to another, of which the ends count half.
func (r *Ratings) stretch() distances {
	s := &r.sums
	middle, sum := make([]float64, len(s.nc)), 0.0 // shares below, and half of the own
	for g, x := range s.nc {
		middle[g] = (sum + x/2) / s.n
		sum += x
	}
	return distances{func(c, k int32) float64 { return (middle[c] - middle[k]) * (middle[c] - middle[k]) },
		func(i int) float64 { return (s.nc[i] + s.nc[i+1]) / 2 / s.n },
		func(m reach) float64 { return m.second }}
}
