package access

import (
	"context"
	"errors"
	"fmt"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// Via answers one upstream call: by send, or from an equal call that was sent
// before. A run keeps calls through it and sends equal ones once. An error
// means that nothing may be recorded; a model that failed is a call whose Stop
// is [uplift.StopError].
type Via func(ctx context.Context, digest string, send Send) (uplift.Call, error)

// Send sends a call. The call it returns has no digest yet. It fails only when
// nothing may be recorded: ctx has ended, or nothing was sent.
type Send func(ctx context.Context) (uplift.Call, error)

// ErrNotSent is wrapped by an error after which nothing may be recorded,
// because nothing was sent: asking again later is free and may succeed.
var ErrNotSent = model.ErrNotSent

// call answers a request.
func (c Condition) call(ctx context.Context, digest string, req model.Request) (uplift.Call, error) {
	send := func(ctx context.Context) (uplift.Call, error) { return c.send(ctx, req) }
	if c.Via == nil {
		return send(ctx)
	}
	return c.Via(ctx, digest, send)
}

func (c Condition) send(ctx context.Context, req model.Request) (uplift.Call, error) {
	r, err := c.Model.Generate(ctx, req)
	switch {
	case errors.Is(err, model.ErrNotSent), err != nil && ctx.Err() != nil:
		return uplift.Call{}, err
	case err == nil:
		err = broken(r)
	}
	if err != nil {
		return uplift.Call{Attempts: attempts(r, err), Stop: uplift.StopError, RawHash: r.RawHash, Err: err.Error()}, nil
	}
	return uplift.Call{Attempts: attempts(r, nil), Text: r.Text, Stop: r.Stop,
		TokensIn: r.TokensIn, TokensOut: r.TokensOut, RawHash: r.RawHash}, nil
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

func attempts(r model.Reply, err error) int {
	if e, ok := errors.AsType[*model.Error](err); ok {
		return max(e.Attempts, 1)
	}
	return max(r.Attempts, 1)
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
