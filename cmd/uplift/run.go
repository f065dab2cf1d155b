package main

import (
	"github.com/spf13/cobra"
)

func newRun(env *Env) *cobra.Command {
	var exploratory bool
	cmd := &cobra.Command{
		Use: "run [DIR]", Short: "Ask every model under every condition, or go on where it was left",
		Long: `run asks what the study in DIR has not asked yet and keeps each response in
DIR/study.db. Stopped or killed, it goes on where it was; what is finished is
never asked again. Today only simulated models can be asked (provider: sim).

A study that asks a locked split (test, or test-b together with test) is refused
before "uplift lock". With --exploratory it runs all the same: that is recorded,
and every number of the study is marked as exploratory from then on.`,
		Example: "  uplift lock s\n  uplift run s",
		Args:    positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := loadStudy(dirArg(args))
			if err != nil {
				return err
			}
			leave, err := guard(env, s, runCommand, exploratory)
			if err != nil {
				return err
			}
			w, err := wire(s)
			if err != nil {
				return err
			}
			db, err := s.write(cmd.Context(), env)
			if err != nil {
				return err
			}
			defer db.Close()
			if err := leave.begin(); err != nil {
				return err
			}
			return runStudy(cmd.Context(), env, s, w, db)
		},
	}
	cmd.Flags().BoolVar(&exploratory, "exploratory", false, "ask a locked split without a valid lock: recorded, and every number is marked")
	return cmd
}
