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
		part := segments(c.Path)
		of := part[min(1, len(part)-1)]
		switch {
		case len(part) > 1 && part[0] == "conditions":
			t.Conditions = append(append(t.Conditions, of), drafts[of]...)
		case len(part) > 1 && part[0] == "models":
			t.Models = append(t.Models, of)
		case len(part) > 1 && part[0] == "endpoints":
			t.Endpoints = append(t.Endpoints, of)
		case part[0] == "quarantine": // with another key others open a text; without any it is not kept at all
			t.All = t.All || c.Old == nil || c.New == nil
		case slices.Contains(touchNone, c.Path):
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

// touchNone are the fields on which no number depends: in which order cells are
// asked, whether bodies are stored, and the study's name.
var touchNone = []string{"name", "orders.cells", "orders.conditions", "orders.models", "raw"}

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

// drafters maps a condition to those that act on its drafts. Of a plan that has
// changed those before are enough: one that begins to draft has changed itself.
func drafters(before []Field) map[string][]string {
	out := map[string][]string{}
	for _, f := range before {
		part := segments(f.Path)
		if len(part) != 3 || part[0] != "conditions" || part[2] != "draft" {
			continue
		}
		from := strings.Trim(string(f.Value), `"`) // a name: nothing in it is escaped
		out[from] = append(out[from], part[1])
	}
	return out
}

// segments is a path's parts, at least one; of a path without a known form
// the whole.
func segments(path string) []string {
	if parts, ok := splitPath(path); ok {
		return parts
	}
	return []string{path}
}
