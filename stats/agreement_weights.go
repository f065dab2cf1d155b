package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Weighting says how far apart two different categories are. The zero value is
// invalid.
type Weighting int

const (
	// Nominal counts every disagreement alike.
	Nominal Weighting = iota + 1
	// Linear counts a disagreement by the distance |a-b| of the values.
	Linear
	// Quadratic counts it by (a-b)^2.
	Quadratic
	// Ordinal counts it by the number of pairs of categories within the
	// stretch from a to b, d(d+1)/2 for ranks that differ by d: the fixed
	// ordinal weights of Gwet (2014), page 91. They are not the ordinal metric
	// of Krippendorff, which is [OrdinalMetric].
	Ordinal
)

// String is the weighting in lower case, such as "quadratic".
func (w Weighting) String() string {
	names := [...]string{"", "nominal", "linear", "quadratic", "ordinal"}
	if w < Nominal || w > Ordinal {
		return fmt.Sprintf("weighting %d", int(w))
	}
	return names[w]
}

func (w Weighting) check() error {
	if w < Nominal || w > Ordinal {
		return fmt.Errorf("%v is unknown (want nominal, linear, quadratic or ordinal)", w)
	}
	return nil
}

// distances are how far apart the i-th and the j-th of ascending values are, in
// [0,1]: 0 for i = j, 1 for the ends of the scale.
func (w Weighting) distances(values []float64) distances {
	width, ranks := 1.0, float64(len(values))-1
	if len(values) > 1 {
		width = values[len(values)-1] - values[0]
	}
	gap := func(i int) float64 { return (values[i+1] - values[i]) / width }
	switch w {
	case Linear:
		return distances{func(i, j int32) float64 { return math.Abs(values[i]-values[j]) / width },
			gap, func(m reach) float64 { return m.first }}
	case Quadratic:
		return distances{func(i, j int32) float64 {
			d := (values[i] - values[j]) / width
			return d * d
		}, gap, func(m reach) float64 { return m.second }}
	case Ordinal:
		most := max(1, ranks*(ranks+1))
		return distances{func(i, j int32) float64 {
			steps := math.Abs(float64(i - j))
			return steps * (steps + 1) / most
		}, func(int) float64 { return 1 }, func(m reach) float64 { return (m.second + m.first) / most }}
	}
	return distances{func(i, j int32) float64 { return 1 - same(i, j) },
		func(int) float64 { return 1 }, func(m reach) float64 { return m.mass }}
}

// Coefficient is a coefficient of agreement with its standard error, in its units.
//
// The error holds the units for independent of each other and the raters for
// fixed. It is a large-sample formula, without a correction for a finite number
// of units; units that cluster in tasks make it too small, and [Ratings.Bootstrap]
// by tasks is then the interval to print. Those of Gwet's, Fleiss' and
// Brennan-Prediger's take it for chance which units have one mark only, and where
// there are many are too large. Each method says how often its error was seen to
// cover.
//
// SE is 0 where every unit shows the same, as under perfect agreement: the value of
// the formula, which then knows of no uncertainty, though there is some. Do not print
// it as an error bar.
type Coefficient struct{ Value, SE float64 }

var (
	errFewCategories = errors.New("the scale has fewer than two categories")
	errOneUnit       = errors.New("one unit only has no standard error")
)

// rubric is a scale with the distance of its categories.
type rubric struct {
	values []float64 // ascending, two or more
	apart  func(i, j int32) float64
	total  float64 // of the weights 1 - apart of all ordered pairs, equal ones too
}

func newRubric(scale []float64, w Weighting) (*rubric, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	values, err := ascending(scale)
	if err != nil {
		return nil, err
	}
	apart, q := w.distances(values), len(values)
	ones := slices.Repeat([]float64{1}, q)
	return &rubric{values, apart.apart, float64(q)*float64(q) - apart.total(ones, ones)}, nil
}

// ascending is the scale without repeats, of two categories or more.
func ascending(scale []float64) ([]float64, error) {
	for _, v := range scale {
		if !squarable(v) {
			return nil, fmt.Errorf("the scale has a category of %v (want 0, or a number of size %g to %g)", v, minValue, maxValue)
		}
	}
	scale = distinct(slices.Clone(scale))
	if len(scale) < 2 {
		return nil, errFewCategories
	}
	return scale, nil
}

// weight is the weight of two categories of r.
func (s *rubric) weight(r *Ratings) (func(c, k int32) float64, error) {
	at, err := places(r.categories, s.values)
	return func(c, k int32) float64 { return 1 - s.apart(at[c], at[k]) }, err
}

// places finds each of the categories on the scale; both ascend.
func places(categories, scale []float64) ([]int32, error) {
	at := make([]int32, len(categories))
	for i, c := range categories {
		place, ok := slices.BinarySearch(scale, c)
		if !ok {
			return nil, fmt.Errorf("a mark of %v is not on the scale %v", c, scale)
		}
		at[i] = int32(place)
	}
	return at, nil
}
