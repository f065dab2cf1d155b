package report

import (
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// stepsSection says where the change of each controller comes from.
type stepsSection struct {
	Groups    []stepTable
	Notes     []string
	Ablations []ablationRow
	Truth     bool // of some ablation
	Warnings  []note
}

// stepTable is one controller taken apart.
type stepTable struct {
	ID, Controller, Start string
	Bodies                []stepBody
	Truth, Scores         bool
	Missing               []string
}

// stepBody is one endpoint of one model.
type stepBody struct {
	Model, Endpoint, Shared string
	Marks                   []pill
	Rows                    []stepRow
}

// stepRow is one part.
type stepRow struct {
	Part                       string
	Whole                      bool
	Change, Interval, Truth, P string
	Alone, Beside              string // empty: there is no such thing
	Strip                      strip
}

// ablationRow is one condition that lacks parts of another.
type ablationRow struct {
	Model, Condition, Parent, Without, Endpoint string
	Prompt                                      bool // parts of a prompt, else cues
	Nouns                                       bool
	Marks                                       []pill
	Change, Interval, Truth, P, Items, Clusters string
	Strip                                       strip
}

// stepsOf is nil where nothing is taken apart.
func stepsOf(res *analysis.Result) *stepsSection {
	if len(res.Steps) == 0 && len(res.Ablations) == 0 {
		return nil
	}
	out := &stepsSection{}
	for i, g := range stepGroups(res) {
		out.Groups = append(out.Groups, stepTableOf(res, g, i))
	}
	if len(out.Groups) > 0 {
		out.Notes = stepNotes(res)
	}
	var changes []*analysis.Step
	for i := range res.Ablations {
		changes = append(changes, res.Ablations[i].Change)
	}
	a := stepAxis(changes)
	for i := range res.Ablations {
		r := ablationRowOf(res, &res.Ablations[i], a)
		out.Truth = out.Truth || r.Truth != absent
		out.Ablations = append(out.Ablations, r)
	}
	for _, w := range stepWarningGroups(res) {
		out.Warnings = append(out.Warnings, note{Text: w.Short(), of: uplift.Warning{Code: w.Code, Text: w.Text}})
	}
	return out
}

func stepTableOf(res *analysis.Result, g stepGroup, i int) stepTable {
	t := stepTable{ID: "steps-" + count(i+1), Controller: name(g.controller), Start: name(g.start), Missing: g.missing()}
	var changes []*analysis.Step
	for _, s := range g.of {
		for k := range s.Parts {
			changes = append(changes, &s.Parts[k])
		}
	}
	a := stepAxis(changes)
	for k, s := range g.of {
		b := stepBody{Endpoint: endpointTitle(s.Endpoint), Marks: pillsOf(s.Marks)}
		_, b.Shared, _ = strings.Cut(g.shared(res)[k], ": ")
		if len(models(res)) > 1 {
			b.Model = name(s.Model)
		}
		for j := range s.Parts {
			p := &s.Parts[j]
			t.Truth, t.Scores = t.Truth || p.Truth != nil, t.Scores || p.First != nil
			b.Rows = append(b.Rows, stepRow{Part: capital(stepWord(p.Name)), Whole: p.Name == analysis.StepWhole,
				Change: signedOr(p.Change.Value), Interval: stepInterval(p), Truth: signedOr(p.Truth), P: pOr(p.PSignFlip),
				Alone: blankOr(p.First), Beside: blankOr(p.Last), Strip: stepStrip(a, p)})
		}
		t.Bodies = append(t.Bodies, b)
	}
	return t
}

func ablationRowOf(res *analysis.Result, a *analysis.Removed, at axis) ablationRow {
	p := a.Change
	if p == nil {
		p = &analysis.Step{}
	}
	r := ablationRow{Condition: name(a.Condition), Parent: name(a.Parent), Without: withoutWords(a), Endpoint: endpointTitle(a.Endpoint),
		Prompt: a.Of == analysis.AblatedPrompt, Nouns: a.Nouns, Marks: pillsOf(a.Marks), Change: signedOr(p.Change.Value), Interval: stepInterval(p),
		Truth: signedOr(p.Truth), P: pOr(p.PSignFlip), Items: count(a.Items), Clusters: count(a.Clusters), Strip: stepStrip(at, p)}
	if len(models(res)) > 1 {
		r.Model = name(a.Model)
	}
	return r
}

func stepStrip(a axis, s *analysis.Step) strip {
	out := newStrip(a, s.Change.Value, s.Change.Lo, s.Change.Hi, s.Truth)
	out.None = out.None || s.Change.Value == nil
	return out
}

// stepAxis holds every interval of a table, and zero.
func stepAxis(all []*analysis.Step) axis {
	s := newSpread()
	for _, x := range all {
		if x != nil {
			s.add(x.Change.Value, x.Change.Lo, x.Change.Hi, x.Truth)
		}
	}
	return stripAxis(s)
}
