package study

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"unicode/utf8"
)

// files reads what the study names: prompts and policies whole, the tasks only
// for their hash.
func (ps *problems) files(p *Plan, dir fs.FS, known Names) {
	if b := p.Benchmark; b != nil && b.File != "" {
		got, err := hashFile(dir, b.File)
		ps.pin("benchmark", b.File, &b.SHA256, got, err)
	}
	for i := range p.Conditions.List {
		c := &p.Conditions.List[i]
		field := fmt.Sprintf("conditions[%d]", i)
		if c.System != nil && c.System.File != "" {
			ps.prompt(field+".system", c.System, dir)
		}
		if c.Controller != nil && c.Controller.Policy != nil && c.Controller.Policy.File != "" {
			ps.policy(field+".controller.policy", c.Controller.Policy, dir)
		}
		if c.Controller != nil {
			ps.ablated(field+".controller", c.Controller, known)
		}
	}
}

// prompt reads a prompt. A byte order mark and carriage returns at line ends
// are the editor's, not the prompt's; everything else is kept.
func (ps *problems) prompt(field string, t *Text, dir fs.FS) {
	data, err := open(dir, t.File)
	if err == nil && !utf8.Valid(data) {
		err = fmt.Errorf("is not UTF-8 (want a text file in UTF-8)")
	}
	if err != nil {
		ps.field(field+".file", "%s: %v", quote(t.File), err)
		return
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	t.Value = string(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
	ps.without(field+".without", t)
}

// ablated checks that what counts for nothing is a class of the policy. A policy
// that cannot be read is the business of whoever uses it.
func (ps *problems) ablated(field string, c *Controller, known Names) {
	if known.Classes == nil || c.Policy == nil || ps.Flawed(field+".policy") || len(c.Ablate) == 0 {
		return
	}
	classes, err := known.Classes(*c.Policy)
	if err != nil {
		return
	}
	for i, class := range c.Ablate {
		ps.known(fmt.Sprintf("%s.ablate[%d]", field, i), class, classes)
	}
}

func (ps *problems) policy(field string, p *Policy, dir fs.FS) {
	data, err := open(dir, p.File)
	if err == nil && !json.Valid(data) {
		err = fmt.Errorf("is not JSON (want a policy)")
	}
	p.Content = data
	ps.pin(field, p.File, &p.SHA256, sum(data), err)
}

// pin states the hash of a file, or compares it with the one that is stated.
func (ps *problems) pin(field, file string, stated *string, got string, err error) {
	switch {
	case err != nil:
		ps.field(field+".file", "%s: %v", quote(file), err)
	case *stated != "" && *stated != got:
		ps.field(field+".sha256", "%s has changed: its SHA-256 is %s", quote(file), got)
	default:
		*stated = got
	}
}

// find opens a file inside the study's directory.
func find(dir fs.FS, name string) (fs.File, error) {
	if !fs.ValidPath(name) || name == "." {
		return nil, errors.New("lies outside the study's directory (want a plain path inside it, such as prompts/helpful.md)")
	}
	f, err := dir.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("no such file")
	case errors.Is(err, fs.ErrPermission):
		return nil, errors.New("may not be read")
	case errors.Is(err, errIrregular):
		return nil, errIrregular
	case err != nil:
		return nil, errors.New("leads out of the study's directory, or cannot be opened (want a file inside it)")
	}
	return f, nil
}

func open(dir fs.FS, name string) ([]byte, error) { return openUpTo(dir, name, MaxBytes) }

// openUpTo reads a file of at most so many bytes.
func openUpTo(dir fs.FS, name string, most int64) ([]byte, error) {
	f, err := find(dir, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, most)
}

// hashFile is the SHA-256 of a file of any size.
func hashFile(dir fs.FS, name string) (string, error) {
	f, err := find(dir, name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return "", errors.New("is no regular file")
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}
