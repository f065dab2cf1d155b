package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sync"
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
	readers *sql.DB // for single queries
	views   *views
	writer  *writer // nil when the store is read-only

	preparing sync.Mutex
	call      *sql.Stmt // of readers; nil before the first Call
}

// limits are what tests set tighter.
type limits struct {
	busy     time.Duration // how long to wait for another process
	maxPages int           // of the file; 0 for no limit but the disk's
}

func usual() limits { return limits{busy: 5 * time.Second} }

// Open opens the store at path. A file that is unfit is left as it was:
// ErrMissing, ErrForeign (something else's file), ErrCorrupt, ErrNewer,
// ErrOlder, ErrReadOnly and ErrLocked say why. A file of an older version is
// brought up to date when it is opened for writing, and read as it is otherwise.
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
		err = s.openForReading(ctx, lim)
	} else {
		err = s.openForWriting(ctx, lim)
	}
	if err == nil {
		err = s.vet(ctx, size, mode)
	}
	if err == nil && mode == ReadWrite {
		err = s.writer.unheld.begin(ctx, s.writer.conn)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// callsKB are the pages that a connection holds on which a run looks for single
// calls: the upper ones of their index.
const callsKB = 256

func (s *Store) openForWriting(ctx context.Context, lim limits) (err error) {
	f, err := os.OpenFile(s.path, os.O_RDWR, 0)
	if err != nil {
		return unwritable(s.path, err)
	}
	f.Close()
	src := source{mode: "rw", busy: lim.busy, queryOnly: true}
	few := src
	few.cacheKB = callsKB
	if s.readers, err = connect(s.path, few, maxReaders); err != nil {
		return err
	}
	if s.views, err = newViews(s.path, src); err != nil {
		return err
	}
	s.writer, err = newWriter(ctx, s.path, s.views, lim)
	return err
}

func (s *Store) openForReading(ctx context.Context, lim limits) (err error) {
	var src source
	if s.readers, src, err = openReaders(ctx, s.path, lim); err != nil {
		return err
	}
	s.views, err = newViews(s.path, src)
	return err
}

// Close ends the writer and closes the file. Calls of PutCall, PutResponse and
// Import that are under way must have returned.
func (s *Store) Close() error {
	var errs []error
	if s.call != nil {
		errs = append(errs, s.call.Close())
	}
	if s.readers != nil {
		errs = append(errs, s.readers.Close())
	}
	if s.views != nil {
		errs = append(errs, s.views.db.Close())
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
