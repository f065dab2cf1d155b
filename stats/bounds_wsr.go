package stats

import (
	"errors"
	"fmt"
	"math"
)

// WSR is the betting p-value of the hypothesis that the true mean loss is above
// budget, for independent losses in [0,1] in the order given:
//
//	K_i = product over j <= i of 1 - nu_j (L_j - budget),  p = 1 / max_i K_i
//	nu_i = min( 1/(1-budget), sqrt(2 log(1/delta) / (n s2_(i-1))) )
//	s2_i = (1/4 + sum (L_j - m_j)^2) / (i+1), m_i = (1/2 + sum L_j) / (i+1)
//
// with s2_0 = 1/4; budget and delta lie in (0,1), p in (0,1]. Valid for any n from 1, since a wealth that is fair
// or worse seldom grows to 1/p. delta only steers the bets: the p-value is
// valid against any threshold, and sharpest near delta. Waudby-Smith & Ramdas
// (2024), JRSS B 86; as Bates, Angelopoulos, Lei, Malik & Jordan (2021), but for
// their bets, which are at most 1.
//
// The p-value depends on the order of the losses. An order that was chosen
// after looking voids it: shuffle the tasks once, with a seed fixed beforehand,
// and keep that order for every choice of cuts.
func WSR(losses []float64, budget, delta float64) (p float64, err error) {
	if err := checkLosses(losses, delta); err != nil {
		return 0, fmt.Errorf("wsr p: %w", err)
	}
	if err := checkShare("budget", budget); err != nil {
		return 0, fmt.Errorf("wsr p: %w", err)
	}
	return probability(math.Exp(-logWealth(losses, bets(losses, delta), budget))), nil
}

// WSRUpper is the smallest budget whose [WSR] p at the same delta is at most
// delta, in (0,1]: with probability at least 1-delta the true mean is not above
// it. It is 1 if no smaller bound can be had. The p at the bound is never above
// delta, not even by rounding. What WSR says on order and assumes holds here.
func WSRUpper(losses []float64, delta float64) (float64, error) {
	if err := checkLosses(losses, delta); err != nil {
		return 0, fmt.Errorf("wsr bound: %w", err)
	}
	nu, need := bets(losses, delta), -math.Log(delta)
	wealth := func(a float64) float64 { return logWealth(losses, nu, a) }
	if wealth(1) < need {
		return 1, nil
	}
	u := bisect(wealth, need, 0, 1)
	return acceptedAbove(u, func(a float64) bool { return probability(math.Exp(-wealth(a))) <= delta }), nil
}

func checkLosses(losses []float64, delta float64) error {
	if len(losses) == 0 {
		return errors.New("0 losses (want at least one)")
	}
	for i, x := range losses {
		if !(x >= -rounding && x <= 1+rounding) {
			return fmt.Errorf("loss %d is %v (want 0 to 1)", i, x)
		}
	}
	return checkShare("delta", delta)
}

// bets are the nu_i before their cap.
func bets(losses []float64, delta float64) []float64 {
	out, scale := make([]float64, len(losses)), -2*math.Log(delta)/float64(len(losses))
	squares, sum := 0.25, 0.5
	for i, x := range losses {
		out[i] = math.Sqrt(scale * float64(i+1) / squares)
		sum += x
		d := x - sum/float64(i+2)
		squares += d * d
	}
	return out
}

// logWealth is the log of max_i K_i and 1, which rises with budget a in (0,1].
func logWealth(losses, nu []float64, a float64) float64 {
	wealth, most := 0.0, 0.0
	for i, x := range losses {
		if bet := nu[i] * (1 - a); bet < 1 {
			wealth += math.Log1p(-nu[i] * (min(1, max(0, x)) - a))
		} else { // the cap: 1 - (x-a)/(1-a); a loss of 1 leaves nothing to bet
			wealth += math.Log(max(0, 1-x)) - math.Log1p(-a)
		}
		most = max(most, wealth)
	}
	return most
}
