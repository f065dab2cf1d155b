package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/uplift-eval/uplift/internal/power"
)

// presentLine says what the design of the basis itself can do.
func presentLine(r *power.Result, a *power.Answer) string {
	p := a.Present
	if p == nil {
		return ""
	}
	parts := []string{"Present design, " + plural(p.Tasks, powerUnit(r).One, powerUnit(r).Many) + " with " + trimmed(p.PairsPerTask, 2) + " pairs each"}
	parts[0] += ": SE " + sizesWord(p.SE)
	if a.Delta != nil {
		parts = append(parts, "power "+powersWord(p.Power))
	}
	parts = append(parts, "the smallest difference found with power "+powerWord(r.Power)+" is "+sizesWord(p.Detectable))
	if a.NonInferiority != nil && a.NonInferiority.Now != nil {
		parts = append(parts, "non-inferiority at margin "+sized(a.NonInferiority.Margin)+" has power "+powersWord(a.NonInferiority.Now))
	}
	return strings.Join(parts, "; ") + "."
}

// secondLines say what one more rater buys.
func secondLines(r *power.Result, a *power.Answer) []string {
	var out []string
	for _, s := range a.Second {
		if !slices.ContainsFunc(s.Saved, func(v *float64) bool { return v != nil }) {
			continue
		}
		who := "A second rater"
		if s.Raters != 2 {
			who = "A " + strconv.Itoa(s.Raters) + "th rater"
			if s.Raters == 3 {
				who = "A third rater"
			}
		}
		out = append(out, who+" of every response, at "+pairsTitle(s.Pairs)+" each and rating noise of "+trimmed(s.Noise, 3)+" of the variance: "+
			countsWord(s.Tasks)+" "+powerUnit(r).Many+" for "+powerWord(r.Power)+", "+byICC(s.Saved, func(v float64) string { return round(100*v, 0) })+" % fewer.")
	}
	return out
}

// nearLines name where one task less all but reaches the aim.
func nearLines(r *power.Result, a *power.Answer) []string {
	var out []string
	for _, t := range a.Tables {
		if len(t.Needs) == 0 {
			continue
		}
		for i, c := range t.Needs[0].Cells {
			for _, near := range c.Near {
				out = append(out, plural(near.Tasks, powerUnit(r).One, powerUnit(r).Many)+" with "+pairsTitle(t.Pairs[i])+
					" at ICC "+trimmed(near.ICC, 3)+ratersNote(r, &t)+" come to "+noZero(math.Floor(1e4*near.Power)/1e4, 4)+".")
			}
		}
	}
	return out
}
