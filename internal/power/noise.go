package power

import (
	"fmt"
	"math"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/stats"
)

// Rated is what the raters' own marks of a pilot tell of one contrast.
type Rated struct {
	Pairs   int      `json:"pairs"` // of which two raters or more marked both sides
	Share   *float64 `json:"share"` // of the variance of one rating's difference, in [0,1]; nil: not known
	Lo      *float64 `json:"lo"`    // of its interval; nil: there is none
	Hi      *float64 `json:"hi"`
	Clamped bool     `json:"clamped"` // more than 1 was estimated
	// Left is the part of one rating's noise that the pilot's own pairs still hold:
	// 1 where every response was rated once, 1/k where labels are means of k
	// ratings. In (0,1]; 0 is taken as 1.
	Left     float64 `json:"left"`
	Withheld string  `json:"withheld,omitempty"` // why there is no share, or no interval
	LabelSD  float64 `json:"label_sd"`           // of the pilot's pairs as they are; filled in by Ask
}

// fewPairs is the least number of pairs rated twice whose noise is planned with.
const fewPairs = 5

// used tells whether the share is one to plan with.
func (r *Rated) used() bool { return r != nil && r.Share != nil && r.Pairs >= fewPairs }

// left is Left, or 1 where it is not known.
func (r *Rated) left() float64 {
	if r == nil || !(r.Left > 0 && r.Left < 1) {
		return 1
	}
	return r.Left
}

// joined tells whether the pilot's labels join several ratings.
func (r *Rated) joined() bool { return r.left() < 1-1e-9 }

// noiseGiven tells whether the question names a share, which then counts.
func (q Question) noiseGiven() bool { return q.NoiseGiven || q.Noise > 0 }

// noiseOf is the share of rating noise to plan with, nil where none is known, and
// where it comes from.
func (q Question) noiseOf(b Basis) (share *float64, from string) {
	r := b.Rated
	switch {
	case q.noiseGiven():
		from = "as given"
		if r.used() {
			from += fmt.Sprintf("; the pilot's %d pairs rated twice say %s", r.Pairs, r.estimate())
		}
		return &q.Noise, from
	case r.used():
		from = fmt.Sprintf("from %d pairs rated twice", r.Pairs)
		if r.Lo != nil && r.Hi != nil {
			from += fmt.Sprintf(", interval [%s, %s]", dec(*r.Lo), dec(*r.Hi))
		}
		return r.Share, from
	case r == nil:
		return nil, ""
	}
	return nil, r.unused()
}

// estimate is the share with its interval: .43 [.20, .71].
func (r *Rated) estimate() string {
	if r.Lo == nil || r.Hi == nil {
		return dec(*r.Share)
	}
	return fmt.Sprintf("%s [%s, %s]", dec(*r.Share), dec(*r.Lo), dec(*r.Hi))
}

// unused says why the pilot's own share is not planned with.
func (r *Rated) unused() string {
	switch {
	case r.Share != nil && r.Pairs == 1:
		return fmt.Sprintf("1 pair was rated twice (want at least %d)", fewPairs)
	case r.Share != nil:
		return fmt.Sprintf("%d pairs were rated twice (want at least %d)", r.Pairs, fewPairs)
	case r.Withheld != "":
		return r.Withheld
	}
	return "no pair was rated twice"
}

// rateOnce brings a pilot whose labels join several ratings to one rating of
// every response, which a design plans with. Of the variance with one rating, v,
// a share of noise is rating noise, and the labels hold Left of it:
//
//	SD^2 = v (1 - noise (1 - Left))
//
// The variance between tasks holds no rating noise and stays, so that its share,
// the ICC, falls by the factor by which the variance rises.
func (b Basis) rateOnce(noise float64) Basis {
	kept := 1 - noise*(1-b.Rated.left())
	if kept >= 1 {
		return b
	}
	b.SD /= math.Sqrt(kept)
	b.SDFrom += ", brought to one rating of every response; of its labels " + size(b.Rated.LabelSD)
	for _, p := range []**float64{&b.ICC, &b.ICCLo, &b.ICCHi} {
		if *p != nil {
			*p = new(**p * kept)
		}
	}
	return b
}

// raters is how the pilot was rated: as many raters a response, and one more of a
// share of them, as leave what its labels hold of the noise.
func (r *Rated) raters(noise float64) stats.Raters {
	left := r.left()
	k := math.Min(1000, math.Floor(1/left+1e-9))
	double := (1/k - left) * k * (k + 1)
	return stats.Raters{Each: int(k), Double: math.Max(0, math.Min(1, double)), Noise: noise}
}

// wideNoise is the width of the interval of a share from which on it is called a
// guess.
const wideNoise = 0.3

// warnRated warns of what the raters of a pilot leave open.
func (a asked) warnRated(list *[]uplift.Warning) {
	r := a.b.Rated
	if r == nil {
		return
	}
	switch {
	case a.noise == nil:
		a.warn(list, CodeNoiseFew, "the share of rating noise is not told by the pilot: %s; have more pairs marked by two raters, or name a share (--noise)", r.unused())
	case a.given:
	case r.Clamped:
		a.warn(list, CodeNoiseWide, "by the %d pairs rated twice, raters differ more on one pair than pairs differ: all of the variance is taken as rating noise, and more than 1 is estimated; name a share to plan with (--noise)", r.Pairs)
	case r.Lo == nil || r.Hi == nil:
		a.warn(list, CodeNoiseWide, "the rating noise of %s has no interval: %s", dec(*r.Share), r.Withheld)
	case *r.Hi-*r.Lo > wideNoise:
		a.warn(list, CodeNoiseWide, "the rating noise of %s rests on %d pairs rated twice: its interval runs from %s to %s; try both ends (--noise)", dec(*r.Share), r.Pairs, dec(*r.Lo), dec(*r.Hi))
	}
	switch {
	case !r.joined():
	case a.noise == nil:
		a.warn(list, CodeNoiseJoined, "the pilot's labels join several ratings and hold %s of one rating's noise: its SD is taken as it is, and so the powers are those of responses rated as often as the pilot's", percent(r.Left))
	default:
		a.warn(list, CodeNoiseJoined, "the pilot's labels join several ratings and hold %s of one rating's noise: SD and ICC stand for responses rated once, the present design for the pilot's own ratings. Labels that a third rater settled are medians, and hold a little more", percent(r.Left))
	}
}

func percent(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }
