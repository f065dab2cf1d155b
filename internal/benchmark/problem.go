package benchmark

import "github.com/uplift-eval/uplift/internal/strictyaml"

// Problem is one thing that is wrong with a task file, or worth a look. It has
// no column.
type Problem = strictyaml.Problem

// Error is everything that is wrong with a task file, in the order of its lines.
type Error = strictyaml.Error

// problems collects what is wrong, line by line.
type problems struct{ strictyaml.Problems }

func newProblems() *problems { return &problems{strictyaml.Problems{Lines: true}} }

// add adds a problem; line 0 is the file as a whole.
func (ps *problems) add(line int, field, format string, args ...any) {
	ps.Add(strictyaml.Place{Line: line}, field, format, args...)
}

func quote(s string) string { return strictyaml.Quote(s) }
