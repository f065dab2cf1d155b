package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/study"
)

func newAmend(env *Env) *cobra.Command {
	var (
		reason string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use: "amend [DIR] --reason TEXT", Short: "Change a locked plan openly",
		Long: `amend compares the study with its lock and writes a new lock that holds what
changed, when and why; the change is recorded in DIR/evidence.jsonl. Every number
that it touches is marked post hoc in all outputs.

What was asked of cells that have responses stays as it is: a changed prompt,
controller, model or item wants a new name beside the old one.`,
		Example: `  uplift amend s --reason "a reviewer asked for a tighter margin"`,
		Args:    positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkReason(reason); err != nil {
				return err
			}
			s, err := loadStudy(dirArg(args))
			if err != nil {
				return err
			}
			sum, err := amend(cmd.Context(), env, s, reason)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(env.Stdout, sum)
			}
			return sum.print(env.Stdout)
		},
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why the plan changes")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// longestReason is in characters: tables carry the reason whole.
const longestReason = 500

// checkReason wants a line of plain text, which every output can show.
func checkReason(reason string) error {
	switch {
	case strings.TrimSpace(reason) == "":
		return usage("amend: --reason is missing (want why the plan changes, in a sentence)")
	case !utf8.ValidString(reason):
		return usage("amend: --reason: is not UTF-8")
	case harmless(reason) != reason || strings.ContainsAny(reason, "\n\t\u2028\u2029"):
		return usage("amend: --reason: holds a line break, a tab or a character that acts on a terminal (want one line of plain text)")
	case utf8.RuneCountInString(reason) > longestReason:
		return usage("amend: --reason: %d characters (want at most %d)", utf8.RuneCountInString(reason), longestReason)
	}
	return nil
}

func amend(ctx context.Context, env *Env, s *studyDir, reason string) (*lockSummary, error) {
	release, err := s.hold(true)
	if err != nil {
		return nil, err
	}
	defer release()
	f, err := s.frozen()
	switch {
	case err != nil:
		return nil, err
	case f.lock == nil:
		return nil, hint(fmt.Errorf("%s: there is no lock to amend", s.dir), "uplift lock %s", s.dir)
	}
	p, err := s.planOf(lockedAnalysis(f.lock))
	if err != nil {
		return nil, err
	}
	next, err := s.freeze(env, f, evidence.KindAmend, func(head string) (*study.Lock, error) {
		next, err := f.lock.Amend(s.state(env, p, head), reason)
		if errors.Is(err, study.ErrUnchanged) {
			return nil, hint(fmt.Errorf("%s: nothing that is locked has changed", s.dir), "change the study first; limits of a run need no amendment")
		}
		if err == nil {
			err = s.askedStays(ctx, f.lock, p, lastAmendment(next).Changed)
		}
		return next, err
	})
	if err != nil {
		return nil, err
	}
	sum := summarise(s, next, p)
	sum.Amendment = lastAmendment(next.lock)
	return sum, nil
}

func lastAmendment(l *study.Lock) *study.Amendment { return &l.Amendments[len(l.Amendments)-1] }

// askedStays wants every cell that has a response to be asked as it was.
func (s *studyDir) askedStays(ctx context.Context, old *study.Lock, p *planned, changes []study.Change) error {
	a := askedBy(s.plan.Plan(), p)
	a.models, a.conditions = study.Altered(changes, old.Fields)
	a.unsure = p.unsure(changes)
	a.seed = a.plan.Simulated() && slices.ContainsFunc(changes, func(c study.Change) bool { return c.Path == "seed" })
	d, err := s.stored(ctx, a)
	if err != nil || len(d.otherwise) == 0 {
		return err
	}
	return hint(errors.New(listFound(s, d.otherwise)), "what was asked stays: put it back, and add the changed one beside it under a new name")
}

// unsure tells the adaptive probes that changes may have reached.
func (p *planned) unsure(changes []study.Change) func(uplift.Item) bool {
	changed := map[string]bool{}
	for _, c := range changes {
		changed[c.Path] = true
	}
	return func(i uplift.Item) bool {
		return i.Next != nil && changed["items."+i.Split+"."+i.Attack] &&
			(p.asked.Private || changed["attacks.templates"] || changed["seed"] || changed["tasks."+i.Task])
	}
}
