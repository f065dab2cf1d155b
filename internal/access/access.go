// Package access answers what a user of a condition gets. [Condition.Respond]
// is the only code that turns a request into an output: a study and a gateway
// both call it, so that what is measured is what is served.
//
//  1. the user's turns are asked one after the other; the history of a later
//     turn holds what the user of this condition saw, not what the model wrote;
//  2. the model answers with a draft, or stops;
//  3. the controller, where there is one, decides what of the draft is shown;
//  4. the outcome says how it ended. An error is an outcome, never an empty
//     answer.
package access

import (
	"context"
	"errors"
	"fmt"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// Condition is one way in which a model reaches a user. A condition that
// controls the drafts of another one carries that one's System, so that their
// upstream requests are equal and are sent once. It is safe for concurrent use
// when its Model and its Controller are.
type Condition struct {
	Name       string
	ModelName  string // the model's name in the study
	Upstream   string // names the endpoint in digests of calls; empty: ModelName
	System     string // the operator's prompt; empty for none
	Model      model.Model
	Sampling   model.Sampling
	Controller Controller // nil: drafts are shown as they are
	OnError    OnError    // what a failing controller does; the zero value refuses
	Via        Via        // nil: every call is sent
}

// Controller decides what of a draft is shown. prompt is what the user wrote,
// all turns of it. An error means that there is no decision.
type Controller interface {
	Control(ctx context.Context, prompt, draft string) (d uplift.Decision, shown string, err error)
}

// OnError says what is shown when a controller fails. The zero value refuses.
type OnError string

// The choices of [OnError].
const (
	OnErrorRefuse OnError = "refuse"
	OnErrorAllow  OnError = "allow" // the draft is shown; the decision carries the error
)

// Refusal is shown when a controller fails and has no text of its own.
const Refusal = "I can't help with this request."

// TurnBreak stands between the user's turns in a controller's prompt. It is
// U+001F: no cue spans it.
const TurnBreak = "\n\u001f\n"

// Request is what a user asks of a condition.
type Request struct {
	History   []uplift.Message // earlier turns as the user saw them; may be nil
	Turns     []string         // the user's turns that are still to be asked, at least one
	Replicate int              // from 0
}

// Result is what the user gets.
type Result struct {
	Transcript []uplift.Message // history, turns and replies as the user saw them
	Text       string           // the last reply as shown; empty when a block or an error left none
	Draft      string           // the last draft, when a controller judged it
	Decision   *uplift.Decision // of the last turn; nil without a controller
	Outcome    uplift.Outcome
	Call       string // digest of the last turn's call
	Detail     string // why, when Outcome is [uplift.Failed]
}

// Respond asks the turns and returns what the user gets. The conversation
// stops early at a turn that leaves no text to show, with that turn's outcome.
//
// A failing model is a Result with the outcome error. Respond itself fails
// only when nothing may be recorded: ctx has ended, the model sent nothing
// ([ErrNotSent]), or the condition or request is not usable.
func (c Condition) Respond(ctx context.Context, req Request) (Result, error) {
	if err := c.check(req); err != nil {
		return Result{}, fmt.Errorf("condition %s: %w", c.Name, err)
	}
	var res Result
	res.Transcript = append(res.Transcript, req.History...)
	for _, turn := range req.Turns {
		res.Transcript = append(res.Transcript, uplift.Message{Role: uplift.User, Text: turn})
		if err := c.turn(ctx, req.Replicate, &res); err != nil {
			return Result{}, err
		}
		if res.Text == "" {
			break
		}
		res.Transcript = append(res.Transcript, uplift.Message{Role: uplift.Assistant, Text: res.Text})
	}
	return res, nil
}

func (c Condition) check(req Request) error {
	switch {
	case c.Model == nil:
		return errors.New("no model")
	case len(req.Turns) == 0:
		return errors.New("no turn to ask (want at least one)")
	case c.OnError != "" && c.OnError != OnErrorRefuse && c.OnError != OnErrorAllow:
		return fmt.Errorf("on_error: unknown value %q (want refuse or allow)", c.OnError)
	}
	return nil
}

// turn answers the transcript's last message. It sets every field of res but
// the transcript.
func (c Condition) turn(ctx context.Context, replicate int, res *Result) error {
	req := model.Request{System: c.System, Messages: res.Transcript, Sampling: c.Sampling, Replicate: replicate}
	*res = Result{Transcript: res.Transcript, Call: req.Digest(c.endpoint())}
	call, err := c.call(ctx, res.Call, req)
	if err != nil {
		return err
	}
	res.Text = call.Text
	res.Outcome, res.Detail = outcome(call)
	if res.Outcome == uplift.Failed {
		res.Text = ""
	}
	if c.Controller != nil && res.Text != "" {
		return c.control(ctx, res)
	}
	return nil
}

// endpoint names the endpoint in digests.
func (c Condition) endpoint() string {
	if c.Upstream != "" {
		return c.Upstream
	}
	return c.ModelName
}
