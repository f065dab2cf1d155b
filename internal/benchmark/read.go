package benchmark

import (
	"fmt"
	"path"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// ReadOptions say how a task file is to be read.
type ReadOptions struct {
	Format  string   // one of [Formats] for another project's file; empty for our own schema
	Subset  string   // which part of a format whose columns do not say it, see [Subsets]
	Split   string   // the split of another project's tasks; empty: train
	Need    []string // the fields of a task that the chosen attacks use
	Hazard  bool     // the file holds real hazardous requests, and somebody answers for it
	Include []string // the fields of [HazardFields] whose hazardous rows stay in
}

// Source is what a task file holds.
type Source struct {
	Tasks     []uplift.Task // in the order of the file
	Licence   string        // of another project's set, with where it comes from
	Hazardous bool          // real hazardous requests are among the tasks
	Canary    string        // of a YAML file's header; in no text that is sent
	Dropped   []Dropped     // rows that were left out by rule
	Odd       int           // tasks that deserve help which does not fit their tier
	Warnings  []Problem     // which they are; this tells their tiers, which are sealed
}

// Dropped counts rows that were left out for one reason.
type Dropped struct {
	Rows   int
	Reason string
}

// String is the count with its reason.
func (d Dropped) String() string {
	if d.Rows == 1 {
		return "1 row left out: " + d.Reason
	}
	return fmt.Sprintf("%d rows left out: %s", d.Rows, d.Reason)
}

// extensions are the file names that tell our own schema's forms apart.
var extensions = []string{".jsonl", ".ndjson", ".yaml", ".yml", ".csv"}

// Readable reports whether a file of our own schema may have the name.
func Readable(name string) bool { return slices.Contains(extensions, extension(name)) }

// Extensions says in words how a task file's name ends.
func Extensions() string { return strictyaml.Or(extensions) }

func extension(name string) string { return strings.ToLower(path.Ext(name)) }

// Read reads a task file. The name stands in errors, and tells JSON Lines,
// YAML and CSV apart. The error is an [*Error] with every problem of the file.
func Read(name string, data []byte, o ReadOptions) (*Source, error) {
	ps := newProblems()
	src := &Source{}
	switch {
	case len(data) > MaxBytes:
		ps.add(0, "", "is larger than %d MB", MaxBytes>>20)
	case o.Format != "":
		src.foreign(name, plain(data, ps), o, ps)
	default:
		src.own(name, plain(data, ps), o, ps)
	}
	if ps.Count() == 0 {
		src.screen(o)
		if len(src.Tasks) == 0 {
			ps.add(0, "", "holds no task%s", leftOut(src.Dropped))
		}
	}
	if err := ps.Err(name); err != nil {
		return nil, err
	}
	return src, nil
}

// own reads our own schema.
func (s *Source) own(name string, data []byte, o ReadOptions, ps *problems) {
	var rows []row
	switch extension(name) {
	case ".jsonl", ".ndjson":
		rows = jsonLines(data, ps)
	case ".yaml", ".yml":
		var h header
		h, rows = yamlTasks(data, ps)
		s.Canary = h.canary
	case ".csv":
		rows = csvTasks(data, o.Need, ps)
	default:
		ps.add(0, "", "has a name that tells no form (want one that ends in %s)", Extensions())
		return
	}
	odd := newProblems()
	s.Tasks = tasks(rows, o.Need, ps, odd)
	s.Odd, s.Warnings = odd.Count(), odd.Said()
	s.Hazardous = o.Hazard
	if s.Canary != "" {
		hideCanary(s.Canary, s.Tasks, rows, ps)
	}
}

// hideCanary names the fields that hold the canary: a text that is sent would
// carry it into logs and into training data.
func hideCanary(canary string, tasks []uplift.Task, rows []row, ps *problems) {
	for i, t := range tasks {
		for _, f := range fields {
			for _, s := range f.texts(&t) {
				if strings.Contains(s, canary) {
					ps.add(rows[i].values[f.name].line, f.name, "holds the canary, which belongs in the header alone")
				}
			}
		}
	}
}

// texts are the texts that the field holds.
func (f field) texts(t *uplift.Task) []string {
	switch {
	case f.many != nil:
		return *f.many(t)
	case f.at != nil:
		return []string{*f.at(t)}
	}
	return nil
}

func leftOut(dropped []Dropped) string {
	if len(dropped) == 0 {
		return ""
	}
	var why []string
	for _, d := range dropped {
		why = append(why, d.String())
	}
	return " (" + strings.Join(why, "; ") + ")"
}
