package report

import (
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// methodName is an interval's method in words, for example "bootstrap-t by tasks".
func methodName(method string, u unit) string {
	switch method {
	case "cr2":
		return "CR2 with Satterthwaite t by " + u.many
	case "boot_t":
		return "bootstrap-t by " + u.many
	case "task_percentile":
		return "percentile bootstrap by " + u.many
	case "task_expanded":
		return "expanded percentile bootstrap by " + u.many
	case "task_bca":
		return "BCa bootstrap by " + u.many
	case "wild":
		return "wild bootstrap-t by " + u.many
	case "pairs_percentile":
		return "percentile bootstrap by pairs"
	case "pairs_bca":
		return "BCa bootstrap by pairs"
	case "pairs_t":
		return "t interval by pairs"
	case "pigeonhole":
		return "pigeonhole bootstrap by " + u.many + " and raters"
	case analysis.MethodBlocksApart:
		return "CR2 by " + u.many + ", provider's blocks apart"
	case analysis.MethodBlocksCounted:
		return "CR2 by " + u.many + ", provider's blocks counted"
	}
	return name(method)
}

// methodShort is a method on the line that carries all.
func methodShort(method string) string {
	switch method {
	case "boot_t":
		return "boot-t"
	case "task_percentile":
		return "percentile"
	case "task_expanded":
		return "expanded"
	case "task_bca":
		return "BCa"
	case "pairs_percentile":
		return "pairs percentile"
	case "pairs_bca":
		return "pairs BCa"
	case "pairs_t":
		return "pairs t"
	case analysis.MethodBlocksApart:
		return "blocks apart"
	case analysis.MethodBlocksCounted:
		return "blocks counted"
	}
	return name(method)
}

// whole is the line of one contrast that carries what a reader needs to judge
// it, as a list of phrases.
func whole(res *analysis.Result, c *analysis.Contrast) []string {
	u := unitOf(res)
	if c.Pairs == 0 {
		return []string{"no pairs; unmatched " + count(c.Unmatched)}
	}
	out := []string{"diff " + signedOr(c.Difference.Value), u.many + " " + count(c.Clusters) + ", pairs " + count(c.Pairs) + spreadPhrase(c)}
	out = append(out, headlinePhrase(c))
	out = append(out, nounPhrase(res, c)...)
	if p, ok := finite(c.PSignFlip); ok {
		out = append(out, "sign-flip "+pEquals(p)+signFlipNote(c))
	}
	out = append(out, sensitivityPhrases(c.Sensitivity)...)
	out = append(out, robustPhrases(u, c)...)
	return out
}

func spreadPhrase(c *analysis.Contrast) string {
	var b strings.Builder
	if v, ok := finite(c.ICC); ok {
		b.WriteString(", ICC " + fraction(v) + ", deff " + orAbsent(c.DesignEffect, func(v float64) string { return round(v, 2) }))
	}
	return b.String()
}

func headlinePhrase(c *analysis.Contrast) string {
	d := c.Difference
	head := name(d.Method) + " " + percent(d.Level) + " "
	if d.Method == "cr2" {
		head = "CR2 " + percent(d.Level) + " "
	}
	if interval(d.Lo, d.Hi) == absent {
		return head + "withheld"
	}
	var notes []string
	if df, ok := finite(d.DF); ok {
		notes = append(notes, "df "+degrees(df))
	}
	if c.Coverage != nil {
		notes = append(notes, "covered "+covered(c.Coverage)+" in simulations of "+plural(c.Coverage.Clusters, "task", "tasks"))
	}
	return head + interval(d.Lo, d.Hi) + inBrackets(notes)
}

// covered is a measured coverage: the least and the most over the processes
// that were simulated, in per cent.
func covered(c *analysis.Coverage) string {
	lo, hi := round(100*c.Lo, 0), round(100*c.Hi, 0)
	if lo == hi {
		return lo + firm + "%"
	}
	return lo + "–" + hi + firm + "%"
}

func inBrackets(notes []string) string {
	if len(notes) == 0 {
		return ""
	}
	return " (" + strings.Join(notes, ", ") + ")"
}

// degrees prints degrees of freedom: whole when they are.
func degrees(df float64) string { return strings.TrimSuffix(round(df, 1), ".0") }

// signFlipNote names the method unless the p value is exact.
func signFlipNote(c *analysis.Contrast) string {
	if c.SignFlipMethod == "" || strings.HasPrefix(c.SignFlipMethod, "exact") {
		return ""
	}
	return " (" + text(c.SignFlipMethod) + ")"
}

// onLine are the methods that stand on the line beside the headline: the one
// that covers best with few clusters, the one that speaks for other raters, the
// one that published numbers mostly use, and provider's blocks taken otherwise.
var onLine = []string{"boot_t", "pigeonhole", "pairs_percentile", analysis.MethodBlocksApart, analysis.MethodBlocksCounted}

// sensitivityPhrases are the intervals beside the headline; the withheld ones
// share a phrase.
func sensitivityPhrases(all []analysis.Sensitivity) []string {
	var out, none []string
	for _, s := range all {
		switch in := interval(s.Lo, s.Hi); {
		case !slices.Contains(onLine, s.Method):
		case in == absent:
			none = append(none, methodShort(s.Method))
		case byPairs(s.Method):
			out = append(out, methodShort(s.Method)+" "+in+" (assumes independent pairs)")
		default:
			out = append(out, methodShort(s.Method)+" "+in)
		}
	}
	if len(none) > 0 {
		out = append(out, "withheld: "+strings.Join(none, ", "))
	}
	return out
}

// byPairs reports whether a method takes the pairs as independent.
func byPairs(method string) bool { return strings.HasPrefix(method, "pairs_") }

func robustPhrases(u unit, c *analysis.Contrast) []string {
	var out []string
	if v, ok := finite(c.TaskWeighted); ok {
		out = append(out, u.one+"-weighted "+signed(v))
	}
	if r := c.LeaveOneOut; r != nil {
		out = append(out, "leave-one-"+u.one+"-out "+interval(&r.Lo, &r.Hi))
	}
	if p, ok := finite(holm(c)); ok {
		out = append(out, "Holm "+pEquals(p)+" (family of "+familySize(c.Family)+")")
	}
	if n := c.NonInferiority; n != nil {
		out = append(out, "non-inferiority at margin "+round(n.Margin, 3)+" "+pEquals(n.P))
	}
	if v, ok := finite(c.RefusalChange); ok {
		out = append(out, "refusal rate "+signed(v))
	}
	if v, ok := finite(c.Truth); ok {
		out = append(out, "truth "+signed(v))
	}
	return out
}

// tierList names the tiers of a contrast.
func tierList(tiers []uplift.Tier) string {
	if len(tiers) == 0 {
		return "all tiers"
	}
	out := make([]string, len(tiers))
	for i, t := range tiers {
		out[i] = name(string(t))
	}
	return strings.Join(out, "+")
}
