package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Mode says what a store is opened for. The zero value is invalid.
type Mode int

// The modes.
const (
	ReadWrite Mode = iota + 1
	ReadOnly
)

// Meta says which study a store belongs to.
type Meta struct {
	Study   string    // the study's name
	Digest  string    // of the study file's canonical form
	Created time.Time // by the caller's clock
	Schema  int       // version of the tables; Create ignores it
}

// Store is one open study database. It is safe for concurrent use.
type Store struct {
	path    string
	readers *sql.DB
	writer  *writer // nil when the store is read-only
}

// limits are what tests set tighter.
type limits struct {
	busy     time.Duration // how long to wait for another process
	maxPages int           // of the file; 0 for no limit but the disk's
}

func usual() limits { return limits{busy: 5 * time.Second} }

// Create makes a new store at path and opens it for writing. The file appears
// complete or not at all. ErrExists: there is a file already; ErrMissing: there
// is no such directory.
func Create(ctx context.Context, path string, study Meta) (*Store, error) {
	if err := create(ctx, path, study); err != nil {
		return nil, fmt.Errorf("create %w", explain(path, err))
	}
	return Open(ctx, path, ReadWrite)
}

func create(ctx context.Context, path string, study Meta) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s: %w", path, ErrExists)
	}
	draft, err := os.CreateTemp(filepath.Dir(path), ".new-*.db")
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: %w: make the directory first", path, ErrMissing)
	} else if err != nil {
		return err
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

// Open opens the store at path. A file that is unfit is left as it was:
// ErrMissing, ErrForeign (something else's file), ErrCorrupt, ErrNewer,
// ErrOlder (for reading only: open it for writing once), ErrReadOnly and
// ErrLocked say why.
//
// ReadOnly reads beside a running writer. It writes nothing, except that
// SQLite may keep its -wal and -shm files beside a database in use.
func Open(ctx context.Context, path string, mode Mode) (*Store, error) {
	s, err := open(ctx, path, mode, usual())
	if err != nil {
		return nil, fmt.Errorf("open %w", explain(path, err))
	}
	return s, nil
}

func open(ctx context.Context, path string, mode Mode, lim limits) (*Store, error) {
	if mode != ReadWrite && mode != ReadOnly {
		return nil, fmt.Errorf("%s: mode %d (want ReadWrite or ReadOnly)", path, mode)
	}
	size, err := inspect(path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path}
	if mode == ReadOnly {
		s.readers, err = openReaders(ctx, path, lim)
	} else {
		err = s.openForWriting(ctx, lim)
	}
	if err == nil {
		err = s.vet(ctx, size, mode)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Store) openForWriting(ctx context.Context, lim limits) (err error) {
	f, err := os.OpenFile(s.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	f.Close()
	if s.readers, err = connect(s.path, source{mode: "rw", busy: lim.busy, queryOnly: true}, maxReaders); err != nil {
		return err
	}
	s.writer, err = newWriter(ctx, s.path, s.readers, lim)
	return err
}

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
	case have < want && mode == ReadOnly:
		return fmt.Errorf("%s: %w: its tables are version %d, this program reads %d (open it for writing once)", s.path, ErrOlder, have, want)
	case have < want:
		if err := migrate(ctx, s.writer.db); err != nil {
			return err
		}
	}
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
		_, err = load(ctx, s.readers, toWrite)
	}
	if err != nil {
		return fmt.Errorf("check %w", explain(s.path, err))
	}
	return nil
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

// Close ends the writer and closes the file. Calls of PutCall, PutResponse and
// Import that are under way must have returned.
func (s *Store) Close() error {
	var errs []error
	if s.readers != nil {
		errs = append(errs, s.readers.Close())
	}
	if s.writer != nil {
		errs = append(errs, s.writer.close())
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("close %w", explain(s.path, err))
	}
	return nil
}

// Meta says which study the store belongs to.
func (s *Store) Meta(ctx context.Context) (Meta, error) {
	var m Meta
	var created string
	err := s.readers.QueryRowContext(ctx, selectMeta).Scan(&m.Study, &m.Digest, &created)
	if err == nil {
		m.Created, err = time.Parse(stampForm, created)
	}
	if err == nil {
		m.Schema, err = version(ctx, s.readers)
	}
	if err != nil {
		return Meta{}, fmt.Errorf("read %w", explain(s.path, err))
	}
	return m, nil
}

// stampForm is RFC 3339 in UTC with a fixed width, so that times sort as text.
const stampForm = "2006-01-02T15:04:05.000000000Z"

func stamp(t time.Time) string { return t.UTC().Format(stampForm) }
