package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/uplift-eval/uplift/internal/rating"
)

// PutRatings keeps ratings; all of them, or none. A rating that is kept
// already may be given again. A later rating of the same row by the same rater
// corrects the scales that it marks; both are kept. ErrFrozen: a row is closed.
func (s *Store) PutRatings(ctx context.Context, ratings ...rating.Rating) error {
	for _, r := range ratings {
		if err := validateRating(r); err != nil {
			return fmt.Errorf("keep rating of row %s: %w", r.Row, err)
		}
	}
	err := s.put(ctx, func(b *Batch) error { return b.putRatings(ratings) })
	if err != nil {
		return fmt.Errorf("keep ratings: %w", err)
	}
	return nil
}

func validateRating(r rating.Rating) error {
	if r.Rater == "" {
		return errors.New("rater: missing")
	}
	seen := map[string]bool{}
	for _, m := range r.Marks {
		if m.Scale == "" || seen[m.Scale] {
			return fmt.Errorf("scale: %q (want each scale once)", m.Scale)
		}
		seen[m.Scale] = true
		if err := validateValue(m.Scale, m.Value); err != nil && !m.NA {
			return err
		}
	}
	return nil
}

func (b *Batch) putRatings(ratings []rating.Rating) error {
	var frozen, last int64
	if err := b.w.conn.QueryRowContext(b.ctx, selectLastFrozen).Scan(&frozen); err != nil {
		return explain(b.w.path, err)
	}
	for _, r := range ratings { // before anything is written
		switch id, err := b.ratingRow(r.Row); {
		case errors.Is(err, sql.ErrNoRows):
			return fmt.Errorf("row %s: there is no such row", r.Row)
		case err != nil:
			return err
		case id <= frozen:
			return fmt.Errorf("%s: row %s: %w", b.w.path, r.Row, ErrFrozen)
		}
	}
	if err := b.w.conn.QueryRowContext(b.ctx, selectLastRating).Scan(&last); err != nil {
		return explain(b.w.path, err)
	}
	for _, r := range ratings {
		added, err := b.putRating(r, last+1)
		if err != nil {
			return err
		}
		if added {
			last++
		}
	}
	return nil
}

// putRating keeps one rating under an id, unless it is kept already.
func (b *Batch) putRating(r rating.Rating, id int64) (added bool, err error) {
	row, err := b.ratingRow(r.Row)
	if err != nil {
		return false, err
	}
	rater := b.known.name(r.Rater)
	revision, held, err := b.heldRating(row, rater, r)
	if err != nil || held {
		return false, err
	}
	marks := make([]any, 0, 3*len(r.Marks))
	for _, m := range r.Marks {
		var value any = m.Value
		if m.NA {
			value = nil
		}
		marks = append(marks, id, b.known.name(m.Scale), value)
	}
	if err := b.flush(); err != nil { // the names
		return false, err
	}
	return true, b.hand([]job{
		{insertRatings, columns(insertRatings), []any{id, row, rater, revision, stamp(r.At), r.Note}},
		{insertMarks, columns(insertMarks), marks},
	})
}

// heldRating finds the next revision of a rater's rating of a row, and
// whether the same rating is kept already.
func (b *Batch) heldRating(row int64, rater int32, r rating.Rating) (revision int64, held bool, err error) {
	revision = 1
	var same []int64 // ids with equal time and note
	err = each(b.ctx, b.w.conn, selectRatingsOf, 4, func(c *record) error {
		at, _ := c.text(2)
		note, _ := c.text(3)
		if at == stamp(r.At) && note == r.Note {
			same = append(same, c.number(0))
		}
		revision = c.number(1) + 1
		return nil
	}, row, rater)
	for _, id := range same {
		if held || err != nil {
			break
		}
		held, err = b.sameMarks(id, r.Marks)
	}
	return revision, held, explain(b.w.path, err)
}

func (b *Batch) sameMarks(id int64, marks []rating.Mark) (bool, error) {
	want := map[string]rating.Mark{}
	for _, m := range marks {
		if m.NA {
			m.Value = 0
		}
		want[m.Scale] = m
	}
	n, same := 0, true
	err := each(b.ctx, b.w.conn, selectMarksOf, 2, func(c *record) error {
		m := rating.Mark{NA: c.cells[1] == nil}
		m.Scale, _ = c.text(0)
		if !m.NA {
			m.Value = c.float(1)
		}
		n, same = n+1, same && want[m.Scale] == m
		return nil
	}, id)
	return same && n == len(marks), err
}
