package store

import (
	"context"
	"fmt"
)

// smallFile is the size up to which every page is looked at when a store is
// opened; larger ones are looked at by Check, and as they are read.
const smallFile = 4 << 20

// vet makes sure of the version, brings old tables up to date where it may,
// and looks through a small file.
func (s *Store) vet(ctx context.Context, size int64, mode Mode) error {
	want, err := newest()
	if err != nil {
		return err
	}
	have, err := version(ctx, s.readers)
	switch {
	case err != nil:
		return err
	case have > want:
		return fmt.Errorf("%s: %w: its tables are version %d, this program knows up to %d (update uplift)", s.path, ErrNewer, have, want)
	case schema(have) < oldest:
		return fmt.Errorf("%s: %w: its tables are version %d, this program reads %d and later", s.path, ErrOlder, have, oldest)
	case have < want && mode == ReadWrite:
		if err := migrate(ctx, s.writer.db); err != nil {
			return err
		}
		have = want
	}
	s.views.schema = schema(have)
	if size <= smallFile {
		return s.quickCheck(ctx, `PRAGMA quick_check(1)`)
	}
	return nil
}

// Check looks through the whole file: every page, index and reference, and
// that no row is missing. It takes about a second for each 50 MB.
func (s *Store) Check(ctx context.Context) error {
	err := s.quickCheck(ctx, `PRAGMA integrity_check(1)`)
	if err == nil {
		err = s.checkReferences(ctx)
	}
	if err == nil {
		err = s.checkRows(ctx)
	}
	if err == nil {
		err = s.checkCalls(ctx)
	}
	if err != nil {
		return fmt.Errorf("check %w", explain(s.path, err))
	}
	return nil
}

func (s *Store) checkRows(ctx context.Context) error {
	m, err := s.views.nowTwice(ctx)
	if err != nil {
		return err
	}
	defer m.close()
	_, err = load(ctx, m, toWrite)
	return err
}

func (s *Store) checkReferences(ctx context.Context) error {
	broken := 0
	err := each(ctx, s.readers, `PRAGMA foreign_key_check`, 4, func(*record) error { broken++; return nil })
	if err == nil && broken > 0 {
		return fmt.Errorf("%s: %w: %d rows refer to rows that are not there; %s", s.path, ErrCorrupt, broken, restore)
	}
	return err
}

func (s *Store) quickCheck(ctx context.Context, pragma string) error {
	var found string
	if err := s.readers.QueryRowContext(ctx, pragma).Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return fmt.Errorf("%s: %w: %s (%s)", s.path, ErrCorrupt, restore, found)
	}
	return nil
}

// checkCalls unpacks every body, and looks for what calls, attempts and
// responses refer to.
func (s *Store) checkCalls(ctx context.Context) error {
	if s.views.schema < 2 {
		return nil
	}
	for _, query := range []string{countStrayWithheld, countGaps} {
		var n int
		if err := s.readers.QueryRowContext(ctx, query).Scan(&n); err != nil {
			return err
		}
		if n != 0 {
			return errOddRow
		}
	}
	return each(ctx, s.readers, selectBodies, 2, func(r *record) error {
		hash, _ := r.text(0)
		packed, ok := r.cells[1].([]byte)
		if !ok {
			return errOddRow
		}
		_, err := unpack(packed, hash)
		return err
	})
}
