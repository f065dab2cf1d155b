package main

import "github.com/spf13/cobra"

// newTasks groups what is done with the benchmark itself.
func newTasks(env *Env) *cobra.Command {
	cmd := group("tasks", "The benchmark: its tasks, and what is checked of them",
		`tasks looks at the benchmark itself: the embedded set, or a file of your own tasks.`)
	cmd.AddCommand(newTasksList(env), newTasksShow(env), newTasksStats(env), newTasksPage(env), newTasksLint(env))
	return cmd
}
