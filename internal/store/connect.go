package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// applicationID marks the file as a study database: "uplf".
const applicationID = 0x75706c66

// maxReaders bounds the connections that read; a scan uses two.
const maxReaders = 8

// source is how a file is opened.
type source struct {
	mode      string // rw or ro
	busy      time.Duration
	queryOnly bool
	immutable bool // nobody else can change the file: no locks, no -shm
	alone     bool // nobody else has the file open: the -wal is read without a -shm
	cacheKB   int  // 0 for SQLite's default of 2 MB
	maxPages  int
}

// connect opens path; nothing is read before the first query.
func connect(path string, src source, conns int) (*sql.DB, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	q := url.Values{"mode": {src.mode}}
	pragma := func(name string, value int) { q.Add("_pragma", fmt.Sprintf("%s(%d)", name, value)) }
	pragma("busy_timeout", int(src.busy.Milliseconds()))
	if src.alone {
		q.Set("vfs", "unix-none") // takes no locks; nolock=1 would refuse a -wal
		q.Add("_pragma", "locking_mode(exclusive)")
	}
	if src.immutable {
		q.Set("immutable", "1")
	}
	pragma("synchronous", 2) // FULL: durable on return
	pragma("foreign_keys", 1)
	if src.queryOnly {
		pragma("query_only", 1)
	}
	if src.cacheKB > 0 {
		pragma("cache_size", -src.cacheKB)
	}
	if src.maxPages > 0 {
		pragma("max_page_count", src.maxPages)
	}
	u := url.URL{Scheme: "file", Path: full, RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

// openReaders opens a file for reading, also where nothing can be written.
//
// Beside other processes SQLite needs a -wal and a -shm; it makes them, and the
// last connection to close removes them, if it could have written. Where they
// cannot be made, a file without a -wal cannot change and is read as such; one
// that was left with a -wal is read alone, with the index of it in memory.
func openReaders(ctx context.Context, path string, lim limits) (*sql.DB, error) {
	src := source{mode: "rw", busy: lim.busy, queryOnly: true}
	wal := exists(path + "-wal")
	if wal || writable(filepath.Dir(path)) {
		db, err := tryReaders(ctx, path, src, maxReaders)
		if err == nil || !hasCode(err, sqlite3.SQLITE_CANTOPEN) && !hasCode(err, sqlite3.SQLITE_READONLY) {
			return db, err
		}
	}
	src.mode, src.immutable, src.alone = "ro", !wal, wal
	return tryReaders(ctx, path, src, maxReaders)
}

// tryReaders connects and reads something.
func tryReaders(ctx context.Context, path string, src source, conns int) (*sql.DB, error) {
	db, err := connect(path, src, conns)
	if err != nil {
		return nil, err
	}
	if _, err := version(ctx, db); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

func walSize(path string) int64 {
	info, err := os.Stat(path + "-wal")
	if err != nil {
		return 0
	}
	return info.Size()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// writable reports whether a directory's mode lets anybody write. The super
// user could, but a directory marked so is to be left alone.
func writable(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.Mode().Perm()&0o222 != 0
}

// inspect reads the header before SQLite does, so that a file which is
// missing, foreign or cut off is told apart and is never touched. It returns
// the file's size.
func inspect(path string) (int64, error) {
	size, err := inspectOnce(path)
	if errors.Is(err, ErrCorrupt) {
		return inspectOnce(path) // a checkpoint may have been under way
	}
	return size, err
}

// The header of an SQLite file (https://www.sqlite.org/fileformat.html, 1.3).
const (
	magic            = "SQLite format 3\x00"
	headerSize       = 100
	offPageSize      = 16 // 2 bytes; 1 stands for 65536
	offChanges       = 24 // 4 bytes
	offPages         = 28 // 4 bytes, valid when offValidFor equals offChanges
	offApplicationID = 68 // 4 bytes
	offValidFor      = 92 // 4 bytes
)

func inspectOnce(path string) (int64, error) {
	info, err := os.Stat(path) // before opening: a pipe would wait
	if errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("%s: %w", path, ErrMissing)
	} else if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, fmt.Errorf("%s: %w: it is a %s (want a file)", path, ErrForeign, kind(info.Mode()))
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return 0, err
	}
	header := make([]byte, headerSize)
	n, err := io.ReadFull(f, header)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return 0, err
	}
	return info.Size(), judge(path, header[:n], info.Size())
}

// judge says what is wrong with a file by its header and size.
func judge(path string, header []byte, size int64) error {
	switch n := min(len(header), len(magic)); {
	case len(header) == 0:
		return fmt.Errorf("%s: %w: the file is empty; %s", path, ErrCorrupt, restore)
	case !bytes.Equal(header[:n], []byte(magic[:n])):
		return fmt.Errorf("%s: %w: it is no SQLite file", path, ErrForeign)
	case len(header) < headerSize:
		return fmt.Errorf("%s: %w: it ends after %d bytes; %s", path, ErrCorrupt, size, restore)
	}
	at := func(offset int) int64 { return int64(binary.BigEndian.Uint32(header[offset:])) }
	if at(offApplicationID) != applicationID {
		return fmt.Errorf("%s: %w: it is another program's SQLite file", path, ErrForeign)
	}
	page := int64(binary.BigEndian.Uint16(header[offPageSize:]))
	if page == 1 {
		page = 1 << 16
	}
	if want := at(offPages) * page; size < want && at(offValidFor) == at(offChanges) && walSize(path) == 0 {
		return fmt.Errorf("%s: %w: it is cut off, %s of %s bytes are there; %s",
			path, ErrCorrupt, strconv.FormatInt(size, 10), strconv.FormatInt(want, 10), restore)
	}
	return nil
}

func kind(m fs.FileMode) string {
	if m.IsDir() {
		return "directory"
	}
	return "special file"
}

// queryer is what *sql.DB, *sql.Conn and *sql.Tx have in common.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// record is one row of a query. It remembers whether a column held what it
// cannot hold, which each reports as damage.
type record struct {
	cells []any
	bad   bool
}

// index is a column that holds an id in [0, n).
func (r *record) index(i, n int) int32 {
	v, ok := r.cells[i].(int64)
	if !ok || v < 0 || v >= int64(n) {
		r.bad = true
		return 0
	}
	return int32(v)
}

// two is a column that holds two numbers in [0, 2^31), the first 32 bits up.
func (r *record) two(i int) (first, second int32) {
	v, ok := r.cells[i].(int64)
	if !ok || v < 0 || v&(1<<31) != 0 {
		r.bad = true
		return 0, 0
	}
	return int32(v >> 32), int32(v)
}

// number is a column that holds an integer, or NULL for 0.
func (r *record) number(i int) int64 {
	v, ok := r.cells[i].(int64)
	r.bad = r.bad || !ok && r.cells[i] != nil
	return v
}

// float is a column that holds a number.
func (r *record) float(i int) float64 {
	v, ok := r.cells[i].(float64)
	r.bad = r.bad || !ok
	return v
}

// text is a column that holds text; set is false for NULL.
func (r *record) text(i int) (s string, set bool) {
	s, set = r.cells[i].(string)
	r.bad = r.bad || !set && r.cells[i] != nil
	return s, set
}

// each calls use for every row of a query. The record is used again.
func each(ctx context.Context, q queryer, query string, columns int, use func(*record) error, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	r := record{cells: make([]any, columns)}
	dest := make([]any, columns)
	for i := range dest {
		dest[i] = &r.cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		if err := use(&r); err != nil {
			return err
		}
		if r.bad {
			return errOddRow
		}
	}
	return rows.Err()
}

// errOddRow is wrapped with the path by explain.
var errOddRow = errors.New("a row holds what it cannot hold")
