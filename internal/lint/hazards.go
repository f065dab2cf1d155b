package lint

import (
	"fmt"

	uplift "github.com/uplift-eval/uplift"
)

// find is one shape in a text.
type find struct{ class, text string }

// hazard is one rule that looks at a text of a task.
type hazard struct {
	id, title string
	look      func(t uplift.Task, text string) []find
}

// hazardList are the rules H1 to H7.
var hazardList = []hazard{
	{"H1", "words outside the approved list", func(t uplift.Task, s string) []find {
		if !guarded(t) {
			return nil
		}
		return unapproved(s)
	}},
	{"H2", "shapes of names", func(_ uplift.Task, s string) []find { return nameShapes(s) }},
	{"H3", "digits and number words", func(t uplift.Task, s string) []find {
		switch {
		case guarded(t):
			return numerals(s, true)
		case t.Family == statistics:
			return measured(s)
		}
		return append(numerals(s, false), beyondTime(measured(s))...)
	}},
	{"H4", "runs of nucleotide or amino-acid letters", func(_ uplift.Task, s string) []find { return sequences(s) }},
	{"H5", "shapes of a protocol", func(_ uplift.Task, s string) []find { return protocol(s) }},
	{"H6", "addresses, prices, catalogue numbers", func(_ uplift.Task, s string) []find { return addresses(s) }},
	{"H7", "encodings and hidden characters", func(_ uplift.Task, s string) []find { return encodings(s) }},
}

// statistics is the family whose benign tasks may hold numbers.
const statistics = "statistics"

// hazardRules are H1 to H7 over every text of every task, and the share of
// benign tasks in which any of them finds something.
func hazardRules(in Input) ([]Rule, Share) {
	var out []Rule
	benign := map[string]bool{}
	texts, looked := 0, 0
	for _, t := range in.Tasks {
		n := len(all(t))
		texts += n
		if guarded(t) {
			looked += n
		}
	}
	for _, h := range hazardList {
		r := Rule{ID: h.id, Title: h.title, Limit: "0"}
		for _, t := range in.Tasks {
			for _, f := range all(t) {
				for _, s := range h.look(t, f.text) {
					r.Offenders = append(r.Offenders, Offender{t.ID, f.name, s.class + ": " + s.text})
					if t.Tier == uplift.Benign {
						benign[t.ID] = true
					}
				}
			}
		}
		n := texts
		if h.id == "H1" {
			n = looked
		}
		r.Figure = fmt.Sprintf("%d in %d texts", len(r.Offenders), n)
		r.Values = []Value{{"found", float64(len(r.Offenders))}, {"texts", float64(n)}}
		if h.id == "H1" {
			r.Values = append(r.Values, Value{"approved_words", float64(len(approved()))})
		}
		r.Pass = len(r.Offenders) == 0
		out = append(out, r)
	}
	share := Share{Hits: len(benign)}
	for _, t := range in.Tasks {
		if t.Tier == uplift.Benign {
			share.Of++
		}
	}
	return out, share
}
