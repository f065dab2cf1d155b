package stats

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// NoncentralTCDF is P(T <= t) of the noncentral t distribution: T = (Z + ncp) / s
// with Z standard normal and df*s^2 chi-square with df > 0 degrees of freedom,
// independent of each other. Johnson, Kotz & Balakrishnan (1995), chapter 31.
// It is exact to about 1e-13; a lower tail keeps its relative digits down to
// about 1e-20. For an upper tail take NoncentralTCDF(-t, df, -ncp).
//
// df must be at least 0.01, df and ncp finite, and t a number; t may be infinite.
func NoncentralTCDF(t, df, ncp float64) (float64, error) {
	switch {
	case math.IsNaN(t):
		return 0, errors.New("noncentral t: t is not a number")
	case !(df >= 0.01) || math.IsInf(df, 0):
		return 0, fmt.Errorf("noncentral t: %v degrees of freedom (want a finite number of at least 0.01)", df)
	case math.IsNaN(ncp) || math.IsInf(ncp, 0):
		return 0, fmt.Errorf("noncentral t: noncentrality %v (want a finite number)", ncp)
	}
	return nctCDF(t, df, ncp), nil
}

// nctCDF is NoncentralTCDF for arguments that were checked.
func nctCDF(t, df, ncp float64) float64 {
	switch {
	case math.IsInf(t, -1):
		return 0
	case math.IsInf(t, 1):
		return 1
	case t == 0:
		return NormalCDF(-ncp)
	case math.Abs(ncp) > farNCP && ncp*ncp > 2*df:
		return nctOverNormal(t, df, ncp)
	}
	return nctOverChi(t, df, ncp)
}

// farNCP is the noncentrality from which the integral over Z needs fewer steps
// than the one over s.
const farNCP = 100

// nctOverChi is E[Phi(t*s - ncp)], by the trapezoidal rule in u = log s. There
// the density of s, exp(df*(u - e^(2u)/2)) but for a factor, and Phi are smooth
// on the whole line, so that halving the step doubles the digits: Trefethen &
// Weideman (2014). The factor is divided out by the sum of the density itself.
// Tried and rejected: the series AS 243 of Lenth (1989), whose weights underflow
// from ncp = 38 on.
func nctOverChi(t, df, ncp float64) float64 {
	step := 0.3 / math.Sqrt(2*df+ncp*ncp+9) // of the density and of Phi the narrower, with room
	at := func(u float64) (p, w float64) {
		w = math.Exp(-df * bend(u))
		return w * NormalCDF(t*math.Exp(u)-ncp), w
	}
	sum, total := at(0)
	for _, side := range []float64{-step, step} {
		for k := 1.0; ; k++ {
			p, w := at(k * side)
			sum, total = sum+p, total+w
			if w < nctCut*total {
				break
			}
		}
	}
	return math.Min(1, sum/total)
}

// bend is (e^(2u)-1)/2 - u, without cancelling near 0.
func bend(u float64) float64 {
	if math.Abs(u) > 0.02 {
		return math.Expm1(2*u)/2 - u
	}
	sum, term := 0.0, u
	for k := 2.0; k <= 9; k++ {
		term *= 2 * u / k
		sum += term
	}
	return sum
}

// nctCut is the relative weight below which a tail of the sum is left out.
const nctCut = 1e-24

// nctOverNormal is the same probability as E[P(s >= (Z + ncp)/t)] for t and ncp
// of one sign, by the trapezoidal rule in Z: for large ncp the tail of s is
// smooth in Z.
func nctOverNormal(t, df, ncp float64) float64 {
	if (t > 0) != (ncp > 0) { // 100 standard deviations away
		return NormalCDF(-ncp)
	}
	if t < 0 {
		return 1 - nctOverNormal(-t, df, -ncp)
	}
	const step, far = 0.125, 11.0
	sum, total := 0.0, 0.0
	for z := -far; z <= far; z += step {
		w := math.Exp(-z * z / 2)
		s := (z + ncp) / t
		sum += w * mathext.GammaIncRegComp(df/2, df*s*s/2)
		total += w
	}
	return math.Min(1, sum/total)
}
