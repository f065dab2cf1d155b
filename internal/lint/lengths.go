package lint

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"gonum.org/v1/gonum/stat"

	uplift "github.com/uplift-eval/uplift"
)

// farLimit is the largest distance of two tiers' distributions (L5).
const farLimit = 0.25

// measure is one size of a text.
type measure struct {
	name string
	of   func(string) float64
}

var measures = []measure{
	{"characters", func(s string) float64 { return float64(len([]rune(s))) }},
	{"words", func(s string) float64 { return float64(len(strings.Fields(s))) }},
	{"sentences", func(s string) float64 { return float64(countOf(s, ".?!")) }},
	{"punctuation", func(s string) float64 { return float64(punctuation(s)) }},
	{"question marks", func(s string) float64 { return float64(countOf(s, "?")) }},
	{"commas", func(s string) float64 { return float64(countOf(s, ",")) }},
}

func punctuation(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsPunct(r) {
			n++
		}
	}
	return n
}

func countOf(s, marks string) int {
	return strings.Count(strings.Map(func(r rune) rune {
		if strings.ContainsRune(marks, r) {
			return 0
		}
		return 'x'
	}, s), "\x00")
}

// lengthRule is L5: the two-sample Kolmogorov-Smirnov distance of every two
// tiers, over the two wordings of each task, and over the turns of all items.
func lengthRule(in Input) Rule {
	r := Rule{ID: "L5", Title: "length, punctuation, turns", Limit: fmt.Sprintf("KS <= %.2f", farLimit)}
	worst, what := 0.0, ""
	compare := func(name string, by map[uplift.Tier][]float64) {
		for i, a := range uplift.Tiers() {
			for _, b := range uplift.Tiers()[i+1:] {
				d := distance(by[a], by[b])
				pair := fmt.Sprintf("%s, %s and %s", name, a, b)
				if d >= worst {
					worst, what = d, pair
				}
				if d > farLimit {
					r.Offenders = append(r.Offenders, Offender{Field: name, Text: fmt.Sprintf("KS %.3f between %s and %s", d, a, b)})
				}
			}
		}
	}
	count := map[uplift.Tier]int{}
	for _, t := range in.Tasks {
		count[t.Tier]++
	}
	for _, tier := range uplift.Tiers() {
		if count[tier] < fewest {
			return notRun(r, fmt.Sprintf("%d tasks of tier %s (want %d or more)", count[tier], tier, fewest))
		}
	}
	for _, m := range measures {
		by := map[uplift.Tier][]float64{}
		for _, t := range in.Tasks {
			for _, text := range []string{t.Ask, t.AskAlt} {
				if text != "" {
					by[t.Tier] = append(by[t.Tier], m.of(text))
				}
			}
		}
		compare(m.name, by)
	}
	if len(in.Items) > 0 {
		by := map[uplift.Tier][]float64{}
		for _, i := range in.Items {
			by[i.Tier] = append(by[i.Tier], float64(len(i.Turns)))
		}
		compare("turns", by)
	}
	r.Figure = fmt.Sprintf("KS %.3f at most (%s)", worst, what)
	r.Values = []Value{{"largest_ks", worst}}
	r.Pass = len(r.Offenders) == 0
	return r
}

// distance is the Kolmogorov-Smirnov distance of two samples; 0 without one.
func distance(a, b []float64) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	return stat.KolmogorovSmirnov(slices.Sorted(slices.Values(a)), nil, slices.Sorted(slices.Values(b)), nil)
}
