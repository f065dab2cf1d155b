package access

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/controller"
)

// Rules carry out an action that was chosen elsewhere, as a policy would.
type Rules struct {
	always map[uplift.Action]*controller.Controller // by cuts that leave no other choice
}

// NewRules takes the rewrites and texts of a policy, without the features that are
// ablated.
func NewRules(p controller.Policy, ablate []string) (*Rules, error) {
	const never = 2 // above every score
	r := &Rules{always: map[uplift.Action]*controller.Controller{}}
	for action, cuts := range map[uplift.Action]controller.Cuts{
		uplift.Warn: {Warn: 0, Redact: never, Refuse: never}, uplift.Redact: {Warn: 0, Redact: 0, Refuse: never},
	} {
		p.Cuts = cuts
		c, err := controller.NewWith(p, controller.Config{Ablate: ablate})
		if err != nil {
			return nil, err
		}
		r.always[action] = c
	}
	return r, nil
}

// act carries an action out on a draft. What was done may be stricter: a
// redaction that removes nothing refuses. Nil rules refuse.
func (r *Rules) act(ctx context.Context, a uplift.Action, prompt, draft string) (done uplift.Action, shown string, err error) {
	switch {
	case a == uplift.Allow:
		return a, draft, nil
	case strict(a) < 0:
		return "", "", fmt.Errorf("controller: action: unknown value %q (want allow, warn, redact or refuse)", a)
	case r == nil:
		return uplift.Refuse, Refusal, nil
	case a == uplift.Refuse:
		return a, r.refusal(), nil
	}
	d, shown, err := safely(ctx, r.always[a], prompt, draft)
	if err == nil && strict(d.Action) < strict(a) {
		err = errors.New("controller: the rules did less than they were told")
	}
	return d.Action, shown, err
}

// refusal is the policy's text of refusal, or the usual one.
func (r *Rules) refusal() string {
	if r == nil {
		return Refusal
	}
	return cmp.Or(r.always[uplift.Redact].Refusal(), Refusal)
}

func (r *Rules) digest() string {
	if r == nil {
		return ""
	}
	return r.always[uplift.Redact].Digest()
}

// assess scores without acting, where the controller can.
func assess(ctx context.Context, c Controller, prompt, draft string) (d uplift.Decision, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("controller: panic: %v", p)
		}
	}()
	switch c := c.(type) {
	case interface {
		Assess(ctx context.Context, prompt, draft string) (uplift.Decision, error)
	}:
		d, err = c.Assess(ctx, prompt, draft)
	case interface {
		Score(prompt, draft string) (uplift.Decision, error)
	}:
		d, err = c.Score(prompt, draft)
	default:
		d, _, err = safely(ctx, c, prompt, draft)
	}
	if err == nil && strict(d.Action) < 0 {
		err = fmt.Errorf("controller: action: unknown value %q (want allow, warn, redact or refuse)", d.Action)
	}
	return d, err
}
