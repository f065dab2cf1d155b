package report

import (
	"slices"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// grid is a table of text, aligned in columns.
type grid struct {
	columns []column
	rows    [][]string
}

type column struct {
	title string
	right bool // numbers stand to the right
	width int
}

// gridGap stands between columns.
const gridGap = "  "

func (g *grid) add(row ...string) { g.rows = append(g.rows, row) }

// drop removes the columns whose titles are given.
func (g *grid) drop(title string) {
	for i, c := range g.columns {
		if c.title != title {
			continue
		}
		g.columns = append(g.columns[:i:i], g.columns[i+1:]...)
		for k, r := range g.rows {
			g.rows[k] = append(r[:i:i], r[i+1:]...)
		}
		return
	}
}

// fit measures the columns, names cut at 30 columns, and reports whether the
// table is at most width wide.
func (g *grid) fit(width int) bool {
	total := -len(gridGap)
	for i := range g.columns {
		c := &g.columns[i]
		c.width = cells.StringWidth(c.title)
		for _, r := range g.rows {
			c.width = max(c.width, min(nameCells, cells.StringWidth(r[i])))
		}
		total += c.width + len(gridGap)
	}
	return total <= width
}

// narrow gives the table as it fits: whole, or without the title of the marks,
// or without the columns that the given titles name, one after another. Where
// nothing of this fits, it is nil.
func (g *grid) narrow(width int, titles ...string) *grid {
	slim := g.clone()
	for i := 0; ; i++ {
		if slim.fit(width) {
			return slim
		}
		if bare := slim.untitled(); bare.fit(width) {
			return bare
		}
		if i == len(titles) {
			return nil
		}
		slim.drop(titles[i])
	}
}

// untitled is the table without the title of the marks.
func (g *grid) untitled() *grid {
	out := g.clone()
	for i := range out.columns {
		if out.columns[i].title == markTitle {
			out.columns[i].title = ""
		}
	}
	return out
}

func (g *grid) clone() *grid {
	out := &grid{columns: slices.Clone(g.columns)}
	for _, r := range g.rows {
		out.add(slices.Clone(r)...)
	}
	return out
}

// nameCells is the widest cell of a table in columns.
const nameCells = 30

func (g *grid) head() string {
	titles := make([]string, len(g.columns))
	for i, c := range g.columns {
		titles[i] = pad(c.title, c.width, c.right)
	}
	return strings.Join(titles, gridGap)
}

func (g *grid) row(k int) string {
	out := make([]string, len(g.columns))
	for i, c := range g.columns {
		out[i] = pad(cells.Truncate(g.rows[k][i], c.width, "…"), c.width, c.right)
	}
	return strings.Join(out, gridGap)
}

func pad(s string, width int, right bool) string {
	room := strings.Repeat(" ", max(0, width-cells.StringWidth(s)))
	if right {
		return room + s
	}
	return s + room
}

// contrastGrid has one row a contrast, in the order of contrastOrder.
func contrastGrid(res *analysis.Result, l legend) *grid {
	g := &grid{columns: []column{{title: "model"}, {title: "condition"}, {title: "endpoint"}, {title: markTitle}, {title: "from", right: true},
		{title: "to", right: true}, {title: "difference", right: true}, {title: percent(res.Level) + " interval", right: true},
		{title: "truth", right: true}, {title: "p", right: true}, {title: holmTitle, right: true}, {title: marginTitle, right: true},
		{title: "pairs", right: true}, {title: unitOf(res).many, right: true}}}
	truth, families, margins, marks := false, false, false, false
	for _, i := range contrastOrder(res) {
		c := &res.Contrasts[i]
		truth = truth || c.Truth != nil
		families = families || ofSeveral(c)
		margins = margins || c.NonInferiority != nil
		marks = marks || len(c.Marks) > 0
		g.add(name(c.Model), name(c.Condition), endpointWord(c.Endpoint), l.cell(c.Marks), meanOr(c.MeanReference), meanOr(c.MeanCondition),
			difference(c), intervalWord(c), signedOr(c.Truth), pOr(c.PSignFlip), pOr(holm(c)), marginCell(c), count(c.Pairs), count(c.Clusters))
	}
	if len(models(res)) < 2 {
		g.drop("model")
	}
	if !truth {
		g.drop("truth")
	}
	if !families {
		g.drop(holmTitle)
	}
	if !margins {
		g.drop(marginTitle)
	}
	if !marks {
		g.drop(markTitle)
	}
	return g
}

// The titles of columns that only some tables have.
const (
	holmTitle   = "Holm p"
	marginTitle = "not worse, p"
	markTitle   = "mark"
)

// marginCell is the p of non-inferiority with its margin.
func marginCell(c *analysis.Contrast) string {
	if c.NonInferiority == nil {
		return absent
	}
	return marginP(c) + " at " + marginSize(c)
}

// columnNotes explain the columns that not every table has.
func (g *grid) columnNotes() string {
	var b strings.Builder
	for _, c := range g.columns {
		switch c.title {
		case holmTitle:
			b.WriteString("; Holm p: the same, adjusted for the contrasts of the endpoint")
		case marginTitle:
			b.WriteString("; not worse, p: of non-inferiority at the margin, one-sided, shown up to .025")
		}
	}
	return b.String()
}

// intervalWord is a contrast's interval, or that it is withheld.
func intervalWord(c *analysis.Contrast) string {
	s := interval(c.Difference.Lo, c.Difference.Hi)
	if s == absent && c.Pairs > 0 {
		return "withheld"
	}
	return s
}

// meanGrid has one row a condition and endpoint.
func meanGrid(res *analysis.Result, l legend) *grid {
	g := &grid{columns: []column{{title: "model"}, {title: "condition"}, {title: "endpoint"}, {title: markTitle}, {title: "mean", right: true},
		{title: percent(res.Level) + " interval", right: true}, {title: "truth", right: true}, {title: "labelled", right: true}, {title: "missing", right: true}}}
	truth, marks := false, false
	for _, c := range res.Conditions {
		for _, e := range endpoints(res) {
			m := meanCellOf(c, e)
			if m.Withheld != "" {
				m.Interval = "withheld"
			}
			marks = marks || len(c.Endpoints[e].Marks) > 0
			g.add(name(c.Model), name(c.Condition), endpointWord(e), l.cell(c.Endpoints[e].Marks), m.Mean, m.Interval, m.Truth, m.Responses, m.Missing)
		}
		truth = truth || len(c.Truth) > 0
	}
	if len(models(res)) < 2 {
		g.drop("model")
	}
	if !truth {
		g.drop("truth")
	}
	if !marks {
		g.drop(markTitle)
	}
	return g
}
