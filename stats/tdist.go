package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// NormalCDF is P(Z <= z) of the standard normal, accurate in the lower tail.
func NormalCDF(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// NormalQuantile is the inverse of [NormalCDF]. Like the other quantiles it
// panics unless p lies in (0,1).
func NormalQuantile(p float64) float64 {
	mustBeProbability(p)
	return mathext.NormalQuantile(p)
}

func mustBeProbability(p float64) {
	if !(p > 0 && p < 1) {
		panic(fmt.Sprintf("stats: quantile of p = %v (want between 0 and 1)", p))
	}
}

// TCDF is P(T <= t) of Student's t with df > 0 degrees of freedom. It is
// accurate in the lower tail; for an upper tail take TCDF(-t, df).
func TCDF(t, df float64) float64 {
	if t > 0 {
		return 1 - TCDF(-t, df)
	}
	if df > manyDF {
		return NormalCDF(nearNormal(t, df))
	}
	if x := t * t; x < 1 { // the other form would subtract nearly equal numbers
		return 0.5 - mathext.RegIncBeta(0.5, df/2, x/(df+x))/2
	}
	return mathext.RegIncBeta(df/2, 0.5, df/(df+t*t)) / 2
}

// manyDF is where the incomplete beta function begins to lose digits, and
// nearNormal to have all of them.
const manyDF = 1e4

// nearNormal is the normal deviate of the same tail as t <= 0; Hill (1970),
// algorithm 395.
func nearNormal(t, df float64) float64 {
	a := df - 0.5
	b := 48 * a * a
	y := a * math.Log1p(t*t/df)
	return -math.Sqrt(y) * (((((-0.4*y-3.3)*y-24)*y-85.5)/(0.8*y*y+100+b)+y+3)/b + 1)
}

// TQuantile is the inverse of [TCDF]; p lies in (0,1), df > 0.
func TQuantile(p, df float64) float64 {
	mustBeProbability(p)
	switch {
	case p > 0.5:
		return -TQuantile(1-p, df)
	case p == 0.5:
		return 0
	}
	lo := -1.0
	for TCDF(lo, df) > p {
		lo *= 2
	}
	return bisect(func(t float64) float64 { return TCDF(t, df) }, p, lo, 0)
}

// FCDF is P(F <= f) of an F variable with d1 and d2 > 0 degrees of freedom.
func FCDF(f, d1, d2 float64) float64 {
	if f <= 0 {
		return 0
	}
	return mathext.RegIncBeta(d1/2, d2/2, d1*f/(d1*f+d2))
}

// FQuantile is the inverse of [FCDF]; p lies in (0,1), d1 and d2 > 0.
func FQuantile(p, d1, d2 float64) float64 {
	mustBeProbability(p)
	hi := 1.0
	for FCDF(hi, d1, d2) < p {
		hi *= 2
	}
	return bisect(func(f float64) float64 { return FCDF(f, d1, d2) }, p, 0, hi)
}

// bisect solves cdf(x) = p for an increasing cdf between lo and hi. Tried and
// rejected: gonum's InvRegIncBeta, which is off in the second digit for the
// quantile 1-1e-9 at 1e6 degrees of freedom.
func bisect(cdf func(float64) float64, p, lo, hi float64) float64 {
	for range 200 {
		mid := lo + (hi-lo)/2
		if mid <= lo || mid >= hi {
			break
		}
		if cdf(mid) < p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo + (hi-lo)/2
}
