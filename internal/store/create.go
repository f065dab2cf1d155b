package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Create makes a new store at path and opens it for writing. The file appears
// complete or not at all. ErrExists: there is a file already; ErrMissing: there
// is no such directory.
func Create(ctx context.Context, path string, study Meta) (*Store, error) {
	if err := create(ctx, path, study); err != nil {
		return nil, fmt.Errorf("create %w", explain(path, err))
	}
	return Open(context.WithoutCancel(ctx), path, ReadWrite) // it is there now
}

func create(ctx context.Context, path string, study Meta) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s: %w", path, ErrExists)
	}
	draft, err := os.CreateTemp(filepath.Dir(path), ".new-*.db")
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: %w: make the directory first", path, ErrMissing)
	} else if err != nil {
		return unwritable(path, err)
	}
	draft.Close()
	defer func() {
		for _, suffix := range []string{"", "-wal", "-shm"} {
			os.Remove(draft.Name() + suffix)
		}
	}()
	if err := build(ctx, draft.Name(), study); err != nil {
		return err
	}
	if err := os.Chmod(draft.Name(), 0o644); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return place(draft.Name(), path)
}

// place moves the finished draft to path, and never over another file where
// the file system has links.
func place(draft, path string) error {
	err := os.Link(draft, path)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s: %w", path, ErrExists)
	}
	if err != nil {
		return os.Rename(draft, path)
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
	return db.Close()
}
