package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

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
	notes, err := w.lintSent(ctx, s)
	w.notes = append(w.notes, notes...)
	return err
}

// lintSent gives the notes of lint.
func (w *wired) lintSent(ctx context.Context, s *studyDir) ([]string, error) {
	plan := s.plan.Plan()
	b := plan.Benchmark
	if len(w.tasks) == 0 || b.File == "" || b.Format != "" || plan.Hazard != "" {
		return nil, nil
	}
	path := filepath.Join(s.dir, b.File)
	if n, mb := len(w.tasks), megabytesSent(w.spec.Items); n > mostLintTasks || mb > mostLintMB {
		return []string{fmt.Sprintf("lint    not run on %s and %.1f MB of what is sent (at most %d and %d): uplift tasks lint %s",
			several(n, "task"), mb, mostLintTasks, mostLintMB, path)}, nil
	}
	in := lint.Input{Tasks: w.tasks, Items: w.spec.Items, Files: []string{filepath.Base(path)}, Templates: lintTemplates(), Seed: plan.Seed}
	report, err := lintUntil(ctx, in)
	if err != nil {
		return nil, err
	}
	return lintNotes(report, path), nil
}

// besideLint is a lint that goes on beside what a run has to do first. A nil one
// finds nothing.
type besideLint struct {
	notes []string
	done  chan struct{} // closed: notes is set
}

// A run is held up so long at most by a lint. What takes longer is told at its end.
const lintHold = 100 * time.Millisecond

// lintBeside begins a lint.
func (w *wired) lintBeside(ctx context.Context, s *studyDir) *besideLint {
	l := &besideLint{done: make(chan struct{})}
	go func() {
		defer close(l.done)
		l.notes, _ = w.lintSent(ctx, s) // fails only when ctx ends, of which the run says so
	}()
	return l
}

// soon gives the notes if they are there before long; later they are late's.
func (l *besideLint) soon() []string {
	if l == nil {
		return nil
	}
	t := time.NewTimer(lintHold)
	defer t.Stop()
	select {
	case <-l.done:
		notes := l.notes
		l.notes = nil
		return notes
	case <-t.C:
		return nil
	}
}

// late waits for the notes that came too late for soon.
func (l *besideLint) late() []string {
	if l == nil {
		return nil
	}
	<-l.done
	return l.notes
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
