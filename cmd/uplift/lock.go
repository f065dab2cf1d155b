package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/store"
	"github.com/uplift-eval/uplift/internal/study"
)

func newLock(env *Env) *cobra.Command {
	var (
		cluster string
		level   float64
		asJSON  bool
	)
	cmd := &cobra.Command{
		Use: "lock [DIR]", Short: "Freeze the plan before the first response of a locked split",
		Long: `lock writes DIR/study.lock, which holds a value or a SHA-256 of everything that
the study measures: tasks, rendered items, models, conditions with their prompts,
policies and cuts, endpoints with margins and budgets, the audit plan, the
rubric, seeds and orders, and how the labels are going to be analysed. It also
appends to DIR/evidence.jsonl, in which each line holds the hash of the one
before. The split test, and test-b where the preset powered asks both, want a
lock before their first response; limits of a run are not locked.

Publish the SHA-256 that it prints: only what others have seen proves the time.`,
		Example: "  uplift lock s\n  uplift lock s --cluster family --json",
		Args:    positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if c := analysis.Cluster(cluster); c != analysis.ByTask && c != analysis.ByFamily {
				return usage("lock: --cluster: unknown value %q (want task or family)", cluster)
			}
			if !(level >= 0.5 && level <= 0.9999) {
				return usage("lock: --level: %v (want from 0.5 to 0.9999, such as 0.95)", level)
			}
			s, err := loadStudy(dirArg(args))
			if err != nil {
				return err
			}
			sum, err := lockNew(cmd.Context(), env, s, cluster, level)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(env.Stdout, sum)
			}
			return sum.print(env.Stdout)
		},
	}
	cmd.Flags().StringVar(&cluster, "cluster", "task", "independent unit of the analysis: task or family")
	cmd.Flags().Float64Var(&level, "level", 0.95, "confidence level of the analysis, from 0.5 to 0.9999")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	choices(cmd, "cluster", "task", "family")
	return cmd
}

// lockStudy locks a study that is not locked yet. One that is must still be as
// it was locked.
func lockStudy(ctx context.Context, env *Env, s *studyDir) error {
	f, err := s.frozen()
	if err != nil {
		return err
	}
	if f.lock == nil {
		_, err = lockNew(ctx, env, s, "", 0)
		return err
	}
	changes, err := s.changes(f)
	if err != nil {
		return err
	}
	return differs(s, changes)
}

// lockNew locks a study for the first time.
func lockNew(ctx context.Context, env *Env, s *studyDir, cluster string, level float64) (*lockSummary, error) {
	f, err := s.frozen()
	switch {
	case err != nil:
		return nil, err
	case f.lock != nil:
		return nil, hint(fmt.Errorf("%s: is there already, from %s", s.lockPath(), f.lock.Time.Format(time.RFC3339)),
			"uplift verify %[1]s compares the study with it; uplift amend %[1]s --reason TEXT changes it openly", s.dir)
	}
	p, err := s.planOf(cluster, level)
	if err != nil {
		return nil, err
	}
	if err := s.unanswered(ctx, p.locked); err != nil {
		return nil, err
	}
	if err := p.wired.lint(ctx, s); err != nil {
		return nil, err
	}
	p.wired.say(harmlessWriter{env.Stderr})
	f, err = s.freeze(env, f, evidence.KindLock, func(head string) (*study.Lock, error) {
		return study.NewLock(s.plan.Name(), s.state(env, p, head)), nil
	})
	if err != nil {
		return nil, err
	}
	return summarise(s, f, p), nil
}

// unanswered wants no response in the locked splits, or none at all in a study
// without one.
func (s *studyDir) unanswered(ctx context.Context, locked []string) error {
	n := 0
	err := s.eachResponse(ctx, false, func(r uplift.Response) {
		if len(locked) == 0 || slices.Contains(locked, r.Item.Split) {
			n++
		}
	})
	if err != nil || n == 0 {
		return err
	}
	if s.plan.Plan().Conditions.Imported {
		return hint(fmt.Errorf("%s: %s there already: a lock comes before its labels", s.path(), several(n, "imported response")),
			"analyze and report need no lock where conditions are imported")
	}
	what := "the study"
	if len(locked) > 0 {
		what = strings.Join(locked, " and ")
	}
	return hint(fmt.Errorf("%s: %s of %s there already: a lock comes before the first", s.path(), several(n, "response"), what),
		"what was asked without a lock stays exploratory: add --exploratory to run, analyze and report, or begin in another directory")
}

// eachResponse visits what the store holds; there may be no store.
func (s *studyDir) eachResponse(ctx context.Context, texts bool, visit func(uplift.Response)) error {
	db, err := store.Open(ctx, s.path(), store.ReadOnly)
	if errors.Is(err, store.ErrMissing) {
		return nil
	}
	if err != nil {
		return err
	}
	defer db.Close()
	all := db.Responses(ctx)
	if texts {
		all = db.Texts(ctx)
	}
	for r, err := range all {
		if err != nil {
			return err
		}
		visit(r)
	}
	return nil
}

// lockedAnalysis is how a lock says that the labels are analysed; without one
// nothing is said.
func lockedAnalysis(l *study.Lock) (cluster string, level float64) {
	if l == nil {
		return "", 0
	}
	for _, f := range l.Fields {
		switch f.Path {
		case "analysis.cluster":
			cluster, _ = strconv.Unquote(string(f.Value))
		case "analysis.level":
			level, _ = strconv.ParseFloat(string(f.Value), 64)
		}
	}
	return cluster, level
}

// lockedSplits are those that a lock names.
func lockedSplits(l *study.Lock) (splits []string) {
	for _, f := range l.Fields {
		if f.Path == "locked_splits" {
			json.Unmarshal(f.Value, &splits) // a lock that was read holds JSON
		}
	}
	return splits
}

// differs is the error of a study that is not as it was locked.
func differs(s *studyDir, changes []study.Change) error {
	if len(changes) == 0 {
		return nil
	}
	const most = 12
	lines := []string{fmt.Sprintf("%s: the study is not as it was locked", s.lockPath())}
	for _, c := range changes[:min(len(changes), most)] {
		lines = append(lines, c.String())
	}
	if n := len(changes) - most; n > 0 {
		lines = append(lines, fmt.Sprintf("and %d more; uplift verify lists all", n))
	}
	return hint(errors.New(strings.Join(lines, "\n")), "put it back, or change the lock openly: uplift amend %s --reason TEXT", s.dir)
}
