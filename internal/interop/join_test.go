package interop

import "testing"

// Problems of several files are kept up to the limit together, and counted
// beyond it.
func TestProblemsJoin(t *testing.T) {
	var all Problems
	for range 3 {
		one := Problems{More: 7, Conflicts: 2}
		for range 60 {
			one.add(Problem{File: "f", Text: "bad"})
		}
		all.Join(&one)
	}
	if len(all.First) != maxProblems || all.Len() != 3*67 {
		t.Errorf("got %d kept of %d, want %d of %d", len(all.First), all.Len(), maxProblems, 3*67)
	}
	if all.Conflicts != 6 {
		t.Errorf("got %d conflicts, want 6", all.Conflicts)
	}
}
