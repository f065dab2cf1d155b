package report

import (
	"slices"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// TextPart is something that [Text] writes of each contrast beside its line.
type TextPart int

// The parts.
const (
	// ContrastDetail is every interval with its assumption and its measured
	// coverage, and every number that the line leaves out.
	ContrastDetail TextPart = iota + 1
)

// detail writes all that is known of one contrast.
func (p *printer) detail(res *analysis.Result, c *analysis.Contrast, parts []TextPart) {
	if !slices.Contains(parts, ContrastDetail) || c.Pairs == 0 {
		return
	}
	p.line("")
	p.indented("    ", methodGrid(res, c))
	for _, note := range withheldNotes(c) {
		p.wrapAfter("    ", "      ", note)
	}
	if at := coveredAt(c); at != "" {
		p.wrapAfter("    ", "      ", "covered: how often, of nominal "+percent(res.Level)+", in simulations of "+at+"; see doc/coverage.md")
	}
	for _, f := range factsOf(res, c) {
		p.wrapAfter("    "+f.Name+": ", "      ", f.Value)
	}
	p.line("")
}

// methodGrid has one row an interval of a contrast, the headline's first.
func methodGrid(res *analysis.Result, c *analysis.Contrast) *grid {
	g := &grid{columns: []column{{title: "method"}, {title: percent(res.Level) + " interval", right: true}, {title: "covered", right: true}, {title: "assumes"}}}
	add := func(name string, lo, hi *float64, coverage *analysis.Coverage, assumes string) {
		in, cover := interval(lo, hi), absent
		if in == absent {
			in = "withheld"
		}
		if coverage != nil {
			cover = covered(coverage)
		}
		g.add(name, in, cover, assumes)
	}
	independent := "independent " + unitOf(res).many
	add("CR2", c.Difference.Lo, c.Difference.Hi, c.Coverage, independent)
	for _, s := range c.Sensitivity {
		add(methodShort(s.Method), s.Lo, s.Hi, s.Coverage, text(s.Assumes))
	}
	if b := c.Band; b != nil {
		if b.Coverage != nil {
			independent += "; covered: all of a family of three"
		}
		add("simultaneous", &b.Lo, &b.Hi, b.Coverage, independent)
	}
	return g
}

// withheldNotes say why an interval is not there, each reason once.
func withheldNotes(c *analysis.Contrast) []string {
	var why []string
	of := map[string][]string{}
	for _, s := range c.Sensitivity {
		if s.Withheld == "" {
			continue
		}
		reason := text(s.Withheld)
		if of[reason] == nil {
			why = append(why, reason)
		}
		of[reason] = append(of[reason], methodShort(s.Method))
	}
	for i, reason := range why {
		why[i] = strings.Join(of[reason], ", ") + ": withheld, " + reason
	}
	return why
}

// indented writes a grid further in, without a line after it; its last column
// is wrapped rather than cut.
func (p *printer) indented(indent string, g *grid) {
	last := len(g.columns) - 1
	notes := grid{columns: g.columns[:last]}
	for _, r := range g.rows {
		notes.add(r[:last]...)
	}
	notes.fit(p.width)
	p.line(indent + notes.head() + gridGap + g.columns[last].title)
	for k, r := range g.rows {
		first := indent + notes.row(k) + gridGap
		p.wrapAfter(first, strings.Repeat(" ", min(cells.StringWidth(first), p.width/2)), r[last])
	}
}
