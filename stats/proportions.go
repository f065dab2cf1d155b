package stats

import (
	"fmt"
	"math"
)

// McNemar is the exact two-sided p of paired yes-or-no values: gain pairs are
// yes under the condition only, loss pairs under the reference only. Given
// gain+loss, gain is Binomial(gain+loss, 1/2) if nothing changed; p is both tails,
// min(1, 2*tail), in (0,1], and 1 without a discordant pair. Pairs are taken as
// independent. Above 1e10 discordant pairs p is that of the chi-square with
// Edwards's (1948) correction, which there is within 1e-9 of the exact one.
//
// A count is what its caller counted, and cannot be negative: one that is, is
// taken as 0, so that p needs no error. McNemar (1947); exact form.
func McNemar(gain, loss int) (p float64) {
	gain, loss = max(gain, 0), max(loss, 0)
	n, gap := float64(gain)+float64(loss), math.Abs(float64(gain)-float64(loss))
	switch {
	case gain == loss:
		return 1
	case n > manyPairs:
		return chiSquare1((gap - 1) * (gap - 1) / n)
	}
	return probability(2 * lowerTail(min(gain, loss), gain+loss, 0.5, 0.5))
}

// manyPairs is where a sum over the binomial would take long.
const manyPairs = 1e10

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
	if err := checkShare("level", level); err != nil {
		return 0, 0, fmt.Errorf("wilson interval: %w", err)
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
