package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// PutRows keeps which responses each blinded row shows: row id to the ids of
// its responses (their cells' IDs). They are of one item and have one text, so
// that what is said of the row holds for each of them. Rows that are kept
// already may be given again, in whole or in part; a row that is still open may
// get further responses, a closed one is ErrFrozen. A row never loses a
// response. All rows are kept, or none.
//
// New rows are open for rating until Freeze.
func (s *Store) PutRows(ctx context.Context, rows map[string][]string) error {
	wanted := map[string]int32{}
	for _, responses := range rows {
		for _, id := range responses {
			wanted[id] = -1
		}
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

// putRows checks all rows before anything is written.
func (b *Batch) putRows(rows map[string][]string, at map[string]int32) error {
	last, frozen, err := b.lastRows()
	if err != nil {
		return err
	}
	var newRows, newResponses []any
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		row, held, err := b.shownBy(name)
		if err != nil {
			return err
		}
		more, err := b.furtherResponses(name, held, rows[name], at)
		if err != nil {
			return err
		}
		switch {
		case row == 0:
			last++
			row = last
			newRows = append(newRows, row, name)
		case row <= frozen && len(more) > 0:
			return fmt.Errorf("%s: row %s: %w: it gets no further responses", b.w.path, name, ErrFrozen)
		}
		for _, response := range more {
			newResponses = append(newResponses, row, int64(response+1))
		}
	}
	if err := b.flush(); err != nil { // responses that came in the same group
		return err
	}
	return b.hand([]job{{insertRatingRows, columns(insertRatingRows), newRows},
		{insertRowResponses, columns(insertRowResponses), newResponses}})
}

// lastRows gives the last row and the last closed one.
func (b *Batch) lastRows() (last, frozen int64, err error) {
	err = b.w.conn.QueryRowContext(b.ctx, selectLastRow).Scan(&last)
	if err == nil {
		err = b.w.conn.QueryRowContext(b.ctx, selectLastFrozen).Scan(&frozen)
	}
	return last, frozen, explain(b.w.path, err)
}

// ratingRow finds a row; sql.ErrNoRows when there is none.
func (b *Batch) ratingRow(name string) (id int64, err error) {
	err = b.w.conn.QueryRowContext(b.ctx, selectRatingRow, name).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	return id, explain(b.w.path, err)
}

// shownBy finds a row and the responses that it shows; 0 and none when there
// is no such row.
func (b *Batch) shownBy(name string) (row int64, responses []int32, err error) {
	row, err = b.ratingRow(name)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil, nil
	}
	if err != nil {
		return 0, nil, err
	}
	err = each(b.ctx, b.w.conn, selectShownBy, 1, func(r *record) error {
		at := r.index(0, b.known.responses.len()+1) - 1
		if at < 0 {
			return errOddRow
		}
		responses = append(responses, at)
		return nil
	}, row)
	return row, responses, explain(b.w.path, err)
}

// furtherResponses gives those of a row's responses that it does not hold yet.
func (b *Batch) furtherResponses(name string, held []int32, ids []string, at map[string]int32) ([]int32, error) {
	if len(ids) == 0 {
		return nil, fmt.Errorf("row %s: it shows no response (want at least one)", name)
	}
	all := slices.Clone(held)
	for _, id := range ids {
		response := at[id]
		if response < 0 {
			return nil, fmt.Errorf("row %s: there is no response %s", name, id)
		}
		if slices.Contains(all, response) {
			continue
		}
		if len(all) > 0 {
			if err := b.sameShown(all[0], response); err != nil {
				return nil, fmt.Errorf("row %s: response %s: %w", name, id, err)
			}
		}
		all = append(all, response)
	}
	return all[len(held):], nil
}

// sameShown says what keeps two responses from being one row.
func (b *Batch) sameShown(one, other int32) error {
	r, o := b.known.responses.at(one), b.known.responses.at(other)
	switch {
	case r.item != o.item:
		return errors.New("it is of another item than the row's first")
	case b.known.textOf(r) != b.known.textOf(o):
		return errors.New("it has another text than the row's first")
	}
	return nil
}

// textOf is the sum of a response's text.
func (k *known) textOf(r *response) uint64 {
	if r.sums < 0 {
		return 0
	}
	return k.sums.at(r.sums).text
}

// OpenRows lists the ids of the rows that can be rated: those that were put
// since the last Freeze, in the order in which they were put; those of one call
// of PutRows go by id.
func (s *Store) OpenRows(ctx context.Context) ([]string, error) {
	var names []string
	err := each(ctx, s.readers, selectOpenRows, 1, func(r *record) error {
		name, _ := r.text(0)
		names = append(names, name)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read open rows of %w", explain(s.path, err))
	}
	return names, nil
}

// Freeze closes the rating of all rows: no further rating of them is taken,
// and Labels may be read.
func (s *Store) Freeze(ctx context.Context) error {
	err := s.put(ctx, func(b *Batch) error {
		last, frozen, err := b.lastRows()
		if err != nil || last == frozen {
			return err
		}
		return b.hand([]job{{insertFreezes, columns(insertFreezes), []any{last}}})
	})
	if err != nil {
		return fmt.Errorf("freeze the ratings: %w", err)
	}
	return nil
}
