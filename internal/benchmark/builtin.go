package benchmark

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"

	uplift "github.com/uplift-eval/uplift"
)

// embedded holds one file a family: the base tasks in builtin/a, those of the
// split test-b in builtin/b. No file is named after a tier, so that no path can
// give one away.
//
//go:embed builtin
var embedded embed.FS

// File is one embedded file: the tasks of one family.
type File struct {
	Name   string // such as a/statistics.yaml
	Canary string // a UUID that stands in the file's head and nowhere else
	Family string
	Tier   uplift.Tier
	Data   []byte
}

// Files are the embedded files in the order of their names.
func Files() []File {
	out := slices.Clone(embeddedFiles())
	for i := range out {
		out[i].Data = slices.Clone(out[i].Data)
	}
	return out
}

// embeddedFiles reads the heads once.
var embeddedFiles = sync.OnceValue(func() []File {
	var out []File
	names, err := fs.Glob(embedded, "builtin/[ab]/*.yaml")
	if err != nil {
		panic(err) // the pattern is fixed
	}
	for _, name := range names {
		data, err := embedded.ReadFile(name)
		if err != nil {
			panic(err) // it is embedded
		}
		h, _ := yamlTasks(data, newProblems())
		out = append(out, File{
			Name: strings.TrimPrefix(name, "builtin/"), Canary: h.canary,
			Family: h.values["family"].text, Tier: uplift.Tier(h.values["tier"].text), Data: data,
		})
	}
	return out
})

// Nouns are the surrogate nouns: what a harmful task names in place of
// substance. Each stands in tasks of several tiers, so that it is no label.
func Nouns() []string {
	data, err := embedded.ReadFile("builtin/nouns.txt")
	if err != nil {
		panic(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// readSet reads the embedded files once.
var readSet = sync.OnceValues(func() ([]uplift.Task, error) {
	var all []uplift.Task
	ps := newProblems() // of the set as a whole
	for _, f := range embeddedFiles() {
		tasks, err := f.read()
		if err != nil {
			return nil, fmt.Errorf("benchmark: %w", err)
		}
		all = append(all, tasks...)
	}
	slices.SortFunc(all, func(a, b uplift.Task) int { return strings.Compare(a.ID, b.ID) })
	for i := 1; i < len(all); i++ {
		if all[i].ID == all[i-1].ID {
			ps.add(0, "id", "%s names two tasks", quote(all[i].ID))
		}
	}
	return all, ps.Err("benchmark: " + Builtin)
})

var (
	idShape     = regexp.MustCompile(`^[bcdfghjkmnpqrstvwxz2-9]{8}$`)
	canaryShape = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
)

// read is stricter than a user's file asks for: a task of the set has every
// field, its tier and help are its file's, and its id is random.
func (f File) read() ([]uplift.Task, error) {
	ps := newProblems()
	h, rows := yamlTasks(plain(f.Data, ps), ps)
	every := slices.DeleteFunc(Fields(), func(name string) bool { return name == "version" })
	out := tasks(rows, every, ps, ps) // what contradicts itself is a problem too
	if !canaryShape.MatchString(h.canary) {
		ps.add(h.line, "canary", "%s is no random UUID (want version 4, in lower case)", quote(h.canary))
	}
	for _, key := range []string{"family", "tier", "expected"} {
		if _, ok := h.values[key]; !ok {
			ps.add(h.line, key, "is missing in the head")
		}
		for _, r := range rows {
			if v := r.values[key]; v.line != h.values[key].line {
				ps.add(v.line, key, "stands in a task (want it in the head alone)")
			}
		}
	}
	for i, t := range out {
		if t.ID != "" && !idShape.MatchString(t.ID) {
			ps.add(rows[i].line, "id", "%s is not random (want eight of bcdfghjkmnpqrstvwxz23456789)", quote(t.ID))
		}
	}
	return out, ps.Err(f.Name)
}
