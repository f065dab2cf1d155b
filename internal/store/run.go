package store

import (
	"context"
	"fmt"

	uplift "github.com/uplift-eval/uplift"
)

// Done maps the id of every cell held to how it ended.
func (s *Store) Done(ctx context.Context) (map[string]uplift.Outcome, error) {
	done := map[string]uplift.Outcome{}
	for r, err := range s.walk(ctx, cellsAlone) {
		if err != nil {
			return nil, err
		}
		done[r.ID()] = r.Outcome
	}
	return done, nil
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
	w, err := read(&r)
	if err == nil {
		err = s.put(ctx, func(b *Batch) error { return b.putResponse(w, &r) })
	}
	if err != nil {
		return fmt.Errorf("keep %s: %w", r.Cell, err)
	}
	return nil
}

func (b *Batch) putResponse(w *row, r *uplift.Response) error {
	b.find(w, r)
	if w.at < 0 {
		return b.addRow(w, r, nil)
	}
	held := b.known.responses.at(w.at)
	if b.known.names[held.outcome] != string(uplift.Failed) {
		return nil
	}
	if err := b.checkItem(w, r); err != nil {
		return err
	}
	b.keepItem(w)
	if held.sums >= 0 && *b.known.sums.at(held.sums) == w.sums && held.outcome == w.outcome {
		return nil
	}
	b.state(w, inDetails|inTexts) // all of it: what the failure said no longer holds
	return b.maybeFlush()
}
