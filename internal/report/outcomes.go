package report

import (
	"maps"
	"slices"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// outcomeTable counts how cells ended.
type outcomeTable struct {
	Outcomes []string
	Rows     []outcomeRow
}

type outcomeRow struct {
	Model, Condition string
	Style            style
	Marks            []pill
	Responses        string
	Cells            []outcomeCell
}

type outcomeCell struct{ Count, Share string }

func outcomesOf(res *analysis.Result, pal palette) outcomeTable {
	kinds := outcomeKinds(res)
	t := outcomeTable{}
	for _, k := range kinds {
		t.Outcomes = append(t.Outcomes, outcomeWord(k))
	}
	for _, c := range res.Conditions {
		r := outcomeRow{Condition: name(c.Condition), Style: pal.of(c.Condition), Marks: pillsOf(c.Marks), Responses: count(c.Responses)}
		if len(models(res)) > 1 {
			r.Model = name(c.Model)
		}
		for _, k := range kinds {
			r.Cells = append(r.Cells, outcomeCellOf(c, k))
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

func outcomeCellOf(c analysis.Condition, k uplift.Outcome) outcomeCell {
	n := c.Outcomes[k]
	cell := outcomeCell{Count: count(n), Share: absent}
	if c.Responses > 0 {
		cell.Share = round(100*float64(n)/float64(c.Responses), 1) + firm + "%"
	}
	return cell
}

// outcomeKinds lists the outcomes that occur, unknown ones last.
func outcomeKinds(res *analysis.Result) []uplift.Outcome {
	seen := map[uplift.Outcome]bool{}
	for _, c := range res.Conditions {
		for k, n := range c.Outcomes {
			if n > 0 {
				seen[k] = true
			}
		}
	}
	var out []uplift.Outcome
	for _, k := range uplift.Outcomes() {
		if seen[k] {
			out = append(out, k)
			delete(seen, k)
		}
	}
	return append(out, slices.Sorted(maps.Keys(seen))...)
}

func outcomeWord(o uplift.Outcome) string { return endpointWord(string(o)) }

// outcomesWord is an outcome after a count; only some are nouns.
func outcomesWord(o uplift.Outcome, n int) string {
	switch o {
	case uplift.ProviderRefusal, uplift.NullAnchor, uplift.Failed:
		if n != 1 {
			return outcomeWord(o) + "s"
		}
	}
	return outcomeWord(o)
}

// refusalTable is how often each condition refuses, over all and by tier.
type refusalTable struct {
	Tiers []string
	Rows  []refusalRow
}

type refusalRow struct {
	Model, Condition string
	Style            style
	Marks            []pill
	All              rateCell
	Cells            []rateCell
}

type rateCell struct {
	Share, Interval, Counts string
	Known                   bool
}

func refusalsOf(res *analysis.Result, pal palette) refusalTable {
	tiers := refusalTiers(res)
	t := refusalTable{}
	for _, tier := range tiers {
		t.Tiers = append(t.Tiers, tierWord(tier))
	}
	for _, c := range res.Conditions {
		r := refusalRow{Condition: name(c.Condition), Style: pal.of(c.Condition), Marks: pillsOf(c.Marks), All: rateOf(c.RefusalRate)}
		if len(models(res)) > 1 {
			r.Model = name(c.Model)
		}
		for _, tier := range tiers {
			r.Cells = append(r.Cells, rateOf(c.ByTier[tier]))
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

func tierWord(t uplift.Tier) string {
	if t == uplift.Untiered {
		return "no tier"
	}
	return name(string(t))
}

// refusalTiers lists the tiers that occur, unknown ones last.
func refusalTiers(res *analysis.Result) []uplift.Tier {
	seen := map[uplift.Tier]bool{}
	for _, c := range res.Conditions {
		for t, r := range c.ByTier {
			if r.N+r.Unknown > 0 {
				seen[t] = true
			}
		}
	}
	var out []uplift.Tier
	for _, t := range uplift.Tiers() {
		if seen[t] {
			out = append(out, t)
			delete(seen, t)
		}
	}
	return append(out, slices.Sorted(maps.Keys(seen))...)
}

func rateOf(r analysis.Rate) rateCell {
	_, known := finite(r.Value)
	cell := rateCell{Share: shareOr(r.Value), Known: known,
		Interval: intervalOf(r.Lo, r.Hi, func(v float64) string { return round(100*v, 1) }),
		Counts:   count(r.Count) + " of " + count(r.N)}
	if !known {
		cell.Counts = "none of " + count(r.N+r.Unknown) + " known"
	} else if r.Unknown > 0 {
		cell.Counts += ", " + count(r.Unknown) + " not known"
	}
	return cell
}
