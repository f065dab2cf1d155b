package stats

import (
	"cmp"
	"fmt"
	"slices"
)

// Holm adjusts the p-values of a family of tests so that the chance of any
// false rejection among them is at most the level, whatever their dependence:
// the i-th smallest of k is multiplied by k-i+1, and made no smaller than those
// before it. The result is in the order of p, each from p itself to 1. Exact;
// each p must lie in [0,1]. An empty family has an empty result. Holm (1979).
func Holm(p []float64) ([]float64, error) {
	order := make([]int, len(p))
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			return nil, fmt.Errorf("holm: p %d is %v (want 0 to 1)", i, v)
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	out, least := make([]float64, len(p)), 0.0
	for rank, i := range order {
		least = max(least, min(1, p[i]*float64(len(p)-rank)))
		out[i] = least
	}
	return out, nil
}
