package report

import (
	"slices"
	"strconv"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/power"
)

// powerTable is a table of a power analysis with the line above it and what is
// to be said of it beneath.
type powerTable struct {
	Lead     string // how to read this table and those that follow
	Title    string
	Grid     *grid
	Joined   bool // cells hold one number an ICC, joined by strokes
	Notes    []string
	Warnings []uplift.Warning
}

// powerTables are the tables of one answer, in order.
func powerTables(r *power.Result, a *power.Answer) []powerTable {
	var out []powerTable
	if a.Present != nil {
		out = append(out, presentTable(r, a))
	}
	if len(a.P) > 0 {
		out = append(out, pTable(a))
	}
	for i := range a.Tables {
		t := &a.Tables[i]
		out = append(out, powerTable{Title: findTitle(r, a) + ratersNote(r, t), Grid: cellGrid(r, a, t), Joined: true})
		if len(t.Needs) > 0 {
			out = append(out, powerTable{Title: "What it takes" + ratersNote(r, t) + priceNote(r), Grid: needGrid(r, t), Joined: true, Notes: needNotes(r, t)})
		}
	}
	last := &out[len(out)-1]
	last.Notes = append(last.Notes, secondLines(r, a)...)
	if a.NonInferiority != nil {
		out = append(out, niTable(r, a))
	}
	if a.Basis.Source == power.Interval || r.Endpoints > 1 {
		out = append(out, shareTable(r, a))
	}
	out[slices.IndexFunc(out, func(t powerTable) bool { return t.Joined })].Lead = joinedNote(a)
	return out
}

// presentTable is what the design of the basis itself can do, by ICC.
func presentTable(r *power.Result, a *power.Answer) powerTable {
	p, g := a.Present, &grid{columns: []column{{title: "ICC"}}}
	for _, icc := range a.ICCs {
		g.columns = append(g.columns, column{title: trimmed(icc, 3), right: true})
	}
	row := func(title string, values []*float64, form func(float64) string) {
		line := []string{title}
		for _, v := range values {
			line = append(line, orAbsent(v, form))
		}
		g.add(line...)
	}
	row("SE", p.SE, sized)
	if a.Delta != nil {
		row("power", p.Power, powerWord)
	}
	row("finds with "+powerWord(r.Power), p.Detectable, sized)
	title := "Present design, " + plural(p.Tasks, powerUnit(r).One, powerUnit(r).Many) + " with " + pairsTitle(p.PairsPerTask) + " each, by ICC"
	if a.NonInferiority != nil && a.NonInferiority.Now != nil {
		row("non-inferior", a.NonInferiority.Now, powerWord)
		title += "; non-inferior at margin " + sized(a.NonInferiority.Margin)
	}
	return powerTable{Title: title, Grid: g}
}

// ratersNote says for how many raters a table is, when there are several.
func ratersNote(r *power.Result, t *power.Table) string {
	if len(r.Raters) < 2 && t.Raters == 1 && r.Double == 0 {
		return ""
	}
	s := ", " + plural(t.Raters, "rater", "raters") + " a response"
	if r.Double > 0 {
		s += " and one more on " + trimmed(r.Double, 3) + " of them"
	}
	return s
}

func priceNote(r *power.Result) string {
	s := ": " + powerUnit(r).Many + " of one endpoint; ratings "
	if r.Endpoints > 1 {
		s += "for all " + strconv.Itoa(r.Endpoints) + " endpoints "
	}
	return s + "under " + plural(r.Conditions, "condition", "conditions") + " and the reference"
}

func pTable(a *power.Answer) powerTable {
	g := &grid{columns: []column{{title: "ICC"}}}
	row := []string{"p"}
	for _, at := range a.P {
		g.columns = append(g.columns, column{title: trimmed(at.ICC, 3), right: true})
		row = append(row, pValue(at.P))
	}
	g.add(row...)
	return powerTable{Title: "Its p once the pairs of one task may be alike: t(" + strconv.Itoa(a.Basis.Tasks-1) + "), by ICC", Grid: g}
}

// powerColumns begins a grid with one column a number of pairs.
func powerColumns(first string, right bool, pairs []float64) *grid {
	g := &grid{columns: []column{{title: first, right: right}}}
	for _, m := range pairs {
		g.columns = append(g.columns, column{title: pairsTitle(m), right: true})
	}
	return g
}

