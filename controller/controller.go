// Package controller answers what a policy does with a prompt and a draft.
//
//  1. prompt and draft are brought into a view in which spelling tricks are
//     undone (view.go);
//  2. one pass of an automaton over each finds the policy's cues
//     (automaton.go), and one pass over the text itself its form: numbered
//     steps, quantities and density of numbers (feature_shape.go);
//  3. both are evidence for features, whose weighted sums are the scores of
//     prompt and draft, and s = 0.45 s_p + 0.55 s_o (arXiv 2607.13039, section
//     3.2);
//  4. three cuts choose allow, warn, redact or refuse, and the action is
//     carried out on the original draft (act.go). What was rewritten is scored
//     again.
//
// It is deterministic and uses neither network nor clock. Whatever cannot be
// decided is refused.
package controller

import (
	"context"
	"fmt"

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
	config Config
	digest string
	prompt *side
	rules  *rules // of the draft
}

// New builds a controller that uses all of a policy.
func New(p Policy) (*Controller, error) { return NewWith(p, Config{}) }

// NewWith builds a controller that uses a part of a policy.
func NewWith(p Policy, c Config) (*Controller, error) {
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("policy %s: %w", p.Name, err)
	}
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("controller: %w", err)
	}
	c = c.normal()
	return &Controller{
		policy: p, config: c, digest: c.digest(p),
		prompt: newSide(p, onPrompt, c.Ablate), rules: newRules(p, c.Ablate),
	}, nil
}

// Digest is that of the policy with its cuts, and of the configuration.
func (c *Controller) Digest() string { return c.digest }

// Refusal is the text that stands in place of a draft that could not be judged.
func (c *Controller) Refusal() string { return c.policy.Texts[fallback].Refuse }

// Cuts are those of the policy.
func (c *Controller) Cuts() Cuts { return c.policy.Cuts }

// Score scores without acting. The Decision's Action is what the cuts choose;
// [Controller.Control] may go further when a rewritten text is no safer.
func (c *Controller) Score(prompt, draft string) (uplift.Decision, error) {
	var d uplift.Decision
	err := c.scoreInto(&d, prompt, draft)
	return d, err
}

// scoreInto is Score into a decision whose slices are used again.
func (c *Controller) scoreInto(d *uplift.Decision, prompt, draft string) error {
	*d = uplift.Decision{Features: d.Features[:0], Cues: d.Cues[:0]}
	if len(prompt) > maxText {
		return fmt.Errorf("controller: prompt: %d bytes (want at most %d)", len(prompt), maxText)
	}
	if len(draft) > maxText {
		return fmt.Errorf("controller: draft: %d bytes (want at most %d)", len(draft), maxText)
	}
	d.Policy = c.digest
	if c.config.Scores != ScoresOutput {
		d.PromptScore = c.prompt.score(d, prompt, c.rules.units)
	}
	if c.config.Scores != ScoresPrompt {
		d.OutputScore = c.rules.output.score(d, draft, c.rules.units)
	}
	d.Score = c.combine(d.PromptScore, d.OutputScore)
	chosen := c.policy.Cuts.Action(d.Score)
	d.Action = c.config.taken(chosen)
	if c.config.Actions == ActionsNone {
		d.Would = chosen
	}
	return nil
}

// Control scores and acts. On an error there is no decision, and nothing of
// the draft may be shown.
func (c *Controller) Control(_ context.Context, prompt, draft string) (d uplift.Decision, shown string, err error) {
	d, err = c.Score(prompt, draft)
	if err != nil {
		return uplift.Decision{}, "", err
	}
	if c.config.Actions == ActionsNone {
		d.Would, _ = c.rules.act(d.Would, draft)
		return d, draft, nil
	}
	d.Action, shown = c.rules.act(d.Action, draft)
	return d, shown, nil
}

func (c *Controller) combine(prompt, output float64) float64 {
	switch c.config.Scores {
	case ScoresPrompt:
		return prompt
	case ScoresOutput:
		return output
	}
	return promptWeight*prompt + outputWeight*output
}

// taken is what a configuration makes of an action.
func (c Config) taken(a uplift.Action) uplift.Action {
	switch {
	case c.Actions == ActionsNone, c.Actions == ActionsRefuse && a != uplift.Refuse:
		return uplift.Allow
	}
	return a
}

// Action chooses by the cuts. A score that is not a number refuses.
func (c Cuts) Action(s float64) uplift.Action {
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
