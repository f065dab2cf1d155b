package report

import (
	"bufio"
	"io"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// defaultWidth is the width of a terminal of unknown width, in columns.
const defaultWidth = 100

// Text writes the terminal table: what was compared and how the plan stands, one
// row a contrast with the line that carries all beneath it, then each condition
// by itself, then in short what stands apart. Lines
// are wrapped at width columns; 0 means 100. Parts ask for more of each contrast.
func Text(w io.Writer, res *analysis.Result, width int, parts ...TextPart) error {
	if res == nil {
		return ErrNoResult
	}
	if width <= 0 {
		width = defaultWidth
	}
	p := &printer{w: bufio.NewWriter(w), width: max(width, 40)}
	l := legendOf(res)
	p.heading(res, l)
	p.contrasts(res, l, parts)
	p.conditions(res, l)
	p.steps(res, l)
	if note := marginNote(res); note != "" {
		p.line("")
		p.wrap("", "An interval that holds 0 does not show that nothing changed. "+note)
	}
	if len(res.Warnings) > 0 {
		p.line("")
	}
	p.warnings("", "", res.Warnings)
	for _, a := range res.Apart {
		p.apart(a, l, parts)
	}
	return p.w.Flush()
}

// printer writes lines for a terminal. Write errors surface at Flush.
type printer struct {
	w     *bufio.Writer
	width int
	empty bool // the last line was
	known []signedMark
}

// line writes a line; of several empty ones in a row only the first.
func (p *printer) line(s string) {
	s = strings.TrimRight(loose(s), " ")
	if s == "" && p.empty {
		return
	}
	p.empty = s == ""
	p.w.WriteString(s)
	p.w.WriteByte('\n')
}

// wrap writes phrases joined by "; ", broken between words, each line indented.
func (p *printer) wrap(indent, phrases string) {
	p.wrapAfter(indent, indent, phrases)
}

func (p *printer) wrapAfter(first, rest, s string) {
	line, indent := first, first
	used := false
	for _, word := range strings.Split(s, " ") {
		if used && cells.StringWidth(line)+1+cells.StringWidth(word) > p.width {
			p.line(line)
			line, indent, used = rest, rest, false
		}
		if used {
			line += " "
		}
		line += word
		used = true
	}
	if line != indent || used {
		p.line(line)
	}
}

func (p *printer) heading(res *analysis.Result, l legend) {
	meaning := "nothing here says anything about a real model"
	if knowsTruth(res) {
		meaning = "the effects are known, and stand under truth"
	}
	p.simulated(res.Simulated, res.BroughtIn, meaning)
	p.notConfirmatory(res.Marks, "no number here is confirmatory")
	parts := []string{name(res.Study), lead(res)}
	if res.Reference != "" {
		parts = append(parts, "reference "+name(res.Reference))
	}
	parts = append(parts, "clusters: "+unitOf(res).many, percent(res.Level)+" intervals")
	p.wrap("", strings.Join(parts, midDot))
	if plan := planLine(res); plan != "" {
		p.wrap("", plan)
	}
	for _, a := range amendmentLines(res) {
		p.wrapAfter("amended ", "  ", a)
	}
	p.marks(l.within(res))
	p.line("")
}

// notConfirmatory says of what none of the numbers is, where all are marked.
func (p *printer) notConfirmatory(marks []uplift.Warning, says string) {
	if word := qualifier(marks); word != "" {
		first := strings.ToUpper(word) + "  "
		p.wrapAfter(first, strings.Repeat(" ", min(cells.StringWidth(first), p.width/2)), says)
	}
}

// marks explains the signs of a table, each once.
func (p *printer) marks(lines []signedMark) {
	for _, m := range lines {
		if slices.Contains(p.known, m) {
			continue
		}
		p.known = append(p.known, m)
		p.wrapAfter("mark "+pad(m.Sign, 3, false)+" ", "         ", m.Word+": "+m.Text)
	}
}

// knowsTruth reports whether any number has a truth beside it.
func knowsTruth(res *analysis.Result) bool {
	for _, c := range res.Contrasts {
		if c.Truth != nil {
			return true
		}
	}
	return false
}

// simulated marks what a simulation made, and says what that means here.
func (p *printer) simulated(is, broughtIn bool, meaning string) {
	if is {
		p.wrapAfter("SIMULATED  ", "           ", nobody(broughtIn)+"; "+meaning)
	}
}

// contrasts writes one table for all contrasts; where it does not fit, one
// block each.
func (p *printer) contrasts(res *analysis.Result, l legend, parts []TextPart) {
	if len(res.Contrasts) == 0 {
		p.line("no contrast: no second condition has labels on the same items")
		p.line("")
		return
	}
	g, order := contrastGrid(res, l), contrastOrder(res)
	g.drop(holmTitle) // both stand on the line beneath
	g.drop(marginTitle)
	row := p.rows(g)
	for k, i := range order {
		c := &res.Contrasts[i]
		row(k)
		p.wrap("  ", strings.Join(whole(res, c), "; "))
		p.warnings("  ", "", c.Warnings)
		p.detail(res, c, parts)
	}
	p.line("")
}

// stack writes one row of a table as lines of name and value.
func (p *printer) stack(g *grid, k int) {
	for i, c := range g.columns {
		if g.rows[k][i] == "" {
			continue
		}
		p.wrapAfter(pad(c.title, 14, false)+" ", "               ", g.rows[k][i])
	}
}

func (p *printer) warnings(indent, where string, warnings []uplift.Warning) {
	for _, w := range warnings {
		p.wrapAfter(indent+"! "+where, indent+"  ", text(w.Text)+" ["+name(w.Code)+"]")
	}
}

// conditions writes each condition by itself: its means, then how its cells
// ended.
func (p *printer) conditions(res *analysis.Result, l legend) {
	p.table(meanGrid(res, l))
	for _, line := range blockLines(res) {
		p.wrapAfter("", "  ", line)
	}
	p.outcomes(res, l)
}

// outcomes writes how the cells of each condition ended.
func (p *printer) outcomes(res *analysis.Result, l legend) {
	for _, c := range res.Conditions {
		who := name(c.Condition)
		if len(models(res)) > 1 {
			who = name(c.Model) + "/" + who
		}
		if signs := l.cell(c.Marks); signs != "" {
			who += " (" + signs + ")"
		}
		p.wrapAfter(who+": ", "  ", outcomeLine(res, c))
	}
}

// outcomeLine says how the cells of a condition ended, and where it stands.
func outcomeLine(res *analysis.Result, c analysis.Condition) string {
	var ended []string
	for _, k := range outcomeKinds(res) {
		if n := c.Outcomes[k]; n > 0 {
			ended = append(ended, count(n)+" "+outcomesWord(k, n))
		}
	}
	where, _ := standing(res, c)
	out := []string{plural(c.Responses, "response", "responses")}
	if len(ended) > 0 {
		out = append(out, strings.Join(ended, ", "))
	}
	return strings.Join(append(out, refusalPhrase(res, c), where), "; ")
}

// refusalPhrase is how often a condition refused, tier by tier: a share over
// all tiers depends on how many requests of each the study holds.
func refusalPhrase(res *analysis.Result, c analysis.Condition) string {
	if _, ok := finite(c.RefusalRate.Value); !ok {
		return "refusal not known"
	}
	var tiers []string
	for _, t := range refusalTiers(res) {
		if r := c.ByTier[t]; r.N > 0 {
			tiers = append(tiers, tierWord(t)+" "+shareOr(r.Value))
		}
	}
	all := shareOr(c.RefusalRate.Value) + " of " + count(c.RefusalRate.N)
	if len(tiers) == 0 {
		return "refused " + all
	}
	if len(tiers) == 1 {
		return "refused " + tiers[0] + " of " + count(c.RefusalRate.N)
	}
	return "refused " + strings.Join(tiers, ", ") + " (all " + all + ")"
}

// table writes a grid, or its rows as blocks where it does not fit even without
// the columns that can be spared.
func (p *printer) table(g *grid, spare ...string) {
	if len(g.rows) == 0 {
		return
	}
	row := p.rows(g, spare...)
	for k := range g.rows {
		row(k)
	}
	p.line("")
}

// rows writes the head of a table and gives what writes a row: a line, or a
// block of the whole row after an empty line where the table does not fit even
// without the columns that can be spared.
func (p *printer) rows(g *grid, spare ...string) (row func(k int)) {
	if slim := g.narrow(p.width, spare...); slim != nil {
		p.line(slim.head())
		return func(k int) { p.line(slim.row(k)) }
	}
	return func(k int) {
		if k > 0 {
			p.line("")
		}
		p.stack(g, k)
	}
}
