package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	uplift "github.com/uplift-eval/uplift"
)

// Errors that a caller may branch on. Each comes wrapped with the path, what
// was found and what to do.
var (
	ErrMissing    = errors.New("no study database here")
	ErrExists     = errors.New("there is a file already")
	ErrForeign    = errors.New("not a study database")
	ErrNewer      = errors.New("written by a newer version of uplift")
	ErrOlder      = errors.New("written by an older version of uplift")
	ErrReadOnly   = errors.New("cannot be written")
	ErrCorrupt    = errors.New("damaged")
	ErrLocked     = errors.New("in use by another process")
	ErrFull       = errors.New("the disk is full")
	ErrGone       = errors.New("the file was deleted, moved or replaced while it was in use; put it back")
	ErrRatingOpen = errors.New("rating is open")
	ErrFrozen     = errors.New("rating is closed")
)

// Conflict is a stated value that differs from the stored one, or from one
// stated earlier in the same file.
type Conflict struct {
	Cell           uplift.Cell
	Field          string // such as "tier", or "compliance by human"
	Stored, Stated string // texts are given by their length
	Fixed          bool   // an import of labels alone changes nothing of it, whatever it supersedes
}

// errNoResponse is of a row in an import of labels alone; its caller is to look
// with [Batch.Holds] first.
var errNoResponse = errors.New("there is no response (an import of labels alone makes none)")

// Conflict says what differs.
func (c *Conflict) Conflict() string {
	if c.Stored == "" {
		return fmt.Sprintf("%s: is not stated in the study, and %s is stated", c.Field, c.Stated)
	}
	return fmt.Sprintf("%s: %s is held already, from the study or an earlier row, and %s is stated", c.Field, c.Stored, c.Stated)
}

// Error names the cell and what differs.
func (c *Conflict) Error() string { return c.Cell.String() + ": " + c.Conflict() }

const restore = "restore it from a copy"

// explain wraps what the driver or the file system said with the path and, for
// what a user can do something about, with a sentinel and a hint. It goes by
// result codes, never by text, and leaves errors of this package as they are.
func explain(path string, err error) error {
	if err == nil || explained(err) {
		return err
	}
	if driver, ok := errors.AsType[*sqlite.Error](err); ok {
		return explainCode(path, driver.Code(), err)
	}
	switch {
	case errors.Is(err, errOddRow):
		return fmt.Errorf("%s: %w: %s (%w)", path, ErrCorrupt, restore, err)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%s: %w: free some space; nothing was changed", path, ErrFull)
	case errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%s: %w: %w", path, ErrReadOnly, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// unwritable says of a refused permission that it was asked for writing.
func unwritable(path string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%s: %w: %w", path, ErrReadOnly, err)
	}
	return err
}

// explainCode goes by the low byte, the primary result code.
func explainCode(path string, code int, err error) error {
	switch code & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%s: %w: %s (%w)", path, ErrCorrupt, restore, err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%s: %w: free some space; nothing was changed (%w)", path, ErrFull, err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%s: %w: wait for it to end, then try again (%w)", path, ErrLocked, err)
	case sqlite3.SQLITE_IOERR:
		if code == sqlite3.SQLITE_IOERR_SHMSIZE {
			return fmt.Errorf("%s: %w: free some space; nothing was changed (%w)", path, ErrFull, err)
		}
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("%s: %w: want a file and a directory that may be written (%w)", path, ErrReadOnly, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// explained reports whether err already carries a path, or is about a row.
func explained(err error) bool {
	for _, known := range []error{ErrMissing, ErrExists, ErrForeign, ErrNewer, ErrOlder, ErrReadOnly, ErrCorrupt,
		ErrLocked, ErrFull, ErrGone, ErrRatingOpen, ErrFrozen} {
		if errors.Is(err, known) {
			return true
		}
	}
	_, conflict := errors.AsType[*Conflict](err)
	return conflict
}
