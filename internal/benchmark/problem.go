package benchmark

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Problem is one thing that is wrong with a task file, or worth a look.
type Problem struct {
	Line  int    `json:"line"`  // from 1; 0 when the file as a whole is meant
	Field string `json:"field"` // a field of a task, or a column; empty for the row or the file
	Text  string `json:"text"`  // what is wrong, and what was expected
}

// In is the problem as one line: file:line: field: text.
func (p Problem) In(file string) string {
	where := file
	if p.Line > 0 {
		where = fmt.Sprintf("%s:%d", file, p.Line)
	}
	if p.Field != "" {
		where += ": " + p.Field
	}
	return where + ": " + p.Text
}

// Error is everything that is wrong with a task file, in the order of its lines.
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

// maxProblems bounds what a hopeless file prints.
const maxProblems = 100

// problems collects what is wrong. Of a hopeless file it keeps the first ten
// thousand and counts the others.
type problems struct {
	list   []Problem
	beyond int
}

const maxKept = 10_000

func (ps *problems) add(line int, field, format string, args ...any) {
	if len(ps.list) == maxKept {
		ps.beyond++
		return
	}
	ps.list = append(ps.list, Problem{line, field, fmt.Sprintf(format, args...)})
}

// count grows with every problem.
func (ps *problems) count() int { return len(ps.list) + ps.beyond }

// err is nil when there is no problem.
func (ps *problems) err(file string) error {
	if len(ps.list) == 0 {
		return nil
	}
	return &Error{File: file, Problems: inOrder(ps.list, ps.beyond)}
}

// inOrder sorts by line and cuts a list that is too long; beyond counts what
// is on no list.
func inOrder(list []Problem, beyond int) []Problem {
	slices.SortStableFunc(list, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	list = slices.Compact(list)
	shown := min(len(list), maxProblems)
	if more := len(list) - shown + beyond; more > 0 {
		list = append(list[:shown:shown], Problem{Text: fmt.Sprintf("and %d more problems", more)})
	}
	return list
}

// or writes names as "a, b or c".
func or(names []string) string {
	n := len(names)
	if n < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
}

// wanted says what stands in place of an unknown word: the one that it most
// likely meant, or all of them.
func wanted(word string, names []string) string {
	best, fewest := "", 3 // at most two edits away, and fewer than half of the letters
	for _, name := range names {
		if strings.EqualFold(word, name) {
			return "did you mean " + name + "?"
		}
		if n := edits(word, name); n < fewest && 2*n < len(name) {
			best, fewest = name, n
		}
	}
	if best != "" {
		return "did you mean " + best + "?"
	}
	return "want " + or(names)
}

// edits counts the insertions, deletions, replacements and swaps of neighbours
// that lead from a to b (optimal string alignment), for short words.
func edits(a, b string) int {
	if len(a) > 32 || len(b) > 32 {
		return 32
	}
	var d [33][33]int
	for i := range len(a) + 1 {
		for j := range len(b) + 1 {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j], d[i][j-1], d[i-1][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// quote shows a short piece of a value.
func quote(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "..."
	}
	return strconv.Quote(s)
}
