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
			src, err := flags.source(env, cmd, args)
			if err != nil {
				return err
			}
			set, err := flags.look(env, src, "tasks list", len(flags.attacks) > 0, 0)
			if err != nil {
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

// look renders the tasks that were chosen, once the log holds what this
// unseals; others are how many more will be shown. That no task is of a tier
// tells as much as a list, so that an empty answer waits for the log as well.
func (f *taskFlags) look(env *Env, src *taskSource, command string, forms bool, others int) (report.TaskSet, error) {
	set, err := f.view(src, f.choose(src), forms)
	if err := f.keepUnsealing(env, src, command, "", len(set.Tasks)+others); err != nil {
		return report.TaskSet{}, err
	}
	return set, err
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
