package main

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	uplift "github.com/uplift-eval/uplift"
)

// choice is which responses are wanted: any of each kind that is given, and all
// kinds together.
type choice struct {
	models, conditions, tasks, attacks []string
	splits, outcomes, actions          []string
	contains                           []string
	folded                             []string // contains in lower case
	withheld, failed                   bool
	least, most                        float64
	scored                             bool // least or most is given
	item                               *itemKey
	cell                               *uplift.Cell
	id                                 string // the beginning of an id
}

// uncontrolled is the action of a response that no controller decided on.
const uncontrolled = "none"

func (c *choice) add(cmd *cobra.Command) {
	s := cmd.Flags()
	s.StringArrayVar(&c.models, "model", nil, "only this model; may be repeated, as those below")
	s.StringArrayVar(&c.conditions, "condition", nil, "only this condition")
	s.StringArrayVar(&c.tasks, "task", nil, "only this task")
	s.StringArrayVar(&c.attacks, "attack", nil, "only this attack")
	s.StringArrayVar(&c.splits, "split", nil, "only this split: train, dev, test or test-b")
	s.StringArrayVar(&c.outcomes, "outcome", nil, "only this outcome, such as answered or controller_refused")
	s.StringArrayVar(&c.actions, "action", nil, "only this action: allow, warn, redact, refuse, or none without a controller")
	s.StringArrayVar(&c.contains, "contains", nil, "only where the reply holds this text, in either case")
	s.BoolVar(&c.withheld, "withheld", false, "only those whose text is withheld")
	s.BoolVar(&c.failed, "error", false, "only those that ended in an error, or whose controller failed")
	s.Float64Var(&c.least, "min-score", 0, "only scores of at least this")
	s.Float64Var(&c.most, "max-score", 1, "only scores of at most this")
	choices(cmd, "split", uplift.Splits()...)
	choices(cmd, "outcome", outcomeNames()...)
	choices(cmd, "action", actionNames()...)
}

func outcomeNames() (out []string) {
	for _, o := range uplift.Outcomes() {
		out = append(out, string(o))
	}
	return out
}

func actionNames() []string {
	return []string{string(uplift.Allow), string(uplift.Warn), string(uplift.Redact), string(uplift.Refuse), uncontrolled}
}

// check wants known words where the words are fixed.
func (c *choice) check(cmd *cobra.Command) error {
	for _, k := range []struct {
		flag        string
		given, want []string
	}{{"split", c.splits, uplift.Splits()}, {"outcome", c.outcomes, outcomeNames()}, {"action", c.actions, actionNames()}} {
		for _, v := range k.given {
			if !slices.Contains(k.want, v) {
				return usage("responses: --%s: unknown value %q (want %s)", k.flag, v, strings.Join(k.want, ", "))
			}
		}
	}
	for _, t := range c.contains {
		if t == "" {
			return usage("responses: --contains: is empty (want a text)")
		}
		c.folded = append(c.folded, strings.ToLower(t))
	}
	c.scored = cmd.Flags().Changed("min-score") || cmd.Flags().Changed("max-score")
	if !(c.least >= 0 && c.least <= 1 && c.most >= 0 && c.most <= 1) {
		return usage("responses: --min-score %v, --max-score %v (want numbers from 0 to 1)", c.least, c.most)
	}
	if c.least > c.most {
		return usage("responses: --min-score %v is above --max-score %v", c.least, c.most)
	}
	return nil
}

// pick reads the one response that is wanted.
func (c *choice) pick(text string) error {
	if strings.Contains(text, "/") {
		cell, err := parseCell(text)
		if err != nil {
			return usage("responses: --show: %q (want MODEL/CONDITION/TASK/ATTACK/REPLICATE, or the beginning of an id)", text)
		}
		c.cell = &cell
		return nil
	}
	c.id = strings.ToLower(text)
	if _, err := hex.DecodeString(c.id + strings.Repeat("0", len(c.id)%2)); err != nil || len(c.id) > 32 {
		return usage("responses: --show: %q (want MODEL/CONDITION/TASK/ATTACK/REPLICATE, or the beginning of an id)", text)
	}
	return nil
}

// takes reports whether a response is wanted, but for its text.
func (c *choice) takes(r *uplift.Response) bool {
	action := uncontrolled
	if r.Decision != nil {
		action = string(r.Decision.Action)
	}
	switch {
	case !among(c.models, r.Model), !among(c.conditions, r.Condition), !among(c.tasks, r.Task), !among(c.attacks, r.Attack),
		!among(c.splits, r.Item.Split), !among(c.outcomes, string(r.Outcome)), !among(c.actions, action):
		return false
	case c.withheld && r.Withheld == "",
		c.failed && r.Outcome != uplift.Failed && (r.Decision == nil || r.Decision.Err == ""):
		return false
	case c.scored && (r.Decision == nil || r.Decision.Score < c.least || r.Decision.Score > c.most):
		return false
	case c.item != nil && *c.item != itemKey{r.Task, r.Attack},
		c.cell != nil && *c.cell != r.Cell:
		return false
	}
	return c.id == "" || strings.HasPrefix(r.ID(), c.id)
}

// holds reports whether a text is wanted.
func (c *choice) holds(text string) bool {
	if len(c.folded) == 0 {
		return true
	}
	text = strings.ToLower(text)
	return slices.ContainsFunc(c.folded, func(t string) bool { return strings.Contains(text, t) })
}

// among reports whether a value is wanted; nothing given wants all.
func among(given []string, v string) bool { return len(given) == 0 || slices.Contains(given, v) }

// names are those that a study's responses have.
type names struct{ models, conditions, tasks, attacks map[string]bool }

func newNames() names {
	return names{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
}

func (n names) add(r *uplift.Response) {
	n.models[r.Model], n.conditions[r.Condition], n.tasks[r.Task], n.attacks[r.Attack] = true, true, true, true
}

// known wants every name that is given to be there.
func (c *choice) known(n names) error {
	var item names
	if c.item != nil {
		item = names{tasks: map[string]bool{c.item.task: true}, attacks: map[string]bool{c.item.attack: true}}
	}
	for _, k := range []struct {
		flag  string
		given []string
		there map[string]bool
	}{
		{"model", c.models, n.models}, {"condition", c.conditions, n.conditions}, {"task", c.tasks, n.tasks}, {"attack", c.attacks, n.attacks},
		{"item", slices.Collect(maps.Keys(item.tasks)), n.tasks}, {"item", slices.Collect(maps.Keys(item.attacks)), n.attacks},
	} {
		for _, v := range k.given {
			if !k.there[v] {
				return usage("responses: --%s: no response has %q (want %s)", k.flag, v, listNames(k.there))
			}
		}
	}
	return nil
}

// listNames lists names in order, the first twenty.
func listNames(there map[string]bool) string {
	const most = 20
	all := slices.Sorted(maps.Keys(there))
	if len(all) == 0 {
		return "none: there are no responses"
	}
	if len(all) <= most {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), len(all)-most)
}
