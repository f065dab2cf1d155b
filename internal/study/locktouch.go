package study

import (
	"slices"
	"strings"
)

// Touches says which numbers a change of a locked plan makes post hoc. The
// lists are names; All stands for every number. The zero value touches none.
type Touches struct {
	All        bool     `json:"all,omitempty"`
	Models     []string `json:"models,omitempty"`
	Conditions []string `json:"conditions,omitempty"` // those that act on their drafts included
	Endpoints  []string `json:"endpoints,omitempty"`
}

// touching follows each change to the numbers behind it. What is not known to
// reach less reaches all.
func touching(changes []Change, drafts map[string][]string) Touches {
	var t Touches
	for _, c := range changes {
		switch part := segments(c.Path); part[0] {
		case "conditions":
			if len(part) > 1 {
				t.Conditions = append(append(t.Conditions, part[1]), drafts[part[1]]...)
			} else {
				t.All = true
			}
		case "models":
			t.Models = append(t.Models, part[1])
		case "endpoints":
			t.Endpoints = append(t.Endpoints, part[1])
		case "quarantine": // with another key others open a text; without any it is not kept at all
			t.All = t.All || c.Old == nil || c.New == nil
		case "name":
		case "orders":
			t.All = t.All || c.Path == "orders.tasks"
		default:
			t.All = true
		}
	}
	for _, list := range []*[]string{&t.Models, &t.Conditions, &t.Endpoints} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return t
}

// Altered lists what is asked, or answered, otherwise than it was under fields
// that were locked before: models and conditions that are changed or gone, with
// the conditions that act on the drafts of these. New ones are not listed.
func Altered(changes []Change, before []Field) (models, conditions []string) {
	known := map[string]bool{}
	for _, f := range before {
		if part := segments(f.Path); len(part) > 1 {
			known[part[0]+"\x00"+part[1]] = true
		}
	}
	drafts := drafters(before)
	for _, c := range changes {
		part := segments(c.Path)
		if len(part) < 3 || !known[part[0]+"\x00"+part[1]] {
			continue
		}
		switch {
		case part[0] == "models":
			models = append(models, part[1])
		case part[0] == "conditions" && !slices.Contains([]string{"client", "same_base"}, part[2]):
			conditions = append(append(conditions, part[1]), drafts[part[1]]...)
		}
	}
	slices.Sort(models)
	slices.Sort(conditions)
	return slices.Compact(models), slices.Compact(conditions)
}

// drafters maps a condition to those that act on its drafts.
func drafters(lists ...[]Field) map[string][]string {
	out := map[string][]string{}
	for _, list := range lists {
		for _, f := range list {
			part := segments(f.Path)
			if len(part) != 3 || part[0] != "conditions" || part[2] != "draft" {
				continue
			}
			from := strings.Trim(string(f.Value), `"`) // a name: nothing in it is escaped
			if !slices.Contains(out[from], part[1]) {
				out[from] = append(out[from], part[1])
			}
		}
	}
	return out
}

// segments takes a path apart; see segment.
func segments(path string) []string {
	var out []string
	for path != "" {
		if rest, ok := strings.CutPrefix(path, `["`); ok {
			name, after, _ := strings.Cut(rest, `"]`)
			out, path = append(out, name), strings.TrimPrefix(after, ".")
			continue
		}
		name, after, _ := strings.Cut(path, ".")
		out, path = append(out, name), after
	}
	return out
}
