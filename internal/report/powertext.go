package report

import (
	"bufio"
	"errors"
	"io"
	"strings"

	"github.com/uplift-eval/uplift/internal/power"
)

// ErrNoPower is returned where a power analysis is required and none was given.
var ErrNoPower = errors.New("report: no power analysis (want a result)")

// saysTitle heads the sentences on the built-in test.
const saysTitle = "What 18 tasks, six an endpoint, can and cannot show"

// PowerText writes a power analysis for a terminal: the verdict of each basis,
// what it is and its tables, and in sentences what the tasks of one endpoint can and cannot show.
// Lines are wrapped at width columns; 0 means 100.
func PowerText(w io.Writer, r *power.Result, width int) error {
	if r == nil {
		return ErrNoPower
	}
	if width <= 0 {
		width = defaultWidth
	}
	p := &printer{w: bufio.NewWriter(w), width: max(width, 40)}
	p.simulated(r.Simulated, false, "the pilot's spread is that of simulated raters")
	if r.Study != "" {
		p.wrap("", name(r.Study)+" as a pilot · clusters: "+powerUnit(r).Many)
		p.line("")
	}
	for i := range r.Answers {
		p.answer(r, &r.Answers[i])
	}
	if shared := sharedWarnings(r); len(shared) > 0 {
		p.wrap("", "Of every contrast")
		p.warnings("", "", shared)
		p.line("")
	}
	p.wrap("", saysTitle)
	for _, s := range r.Says {
		p.wrapAfter("- ", "  ", text(s))
	}
	if len(r.Warnings) > 0 {
		p.line("")
	}
	p.warnings("", "", r.Warnings)
	return p.w.Flush()
}

// answer writes what one basis means: the verdict, what it rests on, and the
// tables, with each warning by what it concerns.
func (p *printer) answer(r *power.Result, a *power.Answer) {
	p.wrap("", basisTitle(r, a.Basis))
	if len(a.Verdict) > 0 {
		p.wrap("", strings.Join(a.Verdict, " "))
	}
	p.warnings("", "", verdictWarnings(r, a))
	p.line("")
	for _, f := range basisFacts(r, a) {
		p.wrapAfter("  "+pad(f.Name, 15, false)+" ", strings.Repeat(" ", 18), f.Value)
	}
	p.warnings("", "", basisWarnings(r, a))
	p.line("")
	for _, t := range powerTables(r, a) {
		if t.Lead != "" {
			p.wrap("", t.Lead)
			p.line("")
		}
		p.wrap("", t.Title)
		p.powerGrid(t.Grid)
		for _, s := range t.Notes {
			p.wrapAfter("- ", "  ", s)
		}
		p.warnings("", "", t.Warnings)
		p.line("")
	}
}

// powerGrid writes a table; one that is too wide, or has a cell too long for a
// column, as blocks.
func (p *printer) powerGrid(g *grid) {
	if !g.fit(p.width) || g.cut() {
		for k := range g.rows {
			p.block(g, k)
		}
		return
	}
	p.line(g.head())
	for k := range g.rows {
		p.line(g.row(k))
	}
}

// cut reports whether a cell is too long for a column.
func (g *grid) cut() bool {
	for _, row := range g.rows {
		for _, c := range row {
			if cells.StringWidth(c) > nameCells {
				return true
			}
		}
	}
	return false
}

// block writes one row: its first cell, and beneath it the others with their
// titles.
func (p *printer) block(g *grid, k int) {
	wide := 0
	for _, c := range g.columns[1:] {
		wide = max(wide, cells.StringWidth(c.title))
	}
	head := strings.TrimSpace(g.rows[k][0])
	if t := g.columns[0].title; t != "" {
		head = t + " " + head
	}
	p.wrap("", head)
	for i, c := range g.columns[1:] {
		p.wrapAfter("  "+pad(c.title, wide, false)+"  ", strings.Repeat(" ", wide+4), g.rows[k][i+1])
	}
}
