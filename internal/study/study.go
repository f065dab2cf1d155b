package study

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

var errIrregular = errors.New("is no regular file")

// Study is a plan that passed every check. It is immutable: what it hands out
// are copies.
type Study struct {
	plan      Plan
	canonical []byte
	digest    string
}

// Names lists the names that a program knows; a nil list allows any name.
// Load and Parse without Names leave those checks to whoever uses the name.
type Names struct {
	Sets     []string // benchmark sets
	Attacks  []string // forms of a task
	Policies []string // policies that the program carries

	// Classes lists the classes of a policy that may be ablated; nil, or an
	// error, leaves that check to whoever uses them.
	Classes func(Policy) ([]string, error)
}

// Load reads a study file, or study.yaml when path is a directory. Files that
// the study names are read from the study's directory. The error is an [*Error]
// when the file could be read at all.
func Load(path string) (*Study, error) { return Names{}.Load(path) }

// Parse reads a study from data. The name stands in errors, and files that the
// study names are looked for in its directory.
func Parse(name string, data []byte) (*Study, error) { return Names{}.Parse(name, data) }

// Load is [Load] with the names that the program knows.
func (n Names) Load(path string) (*Study, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, File)
	}
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return n.Parse(path, data)
}

// Parse is [Parse] with the names that the program knows.
func (n Names) Parse(name string, data []byte) (*Study, error) {
	return n.ParseFS(name, data, inside(filepath.Dir(name)))
}

// inside is a directory out of which no path leads, not through a symbolic
// link either: the bytes that a study stands on lie beside it.
type inside string

// Open opens a file below the directory.
func (dir inside) Open(name string) (fs.File, error) {
	root, err := os.OpenRoot(string(dir))
	if err != nil {
		return nil, err
	}
	defer root.Close() // the file stays open
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // a named pipe would wait for a writer
		return nil, &fs.PathError{Op: "open", Path: name, Err: errIrregular}
	}
	return root.Open(name)
}

// ParseFS is Parse with the study's directory given.
func (n Names) ParseFS(name string, data []byte, dir fs.FS) (*Study, error) {
	return read(name, data, dir, n)
}

// Plan is a copy of what the study says, every default filled in.
func (s *Study) Plan() Plan { return s.plan.clone() }

// Name is the study's name.
func (s *Study) Name() string { return s.plan.Name }

// Digest is the SHA-256 of [Study.Canonical], 64 hex digits. It does not
// depend on comments, the order of keys, spelled-out defaults, the limits of a
// run, or on whether a prompt stands in the file or beside it; it does depend on
// the prompt's text, and on the order of lists.
func (s *Study) Digest() string { return s.digest }

// Canonical is the study in canonical JSON (RFC 8785), prompts written in
// place and files pinned by their SHA-256, without its limits. It is itself a
// study file, with the same digest.
func (s *Study) Canonical() []byte { return bytes.Clone(s.canonical) }

// Simulated reports whether any model is simulated.
func (p Plan) Simulated() bool {
	for _, m := range slices.Concat(p.Models, p.Rewriters) {
		if m.Provider == Sim {
			return true
		}
	}
	return false
}
