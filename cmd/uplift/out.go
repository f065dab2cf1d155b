package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// outFile is a file that a command writes.
type outFile struct {
	name  string
	write func(io.Writer) error
}

// unfinished marks the names of what is being written, so that a run finds what
// a killed one left behind.
const unfinished = ".uplift-"

// writeOut writes to a file, or to stdout for "-". A file appears whole or not
// at all: it is written beside its place and renamed.
func writeOut(env *Env, path string, write func(io.Writer) error) error {
	if path == "-" {
		return write(env.Stdout)
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("write %s: is a directory (want a file)", path)
	}
	temp, err := os.MkdirTemp(sweep(filepath.Dir(path), filepath.Base(path)))
	if err != nil {
		return fmt.Errorf("write %s: %w", path, cause(err))
	}
	defer os.RemoveAll(temp)
	whole := filepath.Join(temp, "file")
	if err = writeWhole(whole, write); err == nil {
		err = cause(os.Rename(whole, path))
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// writeFiles writes files into a directory, which it makes, and gives their
// paths. All are written before the first takes its place, so that the files of
// two runs do not mix when one fails or is killed; the first of the list, which
// people open, takes its place last.
func writeFiles(dir string, files []outFile) (paths []string, err error) {
	undo, err := makeDir(dir)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", dir, cause(err))
	}
	defer func() {
		if err != nil {
			undo()
		}
	}()
	temp, err := os.MkdirTemp(sweep(dir, "report"))
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", dir, cause(err))
	}
	defer os.RemoveAll(temp)
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		if err := writeWhole(filepath.Join(temp, f.name), f.write); err != nil {
			return nil, fmt.Errorf("write %s: %w", path, err)
		}
		paths = append(paths, path)
	}
	for i, path := range slices.Backward(paths) {
		if err := os.Rename(filepath.Join(temp, files[i].name), path); err != nil {
			return nil, fmt.Errorf("write %s: %w", path, cause(err))
		}
	}
	return paths, nil
}

// makeDir makes a directory with its parents. What it gives takes back those
// that it made, as long as they are empty.
func makeDir(dir string) (undo func(), err error) {
	var made []string
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if _, err := os.Lstat(d); err == nil || d == filepath.Dir(d) {
			break
		}
		made = append(made, d)
	}
	undo = func() {
		for _, d := range made {
			os.Remove(d) // one that holds something stays
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		undo()
		return nil, err
	}
	return undo, nil
}

// sweep removes what a killed run left unfinished in a directory, and gives
// [os.MkdirTemp] its arguments. A run that is still at work there then fails,
// and leaves what was there before it.
func sweep(dir, name string) (in, pattern string) {
	pattern = "." + name + unfinished
	entries, _ := os.ReadDir(dir) // an unreadable directory says so when it is written to
	for _, e := range entries {
		if e.IsDir() && len(e.Name()) > len(pattern) && e.Name()[:len(pattern)] == pattern {
			os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
	return dir, pattern + "*"
}

// writeWhole writes a new file down to the disk.
func writeWhole(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return cause(err)
	}
	if err = write(fileWriter{f}); err == nil {
		err = cause(f.Chmod(0o644))
	}
	if err == nil {
		err = cause(f.Sync())
	}
	return errors.Join(err, cause(f.Close()))
}

// fileWriter writes to a file whose name means nothing to a person.
type fileWriter struct{ f *os.File }

func (w fileWriter) Write(p []byte) (int, error) {
	n, err := w.f.Write(p)
	return n, cause(err)
}

// cause is an error of the file system without the names of its files.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
