package store

import (
	"errors"
	"os"
	"path/filepath"
)

// draftPattern names what a store is until it has its place.
const draftPattern = ".new-*.db"

// newDraft makes an empty draft in a directory, marked as ours where the system
// can do so. Close it only when nothing of the draft is open any more: the end of
// one open file takes SQLite's locks off all others of this process.
func newDraft(dir string) (*os.File, error) {
	for {
		f, err := os.CreateTemp(dir, draftPattern)
		if err != nil {
			return nil, err
		}
		marked, err := mark(f)
		if err == nil && (!marked || !isAt(f)) { // somebody swept before it was marked
			f.Close()
			continue
		}
		if err != nil { // there are no marks here, so nobody sweeps; an open file might not be moved
			f.Close()
		}
		return f, nil
	}
}

// isAt reports whether the file is still there by its name.
func isAt(f *os.File) bool {
	open, err := f.Stat()
	named, nameErr := os.Lstat(f.Name())
	return err == nil && nameErr == nil && os.SameFile(open, named)
}

// sweepDrafts removes drafts in a directory that killed processes left behind:
// those that nobody has marked. What cannot be removed is in nobody's way.
func sweepDrafts(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if ok, _ := filepath.Match(draftPattern, e.Name()); !ok {
			continue
		}
		name := filepath.Join(dir, e.Name())
		info, err := os.Lstat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if linked(info) { // the store is not opened: see newDraft
			os.Remove(name)
			continue
		}
		sweepDraft(name)
	}
}

func sweepDraft(name string) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if marked, err := mark(f); err == nil && marked && isAt(f) {
		removeDraft(name)
	}
}

// removeDraft takes a draft away with what SQLite kept beside it.
func removeDraft(name string) error {
	var errs []error
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.Remove(name + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
