package report

import (
	"slices"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/power"
)

// withCode are the warnings that have one of the codes.
func withCode(list []uplift.Warning, codes ...string) []uplift.Warning {
	return slices.DeleteFunc(slices.Clone(list), func(w uplift.Warning) bool { return !slices.Contains(codes, w.Code) })
}

func without(these, list []uplift.Warning) []uplift.Warning {
	return slices.DeleteFunc(slices.Clone(list), func(w uplift.Warning) bool { return slices.Contains(these, w) })
}

// verdictWarnings are those of an answer that concern what its verdict says.
func verdictWarnings(r *power.Result, a *power.Answer) []uplift.Warning {
	return without(sharedWarnings(r), withCode(a.Warnings, power.CodeScale, power.CodeNoDelta, power.CodeOwnDelta,
		power.CodeFar, power.CodeStill, power.CodeFew, power.CodeLow))
}

// basisWarnings are those that concern what is known of the contrast.
func basisWarnings(r *power.Result, a *power.Answer) []uplift.Warning {
	others := slices.Concat(sharedWarnings(r), verdictWarnings(r, a), withCode(a.Warnings, power.CodeLowShare))
	return without(others, a.Warnings)
}

// sharedWarnings are those that every one of several answers has, word for word.
func sharedWarnings(r *power.Result) []uplift.Warning {
	if len(r.Answers) < 2 {
		return nil
	}
	out := slices.Clone(r.Answers[0].Warnings)
	for _, a := range r.Answers[1:] {
		out = slices.DeleteFunc(out, func(w uplift.Warning) bool { return !slices.Contains(a.Warnings, w) })
	}
	return out
}
