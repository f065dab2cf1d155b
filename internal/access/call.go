package access

import (
	"context"
	"errors"
	"fmt"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// Via answers one upstream call: by send, as often as it takes, or from an equal
// call that was sent before. A run keeps calls through it and sends equal ones
// once. An error means that nothing may be recorded; a model that failed is a
// call whose Stop is [uplift.StopError] ([Failure] makes one).
type Via func(ctx context.Context, digest string, send Send) (uplift.Call, error)

// Send sends a request once. The call that it returns has no digest yet; its
// Model is set also beside an error. An error that is a [*model.Error] is a failed
// attempt; after any other nothing may be recorded: ctx has ended, or nothing was
// sent.
type Send func(ctx context.Context) (uplift.Call, model.Attempt, error)

// ErrNotSent is wrapped by an error after which nothing may be recorded,
// because nothing was sent: asking again later is free and may succeed.
var ErrNotSent = model.ErrNotSent

// call answers a request.
func (c Condition) call(ctx context.Context, digest string, req model.Request) (uplift.Call, error) {
	send := func(ctx context.Context) (uplift.Call, model.Attempt, error) { return c.send(ctx, req) }
	if c.Via != nil {
		return c.Via(ctx, digest, send)
	}
	call, _, err := send(ctx)
	if e, ok := errors.AsType[*model.Error](err); ok {
		failed := Failure(e)
		failed.Model = call.Model
		return failed, nil
	}
	return call, err
}

// Failure is the call of an attempt that failed and is not made again.
func Failure(e *model.Error) uplift.Call {
	return uplift.Call{Attempts: 1, Stop: uplift.StopError, Err: e.Error(), RequestID: e.Attempt.Headers["request-id"],
		LatencyMS: e.Attempt.Latency.Milliseconds(), RawHash: model.RawHash(e.Attempt.Raw)}
}

func (c Condition) send(ctx context.Context, req model.Request) (uplift.Call, model.Attempt, error) {
	none := uplift.Call{Model: c.ModelName}
	r, err := c.Model.Generate(ctx, req)
	switch {
	case errors.Is(err, model.ErrNotSent), err != nil && ctx.Err() != nil:
		return none, model.Attempt{}, err
	case err == nil:
		if err = broken(r); err != nil {
			err = &model.Error{Kind: model.Unread, Attempt: r.Attempt, Err: err}
		}
	}
	if e, ok := errors.AsType[*model.Error](err); ok {
		return none, e.Attempt, err
	}
	if err != nil { // a model that says nothing of how it failed: not again
		return none, model.Attempt{}, &model.Error{Kind: model.Rejected, Err: err}
	}
	return uplift.Call{Model: c.ModelName, Attempts: 1, Text: r.Text, Reasoning: r.Reasoning, Stop: r.Stop, Reason: r.Reason, Details: r.Details,
		Version: r.Version, RequestID: r.RequestID, TokensIn: r.TokensIn, TokensOut: r.TokensOut,
		LatencyMS: r.Attempt.Latency.Milliseconds(), RawHash: model.RawHash(r.Attempt.Raw)}, r.Attempt, nil
}

// broken says why a reply is none.
func broken(r model.Reply) error {
	switch r.Stop {
	case uplift.StopEnd:
		if r.Text == "" {
			return errors.New("the model's reply is empty (want text, a refusal or a block)")
		}
	case uplift.StopLength, uplift.StopRefusal, uplift.StopPrompt, uplift.StopOutput:
	default:
		return fmt.Errorf("the model stopped for an unknown reason %q", r.Stop)
	}
	return nil
}

// outcome reads a call; detail says why an outcome is Failed.
func outcome(c uplift.Call) (o uplift.Outcome, detail string) {
	switch c.Stop {
	case uplift.StopEnd:
		return uplift.Answered, ""
	case uplift.StopLength:
		return uplift.Truncated, ""
	case uplift.StopRefusal:
		return uplift.ProviderRefusal, ""
	case uplift.StopPrompt:
		return uplift.PromptBlocked, ""
	case uplift.StopOutput:
		return uplift.OutputBlocked, ""
	}
	if c.Err == "" {
		return uplift.Failed, fmt.Sprintf("the call ended for an unknown reason %q", c.Stop)
	}
	return uplift.Failed, c.Err
}
