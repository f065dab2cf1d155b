package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/model"
)

// asker asks for one cell, one turn after the other. It is the cell's model and
// its [access.Via] in one, so that both know of the same request.
type asker struct {
	*walk
	to     *endpoint
	next   model.Model // the condition's own
	memo   memo
	waited time.Duration // of the last request, for a pause or a rate
	in     int           // tokens of the last request, as far as the provider said
	out    int
	taken  bool         // a place of the endpoint's open is held
	judged *model.Error // the last failure that the endpoint was told
	stop   error        // what it said to that
}

// take takes a place for a request and its reply; nothing is sent without one.
func (a *asker) take() error {
	select {
	case a.to.open <- struct{}{}:
		a.taken = true
		return nil
	case <-a.to.pace.halt:
		return a.to.pace.reason()
	}
}

// release gives the place back, if there is one: nothing was sent, or what came of
// it is durable.
func (a *asker) release() {
	if a.taken {
		a.taken = false
		<-a.to.open
	}
}

// answer gives a call from a kept one, from the one in flight, or by sending.
func (a *asker) answer(ctx context.Context, digest string, send access.Send) (uplift.Call, error) {
	f, mine := a.sharing.join(a.memo, digest)
	if mine {
		// A model and the disk need a deep stack, which a cell that waits for
		// another's call would go on holding: there are hundreds of them.
		go func() {
			f.call, f.err = a.make(ctx, digest, send)
			a.sharing.land(a.memo, digest, f)
		}()
		<-f.done
		return f.call, f.err
	}
	select {
	case <-f.done:
		if f.err == nil { // else nothing came that could be shared
			a.sharing.count()
		}
		return f.call, f.err
	case <-ctx.Done():
		return uplift.Call{}, ctx.Err()
	}
}

// lockedAway is why a cell fails whose call cannot be read any more.
const lockedAway = "the reply is withheld and cannot be read again (run --retry asks for a new one)"

// make finds the call with the keeper, or sends it and keeps it.
func (a *asker) make(ctx context.Context, digest string, send access.Send) (uplift.Call, error) {
	held, ok, err := a.keep.Call(ctx, digest)
	switch {
	case err != nil:
		return uplift.Call{}, keeping(err)
	case ok && held.Withheld != "" && !a.opt.Retry:
		a.sharing.count()
		return uplift.Call{Digest: digest, Stop: uplift.StopError, Err: lockedAway}, nil
	case ok && held.Withheld == "" && held.Stop != uplift.StopError:
		a.sharing.count()
		return held, nil
	}
	defer a.release()
	got, last, err := a.insist(ctx, digest, max(held.Attempts, a.opt.Tried[digest]), send)
	if err != nil {
		return uplift.Call{}, err
	}
	// A reply is paid for: it is kept even when ctx has ended meanwhile.
	if got.Withheld, err = a.keep.putCall(context.WithoutCancel(ctx), got, last); err != nil {
		return uplift.Call{}, keeping(err)
	}
	a.sharing.ask()
	return got, nil // with its texts: the cells of this run need them
}

// insist sends a request until it is answered or fails for good. tried is how
// often it was sent in earlier runs. Failed attempts are kept as they happen,
// but for the last, which is kept with the call.
func (a *asker) insist(ctx context.Context, digest string, tried int, send access.Send) (uplift.Call, uplift.Attempt, error) {
	var failures tally
	var wait time.Duration
	for n := tried + 1; ; n++ {
		a.waited, a.in, a.out = 0, 0, 0
		at := a.opt.Now()
		call, sent, err := send(ctx)
		e, failed := errors.AsType[*model.Error](err)
		if err != nil && !failed {
			return uplift.Call{}, uplift.Attempt{}, a.notSent(err)
		}
		if sent.At.IsZero() {
			sent.At = at
		}
		if n > tried+1 {
			a.status.retry()
		}
		attempt := a.attempt(digest, n, sent, wait+a.waited)
		if !failed {
			call.Digest, call.Model, call.Attempts = digest, a.to.model, n
			a.to.well()
			a.status.replied(call.Stop, a.keep.word(cmp.Or(call.Reason, "no word")))
			return call, attempt, nil
		}
		attempt.Kind, attempt.Err = string(e.Kind), e.Error()
		again := failures.again(e.Kind, a.opt.Retries)
		stop := a.tell(e)
		if !again && stop == nil && ctx.Err() == nil {
			call := access.Failure(e)
			call.Digest, call.Model, call.Attempts = digest, a.to.model, n
			return call, attempt, nil
		}
		if err := a.keep.putAttempt(context.WithoutCancel(ctx), attempt); err != nil {
			return uplift.Call{}, uplift.Attempt{}, keeping(err)
		}
		a.release()
		if stop != nil {
			return uplift.Call{}, uplift.Attempt{}, stop
		}
		if ctx.Err() != nil { // it says nothing of the provider
			return uplift.Call{}, uplift.Attempt{}, context.Cause(ctx)
		}
		wait = a.opt.Retries.pause(failures.total(), jitter(a.opt.Seed, digest, n))
		if !a.to.pace.rest(wait, e.Kind) {
			return uplift.Call{}, uplift.Attempt{}, a.to.pace.reason()
		}
	}
}

