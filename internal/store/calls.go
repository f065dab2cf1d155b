package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	uplift "github.com/uplift-eval/uplift"
)

// Call finds the call of a digest; found is false when there is none. A call
// that ended in an error is given as it is.
func (s *Store) Call(ctx context.Context, digest string) (c uplift.Call, found bool, err error) {
	if s.writer != nil && s.writer.unheld.has(digest) {
		return uplift.Call{}, false, ctx.Err()
	}
	var revision int
	stmt, err := s.callQuery(ctx)
	if err == nil {
		c, revision, err = currentCall(ctx, preparedQuery{stmt}, "", digest)
	}
	if err != nil {
		return uplift.Call{}, false, fmt.Errorf("find call %s: %w", digest, explain(s.path, err))
	}
	return c, revision > 0, nil
}

// callQuery is the query of Call, prepared once: that takes ten times as long as
// to ask it, and a run asks for each of its calls.
func (s *Store) callQuery(ctx context.Context) (*sql.Stmt, error) {
	s.preparing.Lock()
	defer s.preparing.Unlock()
	if s.call == nil {
		var err error
		if s.call, err = s.readers.PrepareContext(ctx, s.views.query(selectCall)); err != nil {
			return nil, err
		}
	}
	return s.call, nil
}

// currentCall is the latest revision of a call, 0 when there is none.
func currentCall(ctx context.Context, q rowQueryer, query, digest string) (c uplift.Call, revision int, err error) {
	c.Digest = digest
	err = q.QueryRowContext(ctx, query, digest).Scan(&revision, &c.Attempts, &c.Text, &c.Stop, &c.TokensIn, &c.TokensOut,
		&c.RawHash, &c.Err, &c.Model, &c.Reasoning, &c.Reason, &c.Details, &c.Version, &c.RequestID, &c.LatencyMS, &c.Withheld)
	if errors.Is(err, sql.ErrNoRows) {
		return uplift.Call{}, 0, nil
	}
	return c, revision, err
}

// PutCall keeps a call with its last attempts, all or nothing; they are durable
// when nil is returned. A held call that ended in an error is superseded, and one
// that is withheld; any other stays, for it was paid for; so were the attempts, which are kept in any
// case, unless one of their number is held already.
func (s *Store) PutCall(ctx context.Context, c uplift.Call, last ...uplift.Attempt) error {
	switch {
	case c.Digest == "" || c.Stop == "":
		return fmt.Errorf("keep a call: digest %q, stop %q (want both)", c.Digest, c.Stop)
	case c.Withheld != "" && c.Text+c.Reasoning+c.Details != "":
		return fmt.Errorf("keep call %s: it is withheld and has a text (want one of the two)", c.Digest)
	}
	sent := make([]sentRequest, len(last))
	for i := range last {
		var err error
		if sent[i], err = pack(&last[i]); err != nil {
			return fmt.Errorf("keep call %s: %w", c.Digest, err)
		}
	}
	if err := s.put(ctx, func(b *Batch) error { return b.putCall(&c, sent) }); err != nil {
		return fmt.Errorf("keep call %s: %w", c.Digest, err)
	}
	return nil
}

// heldCall is a call as it is in the file, or waiting to be inserted.
type heldCall struct {
	uplift.Call
	revision int
}

func (b *Batch) heldCall(digest string) (heldCall, error) {
	if h, ok := b.queue.heldCalls[digest]; ok {
		return h, nil
	}
	if b.w.unheld.has(digest) {
		return heldCall{}, nil
	}
	stmt, err := b.w.prepared(b.ctx, selectCall)
	if err != nil {
		return heldCall{}, err
	}
	c, revision, err := currentCall(b.ctx, preparedQuery{stmt}, selectCall, digest)
	return heldCall{c, revision}, explain(b.w.path, err)
}

// putCall looks before it queues anything: what fails may leave nothing.
func (b *Batch) putCall(c *uplift.Call, sent []sentRequest) error {
	held, err := b.heldCall(c.Digest)
	if err != nil {
		return err
	}
	again := held.Stop == uplift.StopError || held.Withheld != "" // asked again, because it failed or cannot be read
	stays := held.revision > 0 && (!again || held.Call == *c)
	fresh, err := b.notHeld(sent, stays)
	if err != nil {
		return err
	}
	if !stays {
		b.queueCall(*c, held.revision+1)
	}
	b.queueAttempts(fresh)
	return b.maybeFlush()
}

func (b *Batch) queueCall(c uplift.Call, revision int) {
	b.w.unheld.lose(c.Digest)
	q := &b.queue
	q.calls = append(q.calls, c.Digest, int64(revision), int64(c.Attempts), c.Text, string(c.Stop), int64(c.TokensIn), int64(c.TokensOut),
		c.RawHash, c.Err, c.Model, c.Reasoning, c.Reason, c.Details, c.Version, c.RequestID, c.LatencyMS, c.Withheld)
	q.bytes += len(c.Text) + len(c.Reasoning) + len(c.Details)
	if q.heldCalls == nil {
		q.heldCalls = map[string]heldCall{}
	}
	q.heldCalls[c.Digest] = heldCall{c, revision}
}

// preparedQuery asks a prepared statement, whatever the query.
type preparedQuery struct{ *sql.Stmt }

func (p preparedQuery) QueryContext(ctx context.Context, _ string, args ...any) (*sql.Rows, error) {
	return p.Stmt.QueryContext(ctx, args...)
}

func (p preparedQuery) QueryRowContext(ctx context.Context, _ string, args ...any) *sql.Row {
	return p.Stmt.QueryRowContext(ctx, args...)
}
