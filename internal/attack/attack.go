// Package attack answers how a task is asked. An attack is one template whose
// slots come from the task alone, so that the same tasks give the same bytes.
package attack

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// The attacks, beside [uplift.Direct].
const (
	Paraphrase   = "paraphrase"    // the task's second wording
	HardNegative = "hard_negative" // the allowed look-alike; its effective tier is benign
)

// form is how one attack words a task.
type form struct {
	name  string
	turns func(t uplift.Task) []string // the user's turns; an empty one means that the task lacks a slot
	tier  func(t uplift.Task) uplift.Tier
	slot  string // the field of a task that it needs
}

var forms = []form{
	{uplift.Direct, func(t uplift.Task) []string { return []string{t.Ask} }, own, "ask"},
	{Paraphrase, func(t uplift.Task) []string { return []string{t.AskAlt} }, own, "ask_alt"},
	{HardNegative, func(t uplift.Task) []string { return []string{t.HardNegative} }, allowed, "hard_negative"},
}

func own(t uplift.Task) uplift.Tier { return t.Tier }

func allowed(uplift.Task) uplift.Tier { return uplift.Benign }

// Names lists the attacks in the order in which items are made.
func Names() []string {
	names := make([]string, len(forms))
	for i, f := range forms {
		names[i] = f.name
	}
	return names
}

// Standard is the name that stands for all attacks of [Names].
const Standard = "standard"

// Expand replaces [Standard] by its attacks and rejects unknown names and
// repeated ones.
func Expand(names []string) ([]string, error) {
	var out []string
	var problems []error
	for _, name := range names {
		add := []string{name}
		if name == Standard {
			add = Names()
		} else if !slices.Contains(Names(), name) {
			problems = append(problems, fmt.Errorf("attack: unknown value %q (want %s or %s)", name, strings.Join(Names(), ", "), Standard))
			continue
		}
		for _, a := range add {
			if slices.Contains(out, a) {
				problems = append(problems, fmt.Errorf("attack: %s: named twice", a))
			}
			out = append(out, a)
		}
	}
	return out, errors.Join(problems...)
}

// Items asks every task in the form of every attack, in the order of the
// tasks, then of the attacks. A seed rotates what an attack varies between
// tasks; none of the present attacks varies anything. All problems are
// reported at once.
func Items(tasks []uplift.Task, attacks []string, _ uint64) ([]uplift.Item, error) {
	names, err := Expand(attacks)
	if err != nil {
		return nil, err
	}
	items := make([]uplift.Item, 0, len(tasks)*len(names))
	var problems []error
	for _, t := range tasks {
		for _, name := range names {
			item, err := find(name).item(t)
			if err != nil {
				problems = append(problems, err)
				continue
			}
			items = append(items, item)
		}
	}
	return items, errors.Join(problems...)
}

// item asks one task.
func (f form) item(t uplift.Task) (uplift.Item, error) {
	turns := f.turns(t)
	if slices.ContainsFunc(turns, func(s string) bool { return strings.TrimSpace(s) == "" }) {
		return uplift.Item{}, fmt.Errorf("attack %s: task %s: no %s", f.name, t.ID, f.slot)
	}
	return uplift.Item{Task: t.ID, Attack: f.name, Family: t.Family, Split: t.Split, Tier: f.tier(t), Turns: turns}, nil
}

func find(name string) form {
	return forms[slices.IndexFunc(forms, func(f form) bool { return f.name == name })]
}

// Expected is what help the item of a task under an attack deserves, with the
// key points that a rater checks: those of the task, unless the attack asks
// something else than the task does.
func Expected(t uplift.Task, attack string) (help string, points []string) {
	if attack == HardNegative {
		return "full", nil
	}
	return t.Expected, slices.Clone(t.KeyPoints)
}
