package stats

import (
	"fmt"
	"math"
)

// McNemar is the exact two-sided p of paired yes-or-no values: gain pairs are
// yes under the condition only, loss pairs under the reference only; a negative
// count is taken as 0. Given gain+loss, gain is Binomial(gain+loss, 1/2) if nothing
// changed; p is both tails, min(1, 2*tail), and 1 without a discordant pair.
// Pairs are taken as independent. Above 1e10 discordant pairs p is that of the
// normal distribution. McNemar (1947); exact form.
func McNemar(gain, loss int) (p float64) {
	gain, loss = max(gain, 0), max(loss, 0)
	n, k := float64(gain)+float64(loss), float64(min(gain, loss))
	if gain == loss {
		return 1
	}
	if n > manyPairs {
		return chiSquare1((n - 2*k) * (n - 2*k) / n)
	}
	term, tail := fairMass(n, k), 0.0
	for i := k; i >= 0 && term > tail*1e-18; i-- {
		tail += term
		term *= i / (n - i + 1)
	}
	return probability(2 * tail)
}

// manyPairs is where a sum over the binomial would take long.
const manyPairs = 1e10

// fairMass is P(K = k) for k of n fair coins, n >= 1, by Stirling's formula in
// deviations from n/2, which keeps the digits that factorials of large n lose.
func fairMass(n, k float64) float64 {
	part := func(k float64) float64 { return (k + 0.5) * math.Log1p((2*k+1-n)/(n+1)) }
	return math.Exp(math.Ln2 + 1 - math.Log(2*math.Pi*(n+1))/2 - part(k) - part(n-k) +
		stirling(n) - stirling(k) - stirling(n-k))
}

func logChoose(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// Wilson is the score interval of a single proportion x/n at a level in (0,1),
// for independent trials; both ends lie in [0,1]. Wilson (1927).
func Wilson(x, n int, level float64) (lo, hi float64, err error) {
	if n < 1 || x < 0 || x > n {
		return 0, 0, fmt.Errorf("wilson interval: %d of %d (want 0 <= x <= n and n >= 1)", x, n)
	}
	if !(level > 0 && level < 1) {
		return 0, 0, fmt.Errorf("wilson interval: level %v (want between 0 and 1)", level)
	}
	z, p, m := -NormalQuantile((1-level)/2), float64(x)/float64(n), float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	lo, hi = max(0, mid-half), min(1, mid+half)
	if x == 0 {
		lo = 0
	}
	if x == n {
		hi = 1
	}
	return lo, hi, nil
}
