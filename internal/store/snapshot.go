package store

import (
	"context"
	"fmt"
	"iter"

	uplift "github.com/uplift-eval/uplift"
)

// Snapshot is a store as it was at one moment, whatever is written meanwhile:
// its responses and its labels belong together. It holds connections, and the
// -wal of the file may grow, until it is closed. It is for one goroutine.
type Snapshot struct {
	path   string
	views  *views
	moment *moment
}

// Snapshot sees the store as it is now. Close it.
func (s *Store) Snapshot(ctx context.Context) (*Snapshot, error) {
	m, err := s.views.nowTwice(ctx)
	if err != nil {
		return nil, fmt.Errorf("read %w", explain(s.path, err))
	}
	return &Snapshot{s.path, s.views, m}, nil
}

// Close lets go of the moment.
func (n *Snapshot) Close() { n.moment.close() }

// Responses is as [Store.Responses], of the snapshot's moment.
func (n *Snapshot) Responses(ctx context.Context) iter.Seq2[uplift.Response, error] {
	return func(yield func(uplift.Response, error) bool) { n.walk(ctx, withoutTexts, yield) }
}

// Texts is as [Store.Texts], of the snapshot's moment.
func (n *Snapshot) Texts(ctx context.Context) iter.Seq2[uplift.Response, error] {
	return func(yield func(uplift.Response, error) bool) { n.walk(ctx, complete, yield) }
}

// Labels is as [Store.Labels], of the snapshot's moment.
func (n *Snapshot) Labels(ctx context.Context) iter.Seq2[uplift.Label, error] {
	return func(yield func(uplift.Label, error) bool) {
		k, err := n.loadMarked(ctx)
		k.walkLabels(err, yield)
	}
}
