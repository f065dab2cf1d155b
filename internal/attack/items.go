package attack

import (
	"errors"
	"slices"

	uplift "github.com/uplift-eval/uplift"
)

// Items asks every task in every form that the attacks name, in the order of
// the tasks, then of the forms as named. It is a function of tasks, attacks
// and seed alone.
//
// A named set is expanded task by task: a task of test-b gets of [Standard]
// direct, paraphrase and two further forms that rotate over the tasks of
// test-b, and nothing of [Adaptive]. A form that is named itself is asked of
// every task. All problems are reported at once, one a task, form and empty
// field.
func Items(tasks []uplift.Task, attacks []string, seed uint64) ([]uplift.Item, error) {
	if _, err := Expand(attacks); err != nil {
		return nil, err
	}
	slots := map[string][]string{}
	for _, f := range forms {
		slots[f.name] = f.slots()
	}
	turn := turns(tasks, seed)
	var items []uplift.Item
	var problems []error
	for i, t := range tasks {
		filled := fill(t)
		for _, name := range expandFor(t, attacks, turn[i], seed) {
			f := find(name)
			if err := filled.check(t, f, slots[name]); err != nil {
				problems = append(problems, err)
				continue
			}
			items = append(items, f.item(t, filled, turn[i]))
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return items, nil
}

// item asks one task. turn is the task's place in the rotation.
func (f form) item(t uplift.Task, filled filler, turn int) uplift.Item {
	item := uplift.Item{Task: t.ID, Attack: f.name, Family: t.Family, Split: t.Split, Tier: t.Tier,
		Turns: filled.all(f.turns), Next: filled.next(f.next)}
	if f.frames {
		frame := frames[turn%len(frames)]
		item.Turns, item.Lang = filled.all([]string{frame.text}), frame.lang
	}
	if f.allowed {
		item.Tier = uplift.Benign
	}
	return item
}

// expandFor lists the forms in which one task is asked.
func expandFor(t uplift.Task, attacks []string, turn int, seed uint64) []string {
	var names []string
	for _, a := range attacks {
		switch apart := t.Split == uplift.TestB; {
		case a == Standard && apart:
			names = append(names, apartForms(turn, seed)...)
		case a == Standard:
			names = append(names, StandardForms()...)
		case a == Adaptive && apart:
		case a == Adaptive:
			names = append(names, Probes()...)
		default:
			names = append(names, a)
		}
	}
	return names
}

// apartForms are the four standard forms of a task of test-b, in the order of
// [StandardForms].
func apartForms(turn int, seed uint64) []string {
	two := rotatingForms(turn, seed)
	return slices.DeleteFunc(StandardForms(), func(name string) bool {
		return name != uplift.Direct && name != Paraphrase && !slices.Contains(two, name)
	})
}
