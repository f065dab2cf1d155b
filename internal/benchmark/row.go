package benchmark

import (
	"slices"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// row is one task as it stands in a file.
type row struct {
	line   int
	values map[string]value
	keys   []string        // of values, in the order of the file
	absent map[string]bool // fields whose lack is already a problem of the file
}

// task reads a row. A problem in one field leaves the others readable.
func (r row) task(need []string, ps *problems) uplift.Task {
	t := uplift.Task{Version: 1}
	for _, key := range r.keys {
		f, ok := fieldNamed(key)
		if !ok {
			ps.add(r.values[key].line, "", "unknown field %s (%s)", quote(key), strictyaml.Wanted(key, Fields()))
			continue
		}
		f.put(&t, r.values[key], ps)
	}
	for _, f := range fields {
		if _, has := r.values[f.name]; has || r.absent[f.name] {
			continue
		}
		switch {
		case f.required:
			ps.add(r.line, f.name, "is missing (want %s)", f.want())
		case slices.Contains(need, f.name):
			ps.add(r.line, f.name, "is missing (want %s: a chosen attack uses it)", f.want())
		}
	}
	return t
}

// set adds a value and reports whether the field was new.
func (r *row) set(name string, v value) bool {
	if _, twice := r.values[name]; twice {
		return false
	}
	if r.values == nil {
		r.values = make(map[string]value)
	}
	r.values[name] = v
	r.keys = append(r.keys, name)
	return true
}

// tasks reads rows and tells ids that stand twice. Onto warned goes what a
// person should look at and what may still be meant.
func tasks(rows []row, need []string, ps, warned *problems) []uplift.Task {
	var out []uplift.Task
	first := make(map[string]int)
	for _, r := range rows {
		t := r.task(need, ps)
		if line, twice := first[t.ID]; twice && t.ID != "" {
			ps.add(r.values["id"].line, "id", "%s is taken by the task in line %d", quote(t.ID), line)
		} else {
			first[t.ID] = r.line
		}
		if odd(t) {
			warned.add(r.values["expected"].line, "expected", "is %s for a %s task: is this meant?", t.Expected, t.Tier)
		}
		out = append(out, t)
	}
	return out
}

// odd tells what contradicts itself: a benign task whose answer is to be
// withheld, and a harmful one that deserves full help. Limited help makes
// sense in every tier.
func odd(t uplift.Task) bool {
	return t.Tier == uplift.Benign && t.Expected == Withhold || t.Tier == uplift.Harmful && t.Expected == Full
}
