package report

import (
	"strconv"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// warningGroup is one finding and every number that carries it.
type warningGroup struct {
	Code   string
	Text   string
	Where  []spot
	Anchor string // id on the page
}

// Sentence is the text as the page prints it, Short its first clause.
func (g warningGroup) Sentence() string { return asSentence(g.Text) }
func (g warningGroup) Short() string    { return inShort(g.Text) }

// Places names what a warning is of, the first few of many.
func (g warningGroup) Places() string {
	const most = 3
	var out []string
	for i, s := range g.Where {
		if i == most && len(g.Where) > most+1 {
			out = append(out, count(len(g.Where)-most)+" more")
			break
		}
		out = append(out, s.Text)
	}
	return strings.Join(out, "; ")
}

// spot is where a warning stands.
type spot struct{ Text, Anchor string }

// warningsOf gathers every warning, those of the whole first, equal ones
// together.
func warningsOf(res *analysis.Result, a *analysis.Agreement) []warningGroup {
	var out []warningGroup
	add := func(w uplift.Warning, at spot) {
		for i := range out {
			if out[i].Code == name(w.Code) && out[i].Text == text(w.Text) {
				out[i].Where = append(out[i].Where, at)
				return
			}
		}
		out = append(out, warningGroup{Code: name(w.Code), Text: text(w.Text), Where: []spot{at}})
	}
	for _, w := range res.Warnings {
		add(w, spot{"the data as a whole", ""})
	}
	for _, i := range contrastOrder(res) {
		c := &res.Contrasts[i]
		for _, w := range c.Warnings {
			add(w, spot{contrastName(res, c), contrastAnchor(i)})
		}
	}
	stepWarnings(res, add)
	for i, part := range res.Apart {
		if part.Result == nil {
			continue
		}
		for _, g := range partWarnings(part.Result) {
			for _, s := range g.Where {
				add(uplift.Warning{Code: g.Code, Text: g.Text}, spot{partTitle(part) + ": " + s.Text, apartAnchor(i)})
			}
		}
	}
	if a != nil {
		for _, w := range agreementWarnings(a) {
			add(w.Warning, spot{w.where, ""})
		}
	}
	for i := range out {
		out[i].Anchor = "warning-" + strconv.Itoa(i+1)
	}
	return out
}

// contrastName names a contrast on one line: model: condition − reference, endpoint.
func contrastName(res *analysis.Result, c *analysis.Contrast) string {
	s := name(c.Condition) + " " + minus + " " + name(c.Reference) + ", " + endpointWord(c.Endpoint)
	if len(models(res)) > 1 {
		s = name(c.Model) + ": " + s
	}
	return s
}

type agreementWarning struct {
	uplift.Warning
	where string
}

func agreementWarnings(a *analysis.Agreement) []agreementWarning {
	var out []agreementWarning
	for _, w := range a.Warnings {
		out = append(out, agreementWarning{w, "agreement"})
	}
	for _, s := range a.Scales {
		for _, w := range s.Warnings {
			out = append(out, agreementWarning{w, "agreement on " + name(s.Scale) + ", " + name(s.Tier)})
		}
	}
	return out
}
