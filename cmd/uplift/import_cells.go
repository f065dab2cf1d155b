package main

import (
	"fmt"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/interop"
	"github.com/uplift-eval/uplift/internal/strictyaml"
	"github.com/uplift-eval/uplift/internal/study"
)

// plannedCells is what a study asks, to hold rows of a file to it.
type plannedCells struct {
	models, conditions, tasks []string
	attacks                   map[string][]string // by task, in the order of the plan
	items                     map[itemKey]uplift.Item
	replicates                int
	wanted                    map[string]string // suggestions that were made, so that a large file waits for none twice
}

func newPlannedCells(plan study.Plan, items []uplift.Item) *plannedCells {
	p := &plannedCells{attacks: map[string][]string{}, items: map[itemKey]uplift.Item{}, replicates: plan.Replicates, wanted: map[string]string{}}
	for _, m := range plan.Models {
		p.models = append(p.models, m.Name)
	}
	for _, c := range plan.Conditions.List {
		p.conditions = append(p.conditions, c.Name)
	}
	for _, i := range items {
		if p.attacks[i.Task] == nil {
			p.tasks = append(p.tasks, i.Task)
		}
		p.attacks[i.Task] = append(p.attacks[i.Task], i.Attack)
		p.items[itemKey{i.Task, i.Attack}] = i
	}
	return p
}

// problems are all the ways in which a row is not of the plan.
func (p *plannedCells) problems(r uplift.Response) (bad []interop.Problem) {
	add := func(field, format string, args ...any) {
		bad = append(bad, interop.Problem{Field: field, Text: fmt.Sprintf(format, args...)})
	}
	const unknown = "%q is not in the study's plan (%s)"
	if !slices.Contains(p.models, r.Model) {
		add("model", unknown, brief(r.Model), p.want("model", r.Model, p.models))
	}
	if !slices.Contains(p.conditions, r.Condition) {
		add("condition", unknown, brief(r.Condition), p.want("condition", r.Condition, p.conditions))
	}
	if r.Replicate >= p.replicates {
		add("replicate", "%d is not in the study's plan (want %s)", r.Replicate, upTo(p.replicates-1))
	}
	item, ok := p.items[itemKey{r.Task, r.Attack}]
	switch forms := p.attacks[r.Task]; {
	case forms == nil:
		add("task", unknown, brief(r.Task), p.want("task", r.Task, p.tasks))
	case !ok:
		add("attack", "%s is not asked as %q (%s)", r.Task, brief(r.Attack), p.want("attack "+r.Task, r.Attack, forms))
	}
	if ok {
		bad = append(bad, otherItem(r.Item, item)...)
	}
	return bad
}

// otherItem is what a row says of its item that the plan does not. The tier of
// the plan is left unsaid.
func otherItem(said, item uplift.Item) (bad []interop.Problem) {
	if said.Family != "" && said.Family != item.Family {
		bad = append(bad, interop.Problem{Field: "family", Text: fmt.Sprintf("%q is not the plan's (want %s)", brief(said.Family), item.Family)})
	}
	if said.Split != "" && said.Split != item.Split {
		bad = append(bad, interop.Problem{Field: "split", Text: fmt.Sprintf("%q is not the plan's (want %s)", brief(said.Split), item.Split)})
	}
	if said.Tier != uplift.Untiered && said.Tier != item.Tier {
		bad = append(bad, interop.Problem{Field: "tier", Text: fmt.Sprintf("%q is not the plan's, which is sealed (leave the column out)", said.Tier)})
	}
	return bad
}

func upTo(last int) string {
	if last == 0 {
		return "0"
	}
	return fmt.Sprintf("0 to %d", last)
}

// brief keeps a message short whatever a file holds.
func brief(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most-3], "") + "..."
}

// want says what may stand in place of an unknown name of a kind.
func (p *plannedCells) want(kind, name string, names []string) string {
	const kept = 1000 // unknown names, then every one is told alike
	key := kind + "\x00" + name
	says, ok := p.wanted[key]
	if !ok && len(p.wanted) < kept {
		says = strictyaml.Wanted(name, names)
		p.wanted[key] = says
	}
	if says == "" || strings.HasPrefix(says, "want ") { // which may list thousands
		return "want " + oneOf(names)
	}
	return says
}

// oneOf is "a, b or c", or the first of many.
func oneOf(names []string) string {
	const most = 6
	if n := len(names); n > most {
		return fmt.Sprintf("%s or one of %d more", strings.Join(names[:most-1], ", "), n-most+1)
	}
	return strictyaml.Or(names)
}
