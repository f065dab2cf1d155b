package report

import (
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// factsOf are the numbers of a contrast that the table has no column for.
func factsOf(res *analysis.Result, c *analysis.Contrast) []Fact {
	u := unitOf(res)
	var out []Fact
	add := func(name, value string) {
		if value != absent && value != "" {
			out = append(out, Fact{name, value})
		}
	}
	add("Standard error", orAbsent(c.Difference.SE, func(v float64) string { return round(v, 4) }))
	add("Degrees of freedom", orAbsent(c.Difference.DF, degrees))
	add("p of the headline interval", pOr(c.P))
	add("p by sign flips of "+u.many, signFlipFact(c))
	add("p by sign flips of pairs", withNote(pOr(c.PSignFlipPairs), "assumes independent pairs"))
	add("p by sign flips after Holm"+familyOf(c), pOr(holm(c)))
	add("p of the headline interval after Holm", pOr(holmCR2(c)))
	add("p by max-t step-down", withNote(pOr(c.PMaxT), text(c.MaxTMethod)))
	add("Simultaneous band"+familyOf(c), bandFact(c.Band))
	add("Intra-cluster correlation", orAbsent(c.ICC, fraction))
	add("Design effect", designEffect(c))
	add(capital(u.one)+"-weighted difference", signedOr(c.TaskWeighted))
	add("Leaving one "+u.one+" out", leaveOneOut(c.LeaveOneOut))
	add("Full scores gained and lost", mcNemar(c.McNemar))
	add("Change in refusal rate", refusalChange(c))
	add("Non-inferiority", nonInferiority(c.NonInferiority))
	add("Equivalence", equivalence(c.Equivalence))
	add("Mean difference by rater", byRater(c))
	add("Leaving one rater out", leaveOneOut(c.LeaveRaterOut))
	add("Bounds if missing labels were worst or best", bounds(c.Bounds))
	add(capital(u.many)+" with a non-zero difference", count(c.NonZero)+" of "+count(c.Clusters))
	add("Labelled responses without a partner", count(c.Unmatched))
	add("Scale, tiers, grader", name(c.Scale)+", "+tierList(c.Tiers)+graderOf(res, c))
	return out
}

func graderOf(res *analysis.Result, c *analysis.Contrast) string {
	g := c.Grader
	if g == "" {
		g = res.Grader
	}
	if g == "" {
		return ""
	}
	return ", " + name(g)
}

// designEffect is a dash with its reason where there is an ICC without it.
func designEffect(c *analysis.Contrast) string {
	if reason := c.Undefined["design_effect"]; reason != "" && c.ICC != nil {
		return absent + " (" + text(reason) + ")"
	}
	return orAbsent(c.DesignEffect, func(v float64) string { return round(v, 2) })
}

func withNote(value, note string) string {
	if value == absent || note == "" {
		return value
	}
	return value + " (" + note + ")"
}

func signFlipFact(c *analysis.Contrast) string {
	return withNote(pOr(c.PSignFlip), signFlipWord(c))
}

// signFlipWord is how the sign-flip p was found, without the arithmetic: an
// exact p is the same whichever way it was counted.
func signFlipWord(c *analysis.Contrast) string {
	if strings.HasPrefix(c.SignFlipMethod, "exact") {
		return "exact: all patterns of signs"
	}
	return text(c.SignFlipMethod)
}

func leaveOneOut(r *analysis.Range) string {
	if r == nil {
		return absent
	}
	out := signedOr(&r.Lo) + leftOut(r.LoName) + " to " + signedOr(&r.Hi) + leftOut(r.HiName)
	return out
}

func leftOut(group string) string {
	if group == "" {
		return ""
	}
	return " (without " + name(group) + ")"
}

func bounds(r *analysis.Range) string {
	if r == nil {
		return absent
	}
	return interval(&r.Lo, &r.Hi)
}

func mcNemar(m *analysis.McNemar) string {
	if m == nil {
		return absent
	}
	return count(m.Gain) + " and " + count(m.Loss) + " (McNemar exact " + pEquals(m.P) + ")"
}

func refusalChange(c *analysis.Contrast) string {
	v, ok := finite(c.RefusalChange)
	if !ok {
		return absent
	}
	return signed(v) + " over " + plural(c.RefusalPairs, "pair", "pairs")
}

func nonInferiority(n *analysis.NonInferiority) string {
	if n == nil {
		return absent
	}
	word := "not shown"
	if n.Shown {
		word = "shown"
	}
	return word + ": margin " + round(n.Margin, 3) + ", " + pEquals(n.P) + ", bound " + signed(n.Lower) + " (one-sided " + percent(1-n.Alpha) + ")"
}

func equivalence(e *analysis.Equivalence) string {
	if e == nil {
		return absent
	}
	word := "not shown"
	if e.Shown {
		word = "shown"
	}
	return word + ": margin " + round(e.Margin, 3) + " either way, " + pEquals(e.P) + ", " + percent(1-2*e.Alpha) + " " + interval(&e.Lo, &e.Hi)
}

func familyOf(c *analysis.Contrast) string {
	if c.Family == nil {
		return ""
	}
	return " (family of " + familySize(c.Family) + ")"
}

func bandFact(b *analysis.Band) string {
	if b == nil {
		return absent
	}
	return interval(&b.Lo, &b.Hi) + ", critical t " + round(b.Critical, 2) + " (" + text(b.Method) + ")"
}

// listedRaters is how many raters a fact lists.
const listedRaters = 12

// byRater lists the means of the raters, and how many pairs each saw.
func byRater(c *analysis.Contrast) string {
	var parts []string
	for i, r := range c.ByRater {
		if i == listedRaters {
			parts = append(parts, "and "+count(len(c.ByRater)-listedRaters)+" more")
			break
		}
		parts = append(parts, name(r.Rater)+" "+signed(r.Mean)+" ("+plural(r.Pairs, "pair", "pairs")+")")
	}
	return strings.Join(parts, ", ")
}
