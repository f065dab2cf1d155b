package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// placeSecret wants a place outside a study for a file that is not there yet.
func placeSecret(path, dir string) error {
	if path == "" {
		return nil
	}
	if path == "-" {
		return usage("quarantine open: --out: want a file (--show writes to the terminal)")
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = errors.New("is there already (want a new file)")
		}
		return fmt.Errorf("--out %s: %w", path, cause(err))
	}
	in, err := realDir(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("--out %s: %w", path, cause(err))
	}
	if dir == "" {
		return nil
	}
	study, err := realDir(dir)
	if err != nil {
		return err
	}
	if below, err := filepath.Rel(study, in); err == nil && below != ".." && !strings.HasPrefix(below, ".."+string(filepath.Separator)) {
		return fmt.Errorf("--out %s: lies in the study: whoever copies it would take the text along (want another place)", path)
	}
	return nil
}

// realDir is a directory's own path, whatever link leads there.
func realDir(dir string) (string, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	return filepath.Abs(dir)
}

// writeSecret writes a new file that its owner alone may read. What cannot be
// written whole is taken away. It is written in its own place, so that a killed
// process leaves nothing under a name that nobody knows.
func writeSecret(env *Env, path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("--out %s: %w (the opening is logged; nothing was written)", path, cause(err))
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(cause(err), cause(f.Close())); err != nil {
		os.Remove(path)
		return fmt.Errorf("--out %s: %w (the opening is logged; nothing was written)", path, err)
	}
	fmt.Fprintf(env.Stderr, "wrote %s, %d bytes, for you alone: delete it when you have read it\n", harmless(path), len(data))
	return nil
}

// mostOfHalf bounds a half-opened record, in bytes.
const mostOfHalf = 256 << 20

// readHalf reads what B has left of a record.
func readHalf(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--half %s: %w", path, cause(err))
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostOfHalf+1))
	if err == nil && len(data) > mostOfHalf {
		err = fmt.Errorf("has more than %d bytes", mostOfHalf)
	}
	if err != nil {
		return nil, fmt.Errorf("--half %s: %w", path, cause(err))
	}
	return data, nil
}
