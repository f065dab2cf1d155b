package access

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// control lets the controller act on res.Text, the draft. It fails only when
// nothing may be recorded; a controller that fails otherwise refuses, unless
// OnError allows by name.
func (c Condition) control(ctx context.Context, replicate int, reasoning string, res *Result) error {
	draft, prompt := res.Text, c.Scan.prompt(res.Transcript)
	d, shown, err := safely(ctx, c.Controller, prompt, draft)
	if err == nil && c.Scan.Reasoning && reasoning != "" {
		d, shown, err = c.thought(ctx, prompt, draft, reasoning, d, shown)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		d, shown = c.failed(err, draft)
	} else if c.Rewriter != nil && (d.Action == uplift.Warn || d.Action == uplift.Redact) {
		if d, shown, err = c.rewrite(ctx, replicate, prompt, draft, d, shown); err != nil {
			return err
		}
	}
	d.Policy = c.digest(d.Policy)
	res.Draft, res.Text, res.Decision = draft, shown, &d
	if d.Action == uplift.Refuse {
		res.Outcome = uplift.ControllerRefused
	}
	return nil
}

// Digest is that of all that decides what of a draft is shown: the controller,
// the scan and the rewriter. It is the controller's own where the other two are
// the usual ones, and empty without a controller or for one that has none.
func (c Condition) Digest() string {
	if d, ok := c.Controller.(interface{ Digest() string }); ok {
		return c.digest(d.Digest())
	}
	return ""
}

// digest adds scan and rewriter to the digest of a controller.
func (c Condition) digest(controller string) string {
	if controller == "" || c.Rewriter == nil && c.Scan == (Scan{}) {
		return controller
	}
	parts := struct {
		Controller, Instructions, Rewriter string
		Scan                               Scan
		Sampling                           model.Sampling
	}{Controller: controller, Scan: c.Scan}
	if r := c.Rewriter; r != nil {
		parts.Instructions, parts.Rewriter, parts.Sampling = InstructionsDigest(), nonEmpty(r.Upstream, r.ModelName), r.Sampling
	}
	b, err := json.Marshal(parts)
	if err != nil { // only a NaN or an infinity, which no setting can hold
		panic("access: digest of a controller: " + err.Error())
	}
	return model.RawHash(b)
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
