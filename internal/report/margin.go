package report

import (
	"slices"
	"strconv"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// notWorse reports whether non-inferiority is shown, which alone allows to say
// that a condition is no worse.
func notWorse(c *analysis.Contrast) bool {
	return c != nil && c.NonInferiority != nil && c.NonInferiority.Shown
}

// improves reports whether the difference goes the better way.
func improves(c *analysis.Contrast) bool { return headline(c)*float64(direction(c)) > 0 }

// marginSize is a contrast's margin in words: 5 points.
func marginSize(c *analysis.Contrast) string {
	m := c.NonInferiority.Margin
	if !rubric(c.Scale) {
		return round(m, 3)
	}
	s := strconv.FormatFloat(nearest(1e5*m)/1e3, 'f', -1, 64)
	if s == "1" {
		return s + " point"
	}
	return s + " points"
}

// againstMargin ends a claim with the test against the margin. A change for the
// better that is shown needs none.
func againstMargin(c *analysis.Contrast) string {
	n := c.NonInferiority
	if n == nil || verdictOf(c) == shown && improves(c) {
		return ""
	}
	p := " (non-inferiority " + pEquals(n.P) + ")"
	if n.Shown {
		return "; it is not worse by more than " + marginSize(c) + p
	}
	return "; that it is not worse by more than " + marginSize(c) + " could not be shown" + p
}

// marginNote says what would be needed for a claim that many would read into an
// interval that holds 0; empty where no contrast tempts to it.
func marginNote(res *analysis.Result) string {
	var without []string
	for i := range res.Contrasts {
		c := &res.Contrasts[i]
		if verdictOf(c) == unshown && c.NonInferiority == nil && c.Undefined["non_inferiority"] == "" {
			without = append(without, endpointWord(c.Endpoint))
		}
	}
	slices.Sort(without)
	if without = slices.Compact(without); len(without) == 0 {
		return ""
	}
	return "That a condition is no worse can be shown only against a margin, which the study file does not give for " +
		joinWords(without) + "."
}