func cellGrid(r *power.Result, a *power.Answer, t *power.Table) *grid {
	g := powerColumns(powerUnit(r).Many, true, t.Pairs)
	for _, row := range t.Rows {
		line := []string{count(row.Tasks)}
		for _, c := range row.Cells {
			if a.Delta == nil {
				line = append(line, sizesWord(c.Detectable))
				continue
			}
			line = append(line, powersWord(c.Power))
		}
		g.add(line...)
	}
	return g
}

func needGrid(r *power.Result, t *power.Table) *grid {
	g := powerColumns("", false, t.Pairs)
	rows := func(title string, n power.Need, of func(power.NeedCell) string) {
		line := []string{title}
		for _, c := range n.Cells {
			line = append(line, of(c))
		}
		g.add(line...)
	}
	for _, n := range t.Needs {
		rows(powerUnit(r).Many+" for "+powerWord(n.Power), n, func(c power.NeedCell) string { return countsWord(c.Tasks) })
		rows("  ratings", n, func(c power.NeedCell) string {
			return byICC(c.Prices, func(p power.Price) string { return count(p.Ratings) })
		})
		if priced(n, func(p power.Price) *float64 { return p.Hours }) {
			rows("  hours", n, func(c power.NeedCell) string {
				return byICC(c.Prices, func(p power.Price) string { return round(*p.Hours, 0) })
			})
		}
		if priced(n, func(p power.Price) *float64 { return p.Money }) {
			rows("  price", n, func(c power.NeedCell) string {
				return byICC(c.Prices, func(p power.Price) string { return round(*p.Money, 0) })
			})
		}
	}
	return g
}

// priced reports whether any price of a need has a number.
func priced(n power.Need, of func(power.Price) *float64) bool {
	for _, c := range n.Cells {
		for _, p := range c.Prices {
			if p != nil && of(*p) != nil {
				return true
			}
		}
	}
	return false
}

func niTable(r *power.Result, a *power.Answer) powerTable {
	n := a.NonInferiority
	pairs := a.Tables[0].Pairs
	g := powerColumns(powerUnit(r).Many, true, pairs)
	for _, row := range n.Rows {
		line := []string{count(row.Tasks)}
		for _, c := range row.Cells {
			line = append(line, powersWord(c))
		}
		g.add(line...)
	}
	line := []string{"for " + powerWord(r.Power)}
	for _, c := range n.Needs {
		line = append(line, countsWord(c))
	}
	g.add(line...)
	truth := "if nothing changed"
	if n.Truth != 0 {
		truth = "if the true difference is " + signed(n.Truth)
	}
	return powerTable{Joined: true, Grid: g, Notes: niNotes(r, n), Title: "Power to show non-inferiority at margin " + sized(n.Margin) + better(n.Better) + ", one-sided " + trimmed(n.Alpha, 4) + ", " + truth}
}

func better(b power.Better) string {
	if b == power.Unsaid {
		return ""
	}
	return " (" + string(b) + " is better)"
}

// shareTable has one row a benchmark. The built-in test's comes first, and is
// known by its title.
func shareTable(r *power.Result, a *power.Answer) powerTable {
	g := &grid{columns: []column{{title: powerUnit(r).Many}, {title: "pairs", right: true}, {title: "power", right: true},
		{title: "finds with " + powerWord(r.Power), right: true}, {title: "non-inferior", right: true}}}
	for _, s := range a.Shares {
		g.add(strconv.Itoa(s.Tasks)+" of "+count(s.Total), trimmed(s.PairsPerTask, 2), powersWord(s.Power), sizesWord(s.Detectable), powersWord(s.NonInferior))
	}
	if a.NonInferiority == nil {
		g.drop("non-inferior")
	}
	if a.Delta == nil {
		g.drop("power")
	}
	s := a.Shares[0]
	title := "What the " + powerUnit(r).Many + " of one endpoint show: " + strconv.Itoa(s.Tasks) + " of " + strconv.Itoa(s.Total) + " tasks with " + pairsTitle(s.PairsPerTask) + " each is the built-in test"
	return powerTable{Title: title, Grid: g, Joined: true, Warnings: withCode(a.Warnings, power.CodeLowShare)}
}
