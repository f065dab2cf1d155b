package stats

import (
	"errors"
	"fmt"
	"math"
)

// CR names a cluster-robust variance estimator. The zero value is invalid.
type CR int

// The estimators, for the mean of a sample; see [Clustered.Sandwich].
const (
	CR0 CR = iota + 1 // no correction
	CR1               // CR0 * G/(G-1)
	CR2               // each cluster divided by 1-p_g: unbiased under independence
	CR3               // each cluster divided by (1-p_g)^2: close to the jackknife
)

// String is the lower-case name, such as "cr2".
func (k CR) String() string {
	if k < CR0 || k > CR3 {
		return fmt.Sprintf("CR(%d)", int(k))
	}
	return [...]string{"cr0", "cr1", "cr2", "cr3"}[k-CR0]
}

// Interval is a number with its interval.
type Interval struct {
	Value  float64 // the estimate: the value-weighted mean
	Lo, Hi float64
	SE     float64 // in units of the values
	DF     float64 // of the t distribution; 0 for the bootstraps, which use none
	Level  float64 // nominal coverage, such as 0.95
	P      float64 // two-sided, in (0,1], of the hypothesis that the mean is 0, by the same method as the interval
}

// Sandwich is the standard error of the mean and its Satterthwaite degrees of
// freedom, in closed form for the intercept-only model:
//
//	V = sum_g c_g U_g^2 / n^2, with c_g = 1 (CR0), G/(G-1) (CR1),
//	    1/(1-p_g) (CR2), 1/(1-p_g)^2 (CR3)
//	df = 2 E(V)^2 / Var(V) under a working model of independent values
//
// Bell & McCaffrey (2002), eq. (4) and (8); Pustejovsky & Tipton (2018), eq.
// (7) and (10); equal to the R package clubSandwich. Balanced clusters give
// df = G-1. The df is approximate; with fewer than about 30 clusters CR2 covers
// a little less than its nominal level.
//
// It returns 0, 0 where the error is undefined: a single cluster, or an
// invalid kind. A defined df is never 0.
func (c *Clustered) Sandwich(kind CR) (se, df float64) {
	if len(c.ids) < 2 || kind < CR0 || kind > CR3 {
		return 0, 0
	}
	n := float64(len(c.values))
	var v, mean, diagonal, cross, before float64
	for g, ng := range c.sizes {
		w, rest := c.correction(kind, g), 1-ng/n
		u := c.residual(g)
		v += w * u * u
		mean += w * ng * rest
		diagonal += w * w * ng * ng * rest * rest
		a := w * ng * ng
		cross += a * before
		before += a
	}
	if c.balanced() { // the closed form, where rounding would leave 8.999999999999998
		return math.Sqrt(v) / n, float64(len(c.ids) - 1)
	}
	return math.Sqrt(v) / n, mean * mean / (diagonal + 2*cross/(n*n))
}

// balanced reports whether all clusters are of one size.
func (c *Clustered) balanced() bool {
	for _, n := range c.sizes {
		if n != c.sizes[0] {
			return false
		}
	}
	return true
}

// correction is c_g. It needs at least two clusters.
func (c *Clustered) correction(kind CR, g int) float64 {
	rest := 1 - c.sizes[g]/float64(len(c.values))
	switch kind {
	case CR1:
		return float64(len(c.ids)) / float64(len(c.ids)-1)
	case CR2:
		return 1 / rest
	case CR3:
		return 1 / (rest * rest)
	}
	return 1
}

// residual is U_g, 0 where it is nothing but rounding.
func (c *Clustered) residual(g int) float64 {
	expected := c.sizes[g] * c.mean
	u := c.sums[g] - expected
	if math.Abs(u) <= rounding*(math.Abs(c.sums[g])+math.Abs(expected)) {
		return 0
	}
	return u
}

// Interval is mean -+ t(df) * se with the sandwich error of the given kind and
// its Satterthwaite df; level lies in (0,1). The headline is CR2.
//
// It is undefined, and an error says so, for a single cluster and for a sample
// whose cluster means are all equal: its standard error would be 0.
func (c *Clustered) Interval(kind CR, level float64) (Interval, error) {
	where := kind.String() + " interval"
	if kind < CR0 || kind > CR3 {
		return Interval{}, fmt.Errorf("%s: unknown estimator (want CR0, CR1, CR2 or CR3)", where)
	}
	if err := c.checkInterval(level); err != nil {
		return Interval{}, fmt.Errorf("%s: %w", where, err)
	}
	se, df := c.Sandwich(kind)
	if se == 0 {
		return Interval{}, fmt.Errorf("%s: undefined, because every cluster has the same mean %g", where, c.mean)
	}
	return studentInterval(c.mean, se, df, level), nil
}

func (c *Clustered) checkInterval(level float64) error {
	if err := checkShare("level", level); err != nil {
		return err
	}
	if len(c.values) == 0 {
		return errors.New("no values (want at least one)")
	}
	if len(c.ids) < 2 {
		return fmt.Errorf("undefined, because all %d values are in one cluster (want at least 2 clusters)", len(c.values))
	}
	return nil
}

// CrossCovariance is the covariance of the means of two samples, over the
// clusters whose id they share: the CR2 analogue
//
//	sum_g U_ga U_gb / sqrt((1-p_ga)(1-p_gb)) / (n_a n_b)
//
// CrossCovariance(a, a) is the squared CR2 error of a. Samples that share no
// cluster have covariance 0; so has a sample of a single cluster, whose
// residual is 0.
func CrossCovariance(a, b *Clustered) float64 {
	t, na, nb := 0.0, float64(max(a.N(), 1)), float64(max(b.N(), 1))
	eachShared(a, b, func(i, j int) {
		if i < 0 || j < 0 {
			return
		}
		if u := a.residual(i) * b.residual(j); u != 0 {
			t += u / math.Sqrt((1-a.sizes[i]/na)*(1-b.sizes[j]/nb))
		}
	})
	return t / (na * nb)
}
