package stats

import (
	"errors"
	"fmt"
	"slices"
)

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

// AC1 weighs every disagreement alike (the sum of the weights is q).
func (r *Ratings) AC1(scale []float64) (float64, error) {
	return r.gwet(scale, func(a, b float64) float64 {
		if a == b {
			return 1
		}
		return 0
	})
}

// AC2Quadratic weighs a pair by 1 - (a-b)^2/(max-min)^2 over the scale's values.
func (r *Ratings) AC2Quadratic(scale []float64) (float64, error) {
	if len(scale) < 2 {
		return 0, errFewCategories
	}
	width := slices.Max(scale) - slices.Min(scale)
	return r.gwet(scale, func(a, b float64) float64 {
		d := (a - b) / width
		return 1 - d*d
	})
}

var errFewCategories = errors.New("the scale has fewer than two categories")

func (r *Ratings) gwet(scale []float64, weight func(a, b float64) float64) (float64, error) {
	scale = distinct(slices.Clone(scale))
	if len(scale) < 2 {
		return 0, errFewCategories
	}
	for _, c := range r.categories {
		if _, ok := slices.BinarySearch(scale, c); !ok {
			return 0, fmt.Errorf("a mark of %v is not on the scale %v", c, scale)
		}
	}
	pa, err := r.observed(func(a, b int32) float64 { return weight(r.categories[a], r.categories[b]) })
	if err != nil {
		return 0, err
	}
	total := 0.0
	for _, a := range scale {
		for _, b := range scale {
			total += weight(a, b)
		}
	}
	q := float64(len(scale))
	pe := total / (q * (q - 1)) * r.spread()
	return (pa - pe) / (1 - pe), nil
}

// spread is sum pi_k (1-pi_k).
func (r *Ratings) spread() float64 {
	pi := make([]float64, len(r.categories))
	units := 0.0
	for i, p := range r.patterns {
		w := float64(r.weight[i])
		for _, a := range p.tally {
			pi[a.category] += w * a.n / p.m()
		}
		units += w
	}
	sum := 0.0
	for _, x := range pi {
		sum += x / units * (1 - x/units)
	}
	return sum
}
