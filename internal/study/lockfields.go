package study

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/benchmark"
)

// Asked is what stands behind a plan's names, and is locked with it.
type Asked struct {
	Tasks     []uplift.Task
	Items     []uplift.Item     // in the order in which they are asked
	Private   bool              // a user's own tasks, of which no single one is told
	Templates string            // digest of the forms in which tasks are asked
	Policies  map[string]string // condition: digest of its policy with cuts
	Rubric    string            // digest of what raters are told
	Cards     []Card            // what raters are told of each item
	Analysis  Analysis
}

// Card is what raters are told of an item: how much help is due, and what it
// should say.
type Card struct {
	Task      string   `json:"task"`
	Attack    string   `json:"attack"`
	Expected  string   `json:"expected"` // full, limited or withhold
	KeyPoints []string `json:"key_points"`
}

// Analysis is how the labels are going to be analysed.
type Analysis struct {
	Cluster   string  `json:"cluster"`   // the independent unit: task or family
	Level     float64 `json:"level"`     // of every interval
	Interval  string  `json:"interval"`  // method of the headline
	Test      string  `json:"test"`      // whose p is printed beside it
	Adjust    string  `json:"adjust"`    // of the p in a family
	Resamples int     `json:"resamples"` // of every bootstrap of a contrast; the seed is the plan's
}

// Fields lists all that a lock of the study holds, by path. Every field of the
// plan is in it, also those that are added to the plan in the future, but for
// the limits of a run, which say where it stops for now. What has no digest and
// needs one is an error.
func (s *Study) Fields(a Asked) ([]Field, error) {
	list := &fieldList{}
	list.plan(s.plan)
	list.asked(s.plan, a)
	slices.SortFunc(list.fields, func(a, b Field) int { return cmp.Compare(a.Path, b.Path) })
	return list.fields, list.err
}

// fieldList gathers fields; the first error stays.
type fieldList struct {
	fields []Field
	err    error
}

func (l *fieldList) value(path string, v any) {
	b, err := canonicalOf(v)
	l.err = cmp.Or(l.err, err)
	l.fields = append(l.fields, Field{path, Content{Value: b}})
}

func (l *fieldList) hash(path, sha256, file string) {
	if sha256 == "" {
		l.err = cmp.Or(l.err, fmt.Errorf("%s: has no SHA-256, so it cannot be locked", path))
	}
	l.fields = append(l.fields, Field{path, Content{SHA256: sha256, File: file}})
}

// hashOf is the hash of a value's canonical form.
func (l *fieldList) hashOf(path string, v any) {
	b, err := canonicalOf(v)
	l.err = cmp.Or(l.err, err)
	l.hash(path, sum(b), "")
}

// plan walks the plan's own canonical form.
func (l *fieldList) plan(p Plan) {
	v, err := decoded(p)
	if err != nil {
		l.err = cmp.Or(l.err, err)
		return
	}
	tree := v.(map[string]any)
	delete(tree, "limits")
	for _, e := range p.Endpoints { // the form leaves the usual way out
		tree["endpoints"].(map[string]any)[e.Name].(map[string]any)["better"] = e.Better
	}
	for i, c := range p.Conditions.List {
		if c.System != nil {
			delete(tree["conditions"].([]any)[i].(map[string]any), "system")
			l.hash("conditions."+segment(c.Name)+".system", sum([]byte(c.System.Value)), c.System.File)
		}
	}
	l.walk("", tree)
	if !p.Conditions.Imported {
		l.value("orders.models", names(p.Models, func(m Model) string { return m.Name }))
		l.value("orders.conditions", names(p.Conditions.List, func(c Condition) string { return c.Name }))
	}
}

func names[T any](list []T, name func(T) string) []string {
	out := make([]string, 0, len(list))
	for _, v := range list {
		out = append(out, name(v))
	}
	return out
}

func (l *fieldList) walk(path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		if file, ok := v["file"].(string); ok {
			pinned, _ := v["sha256"].(string)
			if pinned != "" || !strings.HasSuffix(path, ".policy") { // the digest of a policy is locked beside it
				l.hash(join(path, "file"), pinned, file)
			}
			delete(v, "file")
			delete(v, "sha256")
		}
		for key, inner := range v {
			l.walk(join(path, segment(key)), inner)
		}
	case []any:
		if !haveNames(v) {
			l.value(path, v)
			return
		}
		for _, inner := range v {
			l.walk(path+"."+segment(inner.(map[string]any)["name"].(string)), inner)
		}
	default:
		l.value(path, v)
	}
}

// haveNames reports whether a list holds things with names.
func haveNames(list []any) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(v any) bool {
		m, ok := v.(map[string]any)
		if !ok {
			return true
		}
		_, ok = m["name"].(string)
		return !ok
	})
}

// asked adds what the plan only names.
func (l *fieldList) asked(p Plan, a Asked) {
	v, err := decoded(a.Analysis)
	l.err = cmp.Or(l.err, err)
	l.walk("analysis", v)
	for condition, digest := range a.Policies {
		l.hash("conditions."+segment(condition)+".controller.digest", digest, "")
	}
	if len(a.Tasks) == 0 {
		return
	}
	l.tasks(p.Seed, a)
	l.value("locked_splits", LockedSplits(p, a.Tasks))
	l.hash("attacks.templates", a.Templates, "")
	l.hash("rubric", a.Rubric, "")
	l.hashOf("cards", a.Cards)
	groups := map[[2]string][]uplift.Item{}
	for _, i := range a.Items {
		key := [2]string{i.Split, i.Attack}
		groups[key] = append(groups[key], i)
	}
	for key, items := range groups {
		l.hashOf("items."+segment(key[0])+"."+segment(key[1]), items)
	}
	l.hash("orders.cells", sum(cellOrder(p, a.Items)), "")
}

func (l *fieldList) tasks(seed uint64, a Asked) {
	tasks := slices.SortedFunc(slices.Values(a.Tasks), func(a, b uplift.Task) int { return cmp.Compare(a.ID, b.ID) })
	l.hash("tasks", benchmark.Digest(tasks), "")
	for _, t := range tasks {
		if !a.Private {
			l.hashOf("tasks."+segment(t.ID), t)
		}
	}
	l.hashOf("orders.tasks", TaskOrder(seed, names(tasks, func(t uplift.Task) string { return t.ID })))
}

// decoded is a value in the terms of encoding/json.
func decoded(v any) (out any, err error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	return out, dec.Decode(&out)
}

var plainSegment = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// segment is a name as a part of a path; one with a dot is quoted, so that no
// two paths are equal.
func segment(name string) string {
	if plainSegment.MatchString(name) {
		return name
	}
	return fmt.Sprintf("[%q]", name)
}
