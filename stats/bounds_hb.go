package stats

import (
	"fmt"
	"math"
)

// HoeffdingBentkus is the p-value of the hypothesis that the true mean loss is
// above budget, for n independent losses in [0,1] with mean r:
//
//	p = min( exp(-n h(min(r, a), a)),  e P(Bin(n, a) <= ceil(n r)) )
//	h(y, a) = y log(y/a) + (1-y) log((1-y)/(1-a)), 0 log 0 = 0
//
// with a the budget, in (0,1); p lies in (0,1]. Conservative, and so valid, for any
// n from 1 to 2^31-1 and any distribution of the losses; n r within a rounding error
// of an integer counts as that. Angelopoulos, Bates, Candès,
// Jordan & Lei (2021), Learn then Test, arXiv 2110.01052; Hoeffding (1963),
// theorem 1; Bentkus (2004). It uses the mean only: [WSR], which uses the spread too, is
// mostly smaller.
func HoeffdingBentkus(mean float64, n int, budget float64) (p float64, err error) {
	if mean, err = checkLoss(mean, n, "budget", budget); err != nil {
		return 0, fmt.Errorf("hoeffding-bentkus p: %w", err)
	}
	return hoeffdingBentkus(mean, n, budget), nil
}

func hoeffdingBentkus(mean float64, n int, budget float64) float64 {
	h := noneOf(n, budget, 1-budget)
	if mean > 0 {
		h = math.Exp(-float64(n) * divergence(min(mean, budget), budget))
	}
	b := math.E * binomialCDF(losses(mean, n), n, budget, 1-budget)
	return probability(min(h, b, 1))
}

// divergence is h(y, a), that of two coins.
func divergence(y, a float64) float64 {
	d := 0.0
	if y > 0 { // 0 log 0
		d += y * math.Log(y/a)
	}
	if y < 1 {
		d += (1 - y) * (math.Log1p(-y) - math.Log1p(-a))
	}
	return max(0, d)
}

// losses is ceil(n r), where n r may lie a rounding error above an integer.
func losses(mean float64, n int) int {
	x := float64(n) * mean
	return int(math.Ceil(x - max(1e-9, x*1e-15)))
}

// HoeffdingBentkusUpper is the smallest budget whose [HoeffdingBentkus] p is at
// most delta, in (0,1]: with probability at least 1-delta the true mean is not
// above it, under what that assumes. It is 1 if no smaller bound can be had. The p at
// the bound is never above delta, not even by rounding. For zero loss it is
// [ZeroLossLimit]. mean lies in [0,1], delta in (0,1).
func HoeffdingBentkusUpper(mean float64, n int, delta float64) (float64, error) {
	mean, err := checkLoss(mean, n, "delta", delta)
	if err != nil {
		return 0, fmt.Errorf("hoeffding-bentkus bound: %w", err)
	}
	h := 1.0
	if mean == 0 {
		h = zeroLoss(n, delta)
	} else if mean < 1 {
		limit := -math.Log(delta) / float64(n)
		h = bisect(func(a float64) float64 { return divergence(mean, a) }, limit, mean, 1)
	}
	u := min(h, binomialUpper(losses(mean, n), n, delta/math.E))
	return acceptedAbove(u, func(a float64) bool { return hoeffdingBentkus(mean, n, a) <= delta }), nil
}

// LargestCertifiable is the largest mean loss that [HoeffdingBentkus] certifies
// below budget at delta, both in (0,1), with n tasks: the largest r in [0,budget] of
// p(r) <= delta, to a relative 1e-12, and never above it by rounding. Where not even
// zero loss does, it is an error that is [ErrUncertifiable] and says how many tasks
// would; at [ZeroLossLimit] zero loss does.
func LargestCertifiable(n int, budget, delta float64) (mean float64, err error) {
	const where = "largest certifiable loss"
	if _, err := checkLoss(0, n, "delta", delta); err != nil {
		return 0, fmt.Errorf("%s: %w", where, err)
	}
	need, err := ZeroLossTasks(budget, delta, 1)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", where, err)
	}
	certifies := func(r float64) bool { return hoeffdingBentkus(r, n, budget) <= delta }
	if !certifies(0) {
		need = max(need, n+1)
		return 0, fmt.Errorf("%s: %w budget %g at delta %g: with %d tasks zero loss reaches %.4f (want at least %d tasks)",
			where, ErrUncertifiable, budget, delta, n, zeroLoss(n, delta), need)
	}
	limit := -math.Log(delta) / float64(n) // the divergence that suffices
	h := bisect(func(r float64) float64 { return -divergence(r, budget) }, -limit, 0, budget)
	h = acceptedBelow(h*(1-1e-12), certifies)
	k := -1
	// The last count that Bentkus accepts; P(X <= ceil(n budget)) is above 1/e.
	for lo, hi := -1, losses(budget, n); hi-lo > 1; {
		mid := lo + (hi-lo)/2
		if math.E*binomialCDF(mid, n, budget, 1-budget) <= delta {
			lo, k = mid, mid
		} else {
			hi = mid
		}
	}
	return min(budget, max(h, float64(k)/float64(n))), nil
}
