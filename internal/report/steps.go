package report

import (
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// stepGroup is one controller taken apart, over models and endpoints.
type stepGroup struct {
	controller, start string
	of                []*analysis.Steps
}

func stepGroups(res *analysis.Result) []stepGroup {
	var out []stepGroup
	for i := range res.Steps {
		s := &res.Steps[i]
		at := slices.IndexFunc(out, func(g stepGroup) bool { return g.controller == s.Controller && g.start == s.Start })
		if at < 0 {
			at, out = len(out), append(out, stepGroup{controller: s.Controller, start: s.Start})
		}
		out[at].of = append(out[at].of, s)
	}
	return out
}

// missing says what cannot be told, each once.
func (g stepGroup) missing() []string {
	var out []string
	for _, s := range g.of {
		for _, m := range s.Missing {
			if m = text(m); !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	return out
}

// shared says over which items, by endpoint.
func (g stepGroup) shared(res *analysis.Result) []string {
	var out []string
	for _, s := range g.of {
		where := endpointWord(s.Endpoint)
		if len(models(res)) > 1 {
			where = name(s.Model) + ", " + where
		}
		out = append(out, where+": "+count(s.Items)+" of "+plural(s.Asked, "item", "items")+" in "+unitOf(res).count(s.Clusters))
	}
	return out
}

// stepWord is a part in words.
func stepWord(part string) string {
	switch part {
	case analysis.StepWhole:
		return "whole change"
	case analysis.StepPrompt:
		return "prompt score"
	case analysis.StepOutput:
		return "output score"
	case analysis.StepRefusal:
		return "refusing"
	case analysis.StepRewrite:
		return "rewriting"
	}
	return endpointWord(part)
}

// stepNotes say how the table is read, and how it is not.
func stepNotes(res *analysis.Result) []string {
	scores, actions := false, false
	for _, s := range res.Steps {
		for _, p := range s.Parts {
			scores = scores || p.Name == analysis.StepPrompt
			actions = actions || p.Name == analysis.StepRefusal
		}
	}
	var out []string
	if scores {
		out = append(out, "By score: what a score does depends on whether the other one is there. Alone is without the other, beside is next to it, and the change is the mean of both, so that the two scores sum to the whole. A part may exceed the whole or point the other way.")
	}
	if actions {
		out = append(out, "By action: refusing is the controller that does nothing else, rewriting (warn and redact) is what the others add. One response is either refused or rewritten, so no order is chosen within a turn; the two sum to the whole.")
	}
	if scores && actions {
		out = append(out, "Score and action split the same whole in two ways: do not add one to the other.")
	}
	return append(out, "Every change is paired by item, with the headline's interval; p is that of the sign-flip test and is adjusted for nothing: parts explain a contrast and are in no family.")
}

// stepWarnings gathers the warnings of steps and ablations with what they are of.
func stepWarnings(res *analysis.Result, add func(uplift.Warning, spot)) {
	for i := range res.Steps {
		s := &res.Steps[i]
		at := func(part string) spot {
			return spot{stepPlace(res, s.Model, s.Controller, part, s.Endpoint), stepsAnchor}
		}
		for _, w := range s.Warnings {
			add(w, at("parts"))
		}
		for _, p := range s.Parts {
			for _, w := range p.Warnings {
				add(w, at(stepWord(p.Name)))
			}
		}
	}
	for i := range res.Ablations {
		a := &res.Ablations[i]
		at := spot{stepPlace(res, a.Model, a.Condition, minus+" "+name(a.Parent), a.Endpoint), ablationsAnchor}
		for _, w := range a.Warnings {
			add(w, at)
		}
		if a.Change != nil {
			for _, w := range a.Change.Warnings {
				add(w, at)
			}
		}
	}
}

// The ids of the tables on the page.
const (
	stepsAnchor     = "steps"
	ablationsAnchor = "ablations"
)

func stepPlace(res *analysis.Result, model, condition, part, endpoint string) string {
	s := name(condition) + " " + part + ", " + endpointWord(endpoint)
	if len(models(res)) > 1 {
		s = name(model) + ": " + s
	}
	return s
}

// stepWarningGroups are the warnings of the tables, equal ones together.
func stepWarningGroups(res *analysis.Result) []warningGroup {
	var out []warningGroup
	stepWarnings(res, func(w uplift.Warning, at spot) {
		i := slices.IndexFunc(out, func(g warningGroup) bool { return g.Code == name(w.Code) && g.Text == text(w.Text) })
		if i < 0 {
			i, out = len(out), append(out, warningGroup{Code: name(w.Code), Text: text(w.Text)})
		}
		out[i].Where = append(out[i].Where, at)
	})
	return out
}

// withoutWords are the parts that an ablation lacks.
func withoutWords(a *analysis.Removed) string {
	words := make([]string, len(a.Without))
	for i, w := range a.Without {
		words[i] = name(w)
		if a.Of == analysis.AblatedCues {
			words[i] = endpointWord(w)
		}
	}
	return strings.Join(words, ", ")
}

// nounAblated is the contrast that is c but for the cues of the benchmark's
// invented nouns; nil: there is none.
func nounAblated(res *analysis.Result, c *analysis.Contrast) *analysis.Contrast {
	for _, a := range res.Ablations {
		if !a.Nouns || a.Model != c.Model || a.Parent != c.Condition || a.Endpoint != c.Endpoint {
			continue
		}
		for i := range res.Contrasts {
			if b := &res.Contrasts[i]; b.Model == c.Model && b.Condition == a.Condition && b.Reference == c.Reference && b.Endpoint == c.Endpoint && b.Pairs > 0 {
				return b
			}
		}
	}
	return nil
}

// nounPhrase is the number that stands beside a headline, on the line beneath.
func nounPhrase(res *analysis.Result, c *analysis.Contrast) []string {
	b := nounAblated(res, c)
	if b == nil {
		return nil
	}
	return []string{"without the nouns' cues (" + name(b.Condition) + ") " + difference(b) + " " + intervalWord(b) + ", pairs " + count(b.Pairs)}
}
