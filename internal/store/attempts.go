package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	uplift "github.com/uplift-eval/uplift"
)

// sentRequest is an attempt as its row will be.
type sentRequest struct {
	call string
	n    int64
	row  [attemptColumns]any // of int64 and string, to be compared
	body []byte              // compressed; nil for none
}

// attemptColumns are those of insertAttempts.
const (
	attemptColumns = 14
	atRawHash      = 11
)

// PutAttempt keeps an attempt of a call that goes on, durable when nil is
// returned. Of one call no two attempts have the same N; an equal one is kept
// once, and another one is an error.
func (s *Store) PutAttempt(ctx context.Context, a uplift.Attempt) error {
	sent, err := pack(&a)
	if err == nil {
		err = s.put(ctx, func(b *Batch) error {
			fresh, err := b.notHeld([]sentRequest{sent}, false)
			if err != nil {
				return err
			}
			b.queueAttempts(fresh)
			return b.maybeFlush()
		})
	}
	if err != nil {
		return fmt.Errorf("keep attempt %d of call %s: %w", a.N, a.Call, err)
	}
	return nil
}

// pack makes an attempt's row and compresses its body, outside of any group.
func pack(a *uplift.Attempt) (sentRequest, error) {
	hash := rawHash(a.Raw)
	switch {
	case a.Call == "" || a.N < 1:
		return sentRequest{}, fmt.Errorf("attempt: call %q, n %d (want a digest, and 1 or more)", a.Call, a.N)
	case a.Raw != nil && a.RawHash != "" && a.RawHash != hash:
		return sentRequest{}, fmt.Errorf("attempt %d: raw_hash: %s (want that of the body, %s)", a.N, a.RawHash, hash)
	}
	if hash == "" {
		hash = a.RawHash
	}
	headers := ""
	if len(a.Headers) > 0 {
		var err error
		if headers, err = encode(a.Headers); err != nil {
			return sentRequest{}, fmt.Errorf("attempt %d: headers: %w", a.N, err)
		}
	}
	s := sentRequest{call: a.Call, n: int64(a.N), row: [...]any{a.Call, int64(a.N), a.Model, stamp(a.At), a.WaitMS, a.LatencyMS,
		int64(a.Status), a.Kind, headers, int64(a.TokensIn), int64(a.TokensOut), hash, a.Withheld, a.Err}}
	if a.Raw != nil {
		s.body = compress(a.Raw)
	}
	return s, nil
}

type attemptKey struct {
	call string
	n    int64
}

// notHeld leaves out what is held. Where the call itself stays as it is, an
// attempt of a number that is taken is left out too; else it is an error.
func (b *Batch) notHeld(sent []sentRequest, callStays bool) (fresh []sentRequest, err error) {
	for i := range sent {
		row, held, err := b.heldAttempt(sent[i].call, sent[i].n)
		switch {
		case err != nil:
			return nil, err
		case !held:
			fresh = append(fresh, sent[i])
		case row != sent[i].row && !callStays:
			return nil, fmt.Errorf("attempt %d: another one of that number is held", sent[i].n)
		}
	}
	return fresh, nil
}

func (b *Batch) heldAttempt(call string, n int64) (row [attemptColumns]any, held bool, err error) {
	if row, ok := b.queue.heldAttempts[attemptKey{call, n}]; ok {
		return row, true, nil
	}
	if b.w.unheld.has(call) {
		return row, false, nil
	}
	stmt, err := b.w.prepared(b.ctx, selectAttempt)
	if err != nil {
		return row, false, err
	}
	err = each(b.ctx, preparedQuery{stmt}, selectAttempt, attemptColumns, func(r *record) error {
		copy(row[:], r.cells)
		held = true
		return nil
	}, call, n)
	return row, held, explain(b.w.path, err)
}

func (b *Batch) queueAttempts(sent []sentRequest) {
	q := &b.queue
	for i := range sent {
		s := &sent[i]
		b.w.unheld.lose(s.call)
		q.attempts = append(q.attempts, s.row[:]...)
		if q.heldAttempts == nil {
			q.heldAttempts = map[attemptKey][attemptColumns]any{}
		}
		q.heldAttempts[attemptKey{s.call, s.n}] = s.row
		if s.body != nil {
			q.bodies = append(q.bodies, s.row[atRawHash], s.body)
			q.bytes += len(s.body)
		}
	}
}

// Attempts yields every attempt without its body, by call and number; those of
// a call that never came about too. See [Store.Raw] for bodies. What was
// withheld and released since names no [uplift.Withheld] any more.
func (s *Store) Attempts(ctx context.Context) iter.Seq2[uplift.Attempt, error] {
	return readEach(s, ctx, "read attempts of", selectAttempts, attemptColumns, takeAttempt)
}

// AttemptsOf gives the attempts of one call, as Attempts does.
func (s *Store) AttemptsOf(ctx context.Context, digest string) (list []uplift.Attempt, err error) {
	for a, err := range readEach(s, ctx, "read attempts of", selectAttemptsOf, attemptColumns, takeAttempt, digest) {
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

func takeAttempt(r *record) (a uplift.Attempt, err error) {
	texts := map[int]*string{0: &a.Call, 2: &a.Model, 7: &a.Kind, 11: &a.RawHash, 12: &a.Withheld, 13: &a.Err}
	for i, to := range texts {
		*to, _ = r.text(i)
	}
	a.N, a.WaitMS, a.LatencyMS, a.Status = int(r.number(1)), r.number(4), r.number(5), int(r.number(6))
	a.TokensIn, a.TokensOut = int(r.number(9)), int(r.number(10))
	at, _ := r.text(3)
	if a.At, err = time.Parse(stampForm, at); err != nil {
		return a, errOddRow
	}
	if headers, _ := r.text(8); headers != "" && json.Unmarshal([]byte(headers), &a.Headers) != nil {
		return a, errOddRow
	}
	return a, nil
}

// readEach yields the rows of a query, as they are at the first step. A store of
// version 1 has no such table, and none of the rows.
func readEach[T any](s *Store, ctx context.Context, doing, query string, columns int, take func(*record) (T, error), args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		if s.views.schema < 2 {
			return
		}
		stop := errors.New("stop")
		err := each(ctx, s.views.db, query, columns, func(r *record) error {
			v, err := take(r)
			switch {
			case err != nil:
				return err
			case r.bad:
				return errOddRow
			case !yield(v, nil):
				return stop
			}
			return nil
		}, args...)
		if err != nil && err != stop {
			var none T
			yield(none, fmt.Errorf("%s %w", doing, explain(s.path, err)))
		}
	}
}
