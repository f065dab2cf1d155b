package stats

import "fmt"

// Raters says how often responses are rated, and what that buys. The zero value
// is one rater a response.
//
// Noise is the share of a pair's variance, with one rater, that comes from the
// act of rating: what would differ if another rater had marked the same two
// responses. It is taken as independent from pair to pair, so it lies within
// tasks, and the mean of k raters leaves 1/k of it. The variance between tasks
// stays, so that the intraclass correlation of the means rises. A rater's own
// severity, the same on all rows, cancels in a pair that one rater marks; what
// raters share against a condition no number of pairs takes away.
type Raters struct {
	Each   int     // raters of every response; 0: 1
	Double float64 // share of the responses that one rater more marks, in [0,1]
	Noise  float64 // in [0,1-ICC]: share of the pair variance that is rating noise
}

func (r Raters) check(icc float64) error {
	switch {
	case r.Each < 0 || r.Each > 1000:
		return fmt.Errorf("%d raters a response (want 1 to 1000)", r.Each)
	case !(r.Double >= 0 && r.Double <= 1):
		return fmt.Errorf("share %v of responses with one rater more (want 0 to 1)", r.Double)
	case !(r.Noise >= 0 && r.Noise <= 1-icc+rounding):
		return fmt.Errorf("share %v of the variance that is rating noise (want 0 to %.4g, which the intraclass correlation leaves)", r.Noise, 1-icc)
	}
	return nil
}

// PerResponse is the mean number of ratings that a response takes.
func (r Raters) PerResponse() float64 { return float64(max(1, r.Each)) + r.Double }

// left is the share of the rating noise that stays in the mean of a response's
// ratings, averaged over the responses.
func (r Raters) left() float64 {
	k := float64(max(1, r.Each))
	return (1-r.Double)/k + r.Double/(k+1)
}
