package stats

import "math"

// tiltReach is how many standard deviations a tilted distribution is kept to on
// either side: what lies beyond is below 1e-19 of the whole.
const tiltReach = 9.5

// tilted is twice P(X <= limit) as in convolve, to ten digits at any size of p,
// and for many clusters a thousand times faster. It is false where the tail
// lies too far below limit for that, which takes sizes of a contrived kind.
//
// With weights e^(-theta*X), chosen so that limit is the mean, the tail is near
// the middle of the weighted distribution, so that a window around it, and one
// binomial for each size, are all that need be convolved; the weights are then
// taken back (Esscher 1932). Every term is positive: nothing cancels.
func tilted(groups []magnitude, divisor, limit float64) (float64, bool) {
	theta := tiltFor(groups, divisor, limit)
	mass, first, logScale := []float64{1}, 0, 0.0
	for _, g := range groups {
		a := g.size / divisor
		heads, least := tiltedBinomial(g.count, theta*a)
		mass, first = spreadBy(mass, heads, int(a)), first+least*int(a)
		mass, first = trim(mass, first)
		logScale += float64(g.count) * (math.Log1p(math.Exp(-theta*a)) - math.Ln2)
	}
	last, sum := int(limit/divisor), 0.0
	for i, p := range mass {
		if x := first + i; x <= last {
			sum += p * math.Exp(theta*float64(x-last))
		}
	}
	p := math.Exp(math.Ln2 + logScale + theta*float64(last) + math.Log(sum))
	return min(1, max(p, math.SmallestNonzeroFloat64)), sum > 1e-6
}

// tiltFor is the theta >= 0 at which the mean is limit.
func tiltFor(groups []magnitude, divisor, limit float64) float64 {
	mean := func(theta float64) float64 {
		m := 0.0
		for _, g := range groups {
			m += g.size * float64(g.count) / (1 + math.Exp(theta*g.size/divisor))
		}
		return m
	}
	hi := 1e-9
	for mean(hi) > limit && hi < 500 {
		hi *= 2
	}
	return bisect(func(theta float64) float64 { return -mean(theta) }, -limit, 0, hi)
}

// tiltedBinomial is the masses of Binomial(n, 1/(1+e^slope)) from least on,
// within reach of its mean.
func tiltedBinomial(n int, slope float64) (mass []float64, least int) {
	p := 1 / (1 + math.Exp(slope))
	reach := tiltReach*math.Sqrt(float64(n)*p*(1-p)) + 40 // a small mean has a long upper tail
	least = max(0, int(float64(n)*p-reach))
	mass = make([]float64, min(n, int(float64(n)*p+reach)+1)-least+1)
	ratio := func(k int) float64 { return float64(n-k) / float64(k+1) * math.Exp(-slope) } // P(k+1)/P(k)
	middle, sum := min(max(int(float64(n)*p)-least, 0), len(mass)-1), 1.0
	mass[middle] = 1
	for i := middle + 1; i < len(mass); i++ {
		mass[i] = mass[i-1] * ratio(least+i-1)
		sum += mass[i]
	}
	for i := middle - 1; i >= 0; i-- {
		mass[i] = mass[i+1] / ratio(least+i)
		sum += mass[i]
	}
	for i := range mass {
		mass[i] /= sum
	}
	return mass, least
}

// tiltedWork bounds the additions of tilted.
func tiltedWork(groups []magnitude, divisor float64) float64 {
	variance, widths := 0.0, 0.0
	for _, g := range groups {
		variance += g.size / divisor * g.size / divisor * float64(g.count) / 4
		widths += min(float64(g.count), 2*tiltReach*math.Sqrt(float64(g.count)/4)+80) + 1
	}
	return (2*tiltReach*math.Sqrt(variance) + 80*groups[0].size/divisor) * widths
}

// spreadBy convolves mass with heads, a cells apart.
func spreadBy(mass, heads []float64, a int) []float64 {
	out := make([]float64, len(mass)+a*(len(heads)-1))
	for k, h := range heads {
		to := out[k*a : k*a+len(mass)]
		for i, m := range mass {
			to[i] += h * m
		}
	}
	return out
}

// trim drops cells at both ends that hold less than 1e-19 in all.
func trim(mass []float64, first int) ([]float64, int) {
	lo, hi := 0, len(mass)
	for s := 0.0; lo < hi-1 && s+mass[lo] < 1e-19; lo++ {
		s += mass[lo]
	}
	for s := 0.0; hi > lo+1 && s+mass[hi-1] < 1e-19; hi-- {
		s += mass[hi-1]
	}
	return mass[lo:hi], first + lo
}
