package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	uplift "github.com/uplift-eval/uplift"
)

const withheldColumns = 5

// PutWithheld keeps the open record of what is locked away, and the locked
// bytes where there are any. It is idempotent by ID; another record of an ID is
// an error. The bytes of the first time stay: sealing the same text twice gives
// other bytes.
func (s *Store) PutWithheld(ctx context.Context, w uplift.Withheld) error {
	if w.ID == "" || w.Of == "" || w.SHA256 == "" {
		return fmt.Errorf("keep a withheld text: id %q, of %q, sha256 %q (want all three)", w.ID, w.Of, w.SHA256)
	}
	if w.Rules == nil {
		w.Rules = []string{}
	}
	rules, err := encode(w.Rules)
	if err == nil {
		err = s.put(ctx, func(b *Batch) error { return b.putWithheld(&w, rules) })
	}
	if err != nil {
		return fmt.Errorf("keep withheld text %s: %w", w.ID, err)
	}
	return nil
}

// putWithheld inserts at once: there are few of these.
func (b *Batch) putWithheld(w *uplift.Withheld, rules string) error {
	held, found, err := withheldBy(b.ctx, b.w.conn, w.ID)
	switch {
	case err != nil:
		return explain(b.w.path, err)
	case found && (held.Of != w.Of || held.SHA256 != w.SHA256):
		return fmt.Errorf("another one of that id is held, of %s", held.Of)
	case found:
		return nil
	}
	jobs := []job{{insertWithheld, columns(insertWithheld), []any{w.ID, w.Of, w.SHA256, rules, stamp(w.At)}}}
	if w.Sealed != nil {
		jobs = append(jobs, job{insertSealed, columns(insertSealed), []any{w.ID, w.Sealed}})
	}
	return b.hand(jobs)
}

func withheldBy(ctx context.Context, q queryer, id string) (w uplift.Withheld, found bool, err error) {
	err = each(ctx, q, selectWithheldBy, withheldColumns, func(r *record) (err error) {
		found = true
		w, err = takeWithheld(r)
		return err
	}, id)
	return w, found, err
}

// Withheld yields the open record of every text that is locked away, released
// or not, in the order in which they were kept; Sealed is empty.
func (s *Store) Withheld(ctx context.Context) iter.Seq2[uplift.Withheld, error] {
	return readEach(s, ctx, "read withheld texts of", selectWithheld, withheldColumns, takeWithheld)
}

func takeWithheld(r *record) (w uplift.Withheld, err error) {
	for i, to := range []*string{&w.ID, &w.Of, &w.SHA256} {
		*to, _ = r.text(i)
	}
	rules, _ := r.text(3)
	at, _ := r.text(4)
	if w.At, err = time.Parse(stampForm, at); err != nil || json.Unmarshal([]byte(rules), &w.Rules) != nil {
		return w, errOddRow
	}
	return w, nil
}

// Sealed gives the locked bytes of a withheld text; found is false when there
// are none.
func (s *Store) Sealed(ctx context.Context, id string) (sealed []byte, found bool, err error) {
	if s.views.schema < 2 {
		return nil, false, nil
	}
	err = s.readers.QueryRowContext(ctx, selectSealed, id).Scan(&sealed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read sealed text %s: %w", id, explain(s.path, err))
	}
	return sealed, true, nil
}
