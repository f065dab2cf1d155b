package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// NormalCDF is P(Z <= z) of the standard normal, accurate in the lower tail.
func NormalCDF(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// NormalQuantile is the inverse of [NormalCDF]; p lies in (0,1).
func NormalQuantile(p float64) float64 { return mathext.NormalQuantile(p) }

// TCDF is P(T <= t) of Student's t with df > 0 degrees of freedom, accurate in
// the lower tail.
func TCDF(t, df float64) float64 {
	if t > 0 {
		return 1 - TCDF(-t, df)
	}
	if x := t * t; x < df {
		return 0.5 - mathext.RegIncBeta(0.5, df/2, x/(df+x))/2
	}
	return mathext.RegIncBeta(df/2, 0.5, df/(df+t*t)) / 2
}

// TQuantile is the inverse of [TCDF]; p lies in (0,1), df > 0.
func TQuantile(p, df float64) float64 {
	if p > 0.5 {
		return -TQuantile(1-p, df)
	}
	if p == 0.5 {
		return 0
	}
	x := mathext.InvRegIncBeta(df/2, 0.5, 2*p)
	return -math.Sqrt(df * (1 - x) / x)
}

// FQuantile is the value below which an F variable with d1 and d2 > 0 degrees
// of freedom lies with probability p in (0,1).
func FQuantile(p, d1, d2 float64) float64 {
	x := mathext.InvRegIncBeta(d1/2, d2/2, p)
	return d2 * x / (d1 * (1 - x))
}

// FCDF is P(F <= f) with d1 and d2 > 0 degrees of freedom; f >= 0.
func FCDF(f, d1, d2 float64) float64 {
	if f <= 0 {
		return 0
	}
	return mathext.RegIncBeta(d1/2, d2/2, d1*f/(d1*f+d2))
}
