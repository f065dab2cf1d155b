package lint

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	uplift "github.com/uplift-eval/uplift"
)

//go:embed words/labels.txt
var labelsText string

// label is a forbidden word or phrase.
type label struct {
	words  []string
	whole  string            // the words in one
	open   bool              // the last word may go on
	exempt map[string]string // family -> reason
}

func newLabel(words []string, open bool) label {
	return label{words, strings.Join(words, ""), open, map[string]string{}}
}

func (l label) String() string {
	s := strings.Join(l.words, " ")
	if l.open {
		s += "*"
	}
	return s
}

// labels are those of labels.txt; inside are what no id may hold anywhere.
var labels, inside = sync.OnceValue(func() []label {
	list, _, _ := strings.Cut(labelsText, "-- inside ids")
	return parseLabels(list)
}), sync.OnceValue(func() []string {
	_, list, _ := strings.Cut(labelsText, "-- inside ids")
	return lines(list)
})

// labelIndex has the labels by the head of their first word.
var labelIndex = sync.OnceValue(func() map[string][]label {
	out := map[string][]label{}
	for _, l := range labels() {
		out[operatorKey(l.words[0])] = append(out[operatorKey(l.words[0])], l)
	}
	return out
})

func parseLabels(list string) []label {
	var out []label
	for _, row := range rows(list) {
		text, open := strings.CutSuffix(row[0], "*")
		l := newLabel(strings.Fields(text), open)
		if i := slices.IndexFunc(out, func(o label) bool { return o.String() == l.String() }); i >= 0 {
			l = out[i]
		} else {
			out = append(out, l)
		}
		if len(row) > 2 {
			l.exempt[row[1]] = row[2]
		}
	}
	return out
}

// at reports whether the label stands at the head of words. A phrase may be
// written in one word.
func (l label) at(words []string) bool {
	if len(l.words) > 1 && len(words) > 0 && (words[0] == l.whole || l.open && strings.HasPrefix(words[0], l.whole)) {
		return true
	}
	if len(words) < len(l.words) {
		return false
	}
	for i, w := range l.words {
		if words[i] != w && !(l.open && i == len(l.words)-1 && strings.HasPrefix(words[i], w)) {
			return false
		}
	}
	return true
}

// unnumbered finds a number at the end of a word: "tier3".
var unnumbered = regexp.MustCompile(`(\pL)\d+\b`)

// spelling is one reading of a text.
type spelling struct {
	words  []string
	joined bool // each is two words of the text: only whole labels count
}

// spellings are the words of a text as they may be read: as written, with Latin
// letters for their look-alikes, with digits and signs for letters, without a
// number at the end of a word, and each of these with marks inside words
// dropped, single letters joined, and words joined two by two.
func spellings(text string) []spelling {
	v := view(text)
	readings := []string{v}
	if f := folded(v); f != v {
		readings, v = append(readings, f), f
	}
	if strings.ContainsAny(v, "0123456789@$!|€+") {
		d := deleet(v)
		readings = append(readings, d[0], d[1], unnumbered.ReplaceAllString(v, "$1"))
	}
	var out []spelling
	for _, r := range readings {
		words := tokens(r)
		out = append(out, spelling{words, false}, spelling{joinLetters(words), false}, spelling{joinTwo(words), true})
		if closed := unmarked(r); closed != r {
			out = append(out, spelling{tokens(closed), false})
		}
	}
	return out
}

// unmarked drops marks that stand inside words: "harm-ful", "h.a.r.m".
func unmarked(s string) string {
	runes := []rune(s)
	out := make([]rune, 0, len(runes))
	for i, r := range runes {
		if strings.ContainsRune("-_.*·/‐‑'", r) && i > 0 && i+1 < len(runes) && wordRune(runes[i-1]) && wordRune(runes[i+1]) {
			continue
		}
		out = append(out, r)
	}
	return string(out)
}

// joinLetters joins runs of single letters: "h a r m".
func joinLetters(words []string) []string {
	var out []string
	var run strings.Builder
	flush := func() {
		if run.Len() > 0 {
			out = append(out, run.String())
			run.Reset()
		}
	}
	for _, w := range words {
		if utf8.RuneCountInString(w) == 1 {
			run.WriteString(w)
			continue
		}
		flush()
		out = append(out, w)
	}
	flush()
	return out
}

// joinTwo joins each word with the next: "harm ful".
func joinTwo(words []string) []string {
	var out []string
	for i := 1; i < len(words); i++ {
		out = append(out, words[i-1]+words[i])
	}
	return out
}

// found gives the labels that a text of a family holds.
func found(text, family string) []string {
	var out []string
	for _, s := range spellings(text) {
		for i := range s.words {
			for _, l := range near(labelIndex(), s.words[i]) {
				if _, ok := l.exempt[family]; ok || !l.at(s.words[i:]) || s.joined && s.words[i] != l.words[0] {
					continue
				}
				out = append(out, l.String())
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// inID gives what an id or a name holds anywhere in it.
func inID(id string) []string {
	var out []string
	v := folded(view(id))
	d := deleet(v)
	for _, reading := range []string{v, unmarked(v), d[0], d[1]} {
		for _, s := range inside() {
			if strings.Contains(reading, s) {
				out = append(out, s)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// labelRule is L1.
func labelRule(in Input) Rule {
	r := Rule{ID: "L1", Title: "words that tell a tier or a test", Limit: "0"}
	texts := 0
	look := func(task, field, text, family string) {
		texts++
		for _, l := range found(text, family) {
			r.Offenders = append(r.Offenders, Offender{task, field, l})
		}
	}
	for _, t := range in.Tasks {
		for _, f := range shown(t) {
			look(t.ID, f.name, f.text, t.Family)
		}
		look(t.ID, "id", t.ID, "")
		for _, s := range inID(t.ID) {
			r.Offenders = append(r.Offenders, Offender{t.ID, "id", s})
		}
	}
	for _, i := range in.Items {
		for k, turn := range turns(i) {
			look(i.Task, fmt.Sprintf("%s, turn %d", i.Attack, k+1), turn, i.Family)
		}
	}
	for _, f := range in.Files {
		look("", "file "+f, f, "")
		for _, s := range inID(f) {
			if len(s) > 4 { // shorter ones stand in ordinary words, such as safety
				r.Offenders = append(r.Offenders, Offender{"", "file " + f, s})
			}
		}
	}
	r.Figure = fmt.Sprintf("%d in %d texts, ids, names", len(r.Offenders), texts)
	r.Values = []Value{{"found", float64(len(r.Offenders))}, {"texts", float64(texts)}}
	r.Pass = len(r.Offenders) == 0
	return r
}

// turns are all turns that an item may send.
func turns(i uplift.Item) []string {
	out := slices.Clone(i.Turns)
	if i.Next != nil {
		out = append(out, i.Next.Refused, i.Next.Limited, i.Next.Full)
	}
	return out
}
