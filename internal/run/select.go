package run

import (
	"fmt"
	"slices"
	"strings"
)

// Only selects cells: those that meet one selector of every field that is
// named. The zero value selects all.
type Only map[string][]string

// fields are what a selector may name.
var fields = []string{"model", "condition", "task", "attack", "split", "id"}

// ParseOnly reads selectors of the form field=value. A value of the field id is
// the id of a response, or the beginning of one.
func ParseOnly(list []string) (Only, error) {
	only := Only{}
	for _, s := range list {
		field, value, ok := strings.Cut(s, "=")
		switch {
		case !ok || value == "":
			return nil, fmt.Errorf("%q (want field=value, such as condition=helpful)", s)
		case !slices.Contains(fields, field):
			return nil, fmt.Errorf("unknown field %q (want %s or %s)", field, strings.Join(fields[:len(fields)-1], ", "), fields[len(fields)-1])
		}
		only[field] = append(only[field], value)
	}
	return only, nil
}

// has reports whether a cell is selected.
func (o Only) has(w Work) bool {
	for field, values := range o {
		is := map[string]string{"model": w.Cell.Model, "condition": w.Cell.Condition, "task": w.Cell.Task,
			"attack": w.Cell.Attack, "split": w.Item.Split}[field]
		if field == "id" {
			id := w.Cell.ID()
			if !slices.ContainsFunc(values, func(v string) bool { return strings.HasPrefix(id, v) }) {
				return false
			}
		} else if !slices.Contains(values, is) {
			return false
		}
	}
	return true
}

// unused names a selector that no cell of the study meets, so that a misspelt
// one is no empty run; empty when there is none.
func (o Only) unused(s Spec) string {
	for _, field := range fields {
		for _, v := range o[field] {
			alone := Only{field: {v}}
			found := false
			for _, w := range s.cells() {
				if found = alone.has(w); found {
					break
				}
			}
			if !found {
				return field + "=" + v
			}
		}
	}
	return ""
}
