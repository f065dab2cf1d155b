package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
			if strings.TrimSpace(reason) == "" {
				return usage("amend: --reason is missing (want why the plan changes, in a sentence)")
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

func amend(ctx context.Context, env *Env, s *studyDir, reason string) (*lockSummary, error) {
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
	changes := study.Diff(f.lock.Fields, p.fields)
	if len(changes) == 0 {
		return nil, hint(fmt.Errorf("%s: nothing that is locked has changed", s.dir), "change the study first; limits of a run need no amendment")
	}
	if err := s.askedStays(ctx, f.lock, p, changes); err != nil {
		return nil, err
	}
	next, err := s.freeze(env, f, evidence.KindAmend, func(head string) (*study.Lock, error) {
		return f.lock.Amend(s.state(env, p, head), reason)
	})
	if err != nil {
		return nil, err
	}
	sum := summarise(s, next, p)
	sum.Amendment = &next.lock.Amendments[len(next.lock.Amendments)-1]
	return sum, nil
}

// askedStays wants every cell that has a response to be asked as it was.
func (s *studyDir) askedStays(ctx context.Context, old *study.Lock, p *planned, changes []study.Change) error {
	plan := s.plan.Plan()
	models, conditions := study.Altered(changes, old.Fields)
	items := map[itemKey]uplift.Item{}
	for _, i := range p.asked.Items {
		items[itemKey{i.Task, i.Attack}] = i
	}
	unsure := p.unsure(changes)
	found := map[string]int{} // problem: responses
	err := s.eachResponse(ctx, true, func(r uplift.Response) {
		if slices.Contains(models, r.Model) {
			found["models."+r.Model+" was changed or taken away"]++
		}
		if slices.Contains(conditions, r.Condition) {
			found["conditions."+r.Condition+", or whose drafts it acts on, was changed or taken away"]++
		}
		if plan.Conditions.Imported {
			return
		}
		if now, ok := items[itemKey{r.Task, r.Attack}]; !ok {
			found[fmt.Sprintf("task %s is no longer asked in the form %s", r.Task, r.Attack)]++
		} else if !sameItem(now, r.Item) || unsure(now) {
			found[fmt.Sprintf("task %s is asked otherwise in the form %s", r.Task, r.Attack)]++
		}
		if r.Replicate >= plan.Replicates {
			found[fmt.Sprintf("replicates is %d now", plan.Replicates)]++
		}
	})
	if slices.ContainsFunc(changes, func(c study.Change) bool { return c.Path == "seed" }) && plan.Simulated() {
		s.eachResponse(ctx, false, func(uplift.Response) { found["seed: the simulated model answers otherwise"]++ })
	}
	if err != nil || len(found) == 0 {
		return err
	}
	return hint(errors.New(listFound(s, found)), "what was asked stays: put it back, and add the changed one beside it under a new name")
}

// sameItem compares an item with the one that a response holds, but for the turn
// of an adaptive probe, of which a response holds the one that was chosen.
func sameItem(now, held uplift.Item) bool {
	return now.Tier == held.Tier && now.Family == held.Family && now.Split == held.Split && slices.Equal(now.Turns, held.Turns)
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

func listFound(s *studyDir, found map[string]int) string {
	const most = 12
	lines := []string{fmt.Sprintf("%s: responses are there that were asked otherwise", s.dir)}
	var what []string
	for w := range found {
		what = append(what, w)
	}
	slices.Sort(what)
	for _, w := range what[:min(len(what), most)] {
		lines = append(lines, fmt.Sprintf("%s (%s)", w, several(found[w], "response")))
	}
	if n := len(what) - most; n > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(lines, "\n")
}
