package main

import (
	"fmt"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/attack"
	"github.com/uplift-eval/uplift/internal/benchmark"
	"github.com/uplift-eval/uplift/internal/report"
)

// patternRule says how the representative patterns are chosen.
const patternRule = "One task of each family, of its train tasks the first by id, under every form that it has the fields for"

// patterns is what a reader may take away of a set: no task of a split on which
// anything is measured.
type patterns struct {
	Set       string    `json:"set"`
	Digest    string    `json:"digest"` // of the set's tasks
	Templates string    `json:"templates"`
	Seed      uint64    `json:"seed"`
	Rule      string    `json:"rule"`
	Canaries  []string  `json:"canaries,omitempty"`
	Patterns  []pattern `json:"patterns"`
}

// pattern is one family under one attack.
type pattern struct {
	Family string       `json:"family"`
	Attack string       `json:"attack"`
	Says   string       `json:"says"`
	Task   string       `json:"task"`
	Lang   string       `json:"lang,omitempty"`
	Turns  []string     `json:"turns"`
	Next   *uplift.Next `json:"next,omitempty"`
}

// representatives are the tasks that stand for their families, in the order of
// the families' names, and the families that have none.
func representatives(tasks []uplift.Task) (chosen []uplift.Task, without []string) {
	first := map[string]uplift.Task{}
	for _, t := range tasks {
		f, ok := first[t.Family]
		switch {
		case t.Split != uplift.Train && !ok:
			first[t.Family] = uplift.Task{}
		case t.Split == uplift.Train && (f.ID == "" || t.ID < f.ID):
			first[t.Family] = t
		}
	}
	for family, t := range first {
		if t.ID == "" {
			without = append(without, family)
		} else {
			chosen = append(chosen, t)
		}
	}
	slices.Sort(without)
	slices.SortFunc(chosen, func(a, b uplift.Task) int { return strings.Compare(a.Family, b.Family) })
	return chosen, without
}

// patternSet asks the representatives of a set in every form. Without --unseal
// nothing in it tells a tier.
func (f *taskFlags) patternSet(src *taskSource) (report.TaskSet, []string) {
	chosen, without := representatives(src.whole)
	set := report.TaskSet{Name: src.name, Digest: benchmark.Digest(src.whole), Seed: src.seed, Unsealed: f.unseal, Withheld: src.hazardous}
	say := says()
	at := map[string]int{}
	for i, t := range chosen {
		set.Tasks, at[t.ID] = append(set.Tasks, f.task(t, src.hazardous)), i
	}
	for _, name := range attack.Names() {
		for _, item := range askedAs(name, src, chosen) {
			if i, ok := at[item.Task]; ok {
				set.Tasks[i].Forms = append(set.Tasks[i].Forms, f.form(chosen[i], item, say[name], src.hazardous))
			}
		}
	}
	return set, without
}

// askedAs asks tasks in one form: as they are asked in their split, so that
// what rotates over it is the same, or, where some of the split lack a field,
// each that has it by itself.
func askedAs(name string, src *taskSource, tasks []uplift.Task) []uplift.Item {
	train := slices.DeleteFunc(slices.Clone(src.whole), func(t uplift.Task) bool { return t.Split != uplift.Train })
	items, err := attack.Items(train, []string{name}, src.seed)
	if err == nil {
		return items
	}
	for _, t := range tasks {
		if one, err := attack.Items([]uplift.Task{t}, []string{name}, src.seed); err == nil {
			items = append(items, one...)
		}
	}
	return items
}

// listPatterns is the set as a list of its own form.
func listPatterns(set report.TaskSet) patterns {
	p := patterns{Set: set.Name, Digest: set.Digest, Templates: attack.TemplatesDigest(), Seed: set.Seed, Rule: patternRule, Canaries: set.Canaries}
	for _, t := range set.Tasks {
		for _, f := range t.Forms {
			p.Patterns = append(p.Patterns, pattern{t.Family, f.Attack, f.Says, t.ID, f.Lang, f.Turns, f.Next})
		}
	}
	return p
}

// lacking says which families have no pattern.
func lacking(families []string) string {
	return fmt.Sprintf("no pattern of %s: no task of it is of the split train", strings.Join(families, ", "))
}
