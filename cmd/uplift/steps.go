package main

import (
	"encoding/json"
	"slices"

	"github.com/uplift-eval/uplift/internal/analysis"
	"github.com/uplift-eval/uplift/internal/study"
)

// nouns is the class of cues that the benchmark's invented nouns trip.
const nouns = "restricted_workflow"

// baselines finds the controllers that a study takes apart. Roles follow from
// what conditions are, never from their names: they differ in scores, actions or
// ablate alone. A controller of which nothing is taken away is none.
func baselines(conditions []study.Condition) []analysis.Baselines {
	var out []analysis.Baselines
	for _, full := range conditions {
		if k := full.Controller; k == nil || k.Scores != "" || k.Actions != "" || len(k.Ablate) > 0 {
			continue
		}
		find := func(change func(*study.Condition)) string { return alike(conditions, changed(full, change)) }
		b := analysis.Baselines{
			Full:   full.Name,
			Prompt: find(func(c *study.Condition) { c.Controller.Scores = study.ScoresPrompt }),
			Output: find(func(c *study.Condition) { c.Controller.Scores = study.ScoresOutput }),
			Refuse: find(func(c *study.Condition) { c.Controller.Actions, c.Controller.Rewriter = study.ActionsRefuse, nil }),
			Monitor: find(func(c *study.Condition) {
				c.Controller.Actions, c.Controller.Rewriter = study.ActionsNone, nil
			}),
			Draft: full.Draft, Cues: full.Controller.Policy != nil,
		}
		if b.Draft == "" {
			b.Draft = find(func(c *study.Condition) { c.Controller = nil })
		}
		if b.Prompt+b.Output+b.Refuse+b.Monitor != "" {
			out = append(out, b)
		}
	}
	return out
}

// ablations finds the conditions that lack cues or parts of a prompt, with the
// condition that has them all.
func ablations(conditions []study.Condition) []analysis.Ablation {
	var out []analysis.Ablation
	add := func(c study.Condition, of analysis.Ablated, without []string, whole func(*study.Condition)) {
		if len(without) == 0 {
			return
		}
		if parent := alike(conditions, changed(c, whole)); parent != "" {
			out = append(out, analysis.Ablation{Condition: c.Name, Parent: parent, Of: of, Without: without,
				Nouns: of == analysis.AblatedCues && slices.Equal(without, []string{nouns})})
		}
	}
	for _, c := range conditions {
		if c.Controller != nil {
			add(c, analysis.AblatedCues, c.Controller.Ablate, func(c *study.Condition) { c.Controller.Ablate = nil })
		}
		if c.System != nil {
			add(c, analysis.AblatedPrompt, c.System.Without, func(c *study.Condition) { c.System.Without = nil })
		}
	}
	return out
}

// changed is a condition with one change, none of it shared.
func changed(c study.Condition, change func(*study.Condition)) study.Condition {
	if c.Controller != nil {
		own := *c.Controller
		c.Controller = &own
	}
	if c.System != nil {
		own := *c.System
		c.System = &own
	}
	change(&c)
	return c
}

// alike is the first condition that is the given one but for its name; empty: none.
func alike(conditions []study.Condition, want study.Condition) string {
	for _, c := range conditions {
		if sameness(c) == sameness(want) {
			return c.Name
		}
	}
	return ""
}

// sameness is equal for conditions that do the same. A prompt from a file is its
// file and what was left out; the text itself follows from these. Cuts that the
// study leaves to the policy are the policy's own.
func sameness(c study.Condition) string {
	c.Name = ""
	system := ""
	if c.System != nil {
		if system = "text " + c.System.Value; c.System.File != "" {
			without := slices.Sorted(slices.Values(c.System.Without))
			system = "file " + c.System.File + " " + canonical(without)
		}
	}
	c.System = nil
	if c.Controller != nil && c.Controller.Cuts == nil {
		c = changed(c, func(c *study.Condition) {
			if p, err := policyOf(c.Controller); err == nil { // else whoever asks the study says so
				c.Controller.Cuts = &study.Cuts{Warn: p.Cuts.Warn, Redact: p.Cuts.Redact, Refuse: p.Cuts.Refuse}
			}
		})
	}
	return system + "\n" + canonical(c)
}

// canonical is a value as JSON: mappings in the order of their keys.
func canonical(v any) string {
	b, err := json.Marshal(v)
	if err != nil { // a plan was read from a file, and holds nothing that cannot be written to one
		panic(err)
	}
	return string(b)
}
