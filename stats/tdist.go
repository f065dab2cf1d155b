package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// NormalCDF is P(Z <= z) of the standard normal, accurate in the lower tail; for
// an upper tail take NormalCDF(-z). z may be infinite. Like the other
// distributions and quantiles here it panics for an argument outside its
// domain, such as NaN.
func NormalCDF(z float64) float64 {
	mustBeNumber(z)
	return math.Erfc(-z/math.Sqrt2) / 2
}

// NormalQuantile is the inverse of [NormalCDF], for p in (0,1).
func NormalQuantile(p float64) float64 {
	mustBeProbability(p)
	return mathext.NormalQuantile(p)
}

func mustBeProbability(p float64) {
	if !(p > 0 && p < 1) {
		panic(fmt.Sprintf("stats: quantile of p = %v (want between 0 and 1)", p))
	}
}

func mustBeNumber(x float64) {
	if math.IsNaN(x) {
		panic("stats: distribution at NaN (want a number)")
	}
}

func mustBeDF(df ...float64) {
	for _, d := range df {
		if !(d > 0) {
			panic(fmt.Sprintf("stats: %v degrees of freedom (want more than 0)", d))
		}
	}
}

// TCDF is P(T <= t) of Student's t with df > 0 degrees of freedom, which need
// not be whole; t may be infinite, and for infinite df T is normal. It is
// accurate in the lower tail; for an upper tail take TCDF(-t, df).
func TCDF(t, df float64) float64 {
	mustBeNumber(t)
	mustBeDF(df)
	if t > 0 {
		return 1 - TCDF(-t, df)
	}
	x := df / t / t // of the far tail, where 1+x is 1
	switch {
	case df > manyDF:
		return NormalCDF(nearNormal(t, df))
	case x < 1e-100:
		a, _ := math.Lgamma(df/2 + 0.5)
		b, _ := math.Lgamma(df/2 + 1)
		return math.Exp(df*(math.Log(df)/2-math.Log(-t))+a-b) / (2 * math.SqrtPi)
	case t*t < 1: // the other form would subtract nearly equal numbers
		return 0.5 - mathext.RegIncBeta(0.5, df/2, t*t/(df+t*t))/2
	}
	return mathext.RegIncBeta(df/2, 0.5, df/(df+t*t)) / 2
}

// manyDF is where the incomplete beta function begins to lose digits, and
// nearNormal to have all of them.
const manyDF = 1e4

// nearNormal is the normal deviate of the same tail as t <= 0; Hill (1970),
// algorithm 395.
func nearNormal(t, df float64) float64 {
	t = max(t, -1e150) // beyond, no tail is left, and squares overflow
	if df > 1e100 {
		return t
	}
	a := df - 0.5
	b := 48 * a * a
	y := a * math.Log1p(t*t/df)
	return -math.Sqrt(y) * (((((-0.4*y-3.3)*y-24)*y-85.5)/(0.8*y*y+100+b)+y+3)/b + 1)
}

// TQuantile is the inverse of [TCDF]; p lies in (0,1), df > 0. A quantile beyond
// float64, as there is below 1 degree of freedom, is its largest number.
func TQuantile(p, df float64) float64 {
	mustBeProbability(p)
	mustBeDF(df)
	switch {
	case p > 0.5:
		return -TQuantile(1-p, df)
	case p == 0.5:
		return 0
	}
	lo := -1.0
	for TCDF(lo, df) > p {
		if lo < -math.MaxFloat64/2 {
			return -math.MaxFloat64
		}
		lo *= 2
	}
	return bisect(func(t float64) float64 { return TCDF(t, df) }, p, lo, 0)
}

// endlessDF counts as infinitely many degrees of freedom of F: with more, the
// distribution no longer changes in the tenth digit, and numbers of that size
// lose some.
const endlessDF = 1e12