// tell tells the endpoint of a failure, once: whether it stops.
func (a *asker) tell(e *model.Error) error {
	if a.judged != e {
		a.judged, a.stop = e, a.to.failed(e)
	}
	return a.stop
}

// notSent makes sure that a cell stays open only for a reason that a person
// reads.
func (a *asker) notSent(err error) error {
	var h *halted
	if errors.Is(err, access.ErrNotSent) && !errors.As(err, &h) {
		return a.to.stop(err.Error())
	}
	return err
}

func (a *asker) attempt(digest string, n int, sent model.Attempt, waited time.Duration) uplift.Attempt {
	out := uplift.Attempt{Call: digest, Model: a.to.model, N: n, At: sent.At, WaitMS: waited.Milliseconds(),
		LatencyMS: sent.Latency.Milliseconds(), Status: sent.Status, Headers: sent.Headers,
		TokensIn: a.in, TokensOut: a.out, RawHash: model.RawHash(sent.Raw)}
	if a.opt.KeepRaw {
		out.Raw = sent.Raw
	}
	return out
}

// Generate sends one request when pace and budget let it. The slot is free again
// when the reply is there, before it is durable.
func (a *asker) Generate(ctx context.Context, req model.Request) (model.Reply, error) {
	if err := a.take(); err != nil {
		return model.Reply{}, err
	}
	size := measure(req)
	got, err := a.to.pace.enter(size.in, size.out)
	if err != nil {
		return model.Reply{}, err
	}
	a.waited = got.waited
	if err := ctx.Err(); err != nil {
		a.to.pace.leave(got, unsent, model.Rate{}, 0, 0)
		return model.Reply{}, err
	}
	worst := a.to.price.of(size.most, size.out)
	a.to.poor.Add(1)
	err = a.budget.reserve(worst, a.to.pace.halt)
	a.to.poor.Add(-1)
	if err != nil {
		a.to.pace.leave(got, unsent, model.Rate{}, 0, 0)
		if h, ok := errors.AsType[*halted](err); ok {
			a.end(h)
			return model.Reply{}, h
		}
		return model.Reply{}, a.to.pace.reason()
	}
	r, err := a.next.Generate(ctx, req)
	a.in, a.out = r.TokensIn, r.TokensOut
	e, _ := errors.AsType[*model.Error](err)
	kind, rate := model.Kind(""), r.Attempt.Rate
	switch {
	case e != nil:
		kind, rate = e.Kind, e.Attempt.Rate
		_ = a.tell(e) // before the slot is free, so that nothing goes to an endpoint that stops
	case err != nil:
		kind = unsent
	}
	a.to.pace.leave(got, kind, rate, r.TokensIn, r.TokensOut)
	a.budget.settle(worst, a.to.price.of(r.TokensIn, r.TokensOut), !Unknown(kind, r.TokensIn+r.TokensOut))
	a.status.sent(kind)
	return r, err
}

// unsent is the kind of a request of which nothing may be recorded.
const unsent model.Kind = "unsent"

// Unknown reports whether a request may have been paid for without that its use
// is known. kind is that of its failure, empty when a reply came. An answer of
// HTTP that says no is not paid for.
func Unknown(kind model.Kind, tokens int) bool {
	if tokens > 0 {
		return false
	}
	switch kind {
	case "", model.Transport, model.Timeout, model.Malformed, model.Unread, unsent:
		return true
	}
	return false
}

// size is how large a request is, in tokens.
type size struct {
	in   int // likely
	most int // certainly not more: a token is a byte at least
	out  int // that it may answer with
}

// openOutput stands for the longest reply where a study pins none.
const openOutput = 128_000

func measure(req model.Request) size {
	n := len(req.System)
	for _, m := range req.Messages {
		n += len(m.Text)
	}
	over := 16 * (len(req.Messages) + 1) // what a provider's form adds
	s := size{in: n/4 + over, most: n + over, out: openOutput}
	if req.Sampling.MaxTokens != nil {
		s.out = *req.Sampling.MaxTokens
	}
	return s
}

// keeping names the keeper as the place of an error, which stops the run.
func keeping(err error) error { return fmt.Errorf("keep: %w", err) }
