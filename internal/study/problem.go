package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with a study file.
type Problem struct {
	Line   int    `json:"line"`   // from 1; 0 when the file as a whole is meant
	Column int    `json:"column"` // in characters, from 1
	Field  string `json:"field"`  // such as endpoints.risk.tiers[0]; empty for the file
	Text   string `json:"text"`   // what is wrong, and what was expected
}

// Error is everything that is wrong with a study file, in the order of the file.
type Error struct {
	File     string
	Problems []Problem
}

// Error gives one line a problem: file:line:column: field: text.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.in(e.File)
	}
	return strings.Join(lines, "\n")
}

func (p Problem) in(file string) string {
	where := file
	if p.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", file, p.Line, p.Column)
	}
	if p.Field != "" {
		where += ": " + p.Field
	}
	return where + ": " + p.Text
}

// maxProblems bounds what a hopeless file prints.
const maxProblems = 100

// place is a position in the file.
type place struct{ line, column int }

// problems collects what is wrong, and remembers where each field stands.
type problems struct {
	list   []Problem
	places map[string]place
}

func (ps *problems) add(at place, field, format string, args ...any) {
	ps.list = append(ps.list, Problem{at.line, at.column, field, fmt.Sprintf(format, args...)})
}

// field adds a problem at the place where the field stands, or at the nearest
// field around it.
func (ps *problems) field(field, format string, args ...any) {
	at := field
	for {
		if p, ok := ps.places[at]; ok || at == "" {
			ps.add(p, field, format, args...)
			return
		}
		at = at[:max(strings.LastIndexAny(at, ".["), 0)]
	}
}

// err is nil when there is no problem.
func (ps *problems) err(file string) error {
	if len(ps.list) == 0 {
		return nil
	}
	slices.SortStableFunc(ps.list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	list := slices.Compact(ps.list)
	if n := len(list); n > maxProblems {
		list = append(list[:maxProblems:maxProblems], Problem{Text: fmt.Sprintf("and %d more problems", n-maxProblems)})
	}
	return &Error{File: file, Problems: list}
}

// list writes names as "a, b or c".
func list(names []string) string {
	n := len(names)
	if n < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
}

// closest is the name that a mistyped word most likely meant, if any: at most
// two edits away, and fewer than half its letters.
func closest(word string, names []string) (string, bool) {
	best, edits := "", 3
	for _, name := range names {
		if d := distance(word, name); d < edits && 2*d < len(name) {
			best, edits = name, d
		}
	}
	return best, best != ""
}

// distance counts the insertions, deletions, replacements and swaps of
// neighbours between two words (optimal string alignment).
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	var prev2, prev []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		prev2, prev, row = prev, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
