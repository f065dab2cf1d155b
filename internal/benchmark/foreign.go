package benchmark

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// format is another project's task set as it publishes it: CSV with a header.
type format struct {
	name    string
	licence string
	columns []string // those that are needed; others are read when they are there, or ignored
	subsets []string // the parts whose columns are alike; empty when the file says all
	harmful []string // the subsets of real hazardous requests; nil: none of the file
	whole   bool     // the whole file is of real hazardous requests
	read    func(r record) (uplift.Task, string, bool)
}

// formats are the sets that are known, in the order in which they are documented.
var formats = []format{
	{name: "xstest", columns: []string{"id", "prompt", "type", "label"}, read: xstest,
		licence: "XSTest, Röttger et al. 2024, CC-BY-4.0"},
	{name: "or-bench", columns: []string{"prompt", "category"}, read: orBench,
		subsets: []string{"80k", "hard-1k", "toxic"}, harmful: []string{"toxic"},
		licence: "OR-Bench, Cui et al. 2025, CC-BY-4.0"},
	{name: "jailbreakbench", columns: []string{"Goal", "Category"}, read: jailbreakBench,
		subsets: []string{"harmful", "benign"}, harmful: []string{"harmful"},
		licence: "JailbreakBench (JBB-Behaviors), Chao et al. 2024, MIT; part of it from AdvBench and HarmBench"},
	{name: "harmbench", columns: []string{"Behavior", "FunctionalCategory", "SemanticCategory", "BehaviorID"}, read: harmBench, whole: true,
		licence: "HarmBench, Mazeika et al. 2024, MIT"},
	{name: "do-not-answer", columns: []string{"id", "types_of_harm", "question"}, read: doNotAnswer, whole: true,
		licence: "Do-Not-Answer, Wang et al. 2024, Apache-2.0 on its data card and CC-BY-NC-SA-4.0 in its repository: the stricter one forbids commercial use"},
	{name: "strongreject", columns: []string{"category", "forbidden_prompt"}, read: strongReject, whole: true,
		licence: "StrongREJECT, Souly et al. 2024, MIT; its prompts come from several sources, some without a licence"},
}

// Formats lists the formats of other projects that [Read] knows.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

func formatNamed(name string) (format, bool) {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i < 0 {
		return format{}, false
	}
	return formats[i], true
}

// Subsets lists the parts of a format of which one has to be named, because
// their columns are alike; nil when there are none.
func Subsets(name string) []string {
	f, _ := formatNamed(name)
	return slices.Clone(f.subsets)
}

// Hazardous reports whether a format, or its subset, is of real hazardous
// requests: reading it takes somebody who answers for it.
func Hazardous(name, subset string) bool {
	f, _ := formatNamed(name)
	return f.whole || slices.Contains(f.harmful, subset)
}

// foreign reads another project's file.
func (s *Source) foreign(name string, data []byte, o ReadOptions, ps *problems) {
	f, known := formatNamed(o.Format)
	switch {
	case !known:
		ps.add(0, "", "unknown format %s (%s)", quote(o.Format), strictyaml.Wanted(o.Format, Formats()))
		return
	case len(f.subsets) > 0 && !slices.Contains(f.subsets, o.Subset):
		ps.add(0, "", "subset %s is none of %s (want %s: the columns do not say which it is)", quote(o.Subset), f.name, strictyaml.Or(f.subsets))
		return
	case len(f.subsets) == 0 && o.Subset != "":
		ps.add(0, "", "subset %s: %s has none (leave it out)", quote(o.Subset), f.name)
		return
	}
	f.lacks(o.Need, ps)
	s.Licence, s.Hazardous = f.licence, Hazardous(o.Format, o.Subset)
	if t, ok := openTable(data, ps); ok && f.has(t, ps) {
		s.records(f, t, o, ps)
	}
}

// brought are the fields that a row of another project fills.
var brought = []string{"id", "split", "tier", "family", "ask", "expected"}

// lacks names once what no row of such a file can have.
func (f format) lacks(need []string, ps *problems) {
	for _, name := range need {
		if !slices.Contains(brought, name) {
			ps.add(0, name, "is in no %s file, and a chosen attack uses it (want attacks that need the ask alone, such as direct)", f.name)
		}
	}
}

// has tells whether a file has the columns that are needed.
func (f format) has(t *table, ps *problems) bool {
	ok := true
	for _, name := range f.columns {
		if !slices.Contains(t.header, name) {
			ps.add(1, name, "no such column (want a %s file, with %s)", f.name, and(f.columns))
			ok = false
		}
	}
	return ok
}

// records reads the rows below the header.
func (s *Source) records(f format, t *table, o ReadOptions, ps *problems) {
	first := make(map[string]int)
	for {
		cells, n, ok := t.record()
		if !ok {
			return
		}
		before := ps.Count()
		r := record{line: n, cells: cells, header: t.header, subset: o.Subset, format: f.name, ps: ps}
		task, out, named := f.read(r)
		if out != "" {
			s.drop(out)
			continue
		}
		task.Split, task.Version = o.Split, 1
		if task.Split == "" {
			task.Split = uplift.Train
		}
		if ps.Count() > before {
			continue
		}
		switch at, twice := first[task.ID]; {
		case twice && named:
			ps.add(n, "", "the id %s is taken by the row in line %d", quote(task.ID), at)
			continue
		case twice:
			s.drop("the text of an earlier row")
			continue
		}
		first[task.ID] = n
		s.Tasks = append(s.Tasks, task)
	}
}

// drop counts a row that is left out.
func (s *Source) drop(reason string) {
	for i := range s.Dropped {
		if s.Dropped[i].Reason == reason {
			s.Dropped[i].Rows++
			return
		}
	}
	s.Dropped = append(s.Dropped, Dropped{1, reason})
}

// record is one row of another project's file.
type record struct {
	line           int
	header, cells  []string
	format, subset string
	ps             *problems
}

// cell is the row's cell in a column; it is empty when there is no such column.
func (r record) cell(column string) string {
	if i := slices.Index(r.header, column); i >= 0 {
		return unixLines(r.cells[i])
	}
	return ""
}

// text is a cell that can be sent and shown.
func (r record) text(column string) string {
	s := r.cell(column)
	if why := refuseText(s); why != "" {
		r.ps.add(r.line, column, "%s", why)
	}
	return s
}

// name is a cell that can name a family.
func (r record) name(column string) string {
	s := r.cell(column)
	if why := (field{form: line}).refuse(s); why != "" {
		r.ps.add(r.line, column, "%s", why)
	}
	return s
}

// id is a cell that can name a task; named is false when there is none, and
// the task's text names it.
func (r record) id(column, ask string) (id string, named bool) {
	if s := r.cell(column); s != "" && (field{form: word}).refuse(s) == "" {
		return s, true
	}
	sum := sha256.Sum256([]byte(r.format + "\n" + ask))
	return hex.EncodeToString(sum[:8]), false
}

// and writes names as "a, b and c".
func and(names []string) string {
	n := len(names)
	if n < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
}
