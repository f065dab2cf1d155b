package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/controller"
	"github.com/uplift-eval/uplift/internal/attack"
	"github.com/uplift-eval/uplift/internal/benchmark"
	"github.com/uplift-eval/uplift/internal/lint"
	"github.com/uplift-eval/uplift/internal/study"
)

func newTasksLint(env *Env) *cobra.Command {
	var (
		asJSON, all bool
		seed        uint64
	)
	cmd := &cobra.Command{
		Use: "lint [FILE]", Short: "Look for labels that leak, and for hazards, in what is sent",
		Long: `lint looks through tasks and everything that is sent of them, by the leak rules L1 to
L8 and the hazard rules H1 to H8, and prints each rule's figure, its limit and what
breaks it. It ends with exit code 1 when a rule fails.

Without FILE it looks at the embedded set; with FILE at your own tasks (JSON Lines,
YAML or CSV). A rule that a file gives too little for is not run, and says so.
What each rule measures is in doc/benchmark.md under "Leak check" and "Hazard lint".`,
		Example: `  uplift tasks lint
  uplift tasks lint --all
  uplift tasks lint tasks.jsonl --json`,
		Args: positional(0, 1, "at most one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := lintBuiltin(seed)
			if len(args) == 1 {
				in, err = lintFile(env, args[0], seed)
			}
			if err != nil {
				return err
			}
			report, err := lintUntil(cmd.Context(), in)
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(env.Stdout, report)
			} else {
				few := 5
				if all {
					few = 0
				}
				err = report.WriteText(harmlessWriter{env.Stdout}, env.Width, few)
			}
			if err == nil && !report.Pass() {
				err = errors.New("tasks lint: " + report.Verdict())
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: every rule with all that breaks it")
	cmd.Flags().BoolVar(&all, "all", false, "list all that breaks a rule (default: the first five)")
	cmd.Flags().Uint64Var(&seed, "seed", 20260713, "seed of what rotates between tasks, of folds and permutations")
	return cmd
}

// lintUntil looks through the tasks unless the person stops it. What is at work
// then is left to itself: the program ends.
func lintUntil(ctx context.Context, in lint.Input) (lint.Report, error) {
	done := make(chan lint.Report, 1)
	go func() { done <- lint.Tasks(in) }()
	select {
	case report := <-done:
		return report, nil
	case <-ctx.Done():
		return lint.Report{}, ctx.Err()
	}
}

// lintBuiltin is all that is known of the embedded set.
func lintBuiltin(seed uint64) (lint.Input, error) {
	tasks, err := benchmark.Set(benchmark.Builtin)
	if err != nil {
		return lint.Input{}, err
	}
	in, err := lintInput(tasks, seed)
	for _, f := range benchmark.Files() {
		in.Files = append(in.Files, f.Name)
	}
	in.Nouns = benchmark.Nouns()
	return in, err
}

// lintFile is what a user's task file holds.
func lintFile(env *Env, path string, seed uint64) (lint.Input, error) {
	data, err := study.ReadTaskFile(path)
	if err != nil {
		return lint.Input{}, err
	}
	src, err := benchmark.Read(path, data, benchmark.ReadOptions{})
	if err != nil {
		return lint.Input{}, err
	}
	for _, p := range src.Warnings {
		fmt.Fprintln(harmlessWriter{env.Stderr}, "warning "+p.In(path))
	}
	in, err := lintInput(src.Tasks, seed)
	in.Files = []string{filepath.Base(path)}
	return in, err
}

// lintInput asks the tasks in every form that they have the fields for.
func lintInput(tasks []uplift.Task, seed uint64) (lint.Input, error) {
	policy := controller.Default()
	in := lint.Input{Tasks: tasks, Policy: &policy, Seed: seed, Templates: lintTemplates()}
	if items, err := attack.Items(tasks, attack.Sets(), seed); err == nil {
		in.Items = items
		return in, nil
	}
	for _, name := range attack.Names() {
		var ready []uplift.Task
		for _, t := range tasks {
			if _, err := attack.Items([]uplift.Task{t}, []string{name}, seed); err == nil {
				ready = append(ready, t)
			}
		}
		items, err := attack.Items(ready, []string{name}, seed)
		if err != nil {
			return in, err
		}
		in.Items = append(in.Items, items...)
	}
	return in, nil
}

func lintTemplates() []lint.Template {
	var out []lint.Template
	for _, f := range attack.Forms() {
		out = append(out, lint.Template{Name: f.Name, Digest: f.Digest})
	}
	return out
}
