package strictyaml

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Place is a position in a file. The zero place is the file as a whole.
type Place struct {
	Line   int // from 1
	Column int // in characters, from 1; 0 for the line as a whole
}

// Problem is one thing that is wrong with a file, or worth a look.
type Problem struct {
	Place
	Field string // such as endpoints.risk.tiers[0], or a column; empty for the row or the file
	Text  string // what is wrong, and what was expected
}

// In is the problem as one line: file:line:column: field: text.
func (p Problem) In(file string) string {
	where := file
	if p.Line > 0 {
		where += fmt.Sprintf(":%d", p.Line)
	}
	if p.Line > 0 && p.Column > 0 {
		where += fmt.Sprintf(":%d", p.Column)
	}
	if p.Field != "" {
		where += ": " + p.Field
	}
	return where + ": " + p.Text
}

// Error is everything that is wrong with a file, in its order.
type Error struct {
	File     string
	Problems []Problem
}

// Error gives one line a problem.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.In(e.File)
	}
	return strings.Join(lines, "\n")
}

const (
	// MaxSaid bounds what a hopeless file prints.
	MaxSaid = 100
	maxKept = 10_000
)

// Problems collects what is wrong. Of a hopeless file it keeps the first ten
// thousand and counts the others. The zero value holds none.
type Problems struct {
	Lines  bool // a line is place enough: columns are left out
	list   []Problem
	beyond int
}

// Add adds a problem.
func (ps *Problems) Add(at Place, field, format string, args ...any) {
	if len(ps.list) == maxKept {
		ps.beyond++
		return
	}
	if ps.Lines {
		at.Column = 0
	}
	ps.list = append(ps.list, Problem{at, field, fmt.Sprintf(format, args...)})
}

// Count grows with every problem.
func (ps *Problems) Count() int { return len(ps.list) + ps.beyond }

// Flawed reports whether something is wrong with the field.
func (ps *Problems) Flawed(field string) bool {
	return slices.ContainsFunc(ps.list, func(p Problem) bool { return p.Field == field })
}

// Err is nil when there is no problem, and otherwise an [*Error].
func (ps *Problems) Err(file string) error {
	if ps.Count() == 0 {
		return nil
	}
	return &Error{File: file, Problems: ps.Said()}
}

// Said are the problems in the order of the file, each once. After [MaxSaid] of
// them the others are counted.
func (ps *Problems) Said() []Problem {
	list := slices.Clone(ps.list)
	slices.SortStableFunc(list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	list = slices.Compact(list)
	said := min(len(list), MaxSaid)
	if more := len(list) - said + ps.beyond; more > 0 {
		list = append(list[:said:said], Problem{Text: fmt.Sprintf("and %d more problems", more)})
	}
	return list
}