// FCDF is P(F <= f) of an F variable with d1 and d2 > 0 degrees of freedom, to
// within 1e-7; f may be infinite. More than 1e12 degrees of freedom count as
// 1e12.
func FCDF(f, d1, d2 float64) float64 {
	mustBeNumber(f)
	mustBeDF(d1, d2)
	d1, d2 = min(d1, endlessDF), min(d2, endlessDF)
	switch {
	case f <= 0:
		return 0
	case math.IsInf(f, 1):
		return 1
	case min(d1, d2) >= manyDF && max(d1, d2) >= 1e6: // below, the incomplete beta function has all digits
		return nearNormalF(min(max(f, 1e-3), 1e3), d1, d2) // beyond, no tail is left
	case d2 >= manyFDF:
		y := min(d1*f, 1e300) / 2
		return unit(mathext.GammaIncReg(d1/2, y) + nearGamma(d1/2, y, d2))
	case d1 >= manyFDF:
		y := min(d2/f, 1e300) / 2
		return unit(mathext.GammaIncRegComp(d2/2, y) - nearGamma(d2/2, y, d1))
	}
	if x := d1 * f; x < 1e10*d2 {
		return mathext.RegIncBeta(d1/2, d2/2, x/(x+d2))
	}
	return 1 - mathext.RegIncBeta(d2/2, d1/2, d2/d1/(f+d2/d1)) // whose share does not round to 1
}

// manyFDF is where one chi-square of F is nearly a number. The incomplete beta
// function would lose digits, and all of them where both are many.
const manyFDF = 3e7

// nearGamma is what the spread of the other chi-square, with df degrees of freedom,
// adds to P(X <= y) of a gamma variable X of shape k: y^2 times the derivative of its
// density, over df. What is left out is of the order of (k/df)^2.
func nearGamma(k, y, df float64) float64 {
	log, _ := math.Lgamma(k)
	return math.Exp(k*math.Log(y)-y-log) * (k - 1 - y) / df
}

// nearNormalF is P(F <= f) by the normal deviate of Peizer & Pratt (1968), to 2e-9
// from manyDF degrees of freedom on.
func nearNormalF(f, d1, d2 float64) float64 {
	p, q := d2/(d1*f+d2), d1*f/(d1*f+d2)
	s, t, n := (d2-1)/2, (d1-1)/2, (d1+d2)/2-1
	d := s + 1.0/6 - (n+1.0/3)*p + 0.04*(q/d2-p/d1+(q-0.5)/(d1+d2))
	return NormalCDF(d * math.Sqrt((1+q*peizerPratt(s/(n*p))+p*peizerPratt(t/(n*q)))/((n+1.0/6)*p*q)))
}

// peizerPratt is (1 - x^2 + 2x log x)/(1-x)^2 for x > 0, without cancelling near 1.
func peizerPratt(x float64) float64 {
	u := x - 1
	if math.Abs(u) > 0.01 {
		return (1 - x*x + 2*x*math.Log(x)) / (u * u)
	}
	sum, power := 0.0, -2*u
	for k := 3.0; k <= 9; k++ {
		sum += power / (k * (k - 1))
		power *= -u
	}
	return sum
}

// FQuantile is the inverse of [FCDF]; p lies in (0,1), d1 and d2 > 0. A
// quantile beyond float64, as there is below 1 degree of freedom, is its
// largest number, or 0.
func FQuantile(p, d1, d2 float64) float64 {
	mustBeProbability(p)
	mustBeDF(d1, d2)
	hi := 1.0
	for FCDF(hi, d1, d2) < p {
		if hi > math.MaxFloat64/2 {
			return math.MaxFloat64
		}
		hi *= 2
	}
	lo := hi / 2
	for lo > 0 && FCDF(lo, d1, d2) >= p {
		hi, lo = lo, lo/2
	}
	return bisect(func(f float64) float64 { return FCDF(f, d1, d2) }, p, lo, hi)
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
