package report

import (
	"slices"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// pill is a mark beside a number on the page: its word, and why it is there.
type pill struct{ Word, Class, Why string }

// pillsOf gives one pill a code, however many marks there are of it; other is
// what already stands beside the number's row.
func pillsOf(marks []uplift.Warning, other ...uplift.Warning) []pill {
	var out []pill
	for _, w := range marks {
		word, why := markWord(w.Code), text(w.Text)
		i := slices.IndexFunc(out, func(p pill) bool { return p.Word == word })
		switch {
		case slices.Contains(other, w):
		case i < 0:
			out = append(out, pill{word, markClass(w.Code), why})
		default:
			out[i].Why += "; " + why
		}
	}
	return out
}

// markClass is the class of a mark: this package's own words alone.
func markClass(code string) string {
	switch code {
	case analysis.MarkExploratory:
		return "exploratory"
	case analysis.MarkPostHoc:
		return "posthoc"
	case analysis.MarkDevelopment:
		return "development"
	}
	return "other"
}
