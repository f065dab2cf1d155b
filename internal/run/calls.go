package run

import (
	"context"
	"errors"
	"fmt"
	"sync"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/model"
)

// errLimit ends a run that may send no further request.
var errLimit = fmt.Errorf("limit of requests reached: %w", access.ErrNotSent)

// calls sends each upstream request once. All conditions of a run share it.
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

// answer gives a call from a kept one, from the one in flight, or by sending.
// It is an [access.Via].
func (c *calls) answer(ctx context.Context, digest string, send access.Send) (uplift.Call, error) {
	f, mine := c.join(digest)
	if mine {
		f.call, f.err = c.make(ctx, digest, send)
		c.land(digest, f)
		return f.call, f.err
	}
	select {
	case <-f.done:
		return f.call, f.err
	case <-ctx.Done():
		return uplift.Call{}, ctx.Err()
	}
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
func (c *calls) make(ctx context.Context, digest string, send access.Send) (uplift.Call, error) {
	held, ok, err := c.keep.Call(ctx, digest)
	if err != nil {
		return uplift.Call{}, keeping(err)
	}
	if ok && held.Stop != uplift.StopError {
		c.count(&c.shared)
		return held, nil
	}
	got, err := c.send(ctx, send)
	if err != nil {
		return uplift.Call{}, err
	}
	got.Digest = digest
	got.Attempts += held.Attempts // of a kept failure
	// A reply is paid for: it is kept even when ctx has ended meanwhile.
	if err := c.keep.PutCall(context.WithoutCancel(ctx), got); err != nil {
		return uplift.Call{}, keeping(err)
	}
	return got, nil
}

// send makes one request within the limits. The slot is free again when the
// reply is there, before it is durable.
func (c *calls) send(ctx context.Context, send access.Send) (uplift.Call, error) {
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return uplift.Call{}, ctx.Err()
	}
	defer func() { <-c.slots }()
	if err := ctx.Err(); err != nil {
		return uplift.Call{}, err
	}
	if !c.admit() {
		return uplift.Call{}, errLimit
	}
	call, _, err := send(ctx)
	if e, ok := errors.AsType[*model.Error](err); ok {
		return access.Failure(e), nil
	}
	return call, err
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

// keeping names the keeper as the place of an error, which stops the run.
func keeping(err error) error { return fmt.Errorf("keep: %w", err) }
