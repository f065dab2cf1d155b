// Package controller answers what a policy does with a prompt and a draft.
//
//  1. prompt and draft are brought into a view in which spelling tricks are
//     undone (view.go);
//  2. one pass of an automaton over each finds the policy's cues
//     (automaton.go);
//  3. the score is s = 0.45 s_p + 0.55 s_o (arXiv 2607.13039, section 3.2);
//  4. three cuts choose allow, warn, redact or refuse, and the action is
//     carried out on the original draft (act.go).
//
// It is deterministic and uses neither network nor clock. Whatever cannot be
// decided is refused.
package controller

import (
	"context"
	"fmt"
	"math"

	uplift "github.com/uplift-eval/uplift"
)

// The weights of the two scores.
const (
	promptWeight = 0.45
	outputWeight = 0.55
)

// maxText is the longest prompt or draft in bytes that a controller judges.
const maxText = 4 << 20

// Controller applies one policy. It is immutable and safe for concurrent use.
type Controller struct {
	policy Policy
	digest string
	prompt *automaton
	output *automaton
}

// New checks the policy and builds its automata.
func New(p Policy) (*Controller, error) {
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("policy %s: %w", p.Name, err)
	}
	return &Controller{policy: p, digest: p.Digest(), prompt: compile(p.Prompt), output: compile(p.Output)}, nil
}

func compile(cues []Cue) *automaton {
	patterns := make([]string, len(cues))
	for i, c := range cues {
		patterns[i] = pattern(c.Words)
	}
	return newAutomaton(patterns)
}

// Digest is that of the policy with its cuts.
func (c *Controller) Digest() string { return c.digest }

// Refusal is the text that stands in place of a refused draft.
func (c *Controller) Refusal() string { return c.policy.Texts.Refuse }

// Score scores without acting. The Decision's Action is what the cuts choose;
// [Controller.Control] may go one further when a redaction does not help.
func (c *Controller) Score(prompt, draft string) (uplift.Decision, error) {
	for _, t := range []struct{ name, text string }{{"prompt", prompt}, {"draft", draft}} {
		if len(t.text) > maxText {
			return uplift.Decision{}, fmt.Errorf("controller: %s: %d bytes (want at most %d)", t.name, len(t.text), maxText)
		}
	}
	d := uplift.Decision{Policy: c.digest}
	d.PromptScore, d.Cues = score(c.prompt, c.policy.Prompt, prompt, "prompt", d.Cues)
	d.OutputScore, d.Cues = score(c.output, c.policy.Output, draft, "output", d.Cues)
	d.Score = combine(d.PromptScore, d.OutputScore)
	d.Action = c.policy.Cuts.action(d.Score)
	return d, nil
}

// Control scores and acts. On an error there is no decision, and nothing of
// the draft may be shown.
func (c *Controller) Control(_ context.Context, prompt, draft string) (d uplift.Decision, shown string, err error) {
	d, err = c.Score(prompt, draft)
	if err != nil {
		return d, "", err
	}
	shown = c.act(&d, draft)
	return d, shown, nil
}

// score adds the weights of the distinct cues that a text holds, at most 1,
// and appends them in the order in which they first end.
func score(a *automaton, cues []Cue, text, where string, found []uplift.Cue) (float64, []uplift.Cue) {
	seen := make([]bool, len(cues))
	s := borrow()
	defer s.release()
	a.scan(s.view(text).text, func(i, _, _ int) {
		if !seen[i] {
			seen[i] = true
			found = append(found, uplift.Cue{Where: where, Class: cues[i].Class, Words: cues[i].Words})
		}
	})
	sum := 0.0
	for i, hit := range seen { // in the policy's order: the same set gives the same bits
		if hit {
			sum += cues[i].Weight
		}
	}
	return math.Min(sum, 1), found
}

func combine(prompt, output float64) float64 { return promptWeight*prompt + outputWeight*output }

// action chooses by the cuts. A score that is not a number refuses.
func (c Cuts) action(s float64) uplift.Action {
	switch {
	case s < c.Warn:
		return uplift.Allow
	case s < c.Redact:
		return uplift.Warn
	case s < c.Refuse:
		return uplift.Redact
	}
	return uplift.Refuse
}
