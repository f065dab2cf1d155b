package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// place moves a finished draft to path, and never over another file. Where the
// file system has no links, an empty file takes the name first; only one of
// those who want it can make that.
func place(draft, path string, link func(from, to string) error) error {
	err := link(draft, path)
	if err != nil && !errors.Is(err, os.ErrExist) {
		err = reserveAndRename(draft, path)
	}
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s: %w", path, ErrExists)
	}
	if err == nil {
		syncDir(filepath.Dir(path))
	}
	return err
}

func reserveAndRename(draft, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	f.Close()
	if err := os.Rename(draft, path); err != nil {
		os.Remove(path)
		return err
	}
	return nil
}

// syncDir makes a new name last, where the system can; the file is there in
// any case.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}
