package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/store"
)

func newRun(env *Env) *cobra.Command {
	var exploratory bool
	cmd := &cobra.Command{
		Use: "run [DIR]", Short: "Ask every model under every condition, or go on where it was left",
		Long: `run asks what the study in DIR has not asked yet and keeps each response in
DIR/study.db. Stopped or killed, it goes on where it was; what is finished is
never asked again. Today only simulated models can be asked (provider: sim).

A study that asks a locked split (test, and test-b where the preset powered asks both) is refused
before "uplift lock". With --exploratory it runs all the same: that is recorded,
and every number of the study is marked as exploratory from then on. A study is
not locked or amended while it runs.`,
		Example: "  uplift lock s\n  uplift run s",
		Args:    positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := loadStudy(dirArg(args))
			if err != nil {
				return err
			}
			a, err := s.asking(cmd.Context(), env, exploratory)
			if err != nil {
				return err
			}
			defer a.end()
			return runStudy(cmd.Context(), env, a)
		},
	}
	cmd.Flags().BoolVar(&exploratory, "exploratory", false, "ask a locked split without a valid lock: recorded, and every number is marked")
	return cmd
}

// asking is a study that is going to be asked. Until its end nobody locks or
// amends it.
type asking struct {
	*studyDir
	w       *wired
	db      *store.Store
	leave   *permit
	release func()
}

// asking wants leave to ask, and opens the database.
func (s *studyDir) asking(ctx context.Context, env *Env, exploratory bool) (*asking, error) {
	release, err := s.hold(false)
	if err != nil {
		return nil, err
	}
	a := &asking{studyDir: s, release: release}
	if a.leave, err = guard(ctx, env, s, runCommand, exploratory); err == nil {
		a.w, err = wire(s)
	}
	if err == nil {
		a.db, err = s.write(ctx, env, a.leave)
	}
	if err != nil {
		release()
		return nil, err
	}
	return a, nil
}

func (a *asking) end() {
	a.db.Close()
	a.release()
}
