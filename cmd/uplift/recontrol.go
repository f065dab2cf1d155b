package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/uplift-eval/uplift/controller"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/internal/replay"
	"github.com/uplift-eval/uplift/internal/study"
	"github.com/uplift-eval/uplift/model"
)

// recontrolFlags change the controller of a condition.
type recontrolFlags struct {
	condition, policy, cuts, scores, actions string
	ablate                                   []string
	asJSON                                   bool
}

func newRecontrol(env *Env) *cobra.Command {
	f := &recontrolFlags{}
	cmd := &cobra.Command{
		Use: "recontrol [DIR] --condition NAME", Short: "Apply a changed controller to stored drafts, asking nothing",
		Long: `recontrol takes the stored drafts of a condition and shows what its users would
see under another controller: the study's own as it stands now, with what the
flags change of it. A condition without a controller needs --policy.

A turn is decided anew as long as its draft is there: of the first turn always,
of a later one when the turns before are shown as they were, or when another
cell was asked the same. Every other cell needs new calls and is named, with the
reason, and so is a cell that ended in an error or whose text is withheld.
Responses of the splits test and test-b are not looked at: choose a controller
without them.

Nothing is written over what is stored. The table counts actions, was by now;
--json prints one line of JSON for each cell instead, with the decision and the
text that are new. To have it as a condition of the study, add one with this
controller and "draft:"; running it sends requests only for the cells that need
calls. No label is copied: that of a cell whose text stays the same
("text_changed": false) holds for the new one too, every other text has to be
rated.

It exits with 0 when every cell has a new decision, and with 3 when some have
none.`,
		Example: `  uplift recontrol s --condition guarded --cuts 0.2,0.4,0.8
  uplift recontrol s --condition guarded --policy stricter.json --json`,
		Args: positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := loadStudy(dirArg(args))
			if err != nil {
				return err
			}
			return s.recontrol(cmd.Context(), env, f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.condition, "condition", "", "whose drafts, by its name in the study")
	flags.StringVar(&f.policy, "policy", "", "a policy of this program by name, or a file of one in JSON")
	flags.StringVar(&f.cuts, "cuts", "", "warn,redact,refuse: three numbers from 0 to 1")
	flags.StringVar(&f.scores, "scores", "", "both, prompt or output")
	flags.StringVar(&f.actions, "actions", "", "all, refuse or none")
	flags.StringSliceVar(&f.ablate, "ablate", nil, "classes of the policy that count for nothing")
	flags.BoolVar(&f.asJSON, "json", false, "print one line of JSON for each cell")
	return cmd
}

func (d *studyDir) recontrol(ctx context.Context, env *Env, f *recontrolFlags) error {
	conditions, err := d.changedConditions(f)
	if err != nil {
		return err
	}
	w, err := wire(nil, d)
	if err != nil {
		return err
	}
	db, err := d.read(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	count := newRecount(f.condition)
	lines := json.NewEncoder(harmlessWriter{env.Stdout})
	lines.SetEscapeHTML(false)
	for c, err := range replay.Recontrol(ctx, conditions, w.spec.Items, w.spec.Replicates, db) {
		if err == nil && f.asJSON {
			err = lines.Encode(c)
		}
		if err != nil {
			return err
		}
		count.add(c)
	}
	if !f.asJSON {
		if err := count.print(env.Stdout); err != nil {
			return err
		}
	}
	switch {
	case count.cells == 0:
		return fmt.Errorf("recontrol %s: no response of condition %s is stored", d.dir, f.condition)
	case count.without > 0:
		return gaps("recontrol %s: %s of %d without a new decision", d.dir, several(count.without, "cell"), count.cells)
	}
	return nil
}

// changedConditions are the condition under every model, with its changed
// controller.
func (d *studyDir) changedConditions(f *recontrolFlags) ([]access.Condition, error) {
	plan := d.plan.Plan()
	c := named(plan, f.condition)
	switch {
	case f.condition == "":
		return nil, usage("recontrol: --condition: missing (want the name of one)")
	case plan.Conditions.Imported || c.Name == "":
		return nil, usage("recontrol: --condition: %s has no condition %q", d.dir, f.condition)
	case c.Null:
		return nil, usage("recontrol: --condition: %s has no model, and no drafts", c.Name)
	case c.Controller == nil && f.policy == "":
		return nil, usage("recontrol: --condition: %s has no controller (want --policy)", c.Name)
	}
	changed, err := f.change(c.Controller)
	if err != nil {
		return nil, err
	}
	if changed.HTTP != "" {
		return nil, usage("recontrol: the controller of %s is another program (run asks it)", c.Name)
	}
	c.Controller = changed
	b := &builder{plan: plan, clients: map[string]model.Model{}}
	var out []access.Condition
	for _, m := range plan.Models {
		cond, err := b.condition(m, c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.dir, err)
		}
		out = append(out, cond)
	}
	return out, nil
}

// change is a controller with what the flags say of it.
func (f *recontrolFlags) change(c *study.Controller) (*study.Controller, error) {
	out := study.Controller{}
	if c != nil {
		out = *c
	}
	if f.policy != "" {
		p, err := policyFlag(f.policy)
		if err != nil {
			return nil, err
		}
		out.Policy, out.HTTP = p, ""
	}
	if f.cuts != "" {
		cuts, err := cutsFlag(f.cuts)
		if err != nil {
			return nil, err
		}
		out.Cuts = cuts
	}
	if f.scores != "" {
		out.Scores = f.scores
	}
	if f.actions != "" {
		out.Actions = f.actions
	}
	if f.ablate != nil {
		out.Ablate = f.ablate
	}
	return &out, nil
}

// policyFlag is a policy by name, or else in a file.
func policyFlag(name string) (*study.Policy, error) {
	if _, ok := controller.Builtin(name); ok {
		return &study.Policy{Name: name}, nil
	}
	content, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usage("recontrol: --policy: there is no policy and no file %q (want a file, or one of %s)", name, strings.Join(controller.Names(), ", "))
	}
	return &study.Policy{File: name, Content: content}, err
}

func cutsFlag(s string) (*study.Cuts, error) {
	var v [3]float64
	fields := strings.Split(s, ",")
	for i := range min(len(fields), len(v)) {
		x, err := strconv.ParseFloat(strings.TrimSpace(fields[i]), 64)
		if err != nil {
			fields = nil
		}
		v[i] = x
	}
	if len(fields) != len(v) || !(0 <= v[0] && v[0] <= v[1] && v[1] <= v[2] && v[2] <= 1) {
		return nil, usage("recontrol: --cuts: %q (want warn,redact,refuse: three numbers from 0 to 1 that do not fall)", s)
	}
	return &study.Cuts{Warn: v[0], Redact: v[1], Refuse: v[2]}, nil
}
