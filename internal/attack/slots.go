package attack

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// slot is a field of a task in braces.
var slot = regexp.MustCompile(`\{([a-z_]+)\}`)

// fields are the slots that a template may use, in the order of a task's
// fields.
var fields = []struct {
	name string
	of   func(uplift.Task) string
}{
	{"ask", func(t uplift.Task) string { return t.Ask }},
	{"ask_alt", func(t uplift.Task) string { return t.AskAlt }},
	{"topic_open", func(t uplift.Task) string { return t.TopicOpen }},
	{"ask_general", func(t uplift.Task) string { return t.AskGeneral }},
	{"focus", func(t uplift.Task) string { return t.Focus }},
	{"noun", func(t uplift.Task) string { return t.Noun }},
	{"hard_negative", func(t uplift.Task) string { return t.HardNegative }},
}

// slots lists the slots of a form, each once, in the order of first use.
func (f form) slots() []string {
	var names []string
	for _, text := range f.templates() {
		for _, m := range slot.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(names, m[1]) {
				names = append(names, m[1])
			}
		}
	}
	return names
}

// Needs lists the fields of a task that the attacks use, in the order of a
// task's fields. Names that [Expand] rejects use none.
func Needs(attacks []string) []string {
	var used []string
	names, _ := Expand(attacks)
	for _, name := range names {
		used = append(used, find(name).slots()...)
	}
	var needs []string
	for _, f := range fields {
		if slices.Contains(used, f.name) {
			needs = append(needs, f.name)
		}
	}
	return needs
}

// filler fills the templates of one task's forms. A slot's text is never
// filled in turn.
type filler struct {
	replace *strings.Replacer
	empty   []string
}

func fill(t uplift.Task) filler {
	var f filler
	var pairs []string
	for _, field := range fields {
		text := strings.TrimSpace(field.of(t))
		if text == "" {
			f.empty = append(f.empty, field.name)
		}
		pairs = append(pairs, "{"+field.name+"}", text)
	}
	f.replace = strings.NewReplacer(pairs...)
	return f
}

// check says which of a form's slots the task leaves empty, one error each.
func (f filler) check(t uplift.Task, used form, slots []string) error {
	var problems []error
	for _, s := range slots {
		if slices.Contains(f.empty, s) {
			problems = append(problems, fmt.Errorf("attack %s: task %s: no %s", used.name, t.ID, s))
		}
	}
	return errors.Join(problems...)
}

// all fills several templates.
func (f filler) all(templates []string) []string {
	out := make([]string, len(templates))
	for i, text := range templates {
		out[i] = f.replace.Replace(text)
	}
	return out
}

// next fills a probe's second turn; nil stays nil.
func (f filler) next(n *uplift.Next) *uplift.Next {
	if n == nil {
		return nil
	}
	return &uplift.Next{Refused: f.replace.Replace(n.Refused), Limited: f.replace.Replace(n.Limited), Full: f.replace.Replace(n.Full)}
}
