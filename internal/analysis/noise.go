package analysis

import (
	"strings"

	"github.com/uplift-eval/uplift/stats"
)

// RatingNoise is how much of the variance of one rating's difference comes from
// the act of rating, as the pairs tell of which two raters or more marked both
// sides. It is what a plan needs to price another rater.
type RatingNoise struct {
	Pairs    int      `json:"pairs"`    // of which two raters or more marked both sides
	DF       int      `json:"df"`       // their ratings less their number
	Variance *float64 `json:"variance"` // of one rating's difference around the pair's own value
	Share    *float64 `json:"share"`    // of the variance of one rating's difference, in [0,1]
	Lo       *float64 `json:"lo"`       // F interval of Share at the result's level
	Hi       *float64 `json:"hi"`
	Clamped  bool     `json:"clamped"` // more than 1 was estimated, and 1 is told
	// Left is the part of one rating's noise that the contrast's own differences
	// still hold, being made of labels that join several ratings: the mean over
	// its pairs of (1/a + 1/b)/2, where a and b are the ratings of the two sides.
	// It is exact for means; a median of three keeps a little more than a third.
	Left float64 `json:"left"` // in (0,1]; 1: every response was rated once
	// Unknown counts pairs with a label on a side that no rater's own mark stands
	// behind. It is taken as one rating.
	Unknown  int    `json:"unknown"`
	Withheld string `json:"withheld,omitempty"` // why there is no share, or no interval
}

// noise estimates the rating noise of the pairs of a contrast.
func (t *table) noise(crossed *stats.Crossed, pairs []pair, column int, level float64) *RatingNoise {
	out := &RatingNoise{}
	out.Left, out.Unknown = t.left(pairs, t.scales.find(t.columns[column].scale))
	why := func(err error) string {
		_, s, _ := strings.Cut(err.Error(), ": ")
		return strings.TrimPrefix(s, "undefined, because ")
	}
	n, err := crossed.Noise()
	if err != nil {
		out.Withheld = why(err)
		return out
	}
	out.Pairs, out.DF, out.Variance, out.Share, out.Clamped = n.Pairs, n.DF, &n.Variance, &n.Share, n.Clamped
	if s, err := crossed.NoiseInterval(level); err != nil {
		out.Withheld = why(err)
	} else {
		out.Lo, out.Hi = &s.Lo, &s.Hi
	}
	return out
}

// left is the part of one rating's noise that the labels of pairs hold, and how
// many pairs have a label that is taken as one rating for want of a mark.
func (t *table) left(pairs []pair, scale int32) (left float64, unknown int) {
	for _, p := range pairs {
		a, b := len(t.marksOf(p.condition, scale)), len(t.marksOf(p.reference, scale))
		if min(a, b) == 0 {
			unknown++
		}
		left += (1/float64(max(1, a)) + 1/float64(max(1, b))) / 2
	}
	return left / float64(len(pairs)), unknown
}
