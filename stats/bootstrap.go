package stats

import (
	"fmt"
	"math"
	"slices"
)

// Resample says how to resample. The zero value is invalid.
type Resample struct {
	B     int     // replicates, from 2 to 1e8
	Seed  uint64  // equal seeds give equal results, on any number of cores
	Level float64 // nominal coverage in (0,1)
}

const maxReplicates = 100_000_000

func (r Resample) check(t tuples) error {
	switch {
	case r.B < 2 || r.B > maxReplicates:
		return fmt.Errorf("%d replicates (want 2 to %d)", r.B, maxReplicates)
	case !(r.Level > 0 && r.Level < 1):
		return fmt.Errorf("level %v (want between 0 and 1)", r.Level)
	case t.clusters < 2:
		return fmt.Errorf("undefined, because there is a single unit to resample (want at least 2)")
	}
	return nil
}

// Bootstrap is the intervals that one set of resamples gives. Value and SE, the
// standard deviation of the resampled means, are the same in all three; DF is 0.
type Bootstrap struct {
	// Percentile has the order statistics of rank ceil(p*B) as its ends, p =
	// (1-+Level)/2.
	Percentile Interval
	// BCa has p corrected for bias and acceleration; Efron (1987), eq. 2.3.
	BCa Interval
	// Expanded has p widened for few units, p = Phi(-+sqrt(G/(G-1)) * t), t the
	// quantile of Student's t with G-1 degrees of freedom; Hesterberg
	// (2015). With few units p may lie beyond the B resamples: then the
	// end is their least or greatest mean.
	Expanded Interval
}

// BootClusters gives the percentile, the BCa and the expanded percentile
// interval of the mean, from resamples of whole clusters; each holds as many
// clusters as the sample.
//
// BCa's bias correction z0 = Phi^-1(P(T* < T) + P(T* = T)/2) is mid-rank because
// means of ratings tie, and its acceleration is the jackknife's over clusters.
// Values on a lattice, as ratings are, are summed as integers, so that ties are
// exact. Where few (S_g, n_g) are distinct, counts of them are drawn by
// conditional binomials, which has the same distribution. All intervals are
// approximate: with 18 clusters of unequal size percentile and BCa cover about
// 89 % instead of 95 %; the expanded percentile mends the shortage that comes
// from few units, not that from skewness. P is 2*min of the tails beyond 0,
// with the same correction as the interval.
//
// They assume independent clusters. They are undefined, and an error says why,
// for a single cluster and when all cluster means are equal.
func (c *Clustered) BootClusters(r Resample) (Bootstrap, error) {
	b, err := bootstrap(c.tuples(), r)
	if err != nil {
		return Bootstrap{}, fmt.Errorf("cluster bootstrap: %w", err)
	}
	return b, nil
}

// BootPairs is [Clustered.BootClusters] with every value a cluster of its own.
// It assumes independent values, which pairs of one task are not; it is there
// to compare with published figures.
func (c *Clustered) BootPairs(r Resample) (Bootstrap, error) {
	b, err := bootstrap(c.singletons(), r)
	if err != nil {
		return Bootstrap{}, fmt.Errorf("pairs bootstrap: %w", err)
	}
	return b, nil
}

func bootstrap(t tuples, r Resample) (Bootstrap, error) {
	if err := r.check(t); err != nil {
		return Bootstrap{}, err
	}
	mean, size := t.mean()
	acc, ok := t.acceleration(mean, size)
	if !ok {
		return Bootstrap{}, fmt.Errorf("undefined, because every unit has the same mean %g", t.lattice.value(mean))
	}
	return intervals(t, r, t.means(r), mean, acc), nil
}

// intervals orders the resampled means, in place, and reads the intervals off.
func intervals(t tuples, r Resample, means []float64, mean, acc float64) Bootstrap {
	sd := deviation(means)
	order(means, t)
	tie := 0.0
	if !t.exact {
		tie = rounding * t.magnitude()
	}
	z0 := NormalQuantile(midRank(means, mean, tie))
	z := -NormalQuantile((1 - r.Level) / 2)
	base := Interval{Value: t.lattice.value(mean), SE: sd * t.lattice.value(1), Level: r.Level}
	at := func(lo, hi, p float64) Interval {
		i := base
		i.Lo, i.Hi, i.P = t.lattice.value(nearest(means, lo)), t.lattice.value(nearest(means, hi)), p
		return i
	}
	p0 := midRank(means, 0, tie)
	wide := expandedLevel(r.Level, t.clusters)
	return Bootstrap{
		Percentile: at((1-r.Level)/2, (1+r.Level)/2, twoSided(p0)),
		BCa:        at(bcaLevel(z0, -z, acc), bcaLevel(z0, z, acc), twoSided(bcaInverse(z0, NormalQuantile(p0), acc))),
		Expanded:   at(wide, 1-wide, expandedInverse(p0, t.clusters)),
	}
}

