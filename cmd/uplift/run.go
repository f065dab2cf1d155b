package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/quarantine"
	"github.com/uplift-eval/uplift/internal/store"
)

func newRun(env *Env) *cobra.Command {
	var (
		exploratory bool
		flags       runFlags
	)
	cmd := &cobra.Command{
		Use: "run [DIR]", Short: "Ask each model under each condition, or go on where it was left",
		Long: `run asks what the study in DIR has not asked yet and keeps each response in
DIR/study.db. Stopped or killed, it goes on where it was; what is finished is
never asked again. The first Ctrl-C lets what is in the air finish, the second
ends at once. A kill loses only replies that were under way or not yet on the
disk, at most twice the concurrency of each model, and they are asked again.
One process at a time runs a study; others may read it.

Each model is asked at its own pace: few requests at first, more as long as the
provider keeps up, and no more than the study's limits and the provider's own
allow. A failure that may pass is sent again after a pause; a reply never is.
A refused key or an empty quota stops that model alone, and its cells stay
open. Cells that failed are asked again with --retry.

Limits of money and requests hold over all runs of the study, minutes over this
one. Money is counted by dated list prices, or by those of --prices:
  {"as_of": "2026-01-31", "prices": [{"model": "my-model*",
   "input": 0.5, "output": 2}]}        (US dollars a million tokens)

What a model wrote is looked through before it is kept, and locked away where
the output profile finds something. Above 2 % of a condition, after fifty of
its responses, the run stops: look at them, then go on with --past-pause, which
is recorded. With --operator-list, words of your own are looked for too. The log
records by an HMAC which list that was, and later runs want the same one: a run
without it, or with another, is refused. --new-operator-list takes another one,
and is recorded.

A study that asks a locked split (test, and test-b where the preset powered asks
both) is refused before "uplift lock". With --exploratory it runs all the same:
that is recorded, and every number of the study is marked as exploratory from
then on. A study is not locked or amended while it runs.

--json-progress writes a line of JSON to stderr each second and at the end:
event (progress, stopping or end), elapsed_seconds, cells_per_second,
seconds_left, and the counts total, held, finished, failed, withheld, requests,
answered, shared, throttled (429, 503, 529), retries, flying, window, cost_usd,
unknown_usd, unknown, unpriced, conditions, waits (why a model is not asked
faster: model, why, seconds, text), halts.

Exit code 3 says that cells failed or are still open.`,
		Example: "  uplift lock s\n  uplift run s --dry-run\n  uplift run s\n  uplift run s --only model=claude --only attack=direct --limit 20",
		Args:    positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := loadStudy(dirArg(args))
			if err != nil {
				return err
			}
			if err := flags.read(cmd, s); err != nil {
				return err
			}
			if flags.dryRun {
				return dryRun(cmd.Context(), env, s, &flags)
			}
			a, err := s.asking(cmd.Context(), env, exploratory)
			if err != nil {
				return err
			}
			defer a.end()
			a.flags = flags
			return runStudy(cmd.Context(), env, a)
		},
	}
	cmd.Flags().BoolVar(&exploratory, "exploratory", false, "ask a locked split without a valid lock: recorded, and every number is marked")
	flags.add(cmd)
	return cmd
}

// asking is a study that is going to be asked. Until its end nobody locks or
// amends it, and no other process asks it.
type asking struct {
	*studyDir
	w       *wired
	db      *store.Store // nil until the first run has nothing in its way any more
	leave   *permit
	vault   *quarantine.Vault // nil: the study names no reviewers
	flags   runFlags
	lint    *besideLint
	release func()
}

// asking wants leave to ask, and opens the database where there is one.
func (s *studyDir) asking(ctx context.Context, env *Env, exploratory bool) (*asking, error) {
	still, err := s.hold(false)
	if err != nil {
		return nil, err
	}
	alone, err := s.holdRun(env)
	if err != nil {
		still()
		return nil, err
	}
	a := &asking{studyDir: s, release: func() { alone(); still() }}
	if a.leave, err = guard(ctx, env, s, runCommand, exploratory); err == nil {
		a.w, err = wire(env, s)
	}
	if err == nil {
		if !a.leave.matches { // otherwise "uplift lock" has told it
			a.lint = a.w.lintBeside(ctx, s)
		}
		a.vault, err = s.vault()
	}
	if err == nil {
		a.db, err = store.Open(ctx, s.path(), store.ReadWrite)
		if errors.Is(err, store.ErrMissing) {
			a.db, err = nil, nil
		}
	}
	if err != nil {
		a.release()
		return nil, err
	}
	return a, nil
}

// vault seals for the study's reviewers; nil when it names none.
func (s *studyDir) vault() (*quarantine.Vault, error) {
	q := s.plan.Plan().Quarantine
	if q == nil {
		return nil, nil
	}
	v, err := quarantine.New(q.A, q.B)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.dir, err)
	}
	return v, nil
}

func (a *asking) end() {
	if a.db != nil {
		a.db.Close()
	}
	a.release()
}
