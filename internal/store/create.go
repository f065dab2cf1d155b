package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Create makes a new store at path and opens it for writing. The file appears
// complete or not at all. ErrExists: there is a file already; ErrMissing: there
// is no such directory.
func Create(ctx context.Context, path string, study Meta) (*Store, error) {
	if err := create(ctx, path, study, nil); err != nil {
		return nil, fmt.Errorf("create %w", explain(path, err))
	}
	return Open(context.WithoutCancel(ctx), path, ReadWrite) // it is there now
}

// CreateWith makes a new store at path that holds what fill writes. The file
// appears when fill has succeeded; else nothing is left, and the error of fill
// is returned as it is. Until then the store is a hidden file beside path, which
// only a killed process leaves behind, until the next store is made there. Who makes a file at path meanwhile keeps
// it: ErrExists.
//
// fill may use the store until it returns, and must have ended all reading.
func CreateWith(ctx context.Context, path string, study Meta, fill func(*Store) error) error {
	var failed error
	err := create(ctx, path, study, func(s *Store) error {
		failed = fill(s)
		return failed
	})
	if failed != nil {
		return failed
	}
	if err != nil {
		return fmt.Errorf("create %w", explain(path, err))
	}
	return nil
}

// create builds a draft beside path and, once it is whole, moves it there.
func create(ctx context.Context, path string, study Meta, fill func(*Store) error) error {
	if err := mustBeFree(path); err != nil {
		return err
	}
	sweepDrafts(filepath.Dir(path))
	draft, err := newDraft(filepath.Dir(path))
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: %w: make the directory first", path, ErrMissing)
	} else if err != nil {
		return unwritable(path, err)
	}
	defer func() {
		removeDraft(draft.Name())
		draft.Close()
	}()
	if err := build(ctx, draft.Name(), study); err != nil {
		return err
	}
	if fill != nil {
		if err := fillDraft(ctx, draft.Name(), path, fill); err != nil {
			return err
		}
	}
	if err := os.Chmod(draft.Name(), 0o644); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return place(draft.Name(), path, os.Link)
}

// mustBeFree wants neither a file at path nor the -wal of one that was removed:
// SQLite would take what that holds for rows of the new one.
func mustBeFree(path string) error {
	if exists(path) {
		return fmt.Errorf("%s: %w", path, ErrExists)
	}
	if wal := path + "-wal"; exists(wal) {
		return fmt.Errorf("%s: %w: it is left of a store that was removed; put that back, or remove this too", wal, ErrExists)
	}
	return nil
}

// build fills an empty file with tables and says whose it is.
func build(ctx context.Context, path string, study Meta) error {
	db, err := connect(path, source{mode: "rw", busy: usual().busy}, 1)
	if err != nil {
		return err
	}
	defer db.Close()
	for _, pragma := range []string{`PRAGMA journal_mode = WAL`, fmt.Sprintf(`PRAGMA application_id = %d`, applicationID)} {
		if _, err := db.ExecContext(ctx, pragma); err != nil {
			return err
		}
	}
	if err := migrate(ctx, db); err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, multi(insertMeta, 1), study.Study, study.Digest, stamp(study.Created))
	if err != nil {
		return err
	}
	if err := settle(ctx, db); err != nil {
		return err
	}
	return db.Close()
}

// fillDraft lets fill write to the draft of what will be at path, by which name
// its errors call it.
func fillDraft(ctx context.Context, draft, path string, fill func(*Store) error) (err error) {
	s, err := open(ctx, draft, ReadWrite, limits{busy: 100 * time.Millisecond}) // nobody else has it
	if err != nil {
		return err
	}
	s.path, s.writer.path = path, path
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := fill(s); err != nil {
		return err
	}
	return settle(ctx, s.writer.conn)
}

// settle moves what the -wal holds into the file, so that the file alone is the
// store. The end of the last connection does so too, but would not say that it
// could not.
func settle(ctx context.Context, q rowQueryer) error {
	var busy, frames, moved int
	err := q.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &moved)
	if err == nil && busy != 0 {
		return errors.New("it is still being read (want every reader at its end)")
	}
	return err
}
