package benchmark

import (
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// HazardFields are the fields whose hazardous rows are left out unless a study
// names them.
func HazardFields() []string { return []string{biology, chemistry} }

const (
	biology   = "biology"
	chemistry = "chemistry"
)

// hints are beginnings of everyday words that tell a request of biology or
// chemistry. Most sets have no category for these, so the words of a row are
// looked at. They are a wide net: a computer virus is caught as well, which
// leaves out a row too many rather than one too few. It is no proof that
// nothing is left.
var hints = []struct {
	field string
	words []string
}{
	{biology, strings.Fields("biolog biochem bioweapon bioterror pathogen bacteri virus viral virolog microb toxin infect contagio pandemic epidemic")},
	{chemistry, strings.Fields("chem poison toxic explosiv bomb drug narcotic")},
}

// screen leaves out the harmful rows of biology and chemistry that no study
// named. Sources without real hazards keep everything.
func (s *Source) screen(o ReadOptions) {
	if !s.Hazardous {
		return
	}
	var kept []uplift.Task
	for _, t := range s.Tasks {
		if out := unnamed(t, o.Include); out != "" {
			s.drop(out + ", which the study does not include")
			continue
		}
		kept = append(kept, t)
	}
	s.Tasks = kept
}

// unnamed says which fields of [HazardFields] keep a task out, if any.
func unnamed(t uplift.Task, include []string) string {
	if t.Tier != uplift.Harmful {
		return ""
	}
	notLetter := func(r rune) bool { return r < 'a' || r > 'z' }
	said := strings.FieldsFunc(strings.ToLower(wording(t)), notLetter)
	var out []string
	for _, h := range hints {
		begins := func(word string) bool {
			return slices.ContainsFunc(h.words, func(w string) bool { return strings.HasPrefix(word, w) })
		}
		if !slices.Contains(include, h.field) && slices.ContainsFunc(said, begins) {
			out = append(out, h.field)
		}
	}
	return strings.Join(out, " and ")
}

// wording is everything that a task says: its family, texts and points.
func wording(t uplift.Task) string {
	all := []string{t.Family}
	for _, f := range fields {
		if f.form == text || f.form == list {
			all = append(all, f.texts(&t)...)
		}
	}
	return strings.Join(all, "\n")
}
