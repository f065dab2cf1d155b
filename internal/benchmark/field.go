package benchmark

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// form is what a field's value looks like. The zero form is invalid.
type form int

const (
	text  form = iota + 1
	line       // a text without a line break, at most maxName characters
	word       // a line without spaces
	list       // of texts
	whole      // a number from 1 to maxVersion
	other      // nothing that a field takes
)

const (
	maxName    = 128     // characters of an id or a family
	maxText    = 1 << 20 // bytes of any text
	maxPoints  = 1000    // entries of a list; a rater reads them all
	maxVersion = 1_000_000
)

// value is what stands for a field in a file, before it is judged.
type value struct {
	line int
	form form // text, list, whole or other
	text string
	list []string
	n    int
	says string // of a whole or another value: what it is, such as "is the number 12"
}

// field is one field of a task.
type field struct {
	name     string
	form     form
	required bool
	words    []string // the values that it may have; nil for any
	at       func(*uplift.Task) *string
	many     func(*uplift.Task) *[]string
}

// fields are those of a task, in the order in which they are written. Version
// is set apart: it is the only number.
var fields = []field{
	{name: "id", form: word, required: true, at: func(t *uplift.Task) *string { return &t.ID }},
	{name: "split", form: word, required: true, words: uplift.Splits(), at: func(t *uplift.Task) *string { return &t.Split }},
	{name: "tier", form: word, required: true, words: tierNames(), at: func(t *uplift.Task) *string { return (*string)(&t.Tier) }},
	{name: "family", form: line, required: true, at: func(t *uplift.Task) *string { return &t.Family }},
	{name: "ask", form: text, required: true, at: func(t *uplift.Task) *string { return &t.Ask }},
	{name: "ask_alt", form: text, at: func(t *uplift.Task) *string { return &t.AskAlt }},
	{name: "topic_open", form: text, at: func(t *uplift.Task) *string { return &t.TopicOpen }},
	{name: "ask_general", form: text, at: func(t *uplift.Task) *string { return &t.AskGeneral }},
	{name: "focus", form: text, at: func(t *uplift.Task) *string { return &t.Focus }},
	{name: "noun", form: text, at: func(t *uplift.Task) *string { return &t.Noun }},
	{name: "hard_negative", form: text, at: func(t *uplift.Task) *string { return &t.HardNegative }},
	{name: "expected", form: word, required: true, words: helps, at: func(t *uplift.Task) *string { return &t.Expected }},
	{name: "key_points", form: list, many: func(t *uplift.Task) *[]string { return &t.KeyPoints }},
	{name: "hard_negative_points", form: list, many: func(t *uplift.Task) *[]string { return &t.HardPoints }},
	{name: "note", form: text, at: func(t *uplift.Task) *string { return &t.Note }},
	{name: "version", form: whole},
}

// helps are the values of expected.
var helps = []string{Full, Limited, Withhold}

func tierNames() []string {
	var names []string
	for _, t := range uplift.Tiers() {
		names = append(names, string(t))
	}
	return names
}

// Fields lists the fields of a task file in the order in which they are written.
func Fields() []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return names
}

func fieldNamed(name string) (field, bool) {
	i := slices.IndexFunc(fields, func(f field) bool { return f.name == name })
	if i < 0 {
		return field{}, false
	}
	return fields[i], true
}

// want says in words what a field takes.
func (f field) want() string {
	switch {
	case f.words != nil:
		return strictyaml.Or(f.words)
	case f.form == list:
		return "a list of texts"
	case f.form == whole:
		return fmt.Sprintf("a whole number from 1 to %d", maxVersion)
	case f.form == word:
		return fmt.Sprintf("a name without spaces, at most %d characters", maxName)
	case f.form == line:
		return fmt.Sprintf("a name in one line, at most %d characters", maxName)
	}
	return "a text"
}

