package main

import (
	"context"
	"fmt"
	"path/filepath"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/lint"
)

// More than this is not looked through before a run: a person would wait for
// more than some ten seconds.
const (
	mostLintTasks = 1000
	mostLintMB    = 4 // of what is sent
)

// lint looks through a user's own tasks and what is sent of them, and notes
// what it finds. It quotes nothing and tells no tier. Others' sets were not
// written for its rules, and real hazardous requests have no place in a note.
func (w *wired) lint(ctx context.Context, s *studyDir) error {
	plan := s.plan.Plan()
	b := plan.Benchmark
	if len(w.tasks) == 0 || b.File == "" || b.Format != "" || plan.Hazard != "" {
		return nil
	}
	path := filepath.Join(s.dir, b.File)
	if n, mb := len(w.tasks), megabytesSent(w.spec.Items); n > mostLintTasks || mb > mostLintMB {
		w.notes = append(w.notes, fmt.Sprintf("lint    not run on %s and %.1f MB of what is sent (at most %d and %d): uplift tasks lint %s",
			several(n, "task"), mb, mostLintTasks, mostLintMB, path))
		return nil
	}
	in := lint.Input{Tasks: w.tasks, Items: w.spec.Items, Files: []string{filepath.Base(path)}, Templates: lintTemplates(), Seed: plan.Seed}
	report, err := lintUntil(ctx, in)
	if err == nil {
		w.notes = append(w.notes, lintNotes(report, path)...)
	}
	return err
}

// megabytesSent measures the user's turns.
func megabytesSent(items []uplift.Item) float64 {
	n := 0
	for _, i := range items {
		for _, turn := range i.Turns {
			n += len(turn)
		}
		if i.Next != nil {
			n += len(i.Next.Refused) + len(i.Next.Limited) + len(i.Next.Full)
		}
	}
	return float64(n) / 1e6
}

// lintNotes are at most some ten lines.
func lintNotes(report lint.Report, path string) []string {
	const most = 9
	found := report.Warnings()
	if len(found) == 0 {
		return nil
	}
	notes := []string{fmt.Sprintf("warning lint: %s: %d of %s find something (uplift tasks lint %s shows what)",
		path, len(found), several(len(report.Rules), "rule"), path)}
	for _, f := range found[:min(len(found), most)] {
		notes = append(notes, "warning lint: "+f)
	}
	if more := len(found) - most; more > 0 {
		notes = append(notes, fmt.Sprintf("warning lint: and %s more", several(more, "rule")))
	}
	return notes
}
