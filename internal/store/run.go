package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	uplift "github.com/uplift-eval/uplift"
)

// Done maps the id of every cell held to whether it ended without an error.
func (s *Store) Done(ctx context.Context) (map[string]bool, error) {
	done := map[string]bool{}
	for r, err := range s.walk(ctx, cellsAlone) {
		if err != nil {
			return nil, err
		}
		done[r.ID()] = r.Outcome != uplift.Failed
	}
	return done, nil
}

// Call finds the call of a digest; found is false when there is none. A call
// that ended in an error is given as it is.
func (s *Store) Call(ctx context.Context, digest string) (c uplift.Call, found bool, err error) {
	c, _, err = currentCall(ctx, s.readers, digest)
	if errors.Is(err, sql.ErrNoRows) {
		return uplift.Call{}, false, nil
	}
	if err != nil {
		return uplift.Call{}, false, fmt.Errorf("find call %s: %w", digest, explain(s.path, err))
	}
	return c, true, nil
}

type rowQueryer interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func currentCall(ctx context.Context, q rowQueryer, digest string) (c uplift.Call, revision int, err error) {
	c.Digest = digest
	err = q.QueryRowContext(ctx, selectCall, digest).Scan(&revision, &c.Attempts, &c.Text, &c.Stop,
		&c.TokensIn, &c.TokensOut, &c.RawHash, &c.Err)
	return c, revision, err
}

// PutCall keeps a call; it is durable when nil is returned. A held call that
// ended in an error is superseded, any other stays: it was paid for.
func (s *Store) PutCall(ctx context.Context, c uplift.Call, last ...uplift.Attempt) error {
	if c.Digest == "" || c.Stop == "" {
		return fmt.Errorf("keep a call: digest %q, stop %q (want both)", c.Digest, c.Stop)
	}
	err := s.put(ctx, func(b *Batch) error {
		held, revision, err := currentCall(b.ctx, b.w.conn, c.Digest)
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return explain(b.w.path, err)
		case held.Stop != uplift.StopError || held == c:
			return nil
		}
		return b.hand([]job{{insertCalls, columns(insertCalls), []any{c.Digest, revision + 1, c.Attempts, c.Text, string(c.Stop),
			c.TokensIn, c.TokensOut, c.RawHash, c.Err}}})
	})
	if err != nil {
		return fmt.Errorf("keep call %s: %w", c.Digest, err)
	}
	return nil
}

// PutResponse keeps the response of a cell; it is durable when nil is
// returned. A held response that ended in an error is superseded, any other
// stays. r.Item may not contradict what is known of the item (see [Conflict]).
func (s *Store) PutResponse(ctx context.Context, r uplift.Response) error {
	if r.Outcome == "" {
		return fmt.Errorf("keep %s: outcome: missing", r.Cell)
	}
	if err := validate(&r, nil); err != nil {
		return fmt.Errorf("keep %s: %w", r.Cell, err)
	}
	if err := s.put(ctx, func(b *Batch) error { return b.putResponse(&r) }); err != nil {
		return fmt.Errorf("keep %s: %w", r.Cell, err)
	}
	return nil
}

func (b *Batch) putResponse(r *uplift.Response) error {
	w, err := b.read(r)
	if err != nil {
		return err
	}
	if w.at < 0 {
		return b.add(r, nil)
	}
	held := b.known.responses.at(w.at)
	if b.known.names[held.outcome] != string(uplift.Failed) {
		return nil
	}
	if err := b.checkItem(w, r); err != nil {
		return err
	}
	b.keepItem(w)
	if held.sums >= 0 && b.known.sums[held.sums] == w.sums && held.outcome == w.outcome {
		return nil
	}
	b.state(w, inDetails|inTexts) // all of it: what the failure said no longer holds
	return b.maybeFlush()
}

// PutAttempt keeps a failed attempt of a call that goes on.
func (s *Store) PutAttempt(context.Context, uplift.Attempt) error {
	return errors.New("attempts are not kept yet")
}

// PutWithheld keeps what is locked away.
func (s *Store) PutWithheld(context.Context, uplift.Withheld) error {
	return errors.New("withheld texts are not kept yet")
}
