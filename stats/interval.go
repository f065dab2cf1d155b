package stats

import "math"

// studentInterval is value -+ t(df)*se, or, for df 0, the normal interval. Its P
// lies in (0,1]: underflow does not take it to 0.
func studentInterval(value, se, df, level float64) Interval {
	i := Interval{Value: value, SE: se, DF: df, Level: level}
	quantile, cdf := NormalQuantile, NormalCDF
	if df > 0 {
		quantile = func(p float64) float64 { return TQuantile(p, df) }
		cdf = func(t float64) float64 { return TCDF(t, df) }
	}
	half := -quantile((1-level)/2) * se
	i.Lo, i.Hi, i.P = value-half, value+half, probability(2*cdf(-math.Abs(value)/se))
	return i
}

// probability puts what rounding or underflow took from (0,1] back into it.
func probability(p float64) float64 { return min(1, max(p, math.SmallestNonzeroFloat64)) }
