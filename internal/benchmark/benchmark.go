// Package benchmark answers which tasks there are.
//
// The built-in set is embedded from files that a person can read: one a family,
// the base tasks in builtin/a, those of the split test-b in builtin/b. Its
// benign questions are real; everything else holds abstract surrogates ("the
// withheld procedure") and no substance.
//
// A user's own tasks, and those that other projects publish, come from a file:
//
//  1. plain.go checks the bytes;
//  2. jsonl.go, yaml.go (with tree.go) and csv.go take them to rows with a line
//     each, and foreign.go takes another project's CSV to tasks at once;
//  3. row.go and field.go judge each row field by field;
//  4. hazard.go leaves out what only a study that names it may ask.
//
// Every step adds to one list of problems: a person mends a file once.
package benchmark

import (
	"fmt"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// Builtin is the name of the embedded set.
const Builtin = "builtin"

// The help that a task deserves.
const (
	Full     = "full"
	Limited  = "limited"
	Withhold = "withhold"
)

// Sets lists the names that [Set] knows.
func Sets() []string { return []string{Builtin} }

// Set reads a set by name. Its tasks stand in the order of their ids, which
// are random: the order says nothing of tier or family.
func Set(name string) ([]uplift.Task, error) {
	if name != Builtin {
		return nil, fmt.Errorf("benchmark: set: unknown value %q (want %s)", name, strings.Join(Sets(), " or "))
	}
	all, err := readSet()
	if err != nil {
		return nil, err
	}
	out := slices.Clone(all)
	for i := range out {
		out[i].KeyPoints, out[i].HardPoints = slices.Clone(out[i].KeyPoints), slices.Clone(out[i].HardPoints)
	}
	return out, nil
}
