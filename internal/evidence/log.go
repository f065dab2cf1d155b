package evidence

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
)

// Log is an open log. It is safe for concurrent use, also beside other
// processes; it holds no file between calls, so there is nothing to close.
type Log struct {
	path string
	patience
	through func(*os.File) disk // what a test puts between log and disk

	mu   sync.Mutex
	seen scanned
	file os.FileInfo // of what was seen; nil before there is a file
}

// Open checks the log at path from its first line. A missing log is an empty
// one, and is made by the first entry; an end that a killed process left of a
// line is no error, and is mended by the next entry. Any other difference is a
// [*Damage].
func Open(path string) (*Log, error) {
	seen, info, err := readLog(path, patient)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return &Log{path: path, patience: patient, seen: seen, file: info}, nil
}

// Verify checks every line of the log at path and gives its entries. The error
// is a [*Damage] that names the first line which is not as it was written; the
// entries before it come along.
func Verify(path string) ([]Entry, error) {
	seen, _, err := readLog(path, patient)
	if err == nil {
		err = seen.torn(path)
	}
	return seen.entries, err
}

// VerifyFrom is [Verify] of a log that is read from r; name stands in errors.
func VerifyFrom(name string, r io.Reader) ([]Entry, error) {
	seen, err := scanned{}.scan(name, r)
	if err == nil {
		err = seen.torn(name)
	}
	return seen.entries, err
}

// Entries are those that the log held when it was opened or last appended to.
func (l *Log) Entries() []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.seen.entries)
}

func readLog(path string, p patience) (scanned, os.FileInfo, error) {
	f, _, err := openLog(path, false)
	if err != nil {
		return scanned{}, nil, err
	}
	defer f.Close()
	if err := lock(path, f, false, p); err != nil {
		return scanned{}, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return scanned{}, nil, named(path, err)
	}
	seen, err := scanned{}.scan(path, f)
	return seen, info, err
}
