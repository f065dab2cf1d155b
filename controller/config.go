package controller

import (
	"fmt"
	"slices"
	"strings"
)

// Config says which part of a policy a controller uses. The baselines of a
// study are configurations of one controller, not copies of it. The zero value
// uses all.
type Config struct {
	Scores  string   `json:"scores"`  // both, prompt or output; empty: both
	Actions string   `json:"actions"` // all, refuse or none; empty: all
	Ablate  []string `json:"ablate"`  // features that are neither looked for nor counted, on either side
}

// Which scores count.
const (
	ScoresBoth   = "both"   // s = 0.45 s_p + 0.55 s_o
	ScoresPrompt = "prompt" // s = s_p; no draft is needed
	ScoresOutput = "output" // s = s_o
)

// Which actions are taken.
const (
	ActionsAll    = "all"
	ActionsRefuse = "refuse" // refuse from the refuse cut on, and allow below it
	ActionsNone   = "none"   // allow; Decision.Would says what all would have done
)

// normal is the one form of equal configurations.
func (c Config) normal() Config {
	if c.Scores == "" {
		c.Scores = ScoresBoth
	}
	if c.Actions == "" {
		c.Actions = ActionsAll
	}
	c.Ablate = slices.Compact(slices.Sorted(slices.Values(c.Ablate)))
	return c
}

// plain reports whether a normal configuration uses all of a policy.
func (c Config) plain() bool {
	return c.Scores == ScoresBoth && c.Actions == ActionsAll && len(c.Ablate) == 0
}

// Validate reports the first value that is not known.
func (c Config) Validate() error {
	c = c.normal()
	if !slices.Contains([]string{ScoresBoth, ScoresPrompt, ScoresOutput}, c.Scores) {
		return fmt.Errorf("scores: unknown value %q (want both, prompt or output)", c.Scores)
	}
	if !slices.Contains([]string{ActionsAll, ActionsRefuse, ActionsNone}, c.Actions) {
		return fmt.Errorf("actions: unknown value %q (want all, refuse or none)", c.Actions)
	}
	for _, name := range c.Ablate {
		if !slices.Contains(classesOf(""), name) {
			return fmt.Errorf("ablate: unknown value %q (want some of %s)", name, strings.Join(classesOf(""), ", "))
		}
	}
	return nil
}

// digest is that of the policy, and of the configuration where it is not plain.
func (c Config) digest(p Policy) string {
	if c.plain() {
		return p.Digest()
	}
	return digest(struct {
		Policy Policy `json:"policy"`
		Config Config `json:"config"`
	}{p, c})
}
