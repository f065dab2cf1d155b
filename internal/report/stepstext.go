package report

import (
	"slices"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// The titles of columns that only some tables of steps have.
const (
	aloneTitle  = "alone"
	besideTitle = "beside"
)

// steps writes where the change of each controller comes from.
func (p *printer) steps(res *analysis.Result, l legend) {
	if len(res.Steps) == 0 && len(res.Ablations) == 0 {
		return
	}
	p.line("")
	for _, g := range stepGroups(res) {
		p.wrap("", "WHERE THE CHANGE COMES FROM  "+name(g.controller)+" "+minus+" "+name(g.start))
		p.line("")
		p.table(stepGrid(res, g, l))
		p.wrapAfter("  items that all conditions share: ", "  ", strings.Join(g.shared(res), "; "))
		for _, m := range g.missing() {
			p.wrapAfter("  not told: ", "  ", m)
		}
		p.line("")
	}
	if len(res.Steps) > 0 {
		for _, n := range stepNotes(res) {
			p.wrap("", n)
		}
		p.line("")
	}
	for _, parent := range ablated(res) {
		p.wrap("", "WITHOUT SOME PARTS  change against "+name(parent)+", which has them")
		p.line("")
		p.table(ablationGrid(res, parent, l))
	}
	for _, w := range stepWarningGroups(res) {
		p.wrapAfter("! ", "  ", w.Short()+" ["+w.Code+"] ("+w.Places()+")")
	}
}

// ablated lists the conditions that others lack parts of, in the result's order.
func ablated(res *analysis.Result) []string {
	var out []string
	for _, a := range res.Ablations {
		if !slices.Contains(out, a.Parent) {
			out = append(out, a.Parent)
		}
	}
	return out
}

// stepGrid has one row a part, in the order of the result.
func stepGrid(res *analysis.Result, of stepGroup, l legend) *grid {
	g := &grid{columns: []column{{title: "model"}, {title: "endpoint"}, {title: "part"}, {title: markTitle}, {title: "change", right: true},
		{title: percent(res.Level) + " interval", right: true}, {title: "truth", right: true}, {title: "p", right: true},
		{title: aloneTitle, right: true}, {title: besideTitle, right: true}, {title: "items", right: true}, {title: unitOf(res).many, right: true}}}
	truth, scores, marks := false, false, false
	for _, s := range of.of {
		marks = marks || len(s.Marks) > 0
		for i := range s.Parts {
			part := &s.Parts[i]
			truth, scores = truth || part.Truth != nil, scores || part.First != nil
			word := stepWord(part.Name)
			if part.Name != analysis.StepWhole {
				word = "· " + word
			}
			g.add(name(s.Model), endpointWord(s.Endpoint), word, l.cell(s.Marks), signedOr(part.Change.Value), stepInterval(part), signedOr(part.Truth),
				pOr(part.PSignFlip), blankOr(part.First), blankOr(part.Last), count(s.Items), count(s.Clusters))
		}
	}
	g.spare(res, truth, marks)
	if !scores {
		g.drop(aloneTitle)
		g.drop(besideTitle)
	}
	return g
}

// ablationGrid has one row an ablation of a condition and endpoint.
func ablationGrid(res *analysis.Result, parent string, l legend) *grid {
	g := &grid{columns: []column{{title: "model"}, {title: "condition"}, {title: "without"}, {title: "endpoint"}, {title: markTitle},
		{title: "change", right: true}, {title: percent(res.Level) + " interval", right: true}, {title: "truth", right: true}, {title: "p", right: true},
		{title: "items", right: true}}}
	truth, marks := false, false
	for i := range res.Ablations {
		a := &res.Ablations[i]
		if a.Parent != parent {
			continue
		}
		change := a.Change
		if change == nil {
			change = &analysis.Step{}
		}
		truth, marks = truth || change.Truth != nil, marks || len(a.Marks) > 0
		g.add(name(a.Model), name(a.Condition), withoutWords(a), endpointWord(a.Endpoint), l.cell(a.Marks),
			signedOr(change.Change.Value), stepInterval(change), signedOr(change.Truth), pOr(change.PSignFlip), count(a.Items))
	}
	g.spare(res, truth, marks)
	return g
}

// spare drops the columns that say nothing here.
func (g *grid) spare(res *analysis.Result, truth, marks bool) {
	if len(models(res)) < 2 {
		g.drop("model")
	}
	if !truth {
		g.drop("truth")
	}
	if !marks {
		g.drop(markTitle)
	}
}

// stepInterval is a part's interval, or that it is withheld.
func stepInterval(s *analysis.Step) string {
	if in := interval(s.Change.Lo, s.Change.Hi); in != absent || s.Change.Value == nil {
		return in
	}
	return "withheld"
}

// blankOr is a difference where the column has one.
func blankOr(v *float64) string {
	if v == nil {
		return ""
	}
	return signed(*v)
}
