package report

import (
	"math"
	"strconv"
)

// axis maps values of a range to a length and knows its ticks.
type axis struct {
	Lo, Hi   float64 // values at From and To
	From, To float64 // positions
	Step     float64 // between ticks
}

// tick is one mark of an axis.
type tick struct {
	At    float64 // position
	Label string
	Zero  bool
}

// newAxis widens [lo, hi] to at least span and by a margin, then picks about
// n round steps.
func newAxis(lo, hi, span, from, to float64, n int) axis {
	if hi < lo {
		lo, hi = 0, 1
	}
	if short := span - (hi - lo); short > 0 {
		lo, hi = lo-short/2, hi+short/2
	}
	margin := 0.08 * (hi - lo)
	a := axis{Lo: lo - margin, Hi: hi + margin, From: from, To: to}
	a.Step = roundStep((a.Hi - a.Lo) / float64(n))
	return a
}

// roundStep is the 1, 2 or 5 times a power of ten nearest above v.
func roundStep(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, k := range []float64{1, 2, 5} {
		if v <= k*unit*(1+1e-9) {
			return k * unit
		}
	}
	return 10 * unit
}

// at is the position of v.
func (a axis) at(v float64) float64 {
	if a.Hi == a.Lo {
		return (a.From + a.To) / 2
	}
	return a.From + (v-a.Lo)/(a.Hi-a.Lo)*(a.To-a.From)
}

// clamp is the position of v, kept within the axis.
func (a axis) clamp(v float64) float64 { return a.at(math.Max(a.Lo, math.Min(a.Hi, v))) }

// ticks are the round values inside the axis; labels show factor times them.
func (a axis) ticks(factor float64, plus bool) []tick {
	var out []tick
	decimals := stepDecimals(a.Step * factor)
	for k := math.Ceil(a.Lo/a.Step - 1e-9); k*a.Step <= a.Hi+1e-9*a.Step; k++ {
		v := k * a.Step
		label := round(v*factor, decimals)
		if plus && v > 0 {
			label = "+" + label
		}
		out = append(out, tick{At: a.at(v), Label: label, Zero: k == 0})
		if len(out) > 50 {
			break
		}
	}
	return out
}

func stepDecimals(step float64) int {
	return max(0, int(-math.Floor(math.Log10(step)+1e-9)))
}

// px prints a position for SVG with at most two decimals.
func px(v float64) string {
	r := math.Round(v*100) / 100
	if math.IsNaN(r) || math.IsInf(r, 0) {
		return "0"
	}
	return strconv.FormatFloat(r+0, 'f', -1, 64)
}
