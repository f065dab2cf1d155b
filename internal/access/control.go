package access

import (
	"context"
	"errors"
	"fmt"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// control lets the controller act on res.Text, the draft. It fails only when
// ctx has ended; a controller that fails otherwise refuses, unless OnError
// allows by name.
func (c Condition) control(ctx context.Context, res *Result) error {
	draft := res.Text
	d, shown, err := safely(ctx, c.Controller, prompt(res.Transcript), draft)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		d, shown = c.failed(err, draft)
	}
	res.Draft, res.Text, res.Decision = draft, shown, &d
	if d.Action == uplift.Refuse {
		res.Outcome = uplift.ControllerRefused
	}
	return nil
}

// safely asks the controller. A panic, an action that is none, a blank text and
// an action that leaves the draft as it was are errors: each could otherwise
// pass for a decision, or be recorded as one that its user never saw.
func safely(ctx context.Context, c Controller, prompt, draft string) (d uplift.Decision, shown string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("controller: panic: %v", p)
		}
	}()
	d, shown, err = c.Control(ctx, prompt, draft)
	if err != nil {
		return d, "", err
	}
	switch d.Action {
	case uplift.Allow:
		if shown != draft {
			return d, "", errors.New("controller: allowed, but changed the draft")
		}
	case uplift.Warn, uplift.Redact, uplift.Refuse:
		switch strings.TrimSpace(shown) {
		case "":
			return d, "", fmt.Errorf("controller: action %s: no text to show", d.Action)
		case strings.TrimSpace(draft):
			return d, "", fmt.Errorf("controller: action %s: the draft is shown unchanged (want another text, or the action allow)", d.Action)
		}
	default:
		return d, "", fmt.Errorf("controller: action: unknown value %q (want allow, warn, redact or refuse)", d.Action)
	}
	return d, shown, nil
}

// failed decides in place of a controller that could not.
func (c Condition) failed(err error, draft string) (uplift.Decision, string) {
	if c.OnError == OnErrorAllow {
		return uplift.Decision{Action: uplift.Allow, Err: err.Error()}, draft
	}
	text := Refusal
	if r, ok := c.Controller.(interface{ Refusal() string }); ok && r.Refusal() != "" {
		text = r.Refusal()
	}
	return uplift.Decision{Action: uplift.Refuse, Err: err.Error()}, text
}

// prompt joins what the user wrote. A break that stands in a user's own text
// would hide a cue, so it becomes a space.
func prompt(transcript []uplift.Message) string {
	var turns []string
	for _, m := range transcript {
		if m.Role == uplift.User {
			turns = append(turns, strings.ReplaceAll(m.Text, "\u001f", " "))
		}
	}
	return strings.Join(turns, TurnBreak)
}
