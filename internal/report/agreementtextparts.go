package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// agreementParts writes what is asked for of one entry.
func (p *printer) agreementParts(s *analysis.ScaleAgreement, parts []AgreementPart) {
	of := name(s.Scale) + ", " + strings.ToLower(tierTitle(s.Tier)) + ": "
	for _, part := range []struct {
		is    AgreementPart
		write func(of string, s *analysis.ScaleAgreement)
	}{
		{AgreementFigures, p.agreementFigures}, {AgreementTables, p.agreementTable}, {AgreementRaters, p.agreementRaters},
		{AgreementPairs, p.agreementPairs}, {AgreementPatterns, p.agreementPatterns},
	} {
		if slices.Contains(parts, part.is) {
			part.write(of, s)
		}
	}
}

// part writes a titled grid, and what it leaves out. Where it does not fit, it
// does without the columns named last, in their order.
func (p *printer) part(title string, g *grid, left int, what string, dispensable ...string) {
	p.wrapAfter("", "  ", title)
	for _, title := range dispensable {
		named := func(c column) bool { return c.title == title }
		for fits := g.fit(p.width); !fits && slices.ContainsFunc(g.columns, named); {
			g.drop(title)
		}
	}
	if left > 0 {
		g.add(append([]string{"and " + count(left) + " more " + what}, make([]string, len(g.columns)-1)...)...)
	}
	p.table(g)
}

func (p *printer) agreementFigures(of string, s *analysis.ScaleAgreement) {
	g := &grid{columns: []column{{title: "coefficient"}, {title: "value", right: true}, {title: "SE", right: true}, {title: "interval", right: true}, {title: "covered", right: true}}}
	at := ""
	for _, f := range s.Figures() {
		if f.Value == nil && asked(f.Name) {
			continue
		}
		g.add(figureNames[f.Name].long, coefficientValue(s, f.Name), coefficientError(s, f.Name), tight(coefficientInterval(s, f.Name)), coverageWord(s, f.Name))
		if c, ok := s.Coverage[f.Name]; ok {
			at = "; covered: by nominal 95 % intervals in simulated studies of " + plural(c.Clusters, "task", "tasks")
		}
	}
	if at == "" {
		g.drop("covered")
	}
	p.part(of+"every coefficient"+at, g, 0, "", "SE", "covered")
}

// agreementTable writes the table of all raters, and that of each two of more.
func (p *printer) agreementTable(of string, s *analysis.ScaleAgreement) {
	p.heat(of, heatOf(s))
	t := pairsOf(s)
	for _, h := range t.Heats {
		p.heat(of, h)
	}
	if t.More > 0 {
		p.wrap("", "and the tables of "+plural(t.More, "more pair", "more pairs")+" of raters, in the JSON")
		p.line("")
	}
}

// heat writes a heat map as a table; equal marks stand in brackets.
func (p *printer) heat(of string, h heatMap) {
	if h.Why != "" {
		p.wrapAfter("", "  ", of+"no table: "+h.Why)
		p.line("")
		return
	}
	title := of + "marks of " + h.Row + " (rows) and " + h.Column + " (columns), " + h.Counts
	if h.Sums {
		title = of + "how often two values met (coincidences), " + h.Counts
	}
	g := &grid{columns: []column{{title: "", right: true}}}
	for _, v := range append(slices.Clone(h.Head), "sum") {
		g.columns = append(g.columns, column{title: v + " ", right: true})
	}
	for _, r := range h.Rows {
		row := []string{r.Value}
		for _, c := range r.Cells {
			if c.Same {
				row = append(row, "["+c.Count+"]")
			} else {
				row = append(row, c.Count+" ")
			}
		}
		g.add(append(row, r.Sum+" ")...)
	}
	total := []string{"sum"}
	for _, v := range h.Total {
		total = append(total, v+" ")
	}
	g.add(total...)
	p.part(title, g, 0, "")
}

func (p *printer) agreementRaters(of string, s *analysis.ScaleAgreement) {
	t := ratersOf(s)
	g := &grid{columns: []column{{title: "rater"}, {title: "marks", right: true}, {title: "shared", right: true}, {title: "mean", right: true},
		{title: "to others", right: true}, {title: "equal", right: true}}}
	dispensable := []string{"shared"}
	for _, v := range t.Values {
		g.columns = append(g.columns, column{title: "=" + v, right: true})
		dispensable = append(dispensable, "="+v)
	}
	for _, r := range t.Rows {
		row := []string{r.Name, r.Marks, cmp.Or(r.Shared, r.Marks), r.Mean, r.Difference, r.Equal}
		for _, c := range r.Counts {
			row = append(row, c.Count)
		}
		g.add(row...)
	}
	p.part(of+"raters; to others: own mark minus the others’ mean of the same response", g, t.Left, "raters", dispensable...)
}

func (p *printer) agreementPairs(of string, s *analysis.ScaleAgreement) {
	t := pairsOf(s)
	if len(t.Rows) == 0 {
		p.wrapAfter("", "  ", of+"no two raters marked one response")
		p.line("")
		return
	}
	g := &grid{columns: []column{{title: "rater"}, {title: "other"}, {title: "shared", right: true}, {title: "equal", right: true}, {title: "diff", right: true},
		{title: "kappa", right: true}, {title: "SE", right: true}, {title: "kappa²", right: true}, {title: "SE", right: true}}}
	for _, r := range t.Rows {
		g.add(r.A, r.B, r.Shared, r.Equal, r.Difference, r.Kappa, r.KappaSE, r.Quadratic, r.QuadraticSE)
	}
	p.part(of+"pairs of raters; diff: the first’s mark minus the second’s", g, t.Left, "pairs", "SE")
}

func (p *printer) agreementPatterns(of string, s *analysis.ScaleAgreement) {
	t := patternsOf(s)
	g := &grid{columns: []column{{title: "marked by"}, {title: "responses", right: true}, {title: "share", right: true}}}
	for _, r := range t.Rows {
		g.add(r.Raters, r.Units, r.Share)
	}
	p.part(of+"who marked together, and nobody else", g, t.Left, "patterns")
}
