package controller

import (
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// rules rewrite a draft: they know what of it is procedural or precise.
type rules struct {
	output      *side
	units       *unitTable
	texts       map[string]Texts
	connectives []string // in lower case, the longest first
	joins       map[string]join
	tongues     []string // languages with texts, in order
	steps       bool     // numbered steps are looked for
	speaks      string   // the language of the draft that is made general
}

// newRules compiles the draft's side of a policy. What is ablated is neither
// scored nor rewritten.
func newRules(p Policy, ablate []string) *rules {
	r := &rules{output: newSide(p, onOutput, ablate), texts: p.Texts, tongues: p.languages(), joins: joinsOf(p.Units)}
	r.units = newUnitTable(p.Units, r.output.precise < 0)
	r.steps = r.output.steps >= 0
	r.connectives = connectivesOf(r.output.phrases)
	return r
}

// act carries an action out on the draft. A rewriting after which the draft
// scores no lower, or nothing is left, is followed by the next stricter action.
// A draft in which nothing is risky is shown as it is, after the note of warn:
// there is nothing to make general.
func (r *rules) act(a uplift.Action, draft string) (uplift.Action, string) {
	if a == uplift.Allow {
		return a, draft
	}
	texts := r.texts[r.language(draft)]
	before := r.level(draft)
	if a == uplift.Warn {
		if before == 0 && strings.TrimSpace(draft) != "" {
			if shown := texts.Warn + "\n\n" + draft; r.level(shown) == 0 {
				return a, shown
			}
		} else if general := r.generalise(draft, texts); strings.TrimSpace(general) != "" {
			if shown := texts.Warn + "\n\n" + general; r.level(shown) < before {
				return a, shown
			}
		}
		a = uplift.Redact
	}
	if a == uplift.Redact {
		if shown, removed := r.redact(draft, texts.Redact); removed && r.level(shown) < before {
			return a, shown
		}
	}
	return uplift.Refuse, texts.Refuse
}

// level is the output score of a text.
func (r *rules) level(text string) float64 {
	var d uplift.Decision
	return r.output.score(&d, text, r.units)
}

// risky reports whether a passage holds procedural or precise detail: a cue, a
// quantity, a numbered part, or at its head a word that leads to the next step.
func (r *rules) risky(passage string) bool {
	if r.steps && markerOf(passage).ordered {
		return true
	}
	return r.specific(passage) || r.head(passage) > 0
}

// specific is risky without what can be said in a general form.
func (r *rules) specific(passage string) bool {
	form := r.units.shapeOf(passage)
	return form.amounts > 0 || r.steps && form.steps > stepsFrom || r.cued(passage)
}

// cued reports whether a passage holds a cue that is more than a connective.
func (r *rules) cued(passage string) bool {
	hit := false
	sight := borrow()
	defer sight.release()
	v := sight.view(passage)
	sight.joinTurns()
	r.output.find.scan(v.text, func(i, _, _ int) { hit = hit || !r.output.phrases[i].connective })
	return hit
}
