package stats

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Labelled is a row that people labelled and a judge predicted. Both values
// may be scores or paired differences.
type Labelled struct {
	Label, Prediction float64
	Cluster           int // an id of 0 or more, such as the task
}

// Unlabelled is a row that only the judge saw.
type Unlabelled struct {
	Prediction float64
	Cluster    int // ids are those of the labelled rows
}

// Predicted is a sample of n labelled and N unlabelled rows, for
// prediction-powered inference on the mean label: a judge's predictions lend
// precision, and the labelled rows take the judge's bias out. It is immutable;
// its zero value is empty, and every interval of it is an error.
//
// The labelled rows must be a probability sample of all rows: each row as
// likely to be labelled as any other, whatever it says. Rows that were picked
// because they looked hard, or that raters skipped, void every interval here
// but [Predicted.Judge], which no labels can help. A reply of the judge that
// cannot be parsed is a missing row, not a 0.
//
// Notation: Y_i and F_i are label and prediction of a labelled row, F~_j the
// prediction of an unlabelled one, bars are means.
//
//	estimate(lambda) = Ybar - lambda (Fbar - F~bar)
//
// lambda is 0 for [Predicted.Human], 1 for [Predicted.PPI] and
// [Predicted.Lambda] for [Predicted.PPIPlus]. Angelopoulos, Bates, Fannjiang,
// Jordan & Zrnic (2023), Science 382, algorithm 1; Angelopoulos, Duchi & Zrnic
// (2023), arXiv 2311.01453. All intervals are approximate, for many clusters
// (or rows): print the three beside each other.
type Predicted struct {
	labels, predictions *Clustered // of the labelled rows
	unlabelled          *Clustered // nil if there are none
	rows                []Labelled // ordered by cluster, then by values, so that no result depends on the caller's order
	lambda              float64
}

// NewPredicted makes a sample of n >= 1 labelled and N >= 0 unlabelled rows.
// Values and ids are bound as in [NewClustered]; the slices are copied.
func NewPredicted(labelled []Labelled, unlabelled []Unlabelled) (*Predicted, error) {
	p := &Predicted{rows: slices.Clone(labelled)}
	slices.SortFunc(p.rows, func(a, b Labelled) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Label, b.Label), cmp.Compare(a.Prediction, b.Prediction))
	})
	var err error
	if p.labels, err = clusteredBy(labelled, func(r Labelled) (float64, int) { return r.Label, r.Cluster }); err != nil {
		return nil, fmt.Errorf("labels: %w", err)
	}
	if p.predictions, err = clusteredBy(labelled, func(r Labelled) (float64, int) { return r.Prediction, r.Cluster }); err != nil {
		return nil, fmt.Errorf("predictions of labelled rows: %w", err)
	}
	if len(unlabelled) > 0 {
		if p.unlabelled, err = clusteredBy(unlabelled, func(r Unlabelled) (float64, int) { return r.Prediction, r.Cluster }); err != nil {
			return nil, fmt.Errorf("predictions of unlabelled rows: %w", err)
		}
	}
	p.lambda = p.tune()
	return p, nil
}

func clusteredBy[R any](rows []R, of func(R) (float64, int)) (*Clustered, error) {
	values, cluster := make([]float64, len(rows)), make([]int, len(rows))
	for i, r := range rows {
		values[i], cluster[i] = of(r)
	}
	return NewClustered(values, cluster)
}

// N is the number of labelled rows, n.
func (p *Predicted) N() int { return len(p.rows) }

// Unlabelled is the number of unlabelled rows, N.
func (p *Predicted) Unlabelled() int {
	if p.unlabelled == nil {
		return 0
	}
	return p.unlabelled.N()
}

// Lambda is the weight of the predictions in [Predicted.PPIPlus], in [0,1]:
//
//	lambda = Cov(Y, F) / ((1 + n/N) Var(F, F~))
//
// clipped to [0,1]; the covariance has 1/n, the variance over all n+N
// predictions 1/(n+N-1). It minimises the variance of the estimate for
// independent rows, and is used for clustered ones too. Angelopoulos, Duchi &
// Zrnic (2023), power tuning, for a mean. It is 0, and the estimate human-only,
// if the predictions are all equal, if they do not rise with the labels (a
// covariance of no more than rounding is 0), and if fewer than two rows are
// unlabelled, since one shows no spread. Estimate it by
// endpoint and stratum; pooled over strata it can be far off.
func (p *Predicted) Lambda() float64 { return p.lambda }

func (p *Predicted) tune() float64 {
	n, m := float64(p.N()), float64(p.Unlabelled())
	if m < 2 {
		return 0
	}
	all := slices.Concat(p.predictions.values, p.unlabelled.values)
	_, variance := meanVariance(all, rounding*largest(all))
	if variance == 0 {
		return 0
	}
	cov := p.covariance()
	return min(1, max(0, cov/((1+n/m)*variance*(n+m)/(n+m-1))))
}

// covariance is Cov(Y, F) with 1/n, and 0 where only the rounding of its terms and of
// the two means would be left: a lambda of 1e-17 would be no weight, and yet count as
// one in the degrees of freedom.
func (p *Predicted) covariance() float64 {
	n, cov, noise := float64(p.N()), 0.0, 0.0
	ulpY, ulpF := 0x1p-50*largest(p.labels.values), 0x1p-50*largest(p.predictions.values)
	for _, r := range p.rows {
		y, f := r.Label-p.labels.mean, r.Prediction-p.predictions.mean
		cov += y * f / n
		noise += (rounding*math.Abs(y*f) + ulpY*math.Abs(f) + ulpF*math.Abs(y)) / n
	}
	if math.Abs(cov) <= noise {
		return 0
	}
	return cov
}

// meanVariance is the mean and the variance, with 1/n, of values; the variance is 0
// if they differ by no more than nothing.
func meanVariance(values []float64, nothing float64) (mean, variance float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	if slices.Max(values)-slices.Min(values) <= nothing {
		return mean, 0
	}
	for _, v := range values {
		variance += (v - mean) * (v - mean) / n
	}
	return mean, variance
}

func largest(values []float64) float64 {
	return max(math.Abs(slices.Max(values)), math.Abs(slices.Min(values)))
}

// estimate is Ybar - lambda (Fbar - F~bar).
func (p *Predicted) estimate(lambda float64) float64 {
	if lambda == 0 {
		return p.labels.mean
	}
	return p.labels.mean - lambda*(p.predictions.mean-p.unlabelled.mean)
}

// check refuses what no interval with weight lambda can be had of.
func (p *Predicted) check(lambda, level float64) error {
	switch {
	case !(level > 0 && level < 1):
		return fmt.Errorf("level %v (want between 0 and 1)", level)
	case p.N() == 0:
		return errors.New("no labelled rows (want at least 2)")
	case p.N() == 1:
		return errors.New("undefined, because one row is labelled (want at least 2)")
	case lambda > 0 && p.Unlabelled() < 2:
		return fmt.Errorf("undefined, because the unlabelled rows number %d (want at least 2)", p.Unlabelled())
	}
	return nil
}
