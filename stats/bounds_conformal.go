package stats

import "fmt"

// ConformalRisk is the bound of conformal risk control on the *expected* loss
// of a new task, from n exchangeable losses in [0,1] with the given mean:
//
//	(n mean + 1) / (n + 1)
//
// in (0,1], for n from 1 to 2^31-1: exact arithmetic, and a bound for any n.
// Angelopoulos, Bates, Fisch, Lei & Schuster (2024), ICLR, theorem 1 with B = 1.
// It holds for a one-parameter choice whose loss falls as the choice gets
// stricter, on average over calibration samples; it says nothing on this one,
// so it is no certificate: print it apart from [WSR] and [HoeffdingBentkus].
func ConformalRisk(mean float64, n int) (float64, error) {
	mean, err := checkLoss(mean, n, "delta", 0.5)
	if err != nil {
		return 0, fmt.Errorf("conformal risk: %w", err)
	}
	return (float64(n)*mean + 1) / (float64(n) + 1), nil
}

// LargestConformal is the largest mean loss of n tasks whose [ConformalRisk] is
// at most budget, in (0,1): (budget (n+1) - 1)/n, in [0,budget). Where that is
// negative, with n+1 < 1/budget, it is an error that is [ErrUncertifiable]. Exact,
// and never too large by rounding; Angelopoulos et al. (2024), as ConformalRisk, and
// like that on average only. n is 1 to 2^31-1.
func LargestConformal(n int, budget float64) (mean float64, err error) {
	if _, err := checkLoss(0, n, "budget", budget); err != nil {
		return 0, fmt.Errorf("largest conformal loss: %w", err)
	}
	risk := func(mean float64) float64 { return (float64(n)*mean + 1) / (float64(n) + 1) }
	if risk(0) > budget {
		return 0, fmt.Errorf("largest conformal loss: %w budget %g: with %d tasks zero loss reaches %.4f",
			ErrUncertifiable, budget, n, risk(0))
	}
	mean = (budget*(float64(n)+1) - 1) / float64(n)
	return acceptedBelow(mean, func(m float64) bool { return risk(m) <= budget }), nil
}
