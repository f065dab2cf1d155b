package run

import (
	"context"
	"errors"
	"fmt"
	"sync"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// errLimit ends a run that may send no further request.
var errLimit = fmt.Errorf("limit of requests reached: %w", model.ErrNotSent)

// calls sends each upstream request once. It is shared by all conditions of a
// run; [calls.through] makes it a model of one of them.
type calls struct {
	keep  Keeper
	slots chan struct{} // one for each request in the air
	limit int           // requests that this run may send; 0: no limit

	mu     sync.Mutex
	flying map[string]*flight
	sent   int // requests begun
	shared int // answers that needed no request
	halted bool
}

// flight is a call that is being made, or that failed in this run: cells that
// share a call share its failure too, so that they stay matched.
type flight struct {
	done chan struct{} // closed when call and err are set
	call uplift.Call
	err  error // no call was made: limit, context or keeper
}

// shared is a model whose calls are kept.
type shared struct {
	*calls
	upstream string
	next     model.Model
}

// through wraps the model of one condition.
func (c *calls) through(upstream string, m model.Model) model.Model {
	return shared{c, upstream, m}
}

// Generate answers from a kept call, from the one in flight, or by sending.
func (s shared) Generate(ctx context.Context, req model.Request) (model.Reply, error) {
	digest := req.Digest(s.upstream)
	f, mine := s.join(digest)
	if mine {
		f.call, f.err = s.make(ctx, digest, req)
		s.land(digest, f)
	} else {
		select {
		case <-f.done:
		case <-ctx.Done():
			return model.Reply{}, ctx.Err()
		}
	}
	if f.err != nil {
		return model.Reply{}, f.err
	}
	return reply(f.call)
}

// join finds the flight of a digest, or begins it.
func (c *calls) join(digest string) (f *flight, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f, ok := c.flying[digest]; ok {
		c.shared++
		return f, false
	}
	f = &flight{done: make(chan struct{})}
	c.flying[digest] = f
	return f, true
}

// land ends a flight. A call that ended well is forgotten, since the keeper
// has it; a failure is remembered until the run ends.
func (c *calls) land(digest string, f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.err != nil || f.call.Stop != uplift.StopError {
		delete(c.flying, digest)
	}
	close(f.done)
}

// make finds the call with the keeper, or sends it and keeps it.
func (s shared) make(ctx context.Context, digest string, req model.Request) (uplift.Call, error) {
	held, ok, err := s.keep.Call(ctx, digest)
	if err != nil {
		return uplift.Call{}, keeping(err)
	}
	if ok && held.Stop != uplift.StopError {
		s.count(&s.shared)
		return held, nil
	}
	got, err := s.send(ctx, req)
	if err != nil {
		return uplift.Call{}, err
	}
	got.Digest = digest
	got.Attempts += held.Attempts // of a kept failure
	// A reply is paid for: it is kept even when ctx has ended meanwhile.
	if err := s.keep.PutCall(context.WithoutCancel(ctx), got); err != nil {
		return uplift.Call{}, keeping(err)
	}
	return got, nil
}

// send makes one request within the limits. The slot is free again when the
// reply is there, before it is durable. A failing model is a call with
// StopError; an error means that nothing may be kept.
func (s shared) send(ctx context.Context, req model.Request) (uplift.Call, error) {
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return uplift.Call{}, ctx.Err()
	}
	defer func() { <-s.slots }()
	if err := ctx.Err(); err != nil {
		return uplift.Call{}, err
	}
	if !s.admit() {
		return uplift.Call{}, errLimit
	}
	r, err := s.next.Generate(ctx, req)
	switch {
	case errors.Is(err, model.ErrNotSent), err != nil && ctx.Err() != nil:
		return uplift.Call{}, err
	case err == nil && (r.Stop == "" || r.Stop == uplift.StopError):
		err = fmt.Errorf("the model stopped for an unknown reason %q", r.Stop)
	}
	c := uplift.Call{Attempts: max(r.Attempts, 1), Text: r.Text, Stop: r.Stop,
		TokensIn: r.TokensIn, TokensOut: r.TokensOut, RawHash: r.RawHash}
	if err != nil {
		c = uplift.Call{Attempts: attempts(err), Stop: uplift.StopError, Err: err.Error()}
	}
	return c, nil
}

// admit counts a request, or says that the limit is reached.
func (c *calls) admit() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.limit > 0 && c.sent >= c.limit {
		c.halted = true
		return false
	}
	c.sent++
	return true
}

func (c *calls) count(n *int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*n++
}

func attempts(err error) int {
	var e *model.Error
	if errors.As(err, &e) {
		return max(e.Attempts, 1)
	}
	return 1
}

// reply reads a call back.
func reply(c uplift.Call) (model.Reply, error) {
	if c.Stop == uplift.StopError {
		return model.Reply{}, &model.Error{Attempts: c.Attempts, Err: errors.New(c.Err)}
	}
	return model.Reply{Text: c.Text, Stop: c.Stop, TokensIn: c.TokensIn, TokensOut: c.TokensOut,
		RawHash: c.RawHash, Attempts: c.Attempts}, nil
}

// keeping marks an error of the keeper: it stops the run, and no cell may
// record it as the model's failure.
func keeping(err error) error { return keeperError{err} }

type keeperError struct{ err error }

func (e keeperError) Error() string   { return "keep: " + e.err.Error() }
func (e keeperError) Unwrap() []error { return []error{e.err, model.ErrNotSent} }
