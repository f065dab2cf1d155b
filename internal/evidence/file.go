package evidence

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// File is the name of a study's log inside its directory.
const File = "evidence.jsonl"

// openLog opens a log that must be a regular file, not one that a symbolic
// link leads to: its lock and its lines are the file's own. With write, a
// missing one is made.
func openLog(path string, write bool) (f *os.File, made bool, err error) {
	flag := os.O_RDONLY
	if write {
		flag = os.O_RDWR
	}
	for range 10 { // another process may make or remove it meanwhile
		info, err := os.Lstat(path) // before opening: a pipe would wait
		switch {
		case errors.Is(err, fs.ErrNotExist) && write:
			f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
			if errors.Is(err, fs.ErrExist) {
				continue
			}
			return f, err == nil, named(path, err)
		case err != nil:
			return nil, false, named(path, err)
		case !info.Mode().IsRegular():
			return nil, false, fmt.Errorf("%s: is no regular file (want the log itself)", path)
		}
		f, err := os.OpenFile(path, flag, 0)
		if errors.Is(err, fs.ErrNotExist) && write {
			continue
		} else if err != nil {
			return nil, false, named(path, err)
		}
		if still(path, f) {
			return f, false, nil
		}
		f.Close()
	}
	return nil, false, fmt.Errorf("%s: keeps being replaced (want one file)", path)
}

// still reports whether path is the open file.
func still(path string, f *os.File) bool {
	at, err := os.Lstat(path)
	if err != nil {
		return false
	}
	is, err := f.Stat()
	return err == nil && os.SameFile(at, is)
}

// onDisk is the file itself.
type onDisk struct{ *os.File }

func (d onDisk) SyncName() error { return SyncName(d.Name()) }

// SyncName makes a name that is new at path last. Not every system can.
func SyncName(path string) error {
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

func named(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, cause(err))
}

// cause is an error of the file system without the name of its file.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
