package main

import (
	"fmt"

	"github.com/spf13/cobra"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/report"
)

func newTasksShow(env *Env) *cobra.Command {
	var (
		flags  taskFlags
		asJSON bool
	)
	cmd := &cobra.Command{
		Use: "show ID [DIR]", Short: "Show what will be sent of one task, in every form",
		Long: `show renders one task as the study in DIR sends it, or without DIR as the built-in
set is sent: every form and turn, the language of a translation frame, and the three
last turns between which an adaptive probe chooses. --attack narrows it.

With --unseal it shows the tier, the help that each form deserves, the key points
and the author's note as well, and writes that to the evidence log.`,
		Example: `  uplift tasks show k7bpq8v4
  uplift tasks show k7bpq8v4 --attack adaptive
  uplift tasks show k7bpq8v4 --unseal`,
		Args: positional(1, 2, "a task's id and at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			src, err := flags.source(env, cmd, args[1:])
			if err != nil {
				return err
			}
			t, err := src.find(args[0])
			if err != nil {
				return err
			}
			if src.hazardous {
				return hint(fmt.Errorf("%s: the study says hazard: real, so no text of its tasks is shown", src.name), "uplift tasks list %s", src.dir)
			}
			set, err := flags.view(src, []uplift.Task{t}, true)
			if err != nil {
				return err
			}
			if err := flags.keepUnsealing(env, src, "tasks show", t.ID, 1); err != nil {
				return err
			}
			if asJSON {
				return writeTaskJSON(env.Stdout, set)
			}
			return report.TaskShow(harmlessWriter{env.Stdout}, set, env.Width)
		},
	}
	flags.addForms(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// find is the task of an id.
func (src *taskSource) find(id string) (uplift.Task, error) {
	for _, t := range src.tasks {
		if t.ID == id {
			return t, nil
		}
	}
	list := "uplift tasks list"
	if src.dir != "" {
		list += " " + src.dir
	}
	return uplift.Task{}, hint(fmt.Errorf("%s: no task has the id %q", src.name, id), "%s shows all ids", list)
}
