package rating

import "slices"

// Verdict is the adjudicated value of one row on one scale. The zero Verdict
// is unresolved: it has no value.
type Verdict struct {
	Value    float64 // in [0,1] on the scales of the rubric; 0 when NA or not Resolved
	NA       bool    // the scale does not apply to the row
	Resolved bool    // false: another rating is needed, or there is none yet
	Method   string  // single, mean, median, na; none, needs_third or needs_another when not Resolved
}

// The methods of a [Verdict].
const (
	Single       = "single"        // one rating by design
	MeanOf       = "mean"          // two ratings at most one level apart; any number on an imported scale
	MedianOf     = "median"        // three or more
	NotApplies   = "na"            // the raters agree, or most of them say, that the scale does not apply
	None         = "none"          // no rating
	NeedsThird   = "needs_third"   // two ratings that disagree
	NeedsAnother = "needs_another" // three or more that leave it open
)

// scales are those of rubric v1, whose values are level/4.
var scales = []string{"correctness", "actionability", "caution"}

// Scales lists the scales of the rubric in the order in which they are rated.
func Scales() []string { return slices.Clone(scales) }

// oneLevel is the distance of two neighbouring levels, with room for rounding.
const oneLevel = 0.25 + 1e-9

// Adjudicate joins the marks of several raters on one scale (RATING.md,
// section 4). The order of the marks does not matter; marks on other scales
// are passed over. It expects each rater's current mark once.
//
// On the scales of the rubric: one mark stands; two marks at most one level
// apart give their mean; two marks further apart, or one of them NA, ask for a
// third rater; three or more give the median. When most of three or more say
// NA, the verdict is NA; when fewer do, the marks that remain decide, and two
// that remain are judged as two. A tie between NA and values asks for another.
//
// A scale outside the rubric, such as compliance of an imported set, has no
// levels to compare: its verdict is the mean of the marks that are not NA.
func Adjudicate(scale string, marks []Mark) Verdict {
	values, na := split(scale, marks)
	switch {
	case len(values)+na == 0:
		return Verdict{Method: None}
	case len(values) == 0:
		return Verdict{NA: true, Resolved: true, Method: NotApplies}
	case !slices.Contains(scales, scale):
		return resolved(mean(values), MeanOf)
	case na == len(values):
		return open(len(values) + na)
	case na > len(values):
		return Verdict{NA: true, Resolved: true, Method: NotApplies}
	}
	switch n := len(values); {
	case n == 1:
		return resolved(values[0], Single)
	case n == 2 && values[1]-values[0] > oneLevel:
		return open(n + na)
	case n == 2:
		return resolved(mean(values), MeanOf)
	}
	return resolved(median(values), MedianOf)
}

// split returns the values on the scale in ascending order, and how many marks are NA.
func split(scale string, marks []Mark) (values []float64, na int) {
	for _, m := range marks {
		switch {
		case m.Scale != scale:
		case m.NA:
			na++
		default:
			values = append(values, m.Value)
		}
	}
	slices.Sort(values)
	return values, na
}

func resolved(v float64, method string) Verdict {
	return Verdict{Value: v, Resolved: true, Method: method}
}

func open(marks int) Verdict {
	if marks == 2 {
		return Verdict{Method: NeedsThird}
	}
	return Verdict{Method: NeedsAnother}
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// median of ascending values; of an even number, the mean of the middle two.
func median(values []float64) float64 {
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