// expandedLevel is the lower tail of the expanded percentile interval over g
// units, g >= 2.
func expandedLevel(level float64, g int) float64 {
	n := float64(g)
	return NormalCDF(math.Sqrt(n/(n-1)) * TQuantile((1-level)/2, n-1))
}

// expandedInverse is 1 less the level at which an end of the expanded interval
// meets the quantile of rank p.
func expandedInverse(p float64, g int) float64 {
	n := float64(g)
	return min(1, 2*TCDF(-math.Abs(NormalQuantile(p))*math.Sqrt((n-1)/n), n-1))
}

func twoSided(p float64) float64 { return min(1, 2*min(p, 1-p)) }

// bcaLevel is Phi(z0 + (z0+z)/(1-a(z0+z))). Beyond the pole of the fraction,
// which only a tiny B or a wild skewness reaches, it stays at the end it went to.
func bcaLevel(z0, z, a float64) float64 {
	w := z0 + z
	if d := 1 - a*w; d > 0 {
		return NormalCDF(z0 + w/d)
	}
	if w > 0 {
		return 1
	}
	return 0
}

// bcaInverse is the nominal level whose corrected level has normal quantile y.
func bcaInverse(z0, y, a float64) float64 {
	w := y - z0
	if d := 1 + a*w; d > 0 {
		return NormalCDF(w/d - z0)
	}
	if w > 0 {
		return 1
	}
	return 0
}

// midRank is P(T* < x) + P(T* = x)/2 over ascending values, kept half a
// replicate away from 0 and 1.
func midRank(ascending []float64, x, tie float64) float64 {
	below, _ := slices.BinarySearch(ascending, x-tie)
	upTo, _ := slices.BinarySearch(ascending, math.Nextafter(x+tie, math.Inf(1)))
	b := float64(len(ascending))
	return min(max(float64(below+upTo)/2/b, 0.5/b), 1-0.5/b)
}

// deviation is the standard deviation with len-1.
func deviation(x []float64) float64 {
	m, v := 0.0, 0.0
	for _, y := range x {
		m += y - x[0]
	}
	m = x[0] + m/float64(len(x))
	for _, y := range x {
		v += (y - m) * (y - m)
	}
	return math.Sqrt(v / float64(len(x)-1))
}

// mean is the mean and the number of values; in lattice steps on a lattice.
func (t tuples) mean() (mean, size float64) {
	s := 0.0
	for _, r := range t.rows {
		s += r.s * float64(r.count)
		size += r.n * float64(r.count)
	}
	return s / size, size
}

// magnitude is the largest |S_g|/n_g, the scale of rounding: the mean of a
// resample averages some of them, and may hold the largest alone.
func (t tuples) magnitude() float64 {
	m := 0.0
	for _, r := range t.rows {
		m = max(m, math.Abs(r.s)/r.n)
	}
	return m
}

// acceleration is the jackknife's: sum l^3 / (6 (sum l^2)^1.5), l the mean of
// the leave-one-out means less each of them; false when all l are 0.
func (t tuples) acceleration(mean, size float64) (float64, bool) {
	left := func(r tuple) float64 { return (mean*r.n - r.s) / (size - r.n) } // less the mean itself
	centre, scale := 0.0, 0.0
	for _, r := range t.rows {
		centre += left(r) * float64(r.count) / float64(t.clusters)
		scale = max(scale, math.Abs(left(r)))
	}
	if scale*(size-1) <= rounding*t.magnitude()*size {
		return 0, false
	}
	var two, three float64
	for _, r := range t.rows {
		l := (centre - left(r)) / scale
		two += l * l * float64(r.count)
		three += l * l * l * float64(r.count)
	}
	if two == 0 {
		return 0, false
	}
	return three / (6 * math.Pow(two, 1.5)), true
}
