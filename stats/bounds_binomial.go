package stats

import (
	"fmt"
	"math"
)

// ClopperPearson is the exact two-sided interval of a proportion x/n, for
// independent trials: it covers with at least its level, in (0,1), whatever the
// true proportion, in samples of any size, and so is wide. Both ends lie in [0,1],
// and are never too narrow by rounding; 0 <= x <= n, and n is 1 to 2^31-1:
//
//	P(X >= x | lo) = (1-level)/2 = P(X <= x | hi)
//
// Clopper & Pearson (1934). [Wilson] is narrower and covers on average.
func ClopperPearson(x, n int, level float64) (lo, hi float64, err error) {
	if err := checkCount(x, n); err != nil {
		return 0, 0, fmt.Errorf("clopper-pearson interval: %w", err)
	}
	if err := checkShare("level", level); err != nil {
		return 0, 0, fmt.Errorf("clopper-pearson interval: %w", err)
	}
	tail := (1 - level) / 2
	return binomialLower(x, n, tail), binomialUpper(x, n, tail), nil
}

// ClopperPearsonUpper is the exact one-sided upper bound of a proportion x/n:
// in at least 1-delta of samples it is not below the true one. It is the
// smallest budget that x losses of 0 or 1 in n independent tasks certify at
// delta, with the p-value P(X <= x | budget), which at the bound is never above
// delta, not even by rounding. delta lies in (0,1), x from 0 to n, n from 1 to
// 2^31-1; for x = 0 the bound is [ZeroLossLimit], for x = n it is 1. Clopper &
// Pearson (1934).
func ClopperPearsonUpper(x, n int, delta float64) (float64, error) {
	if err := checkCount(x, n); err != nil {
		return 0, fmt.Errorf("clopper-pearson bound: %w", err)
	}
	if err := checkShare("delta", delta); err != nil {
		return 0, fmt.Errorf("clopper-pearson bound: %w", err)
	}
	return binomialUpper(x, n, delta), nil
}

func checkCount(x, n int) error {
	if n < 1 || n > math.MaxInt32 || x < 0 || x > n {
		return fmt.Errorf("%d of %d (want 0 <= x <= n and n from 1 to %d)", x, n, math.MaxInt32)
	}
	return nil
}

// binomialUpper is the p at which P(X <= k) = tail, or a rounding error more; 1
// for k = n.
func binomialUpper(k, n int, tail float64) float64 {
	switch k {
	case n:
		return 1
	case 0:
		return zeroLoss(n, tail)
	}
	u := bisect(func(p float64) float64 { return -binomialCDF(k, n, p, 1-p) }, -tail, 0, 1)
	return acceptedAbove(u, func(p float64) bool { return binomialCDF(k, n, p, 1-p) <= tail })
}

// binomialLower is the p at which P(X >= k) = tail, or a rounding error less; 0
// for k = 0.
func binomialLower(k, n int, tail float64) float64 {
	if k == 0 {
		return 0
	}
	lo := math.Exp(math.Log(tail) / float64(n)) // of k = n
	if k < n {
		lo = bisect(func(p float64) float64 { return binomialCDF(n-k, n, 1-p, p) }, tail, 0, 1)
	}
	return acceptedBelow(lo, func(p float64) bool { return binomialCDF(n-k, n, 1-p, p) <= tail })
}

// binomialCDF is P(X <= k) for X ~ Binomial(n, p), p in (0,1) and q = 1-p. The
// shorter of the two tails is summed, from its largest term on, until nothing
// is added.
func binomialCDF(k, n int, p, q float64) float64 {
	switch {
	case k < 0:
		return 0
	case k >= n:
		return 1
	case float64(k) < float64(n)*p:
		return lowerTail(k, n, p, q)
	}
	return 1 - lowerTail(n-k-1, n, q, p)
}

// lowerTail is P(X <= k) for k at most n*p.
func lowerTail(k, n int, p, q float64) float64 {
	term := binomialMass(k, n, p, q)
	sum := 0.0
	for i := k; i >= 0 && term > sum*1e-17; i-- {
		sum += term
		term *= float64(i) / float64(n-i+1) * (q / p)
	}
	return min(1, sum)
}

// binomialMass is P(X = k) by Loader's (2000) saddle-point form, which loses no
// digits where log n! is large.
func binomialMass(k, n int, p, q float64) float64 {
	x, m := float64(k), float64(n)
	switch k {
	case 0:
		return noneOf(n, p, q)
	case n:
		return noneOf(n, q, p)
	}
	log := stirlingError(m) - stirlingError(x) - stirlingError(m-x) - deviance(x, m*p) - deviance(m-x, m*q)
	return math.Exp(log) * math.Sqrt(m/(2*math.Pi*x*(m-x)))
}

// logOf is log(p), from the complement q = 1-p where that is the small one.
func logOf(p, q float64) float64 {
	if q < 0.5 {
		return math.Log1p(-q)
	}
	return math.Log(p)
}

// stirlingError is log(x!) less Stirling's formula, x >= 1.
func stirlingError(x float64) float64 {
	if x < 16 {
		g, _ := math.Lgamma(x + 1)
		return g - (x+0.5)*math.Log(x) + x - 0.5*math.Log(2*math.Pi)
	}
	s := x * x
	return (1.0/12 - (1.0/360-(1.0/1260-(1.0/1680-1.0/1188/s)/s)/s)/s) / x
}

// deviance is x log(x/m) + m - x, without cancelling where x is near m.
func deviance(x, m float64) float64 {
	if math.Abs(x-m) >= 0.1*(x+m) {
		return x*math.Log(x/m) + m - x
	}
	v := (x - m) / (x + m)
	sum, term := (x-m)*v, 2*x*v
	for j := 1.0; ; j++ {
		term *= v * v
		next := sum + term/(2*j+1)
		if next == sum {
			return sum
		}
		sum = next
	}
}
