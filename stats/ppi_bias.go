package stats

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Bias is the judge's bias on the labelled rows: the mean of prediction less
// label, with the CR2 interval of [Clustered.Interval] by clusters. A positive
// value is a judge that scores higher than people do. It is an error for a
// single cluster, and where the bias is the same in every cluster but for rounding, so
// also for a judge that is never wrong. level lies in (0,1). Approximate, for many
// independent clusters; Bell & McCaffrey (2002).
func (p *Predicted) Bias(level float64) (Interval, error) {
	e, err := p.misses()
	if err != nil {
		return Interval{}, fmt.Errorf("judge bias: %w", err)
	}
	i, err := e.Interval(CR2, level)
	if err != nil {
		return Interval{}, fmt.Errorf("judge bias: %w", err)
	}
	return i, nil
}

// misses is the sample of prediction less label.
func (p *Predicted) misses() (*Clustered, error) {
	if p.N() == 0 {
		return nil, errors.New("no labelled rows (want at least one)")
	}
	return clusteredBy(p.rows, func(r Labelled) (float64, int) {
		e := r.Prediction - r.Label
		if math.Abs(e) <= rounding*(math.Abs(r.Prediction)+math.Abs(r.Label)) {
			e = 0
		}
		return e, r.Cluster
	})
}

// BiasDifference is how much the judge's bias under a exceeds its bias under b,
// two conditions that were asked the same tasks: where it is not 0, the judge's
// own contrast of a and b is biased, and pairing does not help. Compare within
// a tier. The samples are joined by cluster id and need not match row by row.
//
//	V = sum_g (u_ga - u_gb)^2, u_g = U_g / (n sqrt(1-p_g))
//
// over the clusters of either, which is [Clustered.Sandwich]'s CR2 of the
// paired differences if the rows match; the Satterthwaite df likewise, under a
// working model of independent values (Bell & McCaffrey 2002, eq. (8)). It is
// an error where either sample is a single cluster, and where no cluster
// differs from another but for rounding. level lies in (0,1). Approximate, for many
// independent clusters.
func BiasDifference(a, b *Predicted, level float64) (Interval, error) {
	const where = "difference of judge biases"
	var e [2]*Clustered
	for i, p := range []*Predicted{a, b} {
		name := [...]string{"first sample", "second sample"}[i]
		var err error
		if e[i], err = p.misses(); err != nil {
			return Interval{}, fmt.Errorf("%s: %s: %w", where, name, err)
		}
		if err := e[i].checkInterval(level); err != nil {
			return Interval{}, fmt.Errorf("%s: %s: %w", where, name, err)
		}
	}
	v := differenceVariance(e[0], e[1])
	if v == 0 {
		return Interval{}, fmt.Errorf("%s: undefined, because it is the same in every cluster", where)
	}
	return studentInterval(e[0].mean-e[1].mean, math.Sqrt(v), differenceDF(e[0], e[1]), level), nil
}

// differenceVariance joins two samples of at least two clusters each.
func differenceVariance(a, b *Clustered) float64 {
	v := 0.0
	eachShared(a, b, func(i, j int) {
		x, y := a.scaledResidual(i), b.scaledResidual(j)
		if math.Abs(x-y) > rounding*(math.Abs(x)+math.Abs(y)) {
			v += (x - y) * (x - y)
		}
	})
	return v
}

// scaledResidual is U_g / (n sqrt(1-p_g)), 0 for no cluster, -1.
func (c *Clustered) scaledResidual(g int) float64 {
	if g < 0 {
		return 0
	}
	n := float64(len(c.values))
	return c.residual(g) / (n * math.Sqrt(1-c.sizes[g]/n))
}

// differenceDF is (sum_g w_gg)^2 / sum_gh w_gh^2. Each sample adds to w_gg its
// p_g/n and to w_gh the product -x_g x_h, x_g = p_g/sqrt((1-p_g) n).
func differenceDF(a, b *Clustered) float64 {
	if a.balanced() && b.balanced() && slices.Equal(a.ids, b.ids) {
		return float64(len(a.ids) - 1) // where rounding would leave 8.999999999999993
	}
	part := func(c *Clustered, g int) (own, x float64) {
		if g < 0 {
			return 0, 0
		}
		n := float64(len(c.values))
		p := c.sizes[g] / n
		return p / n, p / math.Sqrt((1-p)*n)
	}
	var trace, squares, xx, xy, yy float64 // of the clusters before
	eachShared(a, b, func(i, j int) {
		u, x := part(a, i)
		v, y := part(b, j)
		trace += u + v
		squares += (u+v)*(u+v) + 2*(x*x*xx+2*x*y*xy+y*y*yy)
		xx, xy, yy = xx+x*x, xy+x*y, yy+y*y
	})
	return trace * trace / squares
}

// eachShared calls do for every cluster id of a or b, in ascending order, with
// its number in each, -1 where it has none.
func eachShared(a, b *Clustered, do func(i, j int)) {
	for i, j := 0, 0; i < len(a.ids) || j < len(b.ids); {
		switch {
		case j == len(b.ids) || (i < len(a.ids) && a.ids[i] < b.ids[j]):
			do(i, -1)
			i++
		case i == len(a.ids) || a.ids[i] > b.ids[j]:
			do(-1, j)
			j++
		default:
			do(i, j)
			i, j = i+1, j+1
		}
	}
}
