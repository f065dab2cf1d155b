package stats

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// StepDown is the joint test of a family of contrasts.
type StepDown struct {
	T        []float64 // mean / CR1 error, in the order of the family
	P        []float64 // two-sided and adjusted, in (0,1]
	Critical float64   // single-step: every |T| above it is significant at once
	Exact    bool      // every sign vector was visited; false: Monte Carlo
	Draws    int       // of the Monte Carlo; 0 when exact
	Method   string    // for people, such as "exact, all 2^10 sign vectors"
}

// MaxT tests at once that each mean of a family is 0. Clusters are joined by id:
// one sign a cluster turns its sums S_g in all samples, so that their dependence
// is kept, and each resample is studentized,
//
//	t*_j = mean*_j / CR1*_j,  mean*_j = sum s_g S_gj / n_j
//	P_(i) = max over h <= i of P(max over j >= h of |t*_(j)| >= |T_(h)|)
//
// with the contrasts ordered by |T|, largest first: step-down max-T, which
// controls the chance of any false rejection. Critical is the level quantile of
// max |t*_j| over the whole family, by the inverse of its distribution function.
// Westfall & Young (1993), chapter 2; Romano & Wolf (2005).
//
// With k clusters whose sums are not 0 everywhere, it is exact over the 2^k sign
// vectors (a vector and its mirror give the same |t*|) where 2^(k-1) is at most 2^20,
// and at most 2^21 over the number of contrasts: up to k = 21 for 2 contrasts, 19 for
// 5, 15 for 100, 12 for 1000. Else it is a Monte Carlo of 99,999 draws with P =
// (1+count)/(1+draws), and says so. It assumes independent clusters whose sums are
// symmetric about 0 under the hypothesis. A contrast that is 0 in every cluster has
// T 0 and P 1.
//
// A draw costs, for each contrast, about a quarter as many look-ups as it has
// clusters, of some 2 ns. Families that would take more than 2e9 of them, such as 300
// contrasts of 200 clusters or 3 of 25,000, have fewer draws, down to 999, and Method
// says so: the number follows from the family alone, not from the machine. Beyond the
// samples it holds 20 bytes for each of their clusters and 8 a draw.
//
// It is an error if the family is empty, if a sample has a single cluster or
// equal cluster means other than 0, or if so many resamples have an error of 0
// that Critical is infinite, as with five clusters of one size and one |S_g|.
// level lies in (0,1).
func MaxT(family []*Clustered, level float64, seed uint64) (StepDown, error) {
	f, err := newFamily(family, level, (*Clustered).sumOf)
	if err != nil {
		return StepDown{}, fmt.Errorf("max-t: %w", err)
	}
	out := StepDown{T: make([]float64, len(family))}
	for j, c := range family {
		if se, _ := c.Sandwich(CR1); c.mean != 0 && se == 0 {
			return StepDown{}, fmt.Errorf("max-t: contrast %d: undefined, because every cluster has the same mean %g", j, c.mean)
		} else if se > 0 {
			out.T[j] = c.ratio(se)
		}
	}
	order := indicesBy(len(family), func(a, b int) int { return cmp.Compare(math.Abs(out.T[b]), math.Abs(out.T[a])) })
	vectors := f.vectors(seed)
	counts, greatest := f.stepDown(vectors, out.T, order)
	if out.Critical, err = critical(greatest, level); err != nil {
		return StepDown{}, fmt.Errorf("max-t: %w", err)
	}
	out.P = make([]float64, len(family))
	least := 0.0
	for rank, j := range order {
		least = max(least, vectors.p(counts[rank]))
		out.P[j] = least
	}
	out.Exact, out.Draws, out.Method = vectors.exact, vectors.draws(), vectors.method()
	return out, nil
}

// Critical is the quantile that makes a family of intervals simultaneous.
type Critical struct {
	Value  float64 // in standard errors
	Exact  bool    // every sign vector was visited; false: Monte Carlo
	Draws  int     // of the Monte Carlo; 0 when exact
	Method string  // for people
}

// Bands gives simultaneous intervals for the means of a family: all of them hold
// their true value at once with a chance of about level. Each is mean -+
// Critical * CR1 error, Critical the level quantile of max |t*_j| as in [MaxT],
// but over sign flips of the residual sums U_g: a band must not take the means
// to be 0. P of each is the single-step adjusted P(max |t*_j| >=
// |T|), as (1+count)/(1+vectors); DF is 0.
//
// Approximate, as the wild bootstrap is: the bands of three contrasts held all
// three truths in 87 % of studies of 6 tasks, 92 % of 18 and 94 % of 36; over all sign vectors, or a Monte Carlo,
// at MaxT's cost. It assumes independent clusters. It is an error where MaxT is
// one, and if any sample's cluster means are all equal. Montiel Olea &
// Plagborg-Møller (2019); Romano & Wolf (2005).
func Bands(family []*Clustered, level float64, seed uint64) ([]Interval, Critical, error) {
	f, err := newFamily(family, level, (*Clustered).residual)
	if err != nil {
		return nil, Critical{}, fmt.Errorf("bands: %w", err)
	}
	errs := make([]float64, len(family))
	for j, c := range family {
		if errs[j], _ = c.Sandwich(CR1); errs[j] == 0 {
			return nil, Critical{}, fmt.Errorf("bands: contrast %d: undefined, because every cluster has the same mean %g", j, c.mean)
		}
	}
	vectors := f.vectors(seed)
	_, greatest := f.stepDown(vectors, make([]float64, len(family)), indicesBy(len(family), func(a, b int) int { return 0 }))
	value, err := critical(greatest, level)
	if err != nil {
		return nil, Critical{}, fmt.Errorf("bands: %w", err)
	}
	out := make([]Interval, len(family))
	for j, c := range family {
		below, _ := slices.BinarySearch(greatest, math.Abs(c.ratio(errs[j]))*(1-1e-9))
		reach := len(greatest) - below
		out[j] = Interval{Value: c.mean, Lo: c.mean - value*errs[j], Hi: c.mean + value*errs[j], SE: errs[j], Level: level,
			P: float64(1+reach) / float64(1+len(greatest))}
	}
	return out, Critical{Value: value, Exact: vectors.exact, Draws: vectors.draws(), Method: vectors.method()}, nil
}

// critical is the level quantile of ascending values, of which the greatest may
// be infinite.
func critical(ascending []float64, level float64) (float64, error) {
	v := nearest(ascending, level)
	if math.IsInf(v, 1) {
		return 0, errors.New("critical value undefined, because too many sign vectors leave a contrast without an error (want more clusters)")
	}
	return v, nil
}

// ratio is mean/se, 0 where the mean is nothing but rounding.
func (c *Clustered) ratio(se float64) float64 {
	size := 0.0
	for _, s := range c.sums {
		size += math.Abs(s)
	}
	if math.Abs(c.mean)*float64(len(c.values)) <= rounding*size {
		return 0
	}
	return c.mean / se
}

// sumOf is S_g.
func (c *Clustered) sumOf(g int) float64 { return c.sums[g] }

// indicesBy is 0..n-1 in a stable order.
func indicesBy(n int, compare func(a, b int) int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, compare)
	return out
}
