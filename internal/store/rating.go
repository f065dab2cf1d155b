package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/uplift-eval/uplift/internal/rating"
)

// PutRows keeps which response each blinded row shows: row id to the id of a
// response (its cell's ID). Rows that are kept already may be given again; a
// row never changes its response. All rows are kept, or none.
//
// New rows are open for rating until Freeze.
func (s *Store) PutRows(ctx context.Context, rows map[string]string) error {
	wanted := map[string]int32{}
	for _, response := range rows {
		wanted[response] = -1
	}
	err := s.put(ctx, func(b *Batch) error {
		b.known.locate(wanted)
		return b.putRows(rows, wanted)
	})
	if err != nil {
		return fmt.Errorf("keep rating rows: %w", err)
	}
	return nil
}

// locate finds responses by id.
func (k *known) locate(wanted map[string]int32) {
	for at := range int32(k.responses.len()) {
		id := k.cell(k.responses.at(at)).ID()
		if _, ok := wanted[id]; ok {
			wanted[id] = at
		}
	}
}

func (b *Batch) putRows(rows map[string]string, at map[string]int32) error {
	var last int64
	if err := b.w.conn.QueryRowContext(b.ctx, selectLastRow).Scan(&last); err != nil {
		return explain(b.w.path, err)
	}
	var args []any
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		response := at[rows[name]]
		if response < 0 {
			return fmt.Errorf("row %s: there is no response %s", name, rows[name])
		}
		_, held, err := b.ratingRow(name)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			last++
			args = append(args, last, name, int64(response+1))
		case err != nil:
			return err
		case held != int64(response+1):
			return fmt.Errorf("row %s: it shows another response than %s", name, rows[name])
		}
	}
	if err := b.flush(); err != nil { // responses that came in the same group
		return err
	}
	return b.hand([]job{{insertRatingRows, columns(insertRatingRows), args}})
}

// ratingRow finds a row; sql.ErrNoRows when there is none.
func (b *Batch) ratingRow(name string) (id, response int64, err error) {
	err = b.w.conn.QueryRowContext(b.ctx, selectRatingRow, name).Scan(&id, &response)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, 0, err
	}
	return id, response, explain(b.w.path, err)
}

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
		switch id, _, err := b.ratingRow(r.Row); {
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
	row, _, err := b.ratingRow(r.Row)
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

// Freeze closes the rating of all rows: no further rating of them is taken,
// and Labels may be read.
func (s *Store) Freeze(ctx context.Context) error {
	err := s.put(ctx, func(b *Batch) error {
		var last, frozen int64
		if err := b.w.conn.QueryRowContext(b.ctx, selectLastRow).Scan(&last); err != nil {
			return explain(b.w.path, err)
		}
		if err := b.w.conn.QueryRowContext(b.ctx, selectLastFrozen).Scan(&frozen); err != nil {
			return explain(b.w.path, err)
		}
		if last == frozen {
			return nil
		}
		return b.hand([]job{{insertFreezes, columns(insertFreezes), []any{last}}})
	})
	if err != nil {
		return fmt.Errorf("freeze the ratings: %w", err)
	}
	return nil
}
