package stats

import (
	"fmt"
	"math"
)

// HumanRows is [Predicted.Human] for rows taken as independent: it assumes
// independent rows, and is far too narrow where tasks are clusters. The error
// has 1/n in the variance, the interval is normal (DF 0): the published form,
// to compare with. Approximate, for many rows. It is an error for fewer than two
// labelled rows and where all labels are equal. level lies in (0,1).
func (p *Predicted) HumanRows(level float64) (Interval, error) {
	return p.byRows("human-only interval, independent rows", 0, level)
}

// PPIRows is [Predicted.PPI] for rows taken as independent: it assumes
// independent rows. Its error is that of [Predicted.PPIPlusRows] with
// lambda = 1, and as approximate. It is an error for fewer than two labelled or
// unlabelled rows, and where every row gives the same mean. level lies in (0,1).
func (p *Predicted) PPIRows(level float64) (Interval, error) {
	return p.byRows("ppi interval, independent rows", 1, level)
}

// PPIPlusRows is [Predicted.PPIPlus] for rows taken as independent: it assumes
// independent rows.
//
//	SE^2 = lambda^2 Var(F~)/N + Var(Y - lambda F)/n
//
// with variances of 1/N and 1/n and a normal interval (DF 0); Angelopoulos,
// Duchi & Zrnic (2023), as in their package ppi_py. Approximate, for many rows. It is
// an error for fewer than two labelled rows, and where every row gives the same mean.
// level lies in (0,1). In simulated studies of tasks with several rows it held the
// truth at .95 in 69 to 84 % of studies (doc/coverage.md).
func (p *Predicted) PPIPlusRows(level float64) (Interval, error) {
	return p.byRows("ppi++ interval, independent rows", p.lambda, level)
}

// JudgeRows is [Predicted.Judge] for rows taken as independent: it assumes
// independent rows. The variance has 1/N, the interval is normal (DF 0), approximate,
// for many rows. It is an error for fewer than two unlabelled rows and where all
// predictions are equal. level lies in (0,1).
func (p *Predicted) JudgeRows(level float64) (Interval, error) {
	const where = "judge-only interval, independent rows"
	c, err := p.judged(level)
	if err != nil {
		return Interval{}, fmt.Errorf("%s: %w", where, err)
	}
	_, v := meanVariance(c.values, rounding*largest(c.values))
	if v == 0 {
		return Interval{}, fmt.Errorf("%s: undefined, because every prediction is %g", where, c.mean)
	}
	return studentInterval(c.mean, math.Sqrt(v/float64(c.N())), 0, level), nil
}

func (p *Predicted) byRows(where string, lambda, level float64) (Interval, error) {
	if err := p.check(lambda, level); err != nil {
		return Interval{}, fmt.Errorf("%s: %w", where, err)
	}
	rest := make([]float64, p.N()) // Y - lambda F
	for i, r := range p.rows {
		rest[i] = r.Label - lambda*r.Prediction
	}
	_, v := meanVariance(rest, rounding*(largest(p.labels.values)+lambda*largest(p.predictions.values)))
	v /= float64(p.N())
	if lambda > 0 {
		_, u := meanVariance(p.unlabelled.values, rounding*largest(p.unlabelled.values))
		v += lambda * lambda * u / float64(p.Unlabelled())
	}
	if v == 0 {
		return Interval{}, fmt.Errorf("%s: undefined, because every row gives the same mean %g", where, p.estimate(lambda))
	}
	return studentInterval(p.estimate(lambda), math.Sqrt(v), 0, level), nil
}
