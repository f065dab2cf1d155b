package study

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// check looks at what a lock that was read means, whoever wrote it.
func (l *Lock) check() error {
	if l.Format != lockFormat {
		return fmt.Errorf("format: %d (want %d)", l.Format, lockFormat)
	}
	err := errors.Join(digestForm("study_digest", l.StudyDigest), digestForm("evidence_head", l.Head))
	for i, f := range l.Fields {
		if i > 0 && l.Fields[i-1].Path >= f.Path {
			return errors.Join(err, fmt.Errorf("fields: %s stands after %s (want each path once, in order)", quote(f.Path), quote(l.Fields[i-1].Path)))
		}
		err = errors.Join(err, pathForm(f.Path), f.Content.check(f.Path))
	}
	for i, a := range l.Amendments {
		if e := a.check(); e != nil {
			err = errors.Join(err, fmt.Errorf("amendments[%d]: %w", i, e))
		}
	}
	return err
}

func (a Amendment) check() error {
	err := errors.Join(digestForm("study_digest", a.StudyDigest), digestForm("lock", a.Lock))
	if strings.TrimSpace(a.Reason) == "" {
		err = errors.Join(err, errors.New("reason: is missing"))
	}
	if len(a.Changed) == 0 {
		err = errors.Join(err, errors.New("changed: is empty"))
	}
	for i, c := range a.Changed {
		if i > 0 && a.Changed[i-1].Path >= c.Path {
			return errors.Join(err, fmt.Errorf("changed: %s stands after %s (want each path once, in order)", quote(c.Path), quote(a.Changed[i-1].Path)))
		}
		if c.Old == nil && c.New == nil {
			err = errors.Join(err, fmt.Errorf("%s: holds neither old nor new", quote(c.Path)))
		}
		err = errors.Join(err, pathForm(c.Path))
		for _, v := range []*Content{c.Old, c.New} {
			if v != nil {
				err = errors.Join(err, v.check(c.Path))
			}
		}
	}
	return err
}

var digest = regexp.MustCompile(`^[0-9a-f]{64}$`)

func digestForm(field, value string) error {
	if digest.MatchString(value) {
		return nil
	}
	return fmt.Errorf("%s: %s (want a SHA-256, 64 hex digits)", field, quote(value))
}

func (c Content) check(path string) error {
	switch {
	case (len(c.Value) > 0) == (c.SHA256 != ""):
		return fmt.Errorf("%s: want one of value and sha256", quote(path))
	case c.SHA256 != "":
		return digestForm(quote(path), c.SHA256)
	case c.File != "":
		return fmt.Errorf("%s: file stands beside a value", quote(path))
	}
	return nil
}

// pathForm wants a path as it would be written.
func pathForm(path string) error {
	parts, ok := splitPath(path)
	if again := slices.Clone(parts); ok {
		for i := range again {
			again[i] = segment(again[i])
		}
		ok = strings.Join(again, ".") == path
	}
	if ok && len(parts) < 2 && (parts[0] == "models" || parts[0] == "endpoints") {
		ok = false
	}
	if !ok {
		return fmt.Errorf("path: %s (want names with dots between them, such as models.m.provider)", quote(path))
	}
	return nil
}

// splitPath takes a path apart; see segment.
func splitPath(path string) (parts []string, ok bool) {
	for rest := path; ; {
		part := rest
		if quoted, err := strconv.QuotedPrefix(strings.TrimPrefix(rest, "[")); err == nil && strings.HasPrefix(rest, "[") {
			part, _ = strconv.Unquote(quoted)
			if rest, ok = strings.CutPrefix(rest[1+len(quoted):], "]"); !ok {
				return nil, false
			}
		} else if i := strings.IndexByte(rest, '.'); i >= 0 {
			part, rest = rest[:i], rest[i:]
		} else {
			rest = ""
		}
		if part == "" {
			return nil, false
		}
		parts = append(parts, part)
		if rest == "" {
			return parts, true
		}
		if rest, ok = strings.CutPrefix(rest, "."); !ok {
			return nil, false
		}
	}
}
