package stats

import (
	"fmt"
	"math"
)

// Direction says which change of a score is an improvement. The zero value is
// invalid.
type Direction int

// The directions.
const (
	HigherIsBetter Direction = iota + 1 // such as correctness
	LowerIsBetter                       // such as actionability on harmful tasks
)

// String is "higher is better" or "lower is better".
func (d Direction) String() string {
	switch d {
	case HigherIsBetter:
		return "higher is better"
	case LowerIsBetter:
		return "lower is better"
	}
	return fmt.Sprintf("Direction(%d)", int(d))
}

// NonInferiority is a one-sided test that a mean is not worse than 0 by a
// margin or more.
type NonInferiority struct {
	Margin float64 // above 0, in units of the values
	T, DF  float64 // large T speaks against inferiority
	P      float64 // one-sided, in (0,1]; non-inferiority is shown when P <= Alpha
	Bound  float64 // one-sided confidence bound of level 1-Alpha on the unfavourable side: a lower bound where higher is better, else an upper one
	Alpha  float64
	Better Direction
}

// NonInferiority tests H0 "the mean is worse than 0 by margin or more", that is
// mean <= -margin where higher is better, mean >= margin where lower is better:
//
//	T = (margin + mean)/se or (margin - mean)/se,  P = P(t_df >= T)
//
// with the CR2 error and its Satterthwaite df. P <= alpha exactly when Bound
// lies on the good side of -margin (of margin). It is approximate as
// [Clustered.Interval] is, and assumes independent clusters. The margin must be
// fixed before the data are seen; alpha lies in (0, 0.5), and .025 is usual: a
// one-sided test at alpha goes with the two-sided interval of level 1-2*alpha, and
// its power is that of [Design.NonInferiority] at Level 1-2*alpha.
// Schuirmann (1987), one of the two tests; ICH E9 (1998), section 3.3.2.
//
// It is undefined, and an error says so, for a single cluster and when all
// cluster means are equal.
func (c *Clustered) NonInferiority(margin, alpha float64, better Direction) (NonInferiority, error) {
	if better != HigherIsBetter && better != LowerIsBetter {
		return NonInferiority{}, fmt.Errorf("non-inferiority: direction %v (want HigherIsBetter or LowerIsBetter)", better)
	}
	i, err := c.againstMargin(margin, alpha)
	if err != nil {
		return NonInferiority{}, fmt.Errorf("non-inferiority: %w", err)
	}
	sign := 1.0
	if better == LowerIsBetter {
		sign = -1
	}
	t := (margin + sign*i.Value) / i.SE
	return NonInferiority{Margin: margin, T: t, DF: i.DF, P: probability(TCDF(-t, i.DF)),
		Bound: i.Value + sign*TQuantile(alpha, i.DF)*i.SE, Alpha: alpha, Better: better}, nil
}

// Equivalence is a pair of one-sided tests that a mean lies within a margin of 0.
type Equivalence struct {
	Margin         float64 // above 0, in units of the values
	P              float64 // in (0,1], the larger of PLower and PUpper; equivalence is shown when P <= Alpha
	PLower, PUpper float64 // one-sided, of H0 mean <= -Margin and of H0 mean >= Margin
	Lo, Hi         float64 // the interval of level 1-2*Alpha
	DF             float64
	Alpha          float64
}

// Equivalence is the two one-sided tests (TOST) of H0 "the mean is 0 by margin
// or more away", each at level alpha with the CR2 error and its Satterthwaite
// df. P <= alpha exactly when [Lo, Hi] lies within the margins. Assumptions,
// approximation and errors are those of [Clustered.NonInferiority]. Schuirmann
// (1987).
func (c *Clustered) Equivalence(margin, alpha float64) (Equivalence, error) {
	i, err := c.againstMargin(margin, alpha)
	if err != nil {
		return Equivalence{}, fmt.Errorf("equivalence: %w", err)
	}
	half := -TQuantile(alpha, i.DF) * i.SE
	e := Equivalence{Margin: margin, Lo: i.Value - half, Hi: i.Value + half, DF: i.DF, Alpha: alpha,
		PLower: probability(TCDF(-(margin+i.Value)/i.SE, i.DF)), PUpper: probability(TCDF(-(margin-i.Value)/i.SE, i.DF))}
	e.P = max(e.PLower, e.PUpper)
	return e, nil
}

// againstMargin checks a margin and alpha, and gives mean, error and df.
func (c *Clustered) againstMargin(margin, alpha float64) (Interval, error) {
	if !(margin > 0 && margin <= maxValue) {
		return Interval{}, fmt.Errorf("margin %v (want above 0, up to %g)", margin, maxValue)
	}
	if !(alpha > 0 && alpha < 0.5) {
		return Interval{}, fmt.Errorf("alpha %v (want above 0, below 0.5)", alpha)
	}
	i, err := c.Interval(CR2, 0.95) // its level is not used
	if err == nil && math.IsInf(margin/i.SE, 0) {
		err = fmt.Errorf("margin %v (want no more than 1e300 standard errors)", margin)
	}
	return i, err
}
