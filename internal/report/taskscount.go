package report

import (
	"io"
	"strings"
)

// CountTable is a table of counts.
type CountTable struct {
	Title string
	Heads []string
	Words int        // how many columns, from the first, hold words
	Rows  [][]string // one cell a head
	Last  string     // the head of a further column of words, which is wrapped
	Notes []string   // its cells, one a row
}

// TaskStats writes tables of counts, each under its title.
func TaskStats(w io.Writer, tables []CountTable, width int) error {
	p := newTaskPrinter(w, width)
	for i, t := range tables {
		if i > 0 {
			p.line("")
		}
		p.wrap("", clean(t.Title))
		p.counts(t)
	}
	return p.w.Flush()
}

func (p *printer) counts(t CountTable) {
	g := &grid{}
	for i, h := range t.Heads {
		g.columns = append(g.columns, column{title: h, right: i >= t.Words})
	}
	for _, row := range t.Rows {
		shown := make([]string, len(row))
		for i, c := range row {
			shown[i] = clean(c)
		}
		g.add(shown...)
	}
	if !g.fit(p.width) {
		p.stacks(g, t)
		return
	}
	g.widen(p.width)
	head := g.head()
	if len(t.Notes) > 0 && p.width-cells.StringWidth(head+gridGap) >= 24 {
		head += gridGap + t.Last
	}
	p.line(head)
	for k := range g.rows {
		row := g.row(k)
		switch at := cells.StringWidth(row + gridGap); {
		case len(t.Notes) == 0:
			p.line(row)
		case p.width-at >= 24:
			p.wrapAfter(row+gridGap, strings.Repeat(" ", at), t.Notes[k])
		default: // no room beside it
			p.line(row)
			p.note(t.Notes[k])
		}
	}
}

func (p *printer) note(s string) {
	if s != "" {
		p.wrap("  ", s)
	}
}

// stacks writes a table that does not fit as lines of name and value.
func (p *printer) stacks(g *grid, t CountTable) {
	for k := range g.rows {
		p.stack(g, k)
		if len(t.Notes) > 0 {
			p.note(t.Notes[k])
		}
		p.line("")
	}
}

// widen gives the columns of a table that fits the room to show every cell
// whole, where there is that much.
func (g *grid) widen(width int) {
	full, total := make([]int, len(g.columns)), -len(gridGap)
	for i, c := range g.columns {
		full[i] = c.width
		for _, r := range g.rows {
			full[i] = max(full[i], cells.StringWidth(r[i]))
		}
		total += full[i] + len(gridGap)
	}
	for i := range g.columns {
		if total <= width {
			g.columns[i].width = full[i]
		}
	}
}
