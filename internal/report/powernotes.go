package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/uplift-eval/uplift/internal/power"
)

// joinedNote says of which ICC the numbers are.
func joinedNote(a *power.Answer) string {
	if len(a.ICCs) == 1 {
		return "All at ICC " + iccsWord(a.ICCs) + "."
	}
	return "Numbers joined by strokes go by ICC: " + iccsWord(a.ICCs) + "."
}

// needNotes say what is to be known of the tasks that a power takes.
func needNotes(r *power.Result, t *power.Table) []string {
	var out []string
	least, none, noise := false, false, false
	for _, n := range t.Needs {
		for i, c := range n.Cells {
			least = least || holds(c.Tasks, r.Least)
			for k, g := range c.Tasks {
				room := t.Rows[0].Cells[i].Detectable[k] != nil
				none, noise = none || g == nil && room, noise || g == nil && !room
			}
		}
	}
	if least {
		out = append(out, leastNote(r))
	}
	if none {
		out = append(out, absent+" stands for more than "+count(power.MostTasks)+" "+powerUnit(r).Many+".")
	}
	if noise {
		out = append(out, absent+" stands where rating noise leaves no room for such an ICC.")
	}
	return append(out, nearLines(r, t)...)
}

// leastNote says why no answer names fewer tasks.
func leastNote(r *power.Result) string {
	s := "At least " + strconv.Itoa(r.Least) + ": with fewer "
	if r.LeastBy == power.LeastByInterval {
		return s + "the analysis gives no interval."
	}
	return s + "the sign-flip p cannot reach " + trimmed(r.Alpha, 4) + "."
}

// niNotes say what is to be known of the tasks that non-inferiority takes.
func niNotes(r *power.Result, n *power.NonInferiority) []string {
	var out []string
	if slices.ContainsFunc(n.Needs, func(c []*int) bool { return holds(c, n.Least) }) {
		out = append(out, "At least "+strconv.Itoa(n.Least)+": with fewer the analysis gives no interval.")
	}
	if slices.ContainsFunc(n.Needs, func(c []*int) bool { return slices.Contains(c, nil) }) {
		out = append(out, absent+" stands for more than "+count(power.MostTasks)+" "+powerUnit(r).Many+
			", a truth that is no better than the margin, or rating noise that leaves no room for such an ICC.")
	}
	return out
}

func holds(values []*int, n int) bool {
	return slices.ContainsFunc(values, func(v *int) bool { return v != nil && *v == n })
}

// secondLines say what one more rater buys.
func secondLines(r *power.Result, a *power.Answer) []string {
	var out []string
	for _, s := range a.Second {
		if !slices.ContainsFunc(s.Saved, func(v *float64) bool { return v != nil && *v > 0 }) {
			continue // all are at the least, or there are none
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

// nearLines name where one task less all but reaches the aim. With one pair a
// task the ICC is of no matter, and one line says it of all.
func nearLines(r *power.Result, t *power.Table) []string {
	var out []string
	for i, c := range t.Needs[0].Cells {
		for _, near := range c.Near {
			at := " at ICC " + trimmed(near.ICC, 3)
			if t.Pairs[i] == 1 {
				at = ""
			}
			line := plural(near.Tasks, powerUnit(r).One, powerUnit(r).Many) + " with " + pairsTitle(t.Pairs[i]) + at + strings.Replace(ratersNote(r, t), ", ", " and ", 1) +
				" would nearly do (" + noZero(math.Floor(1e4*near.Power)/1e4, 4) + ")."
			if !slices.Contains(out, line) {
				out = append(out, line)
			}
		}
	}
	return out
}
