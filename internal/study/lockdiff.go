package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Change is one field that differs: Old alone was taken away, New alone came.
type Change struct {
	Path string   `json:"path"`
	Old  *Content `json:"old,omitempty"`
	New  *Content `json:"new,omitempty"`
}

// Diff lists what differs between two lists of fields, by path.
func Diff(old, now []Field) []Change {
	byPath := map[string]*Change{}
	at := func(path string) *Change {
		if byPath[path] == nil {
			byPath[path] = &Change{Path: path}
		}
		return byPath[path]
	}
	for _, f := range old {
		at(f.Path).Old = &f.Content
	}
	for _, f := range now {
		at(f.Path).New = &f.Content
	}
	var out []Change
	for _, c := range byPath {
		if c.Old == nil || c.New == nil || !c.Old.same(*c.New) {
			out = append(out, *c)
		}
	}
	slices.SortFunc(out, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

// String says what changed: "conditions.safety.system: prompts/safety.md has
// changed (SHA-256 0123456789ab, locked ba9876543210)".
func (c Change) String() string {
	switch {
	case c.New == nil:
		return fmt.Sprintf("%s: was taken away (locked %s)", c.Path, c.Old)
	case c.Old == nil:
		return fmt.Sprintf("%s: was added (%s)", c.Path, c.New)
	case c.Old.SHA256 != "" && c.New.SHA256 != "":
		what := cmp.Or(c.New.File, "it")
		if c.Old.File != "" && c.New.File != "" && c.Old.File != c.New.File {
			what = fmt.Sprintf("%s, locked as %s,", c.New.File, c.Old.File)
		}
		return fmt.Sprintf("%s: %s has changed (SHA-256 %.12s, locked %.12s)", c.Path, what, c.New.SHA256, c.Old.SHA256)
	}
	return fmt.Sprintf("%s: is %s (locked %s)", c.Path, c.New, c.Old)
}

// String shows a value, cut short, or the begin of a hash.
func (c *Content) String() string {
	const most = 200
	switch {
	case c.SHA256 != "":
		return fmt.Sprintf("SHA-256 %.12s", c.SHA256)
	case len(c.Value) > most:
		return strings.ToValidUTF8(string(c.Value[:most]), "") + "..."
	}
	return string(c.Value)
}
