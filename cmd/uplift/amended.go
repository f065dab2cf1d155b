package main

import (
	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/study"
)

// changesOf words what an amendment changed, field by field, for reports.
func changesOf(changes []study.Change) []analysis.Change {
	var out []analysis.Change
	for _, c := range changes {
		out = append(out, analysis.Change{Path: c.Path, Old: contentOf(c.Old), New: contentOf(c.New)})
	}
	return out
}

// contentOf is a locked value or hash, with the file that it came from; empty
// where there is none.
func contentOf(c *study.Content) string {
	switch {
	case c == nil:
		return ""
	case c.File != "":
		return c.File + " (" + c.String() + ")"
	}
	return c.String()
}
