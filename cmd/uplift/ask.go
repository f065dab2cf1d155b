package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/attack"
	"github.com/uplift-eval/uplift/internal/benchmark"
	"github.com/uplift-eval/uplift/internal/rating"
	"github.com/uplift-eval/uplift/internal/study"
)

// ask turns the benchmark into items and their task cards.
func (w *wired) ask(s *studyDir) error {
	err := w.askAll(s)
	var problems *benchmark.Error // each line of it names the file
	if err == nil || errors.As(err, &problems) {
		return err
	}
	return fmt.Errorf("%s: benchmark: %w", s.dir, err)
}

func (w *wired) askAll(s *studyDir) error {
	plan := s.plan.Plan()
	b := *plan.Benchmark
	names := b.Attacks.Names
	if b.Attacks.Set != "" {
		names = []string{b.Attacks.Set}
	}
	tasks, err := w.read(s, b, attack.Needs(names))
	if err != nil {
		return err
	}
	if w.tasks, err = inSplits(tasks, b); err != nil {
		return err
	}
	if w.spec.Items, err = attack.Items(w.tasks, names, plan.Seed); err != nil {
		return err
	}
	byID := make(map[string]uplift.Task, len(w.tasks))
	for _, t := range w.tasks {
		byID[t.ID] = t
	}
	w.cards = make(map[itemKey]rating.Card, len(w.spec.Items))
	for _, i := range w.spec.Items {
		help, points := attack.Expected(byID[i.Task], i.Attack)
		w.cards[itemKey{i.Task, i.Attack}] = rating.Card{Expected: help, KeyPoints: points}
	}
	return nil
}

// read takes the tasks from the set or the file that the study names, and
// notes what a person should know of a file.
func (w *wired) read(s *studyDir, b study.Benchmark, need []string) ([]uplift.Task, error) {
	if b.File == "" {
		return benchmark.Set(b.Set)
	}
	data, err := s.plan.ReadTasks(s.dir)
	if err != nil {
		return nil, err
	}
	src, err := benchmark.Read(filepath.Join(s.dir, b.File), data, benchmark.ReadOptions{
		Format: b.Format, Subset: b.Subset, Split: b.Split, Include: b.Include,
		Need: need, Hazard: s.plan.Plan().Hazard != "",
	})
	if err != nil {
		return nil, err
	}
	w.notes = append(w.notes, sourceNotes(s.dir, b, src)...)
	for _, p := range src.Warnings {
		w.odd = append(w.odd, "warning "+p.In(b.File))
	}
	return src.Tasks, nil
}

// sourceNotes says whose tasks were read, which rows were left out, and what
// may not be meant. It tells no tier.
func sourceNotes(dir string, b study.Benchmark, src *benchmark.Source) []string {
	var notes []string
	if src.Licence != "" {
		notes = append(notes, fmt.Sprintf("tasks   %s: %d tasks; %s", b.File, len(src.Tasks), src.Licence))
	}
	for _, d := range src.Dropped {
		notes = append(notes, fmt.Sprintf("tasks   %s: %s", b.File, d))
	}
	if src.Odd > 0 {
		notes = append(notes, fmt.Sprintf("warning %s: expected does not fit the tier of %s: is this meant? (uplift tasks lint %s tells which)",
			b.File, several(src.Odd, "task"), filepath.Join(dir, b.File)))
	}
	return notes
}

// say prints the notes.
func (w *wired) say(out io.Writer) {
	for _, n := range w.notes {
		fmt.Fprintln(out, n)
	}
}

// inSplits keeps the tasks of the splits that are asked for. A split without
// any task is an error: the study would ask less than it says.
func inSplits(tasks []uplift.Task, b study.Benchmark) ([]uplift.Task, error) {
	if len(b.Splits) == 0 {
		return tasks, nil
	}
	var kept []uplift.Task
	has := map[string]bool{}
	for _, t := range tasks {
		has[t.Split] = true
		if slices.Contains(b.Splits, t.Split) {
			kept = append(kept, t)
		}
	}
	var there, missing []string
	for _, split := range uplift.Splits() {
		if has[split] {
			there = append(there, split)
		} else if slices.Contains(b.Splits, split) {
			missing = append(missing, split)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("splits: %s has no task of %s (it has %s)", whence(b), strings.Join(missing, ", "), strings.Join(there, ", "))
	}
	return kept, nil
}

// whence names where tasks come from.
func whence(b study.Benchmark) string {
	if b.File != "" {
		return b.File
	}
	return "the set " + b.Set
}
