package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/report"
)

func newTasksList(env *Env) *cobra.Command {
	var (
		flags  taskFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use: "list [DIR]", Short: "List the tasks, one a line",
		Long: `list shows the tasks that the study in DIR asks, or those of the built-in set
without DIR: one a line, or with --attack one a line and form.

Tiers are sealed: no controller, no rater and nobody who writes rules may see them.
--unseal shows them, and writes that to the evidence log: the study's, or without
DIR your own (in $XDG_STATE_HOME/uplift, or $HOME/.local/state/uplift).`,
		Example: `  uplift tasks list
  uplift tasks list --split dev --family statistics
  uplift tasks list --split test-b --attack standard`,
		Args: positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			src, set, err := flags.look(env, cmd, args, len(flags.attacks) > 0)
			if err != nil {
				return err
			}
			if err := flags.keepUnsealing(env, src, "tasks list", "", len(set.Tasks)); err != nil {
				return err
			}
			if asJSON {
				return writeTaskJSON(env.Stdout, set)
			}
			if err := report.TaskList(harmlessWriter{env.Stdout}, set, env.Width); err != nil {
				return err
			}
			fmt.Fprintln(env.Stderr, listed(set))
			return nil
		},
	}
	flags.add(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// look does what list and page have in common: it checks the flags, reads the
// source and renders the tasks that were chosen.
func (f *taskFlags) look(env *Env, cmd *cobra.Command, args []string, forms bool) (*taskSource, report.TaskSet, error) {
	src, err := f.source(env, cmd, args)
	if err != nil {
		return nil, report.TaskSet{}, err
	}
	tasks, err := f.choose(src)
	if err != nil {
		return nil, report.TaskSet{}, err
	}
	set, err := f.view(src, tasks, forms)
	return src, set, err
}

// source checks the flags and reads the tasks of the directory, if there is one.
func (f *taskFlags) source(env *Env, cmd *cobra.Command, args []string) (*taskSource, error) {
	dir := ""
	if len(args) > 0 {
		dir = args[0]
	}
	if err := f.check(cmd, dir); err != nil {
		return nil, err
	}
	src, err := taskSourceOf(dir, f.seed)
	if err != nil {
		return nil, err
	}
	(&wired{notes: src.notes}).say(harmlessWriter{env.Stderr})
	return src, nil
}

// listed counts what a list shows.
func listed(set report.TaskSet) string {
	s := fmt.Sprintf("tasks: %d", len(set.Tasks))
	if n := itemsOf(set); n > 0 {
		s += fmt.Sprintf(", items: %d", n)
	}
	if set.Withheld {
		s += "; their texts are real hazardous requests, and are not shown"
	}
	return s
}

// writeTaskJSON is [writeJSON] for texts that anybody may have written: what
// could act on a terminal stands as an escape, which means the same.
func writeTaskJSON(w io.Writer, v any) error { return writeJSON(escapingWriter{w}, v) }
