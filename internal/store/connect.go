package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// maxReaders bounds the connections for single queries, and those that are
// kept open for views.
const (
	maxReaders = 8
	anyNumber  = 0
)

// source is how a file is opened.
type source struct {
	mode      string // rw or ro
	busy      time.Duration
	queryOnly bool
	immutable bool // nobody else can change the file: no locks, no -shm
	alone     bool // nobody else has the file open: the -wal is read without a -shm
	cacheKB   int  // 0 for SQLite's default of 2 MB
	maxPages  int
	// checkpoint is how many pages of 4 KB the -wal gathers before they are moved
	// into the file, for which both are synced; 0 for SQLite's default of 1000.
	checkpoint int
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
	if src.checkpoint > 0 {
		pragma("wal_autocheckpoint", src.checkpoint)
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
	db.SetMaxIdleConns(maxReaders)
	return db, nil
}

// openReaders opens a file for reading, also where nothing can be written, and
// says how.
//
// Beside other processes SQLite needs a -wal and a -shm; it makes them, and the
// last connection to close removes them, if it could have written. Where they
// cannot be made, a file without a -wal cannot change and is read as such; one
// that was left with a -wal is read alone, with the index of it in memory.
func openReaders(ctx context.Context, path string, lim limits) (*sql.DB, source, error) {
	src := source{mode: "rw", busy: lim.busy, queryOnly: true}
	wal := exists(path + "-wal")
	if wal || writable(filepath.Dir(path)) {
		db, err := tryReaders(ctx, path, src)
		if err == nil || !unshared(err) {
			return db, src, err
		}
	}
	src.mode, src.immutable, src.alone = "ro", !wal, wal
	db, err := tryReaders(ctx, path, src)
	return db, src, err
}

// unshared reports that the files that several processes share a database by
// could not be made: no permission, no directory, no room.
func unshared(err error) bool {
	driver, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	switch driver.Code() & 0xff {
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL:
		return true
	}
	switch driver.Code() {
	case sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMMAP, sqlite3.SQLITE_IOERR_SHMOPEN:
		return true
	}
	return false
}

// tryReaders connects and reads something.
func tryReaders(ctx context.Context, path string, src source) (*sql.DB, error) {
	db, err := connect(path, src, maxReaders)
	if err != nil {
		return nil, err
	}
	if _, err := version(ctx, db); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
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
