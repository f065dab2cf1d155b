package report

import (
	"slices"
	"strings"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// planStands reports whether there is anything to say of the plan: a lock, a
// mark, or a part that stands apart.
func planStands(res *analysis.Result) bool {
	s := res.Standing
	return s.Lock != "" || s.Exploratory || len(s.Amendments) > 0 || len(res.Apart) > 0 || len(legendOf(res).marks) > 0
}

// planLine says in one line how the plan stands; empty where there is nothing
// to say.
func planLine(res *analysis.Result) string {
	if !planStands(res) {
		return ""
	}
	s := res.Standing
	parts := []string{lockPhrase(s)}
	if n := len(s.Amendments); n > 0 {
		parts = append(parts, plural(n, "amendment", "amendments"))
	}
	if made := madeOf(res); made != "" && len(res.Apart) == 0 {
		parts = append(parts, "headline: "+made)
	}
	return strings.Join(parts, midDot)
}

// shortDigest is how much of a digest stands in a line.
const shortDigest = 12

func lockPhrase(s analysis.Standing) string {
	if s.Lock == "" {
		return "plan not locked"
	}
	digest := name(s.Lock)
	if r := []rune(digest); len(r) > shortDigest {
		digest = string(r[:shortDigest])
	}
	at := ""
	if s.LockedAt != nil {
		at = " " + moment(*s.LockedAt)
	}
	return "plan locked" + at + " (digest " + digest + ")"
}

// moment is a time to the minute, in UTC.
func moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// madeOf names the splits of a result; empty where its rows state none.
func madeOf(res *analysis.Result) string {
	splits := make([]string, len(res.Splits))
	for i, s := range res.Splits {
		splits[i] = name(s)
	}
	return joinWords(splits)
}

// partTitle is the name of a part as a reader sees it.
func partTitle(a analysis.Apart) string { return name(a.Name) }

// partLead says what a part is made of.
func partLead(a analysis.Apart) string {
	if a.Result == nil {
		return ""
	}
	var out []string
	if made := madeOf(a.Result); made != "" && made != partTitle(a) {
		out = append(out, "of "+made)
	}
	return strings.Join(append(out, lead(a.Result)), midDot)
}

// partWarnings are the findings of a part, each once, with what they are of.
func partWarnings(part *analysis.Result) []warningGroup {
	own := *part
	own.Apart = nil
	out := warningsOf(&own, nil)
	for i := range out {
		if n := len(part.Contrasts); n > 1 && len(out[i].Where) == n {
			out[i].Where = []spot{{Text: "every contrast"}}
		}
	}
	return out
}

// beyond are the marks that not every number of a result carries.
func beyond(res *analysis.Result, marks []uplift.Warning) []uplift.Warning {
	var out []uplift.Warning
	for _, w := range marks {
		if !slices.Contains(res.Marks, w) {
			out = append(out, w)
		}
	}
	return out
}

// reasons are the texts of marks in one line.
func reasons(marks []uplift.Warning) string {
	out := make([]string, len(marks))
	for i, w := range marks {
		out[i] = text(w.Text)
	}
	return strings.Join(out, "; ")
}

// markCodes lists the codes of marks, each once.
func markCodes(marks []uplift.Warning) []string {
	var out []string
	for _, w := range marks {
		if !slices.Contains(out, w.Code) {
			out = append(out, w.Code)
		}
	}
	return out
}

// qualifier says of a number that it is none of the locked plan's: exploratory,
// post hoc or both; empty where it is.
func qualifier(marks []uplift.Warning) string {
	words := markCodes(marks)
	for i, code := range words {
		words[i] = markWord(code)
	}
	return joinWords(words)
}
