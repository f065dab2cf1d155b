package stats

import (
	"errors"
	"fmt"
	"math"
)

// ErrUncertifiable is the error of a budget that no loss, not even 0 in every
// task, would certify with so few tasks; [LargestCertifiable] and
// [LargestConformal] wrap it.
var ErrUncertifiable = errors.New("cannot certify")

// Hoeffding is the p-value of the hypothesis that the true mean loss is above
// budget, in (0,1), for n independent losses in [0,1] with the given mean:
//
//	p = exp(-2n (budget-mean)^2), 1 if the mean is not below budget
//
// p lies in (0,1]. Conservative, and so valid, for any n from 1 to 2^31-1 and any
// distribution; Hoeffding (1963), theorem 1.
// [HoeffdingBentkus] is never larger. The n losses are those of tasks, each the
// mean over its rows: rows of one task taken as independent certify a broken
// budget in up to 38 % of samples at delta .1.
func Hoeffding(mean float64, n int, budget float64) (p float64, err error) {
	if mean, err = checkLoss(mean, n, "budget", budget); err != nil {
		return 0, fmt.Errorf("hoeffding p: %w", err)
	}
	return hoeffding(mean, n, budget), nil
}

// HoeffdingUpper is the smallest budget whose [Hoeffding] p is at most delta,
// in (0,1]: mean + sqrt(log(1/delta) / 2n), at most 1. With probability 1-delta or
// more the true mean is not above it, in samples of any size; it assumes what
// Hoeffding does. It errs, if at all, to the safe side: the p at the bound is never
// above delta, not even by rounding, and where the bound is 1 there is none below.
// mean lies in [0,1], n from 1 to 2^31-1, delta in (0,1).
func HoeffdingUpper(mean float64, n int, delta float64) (float64, error) {
	mean, err := checkLoss(mean, n, "delta", delta)
	if err != nil {
		return 0, fmt.Errorf("hoeffding bound: %w", err)
	}
	u := mean + math.Sqrt(-math.Log(delta)/(2*float64(n)))
	return acceptedAbove(u, func(a float64) bool { return hoeffding(mean, n, a) <= delta }), nil
}

func hoeffding(mean float64, n int, budget float64) float64 {
	d := max(budget-mean, 0)
	return probability(math.Exp(-2 * float64(n) * d * d))
}

// acceptedAbove is u, or 1 if that is less; where rounding left u short of what
// is accepted, a little more. All above some budget near u is accepted, and 1 says
// that no budget below 1 is.
func acceptedAbove(u float64, accepted func(budget float64) bool) float64 {
	for step := 0x1p-52; u < 1 && !accepted(u); step *= 2 {
		u *= 1 + step
	}
	return min(1, u)
}

// acceptedBelow is u, or a little less; all below some value near u is accepted,
// and 0 is.
func acceptedBelow(u float64, accepted func(u float64) bool) float64 {
	for step := 0x1p-52; u > 0 && !accepted(u); step *= 2 {
		u *= max(0, 1-step)
	}
	return max(0, u)
}

// checkLoss refuses a mean outside [0,1], fewer than one task, and a share
// (delta or budget) outside (0,1). A mean that rounding left beside [0,1] is
// put back.
func checkLoss(mean float64, n int, what string, share float64) (float64, error) {
	if n < 1 || n > math.MaxInt32 {
		return 0, fmt.Errorf("%d losses (want 1 to %d)", n, math.MaxInt32)
	}
	if !(mean >= -rounding && mean <= 1+rounding) {
		return 0, fmt.Errorf("mean loss %v (want 0 to 1)", mean)
	}
	return min(1, max(0, mean)), checkShare(what, share)
}

func checkShare(what string, v float64) error {
	if !(v > 0 && v < 1) {
		return fmt.Errorf("%s %v (want between 0 and 1)", what, v)
	}
	return nil
}

// ZeroLossLimit is the smallest budget in (0,1] that n independent tasks can
// certify at delta in (0,1), by any of the bounds here, which they do if every loss
// is 0: 1 - delta^(1/n). It is exact for [HoeffdingBentkus] and
// [ClopperPearsonUpper], whose p at the limit is never above delta, not even by
// rounding; the others need a little more. n is 1 to 2^31-1.
func ZeroLossLimit(n int, delta float64) (float64, error) {
	if _, err := checkLoss(0, n, "delta", delta); err != nil {
		return 0, fmt.Errorf("zero-loss limit: %w", err)
	}
	return zeroLoss(n, delta), nil
}

// zeroLoss is 1 - delta^(1/n).
func zeroLoss(n int, delta float64) float64 {
	u := -math.Expm1(math.Log(delta) / float64(n))
	return acceptedAbove(u, func(a float64) bool { return noneOf(n, a, 1-a) <= delta })
}

// noneOf is (1-a)^n, q = 1-a. Where 1-a is exact, so is what a power of it can be.
func noneOf(n int, a, q float64) float64 {
	if a >= 0.25 && 1-q == a {
		return math.Pow(q, float64(n))
	}
	return math.Exp(float64(n) * logOf(q, a))
}

// ZeroLossTasks is the smallest number of tasks with which zero loss certifies
// a budget at delta, both in (0,1), when choices >= 1 triples of cuts are tested
// at delta/choices each (Bonferroni; 1 for a single triple or a fixed
// sequence):
//
//	n = ceil(log(delta/choices) / log(1-budget))
//
// With fewer, nothing certifies that budget. It is the inverse of [ZeroLossLimit],
// and exact but for rounding: a quotient less than 1e-9 (1e-15 of it) above an
// integer counts as that integer. The tasks must be independent. More than 2^31-1
// tasks are an error.
func ZeroLossTasks(budget, delta float64, choices int) (int, error) {
	const where = "tasks for zero loss"
	if choices < 1 {
		return 0, fmt.Errorf("%s: %d choices (want at least 1)", where, choices)
	}
	if err := errors.Join(checkShare("budget", budget), checkShare("delta", delta)); err != nil {
		return 0, fmt.Errorf("%s: %w", where, err)
	}
	x := (math.Log(delta) - math.Log(float64(choices))) / math.Log1p(-budget)
	n := math.Ceil(x - max(1e-9, 1e-15*x))
	if n > math.MaxInt32 {
		return 0, fmt.Errorf("%s: budget %v would take more than %d tasks", where, budget, math.MaxInt32)
	}
	return max(1, int(n)), nil
}