// put writes a value into the task; what is wrong with it goes to ps.
func (f field) put(t *uplift.Task, v value, ps *problems) {
	switch {
	case f.form == whole && v.form == whole:
		t.Version = v.n
	case f.form == list && v.form == list:
		f.putList(t, v, ps)
	case f.at != nil && v.form == text:
		s := unixLines(v.text)
		if why := f.refuse(s); why != "" {
			ps.add(v.line, f.name, "%s", why)
			return
		}
		*f.at(t) = s
	case v.form == list:
		ps.add(v.line, f.name, "is a list (want %s)", f.want())
	case v.form == text:
		ps.add(v.line, f.name, "is the text %s (want %s)", quote(v.text), f.want())
	default:
		hint := ""
		if f.at != nil && f.words == nil {
			hint = "; in quotes, if this is meant"
		}
		ps.add(v.line, f.name, "%s (want %s%s)", v.says, f.want(), hint)
	}
}

func (f field) putList(t *uplift.Task, v value, ps *problems) {
	if len(v.list) > maxPoints {
		ps.add(v.line, f.name, "has %d entries (want at most %d)", len(v.list), maxPoints)
		return
	}
	out := make([]string, 0, len(v.list))
	for i, s := range v.list {
		s = unixLines(s)
		if why := refuseText(s); why != "" {
			ps.add(v.line, fmt.Sprintf("%s[%d]", f.name, i), "%s", why)
		}
		out = append(out, s)
	}
	if len(out) == 0 {
		ps.add(v.line, f.name, "is an empty list (want at least one, or the field left out)")
	}
	*f.many(t) = out
}

// refuse says why a text is no value of the field; it is empty for a good one.
func (f field) refuse(s string) string {
	if f.words != nil {
		if slices.Contains(f.words, s) {
			return ""
		}
		return fmt.Sprintf("unknown value %s (%s)", quote(s), strictyaml.Wanted(s, f.words))
	}
	if why := refuseText(s); why != "" {
		return why
	}
	n := utf8.RuneCountInString(s)
	switch {
	case f.form == text:
	case n > maxName:
		return fmt.Sprintf("has %d characters (want at most %d)", n, maxName)
	case f.form == word && strings.ContainsFunc(s, unicode.IsSpace):
		return fmt.Sprintf("%s holds a space (want %s)", quote(s), f.want())
	case strings.ContainsAny(s, "\n\t\u2028\u2029"):
		return fmt.Sprintf("%s holds a line break or a tab (want %s)", quote(s), f.want())
	case f.form == word:
		return refuseLookalike(s)
	}
	return ""
}

// refuseLookalike says why a name could be taken for another: two that look
// the same must be one.
func refuseLookalike(s string) string {
	if i := strings.IndexFunc(s, unseen); i >= 0 {
		r, _ := utf8.DecodeRuneInString(s[i:])
		return fmt.Sprintf("%s holds %U, which nobody sees (want a name without it)", strconv.QuoteToASCII(s), r)
	}
	if c := norm.NFC.String(s); c != s {
		return fmt.Sprintf("%s is not in Unicode's normal form C (want %s)", strconv.QuoteToASCII(s), strconv.QuoteToASCII(c))
	}
	return ""
}

// unseen reports whether a character takes no room: format characters,
// selectors, joiners and fillers.
func unseen(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// refuseText says why s is no text that can be sent and shown.
func refuseText(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsSpace(r) && !unseen(r) }) {
		return "is empty (want a text)"
	}
	if len(s) > maxText {
		return fmt.Sprintf("is longer than %d KB", maxText>>10)
	}
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t':
		case unicode.IsControl(r):
			return fmt.Sprintf("holds the control character %U (want plain text)", r)
		case unicode.Is(unicode.Bidi_Control, r):
			return fmt.Sprintf("holds %U, which changes the direction of a text unseen (want plain text)", r)
		}
	}
	return ""
}

func unixLines(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }
