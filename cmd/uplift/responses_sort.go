package main

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/report"
)

func sortKeys() []string {
	return []string{"score", "prompt", "output", "length", "outcome", "action", "task"}
}

// order compares two responses by a key; nil for the order in which they are
// kept. Scores and lengths go from high to low, words by the alphabet, and what
// has none comes last either way.
func order(key string) func(a, b report.ResponseView) int {
	plain, turned := strings.CutPrefix(key, "-")
	number := func(of func(report.ResponseView) (float64, bool), down bool) func(a, b report.ResponseView) int {
		return func(a, b report.ResponseView) int {
			x, has := of(a)
			y, had := of(b)
			switch {
			case !has || !had:
				return cmp.Compare(btoi(!has), btoi(!had))
			case down != turned:
				return cmp.Compare(y, x)
			}
			return cmp.Compare(x, y)
		}
	}
	word := func(of func(report.ResponseView) string) func(a, b report.ResponseView) int {
		return func(a, b report.ResponseView) int {
			if turned {
				a, b = b, a
			}
			return cmp.Compare(of(a), of(b))
		}
	}
	scored := func(of func(*uplift.Decision) float64) func(report.ResponseView) (float64, bool) {
		return func(r report.ResponseView) (float64, bool) {
			if r.Decision == nil {
				return 0, false
			}
			return of(r.Decision), true
		}
	}
	switch plain {
	case "score":
		return number(scored(func(d *uplift.Decision) float64 { return d.Score }), true)
	case "prompt":
		return number(scored(func(d *uplift.Decision) float64 { return d.PromptScore }), true)
	case "output":
		return number(scored(func(d *uplift.Decision) float64 { return d.OutputScore }), true)
	case "action":
		rank := actionNames()
		return number(scored(func(d *uplift.Decision) float64 { return float64(slices.Index(rank, string(d.Action))) }), true)
	case "length":
		return number(func(r report.ResponseView) (float64, bool) {
			return float64(utf8.RuneCountInString(r.Text)), r.Hidden == "" && r.Outcome != uplift.Failed
		}, true)
	case "outcome":
		return word(func(r report.ResponseView) string { return string(r.Outcome) })
	case "task":
		return word(func(r report.ResponseView) string { return r.Task + "/" + r.Attack })
	}
	return nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// collect holds at most so many of what matches, 0 for all, and counts it.
func (b *browser) collect(ctx context.Context, limit int) (report.ResponseSet, error) {
	set := report.ResponseSet{Study: b.study.plan.Name(), Conditions: b.conditions()}
	by := order(b.flags.sort)
	searching := len(b.chosen.contains) > 0
	for v, err := range b.matches(ctx, true) {
		if err != nil {
			return set, err
		}
		set.Total++
		switch {
		case limit == 0 || len(set.Rows) < limit:
			set.Rows = append(set.Rows, v)
		case by != nil:
			if set.Rows = append(set.Rows, v); len(set.Rows) >= 2*limit+64 {
				set.Rows = foremost(set.Rows, by, limit)
			}
		case !searching: // the survey has counted the rest
			set.Total = b.seen.match
			return set, nil
		}
	}
	if by != nil {
		set.Rows = foremost(set.Rows, by, limit)
	}
	return set, nil
}

// foremost are the first rows in an order; equal ones stay as they came.
func foremost(rows []report.ResponseView, by func(a, b report.ResponseView) int, limit int) []report.ResponseView {
	slices.SortStableFunc(rows, by)
	if limit > 0 && len(rows) > limit {
		clear(rows[limit:]) // lets go of their texts
		rows = rows[:limit]
	}
	return rows
}

// conditions are the study's, in its order.
func (b *browser) conditions() (out []string) {
	for _, c := range b.study.plan.Plan().Conditions.List {
		out = append(out, c.Name)
	}
	return out
}
