package benchmark

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	uplift "github.com/uplift-eval/uplift"
)

// HazardFields are the fields whose rows of a hazardous set are left out unless a
// study names them; benign ones stay in.
func HazardFields() []string { return []string{biology, chemistry} }

const (
	biology   = "biology"
	chemistry = "chemistry"
)

// hints are parts of everyday words that tell a request of biology or
// chemistry. Most sets have no category for these, so the words of a row are
// looked at. They are a wide net: a computer virus and an autobiography are
// caught as well, which leaves out a row too many rather than one too few. It
// is no proof that nothing is left: a letter of another script that looks alike
// is not seen, nor a word of another language.
var hints = []struct {
	field string
	parts []string
}{
	{biology, strings.Fields("bio pathogen bacteri virus viral virolog microb toxin infect contagio pandemic epidemic")},
	{chemistry, strings.Fields("chem poison toxic explosiv bomb drug narcotic")},
}

// screen leaves out the rows of biology and chemistry that no study named,
// unless they are benign. Sources without real hazards keep everything.
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
	if t.Tier == uplift.Benign {
		return ""
	}
	said := folded(wording(t))
	var out []string
	for _, h := range hints {
		in := func(part string) bool { return strings.Contains(said, part) }
		if !slices.Contains(include, h.field) && slices.ContainsFunc(h.parts, in) {
			out = append(out, h.field)
		}
	}
	return strings.Join(out, " and ")
}

// folded is a text in lower case without what an eye does not tell apart: full
// width and other forms of a letter, accents, and signs that are not seen. A
// scheme, which has no more than four letters of chemistry, is left out.
func folded(s string) string {
	unseen := func(r rune) rune {
		if unicode.In(r, unicode.Mn, unicode.Cf) {
			return -1
		}
		return r
	}
	s = strings.ToLower(strings.Map(unseen, norm.NFKD.String(s)))
	return strings.ReplaceAll(s, "scheme", " ")
}

// wording is everything that a task says: its names, texts and points.
func wording(t uplift.Task) string {
	var all []string
	for _, f := range fields {
		all = append(all, f.texts(&t)...)
	}
	return strings.Join(all, "\n")
}
