// Package access answers what a user of a condition gets. [Condition.Respond]
// is the only code that turns a request into an output: a study and a gateway
// both call it, so that what is measured is what is served.
//
//  1. the user's turns are asked one after the other; the history of a later
//     turn holds what the user of this condition saw, not what the model wrote.
//     A last turn may depend on what was shown;
//  2. the model answers with a draft, or stops; the null anchor has no model;
//  3. the controller, where there is one, decides what of the draft is shown; a
//     model may write it (rewriter.go), and the controller may be another
//     program (outside.go);
//  4. the outcome says how it ended. An error is an outcome, never an empty
//     answer.
package access

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
	Null       bool       // no model is asked: every turn gets NullText
	Controller Controller // nil: drafts are shown as they are
	OnError    OnError    // what a failing controller does; the zero value refuses
	Scan       Scan       // what the controller judges beside the draft
	Rules      *Rules     // carry out what Scan and Rewriter ask for beyond the controller; nil: they refuse
	Rewriter   *Rewriter  // nil: what the controller writes is shown
	Via        Via        // nil: every call is sent
}

// Controller decides what of a draft is shown. prompt is what the user wrote,
// all turns of it unless a [Scan] says otherwise, with [TurnBreak] between them. An error means that there is no decision.
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

	// Next gives one more turn from what the last of Turns got; empty for
	// none. It is called at most once, never after an error, and must be
	// deterministic. nil: there is none.
	Next func(shown Result) string
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

// Respond asks the turns and returns what the user gets. A refusal or a block
// does not end the conversation, since its user would still type: the next turn
// is asked with what was shown, and where a block left no text, with nothing
// between the user's two turns. Only an error ends it early.
//
// A failing model is a Result with the outcome error. Respond itself fails
// only when nothing may be recorded: ctx has ended, the model sent nothing
// ([ErrNotSent]), or the condition or request is not usable.
func (c Condition) Respond(ctx context.Context, req Request) (Result, error) {
	if err := c.check(req); err != nil {
		return Result{}, fmt.Errorf("condition %s: %w", c.Name, err)
	}
	res := Result{Transcript: slices.Clone(req.History)}
	for _, text := range req.Turns {
		var err error
		if res, err = c.turn(ctx, text, req.Replicate, res.Transcript); err != nil || res.Outcome == uplift.Failed {
			return res, err
		}
	}
	if req.Next == nil {
		return res, nil
	}
	text := req.Next(res)
	if text == "" {
		return res, nil
	}
	return c.turn(ctx, text, req.Replicate, res.Transcript)
}

func (c Condition) check(req Request) error {
	switch {
	case c.Null && (c.Model != nil || c.Controller != nil):
		return errors.New("null: stands beside a model or a controller (want neither)")
	case c.Model == nil && !c.Null:
		return errors.New("no model")
	case c.Rewriter != nil && (c.Rewriter.Model == nil || c.Controller == nil):
		return errors.New("rewriter: wants a model and a controller")
	case len(req.Turns) == 0:
		return errors.New("no turn to ask (want at least one)")
	case c.OnError != "" && c.OnError != OnErrorRefuse && c.OnError != OnErrorAllow:
		return fmt.Errorf("on_error: unknown value %q (want refuse or allow)", c.OnError)
	}
	return nil
}

// turn asks one turn after what was said before, and adds it and its reply to
// the transcript. On an error the result is empty.
func (c Condition) turn(ctx context.Context, text string, replicate int, before []uplift.Message) (Result, error) {
	res := Result{Transcript: append(before, uplift.Message{Role: uplift.User, Text: text})}
	if err := c.answer(ctx, replicate, &res); err != nil {
		return Result{}, err
	}
	if res.Text != "" {
		res.Transcript = append(res.Transcript, uplift.Message{Role: uplift.Assistant, Text: res.Text})
	}
	return res, nil
}

// answer answers the transcript's last message. It sets every field of res but
// the transcript.
func (c Condition) answer(ctx context.Context, replicate int, res *Result) error {
	if c.Null {
		null(res)
		return ctx.Err()
	}
	req := model.Request{System: c.System, Messages: alternating(res.Transcript), Sampling: c.Sampling, Replicate: replicate}
	res.Call = req.Digest(c.endpoint())
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
		return c.control(ctx, replicate, call.Reasoning, res)
	}
	return nil
}

// alternating joins turns of one speaker that follow each other, a blank line
// between them. A block without text leaves two turns of the user in a row,
// which some providers join by themselves and others, with the templates of
// many open models, reject.
func alternating(transcript []uplift.Message) []uplift.Message {
	var out []uplift.Message
	for _, m := range transcript {
		if n := len(out); n > 0 && out[n-1].Role == m.Role {
			out[n-1].Text += "\n\n" + m.Text
			continue
		}
		out = append(out, m)
	}
	return out
}

// endpoint names the endpoint in digests.
func (c Condition) endpoint() string {
	if c.Upstream != "" {
		return c.Upstream
	}
	return c.ModelName
}
