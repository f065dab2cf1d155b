package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// How much of the raters the page lists; the rest stands in the JSON.
const (
	mostRaters    = 20
	mostPairs     = 15
	mostPairHeats = 6
	mostPatterns  = 12
)

// raterTable is how each rater marked.
type raterTable struct {
	Values []string // over the counts; nil without them
	Rows   []raterRow
	Left   int // raters that are not listed
}

type raterRow struct {
	Name, Marks             string
	Shared                  string // of the marks; empty for all
	Mean, Difference, Equal string
	Counts                  []heatCell // shares of the rater's own marks
}

// ratersOf lists the raters in order of name, of many those with most marks.
func ratersOf(s *analysis.ScaleAgreement) raterTable {
	kept, left := most(s.ByRater, mostRaters, func(r analysis.RaterMarks) int { return r.Marks })
	t := raterTable{Left: left}
	if len(s.Values) <= mostHeatValues {
		for _, v := range s.Values {
			t.Values = append(t.Values, level(v))
		}
	}
	for _, r := range kept {
		row := raterRow{Name: name(r.Name), Marks: count(r.Marks), Mean: round(r.Mean, 3),
			Difference: signedOr(r.Difference), Equal: shareOr(r.Percent)}
		if r.Shared < r.Marks {
			row.Shared = count(r.Shared)
		}
		if len(t.Values) > 0 && len(r.Counts) == len(t.Values) {
			for _, n := range r.Counts {
				share := float64(n) / float64(max(1, r.Marks))
				row.Counts = append(row.Counts, heatCell{Count: count(n), Share: heatShare(share), Step: stepOf(share)})
			}
		} else {
			t.Values = nil
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// pairTable is how each two raters marked what both marked.
type pairTable struct {
	Rows  []pairRow
	Left  int
	Heats []heatMap // tables of pairs; none of the only pair, which the scale shows
	More  int       // tables that are not drawn
}

type pairRow struct {
	A, B                      string
	Shared, Equal, Difference string
	Kappa, KappaSE            string
	Quadratic, QuadraticSE    string
}

func pairsOf(s *analysis.ScaleAgreement) pairTable {
	kept, left := most(s.Pairs, mostPairs, func(p analysis.RaterPair) int { return p.Shared })
	t := pairTable{Left: left}
	for _, p := range kept {
		t.Rows = append(t.Rows, pairRow{A: name(p.A), B: name(p.B), Shared: count(p.Shared), Equal: shareOr(&p.Percent),
			Difference: signed(p.MeanDifference), Kappa: orAbsent(p.Kappa, coefficient), KappaSE: orNothing(p.KappaSE),
			Quadratic: orAbsent(p.KappaQuadratic, coefficient), QuadraticSE: orNothing(p.KappaQuadraticSE)})
	}
	if s.Raters < 3 || len(s.Values) > mostHeatValues {
		return t
	}
	kept, t.More = most(s.Pairs, mostPairHeats, func(p analysis.RaterPair) int { return p.Shared })
	for i := range kept {
		if h := (heatMap{}).ofPair(s, &kept[i]); h.Why == "" {
			t.Heats = append(t.Heats, h)
		}
	}
	return t
}

// orNothing is a standard error, or nothing.
func orNothing(p *float64) string {
	v, ok := finite(p)
	if !ok {
		return ""
	}
	return round(v, 3)
}

// patternTable is who marked together.
type patternTable struct {
	Everyone bool // every response was marked by all raters
	Rows     []patternRow
	Left     int
}

type patternRow struct {
	Raters       string
	Units, Share string
}

func patternsOf(s *analysis.ScaleAgreement) patternTable {
	kept, left := most(s.Patterns, mostPatterns, func(p analysis.RaterPattern) int { return p.Units })
	t := patternTable{Left: left, Everyone: len(s.Patterns) == 1}
	for _, p := range kept {
		share := float64(p.Units) / float64(max(1, s.Units))
		t.Rows = append(t.Rows, patternRow{Raters: nameList(p.Raters), Units: count(p.Units), Share: shareOr(&share)})
	}
	return t
}

// nameList joins names, of many the first ones.
func nameList(names []string) string {
	const first = 8
	out := make([]string, 0, first)
	for _, n := range names[:min(first, len(names))] {
		out = append(out, name(n))
	}
	if more := len(names) - first; more > 0 {
		return strings.Join(out, ", ") + " and " + count(more) + " more"
	}
	return strings.Join(out, ", ")
}

// most keeps at most n of a list, those with the highest counts, in their
// order, and says how many are left.
func most[T any](list []T, n int, of func(T) int) (kept []T, left int) {
	if len(list) <= n {
		return list, 0
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(of(list[b]), of(list[a])) })
	order = order[:n]
	slices.Sort(order)
	for _, i := range order {
		kept = append(kept, list[i])
	}
	return kept, len(list) - n
}
