package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
)

// writer owns the one connection that writes. Its transactions come one after
// the other; other processes are kept out by SQLite's write lock.
type writer struct {
	path  string
	views *views // to load from
	db    *sql.DB
	conn  *sql.Conn
	place string      // where the file is: path names a draft by what it will be
	file  os.FileInfo // which file was opened there

	turn    sync.Mutex // held through a transaction
	stmts   map[string]*sql.Stmt
	known   *known // what the file holds; nil when that is not sure
	version int64  // of the file, as this connection last saw it
	unheld  unheld

	group group
}

func newWriter(ctx context.Context, path string, views *views, lim limits) (*writer, error) {
	db, err := connect(path, source{mode: "rw", busy: lim.busy, cacheKB: aFewKB, checkpoint: 4096, maxPages: lim.maxPages}, 2)
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		db.Close()
		return nil, err
	}
	file, err := os.Stat(path)
	if err != nil {
		return nil, errors.Join(err, conn.Close(), db.Close())
	}
	return &writer{path: path, place: path, views: views, db: db, conn: conn, file: file, stmts: map[string]*sql.Stmt{}, group: newGroup()}, nil
}

// inPlace says whether the file that is written is still the one that others
// find. The system lets go on who writes to a file that was deleted or replaced,
// and all of it is lost in the end.
func (w *writer) inPlace() error {
	now, err := os.Stat(w.place)
	if err == nil && os.SameFile(w.file, now) {
		return nil
	}
	return fmt.Errorf("%s: %w", w.path, ErrGone)
}

func (w *writer) close() error {
	w.turn.Lock()
	defer w.turn.Unlock()
	for _, s := range w.stmts {
		s.Close()
	}
	return errors.Join(w.conn.Close(), w.db.Close())
}

// amount says how much a transaction adds.
type amount int

const (
	aFew amount = iota
	inBulk
)

// The pages that are held, which take twice the room: an import goes back to its
// indexes all over the file.
const (
	aFewKB   = 4 << 10
	inBulkKB = 32 << 10
)

// transact runs do in one transaction: it is kept exactly when nil is returned,
// and leaves no trace otherwise.
//
// The driver may report a statement as cancelled that has taken effect. So what
// changes the connection's state is never cancelled: ctx is looked at before the
// transaction begins and, the last time, before it is committed.
//
// SQLite looks up each reference of an added row, which costs a fifth of an
// import. There the references are positions in known and cannot dangle, so
// the look-up is left out; Check still makes it.
func (w *writer) transact(ctx context.Context, n amount, do func() error) error {
	w.turn.Lock()
	defer w.turn.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	steady := context.WithoutCancel(ctx)
	if n == inBulk {
		if err := w.exec(steady, fmt.Sprintf(`PRAGMA foreign_keys = OFF; PRAGMA cache_size = -%d`, inBulkKB)); err != nil {
			return err
		}
		defer w.exec(steady, fmt.Sprintf(`PRAGMA foreign_keys = ON; PRAGMA cache_size = -%d`, aFewKB))
	}
	if err := w.exec(steady, `BEGIN IMMEDIATE`); err != nil {
		return err
	}
	kept := false
	defer func() { // also when do panics
		if !kept {
			w.known = nil
			w.exec(steady, `ROLLBACK`) // fails when SQLite has rolled back by itself
		}
	}()
	if err := w.refresh(ctx); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.exec(steady, `COMMIT`); err != nil {
		return err
	}
	kept = true
	return nil
}

// refresh loads what the file holds, unless nobody else wrote since the last time.
func (w *writer) refresh(ctx context.Context) error {
	var version int64
	if err := w.conn.QueryRowContext(ctx, selectFileVersion).Scan(&version); err != nil {
		return explain(w.path, err)
	}
	w.unheld.at(version)
	if w.known != nil && w.version == version {
		return nil
	}
	m, err := w.views.nowTwice(ctx)
	if err != nil {
		return explain(w.path, err)
	}
	defer m.close()
	known, err := load(ctx, m, toWrite)
	if err != nil {
		return explain(w.path, err)
	}
	w.known, w.version = known, version
	return nil
}

func (w *writer) exec(ctx context.Context, query string, args ...any) error {
	_, err := w.conn.ExecContext(ctx, query, args...)
	return explain(w.path, err)
}

// job is some rows for one table.
type job struct {
	insert  string
	columns int
	args    []any // row by row
}

// chunks are the numbers of rows that one statement inserts.
var chunks = [...]int{256, 64, 16, 4, 1}

// run inserts the rows of jobs in order.
func (w *writer) run(ctx context.Context, jobs []job) error {
	for _, j := range jobs {
		for _, rows := range chunks {
			for n := rows * j.columns; len(j.args) >= n; j.args = j.args[n:] {
				if err := w.insert(ctx, j.insert, rows, j.args[:n]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// insert runs one statement; a query is prepared once in a store's life.
func (w *writer) insert(ctx context.Context, insert string, rows int, args []any) error {
	stmt, err := w.prepared(ctx, multi(insert, rows))
	if err != nil {
		return err
	}
	_, err = stmt.ExecContext(ctx, args...)
	return explain(w.path, err)
}

func (w *writer) prepared(ctx context.Context, query string) (*sql.Stmt, error) {
	stmt := w.stmts[query]
	if stmt == nil {
		var err error
		if stmt, err = w.conn.PrepareContext(ctx, query); err != nil {
			return nil, explain(w.path, err)
		}
		w.stmts[query] = stmt
	}
	return stmt, nil
}

// columns counts those of an insert.
func columns(insert string) int { return strings.Count(insert, ",") + 1 }

// multi ends an insert with so many rows of placeholders.
func multi(insert string, rows int) string {
	row := "(" + strings.TrimSuffix(strings.Repeat("?, ", columns(insert)), ", ") + ")"
	return insert + strings.TrimSuffix(strings.Repeat(row+", ", rows), ", ")
}

// errNotWritable is what a store opened for reading says to a writer.
func (s *Store) errNotWritable() error {
	return fmt.Errorf("%s: %w: it was opened for reading only", s.path, ErrReadOnly)
}
