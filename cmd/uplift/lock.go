package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/evidence"
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
			if err := checkAnalysis("lock: ", cluster, level); err != nil {
				return err
			}
			s, err := loadStudy(dirArg(args))
			if err != nil {
				return err
			}
			sum, err := lockNew(cmd.Context(), env, s, study.Analysis{Cluster: cluster, Level: level})
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
		_, err = lockNew(ctx, env, s, study.Analysis{})
		return err
	}
	p, err := s.planOf(lockedAnalysis(f.lock))
	if err != nil {
		return err
	}
	return differs(s, study.Diff(f.lock.Fields, p.fields))
}

// checkAnalysis wants the cluster and level of an analysis to be such; in stands
// before the flag in errors.
func checkAnalysis(in, cluster string, level float64) error {
	if c := analysis.Cluster(cluster); c != analysis.ByTask && c != analysis.ByFamily {
		return usage("%s--cluster: unknown value %q (want task or family)", in, cluster)
	}
	if !(level >= 0.5 && level <= 0.9999) {
		return usage("%s--level: %v (want from 0.5 to 0.9999, such as 0.95)", in, level)
	}
	return nil
}

// lockNew locks a study for the first time.
func lockNew(ctx context.Context, env *Env, s *studyDir, how study.Analysis) (*lockSummary, error) {
	release, err := s.hold(true)
	if err != nil {
		return nil, err
	}
	defer release()
	f, err := s.frozen()
	switch {
	case err != nil:
		return nil, err
	case f.lock != nil:
		return nil, hint(fmt.Errorf("%s: is there already, from %s", s.lockPath(), f.lock.Time.Format(time.RFC3339)),
			"uplift verify %[1]s compares the study with it; uplift amend %[1]s --reason TEXT changes it openly", s.dir)
	}
	if _, err := s.vault(); err != nil { // a key that nobody has would be locked for good
		return nil, err
	}
	p, err := s.planOf(how)
	if err != nil {
		return nil, err
	}
	if err := p.wired.lint(ctx, s); err != nil {
		return nil, err
	}
	f, err = s.freeze(env, f, evidence.KindLock, func(head string) (*study.Lock, error) {
		return study.NewLock(s.plan.Name(), s.state(env, p, head)), s.unanswered(ctx, p)
	})
	if err != nil {
		return nil, err
	}
	p.wired.say(harmlessWriter{env.Stderr})
	return summarise(s, f, p), nil
}

// hold keeps a study as it is until release: run and import share it, lock and
// amend want it alone.
func (s *studyDir) hold(alone bool) (release func(), err error) {
	path := filepath.Join(s.dir, evidence.Holds)
	release, err = evidence.Hold(path, alone)
	if !errors.Is(err, evidence.ErrHeld) {
		return release, err
	}
	shared := func() {}
	if alone {
		shared, err = evidence.Hold(path, false)
	}
	if errors.Is(err, evidence.ErrHeld) {
		return nil, hint(fmt.Errorf("%s: another process locks or amends it (want one at a time)", s.dir), "try again: it takes a moment")
	} else if err == nil {
		shared()
	}
	return nil, hint(fmt.Errorf("%s: a run is under way, or an import: what it asks must stay as it is", s.dir),
		"wait until it has ended, or stop it: what is finished is kept")
}

// lockedAnalysis is how a lock says that the labels are analysed; without one
// nothing is said.
func lockedAnalysis(l *study.Lock) (a study.Analysis) {
	if l == nil {
		return a
	}
	said := map[string]json.RawMessage{}
	for _, f := range l.Fields {
		if name, ok := strings.CutPrefix(f.Path, "analysis."); ok {
			said[name] = f.Value
		}
	}
	b, err := json.Marshal(said)
	if err == nil {
		err = json.Unmarshal(b, &a)
	}
	if err != nil { // of another hand: then the fields differ, which is said
		return study.Analysis{}
	}
	return a
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
