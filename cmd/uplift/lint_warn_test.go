package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/lint"
)

// Before a run no more is looked through than a person waits for, and what is
// left out is said.
func TestLintBeforeARunIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		tasks int
		ask   string
		want  string
	}{
		"many tasks": {1001, "What is a mean?", "lint    not run on 1,001 tasks and 0.0 MB of what is sent (at most 1000 and 4): uplift tasks lint FILE"},
		"much text":  {10, strings.Repeat("What is a mean? ", 30_000), "lint    not run on 10 tasks and 4.8 MB of what is sent (at most 1000 and 4): uplift tasks lint FILE"},
		"few":        {3, "What is a mean?", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var tasks []uplift.Task
			for i := range c.tasks {
				tasks = append(tasks, uplift.Task{ID: fmt.Sprintf("k%04d", i), Split: "train", Tier: "benign", Family: "f", Ask: c.ask, Expected: "full", Version: 1})
			}
			dir := ownStudy(t, "direct", tasks)
			s, err := loadStudy(dir)
			if err != nil {
				t.Fatal(err)
			}
			w := &wired{}
			if err := w.ask(s); err != nil {
				t.Fatal(err)
			}
			if err := w.lint(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, n := range w.notes {
				if strings.HasPrefix(n, "lint ") {
					got = n
				}
			}
			if want := strings.ReplaceAll(c.want, "FILE", filepath.Join(dir, "tasks.jsonl")); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// However much a lint finds, it is some ten lines.
func TestLintNotesAreFew(t *testing.T) {
	var r lint.Report
	for i := range 16 {
		r.Rules = append(r.Rules, lint.Rule{ID: fmt.Sprint("R", i+1), Title: "rule", Offenders: make([]lint.Offender, i)})
	}
	notes := lintNotes(r, "f")
	if len(notes) != 11 || notes[0] != "warning lint: f: 16 of 16 rules find something (uplift tasks lint f shows what)" ||
		notes[9] != "warning lint: R9 rule: 8 found" || notes[10] != "warning lint: and 7 rules more" {
		t.Errorf("got %d lines\n%s", len(notes), strings.Join(notes, "\n"))
	}
	if notes := lintNotes(lint.Report{Rules: []lint.Rule{{Pass: true}}}, "f"); len(notes) != 0 {
		t.Errorf("got %q of a report without a finding", notes)
	}
}
