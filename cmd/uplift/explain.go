package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/controller"
)

// explainFlags say what is explained.
type explainFlags struct {
	prompt, promptFile string
	draft, draftFile   string
	policy, condition  string
	cell               string
	unseal, asJSON     bool
}

func newExplain(env *Env) *cobra.Command {
	var f explainFlags
	cmd := &cobra.Command{
		Use: "explain [DIR]", Short: "Show why a controller acts as it does on a prompt and a draft",
		Long: `explain shows what a controller makes of a prompt and a draft: each feature with
its value and weight, each cue in its context, the scores and the cuts, the
action, and the resulting text against the draft. Offsets are bytes of the text.

The texts are given by flags, and the policy is the built-in one, that of a file
(--policy), or that of a condition of the study in DIR (--condition). Or --cell
explains the stored decision of one response of DIR. Texts that are withheld are
not shown. Neither are responses of a locked split while their rating is open,
since they show what raters must not know: --unseal shows them and is logged.`,
		Example: `  uplift explain --prompt "Explain it step by step" --draft-file answer.txt
  uplift explain s --condition safeguarded --prompt "Why?" --draft "Because."
  uplift explain s --cell sonnet/safeguarded/k7bpq8v4/direct/0`,
		Args: positional(0, 1, "at most one directory"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd, args); err != nil {
				return err
			}
			e, err := f.explain(cmd.Context(), env, dirArg(args))
			if err != nil {
				return err
			}
			if f.asJSON {
				return writeJSON(escapingWriter{env.Stdout}, e)
			}
			return e.print(harmlessWriter{env.Stdout}, env.Width)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.prompt, "prompt", "", "what the user wrote")
	flags.StringVar(&f.promptFile, "prompt-file", "", "a file with it")
	flags.StringVar(&f.draft, "draft", "", "what the model wrote")
	flags.StringVar(&f.draftFile, "draft-file", "", "a file with it")
	flags.StringVar(&f.policy, "policy", "", "a policy file (JSON), or the name of a built-in policy")
	flags.StringVar(&f.condition, "condition", "", "the condition of DIR whose controller it is")
	flags.StringVar(&f.cell, "cell", "", "a stored response: MODEL/CONDITION/TASK/ATTACK/REPLICATE")
	flags.BoolVar(&f.unseal, "unseal", false, "show a locked split's response while rating is open; logged")
	flags.BoolVar(&f.asJSON, "json", false, "print JSON")
	return cmd
}

func (f *explainFlags) check(cmd *cobra.Command, args []string) error {
	given := func(names ...string) bool {
		for _, n := range names {
			if cmd.Flags().Changed(n) {
				return true
			}
		}
		return false
	}
	for _, n := range []string{"prompt", "draft"} {
		if given(n) && given(n+"-file") {
			return usage("explain: --%s stands beside --%s-file (want one of them)", n, n)
		}
	}
	texts := given("prompt", "prompt-file", "draft", "draft-file")
	switch {
	case given("cell") && (texts || given("policy", "condition")):
		return usage("explain: --cell stands beside --prompt, --draft, --policy or --condition (want it alone)")
	case !given("cell") && !texts:
		return usage("explain: nothing to explain (want --prompt or --draft, or --cell)")
	case given("policy") && given("condition"):
		return usage("explain: --policy stands beside --condition (want one of them)")
	case given("unseal") && !given("cell"):
		return usage("explain: --unseal goes with --cell")
	case len(args) == 1 && !given("cell", "condition"):
		return usage("explain: a study without --condition or --cell")
	}
	return nil
}

func (f *explainFlags) explain(ctx context.Context, env *Env, dir string) (*explained, error) {
	if f.cell != "" {
		return f.stored(ctx, env, dir)
	}
	prompt, err := textOr(f.prompt, f.promptFile)
	if err != nil {
		return nil, err
	}
	draft, err := textOr(f.draft, f.draftFile)
	if err != nil {
		return nil, err
	}
	policy, config, err := f.controller(dir)
	if err != nil {
		return nil, err
	}
	c, err := controller.NewWith(policy, config)
	if err != nil {
		return nil, err
	}
	d, shown, err := c.Control(ctx, prompt, draft)
	if err != nil {
		return nil, err
	}
	return newExplained(policy, config, prompt, draft, shown, d), nil
}

// controller is the policy and its configuration.
func (f *explainFlags) controller(dir string) (controller.Policy, controller.Config, error) {
	var config controller.Config
	if f.condition != "" {
		s, err := loadStudy(dir)
		if err != nil {
			return controller.Policy{}, config, err
		}
		return conditionController(s, f.condition)
	}
	if f.policy == "" {
		return controller.Default(), config, nil
	}
	if p, ok := controller.Builtin(f.policy); ok {
		return p, config, nil
	}
	data, err := os.ReadFile(f.policy)
	if err != nil {
		return controller.Policy{}, config, fmt.Errorf("--policy: %w", err)
	}
	p, err := controller.ParsePolicy(f.policy, data)
	return p, config, err
}

// conditionController is that of a condition of a study.
func conditionController(s *studyDir, name string) (controller.Policy, controller.Config, error) {
	fail := func(format string, args ...any) (controller.Policy, controller.Config, error) {
		return controller.Policy{}, controller.Config{}, fmt.Errorf("%s: conditions: "+format, append([]any{s.dir}, args...)...)
	}
	c := named(s.plan.Plan(), name)
	switch {
	case c.Name == "":
		return fail("none is named %q", name)
	case c.Controller == nil:
		return fail("%s: has no controller", name)
	case c.Controller.HTTP != "":
		return fail("%s: its controller is another program: only what is stored of it can be shown (want --cell)", name)
	}
	p, config, err := controllerConfig(c.Controller)
	if err != nil {
		return fail("%s: controller: %w", name, err)
	}
	return p, config, nil
}

// textOr is a text, or that of a file.
func textOr(text, file string) (string, error) {
	if file == "" {
		return text, nil
	}
	data, err := os.ReadFile(file)
	return string(data), err
}

// explained is a decision as it is shown.
type explained struct {
	Cell     *uplift.Cell      `json:"cell,omitempty"`
	Policy   string            `json:"policy"` // its name
	Config   controller.Config `json:"config"`
	Cuts     controller.Cuts   `json:"cuts"`
	Weights  []weighed         `json:"features"`
	Prompt   string            `json:"prompt"`
	Draft    string            `json:"draft"`
	Shown    string            `json:"shown"`
	Decision uplift.Decision   `json:"decision"`
	Note     string            `json:"note,omitempty"`
}

// weighed is one feature with its weight, also where its value is 0.
type weighed struct {
	uplift.Feature
	Weight float64 `json:"weight"`
}

func newExplained(p controller.Policy, c controller.Config, prompt, draft, shown string, d uplift.Decision) *explained {
	e := &explained{Policy: p.Name, Config: c, Cuts: p.Cuts, Prompt: prompt, Draft: draft, Shown: shown, Decision: d}
	for _, side := range []struct {
		where   string
		weights map[string]float64
	}{{"prompt", p.Weights.Prompt}, {"output", p.Weights.Output}} {
		for _, name := range controller.Features(side.where) {
			w := weighed{uplift.Feature{Where: side.where, Name: name}, side.weights[name]}
			for _, f := range d.Features {
				if f.Where == side.where && f.Name == name {
					w.Feature = f
				}
			}
			e.Weights = append(e.Weights, w)
		}
	}
	return e
}
