package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/stats"
)

// minSeen is the share of the pairs that raters must have marked on both sides
// before the raters' own marks stand for all of them.
const minSeen = 0.9

// setApart takes the raters' own marks out of the labels: they are no grader's
// column.
func (t *table) setApart() {
	kept := t.marks[:0]
	for _, m := range t.marks {
		if strings.HasPrefix(t.graders.list[m.grader], uplift.RaterPrefix) {
			t.own = append(t.own, m)
		} else {
			kept = append(kept, m)
		}
	}
	t.marks = kept
}

// raters fills in the differences as single raters saw them, and gives the
// interval that takes raters as drawn like tasks. There is none of either in a
// study without raters' own marks, or where no people made the endpoint.
func (t *table) raters(c *Contrast, p plan, pairs []pair, v verdict, opt Options) []Sensitivity {
	if len(t.own) == 0 || c.Grader != uplift.Human {
		return nil
	}
	out := Sensitivity{Method: "pigeonhole", Value: *c.Difference.Value, Assumes: "independent " + opt.Cluster.plural() + " and independent raters"}
	rows, seen := t.scored(pairs, p.column)
	if c.RaterPairs = seen; seen == 0 {
		out.Withheld = "no rater marked both sides of a pair"
		return []Sensitivity{out}
	}
	crossed, err := stats.NewCrossed(rows)
	if err != nil {
		out.Withheld = err.Error()
		return []Sensitivity{out}
	}
	t.byRater(c, crossed)
	c.RatingNoise = t.noise(crossed, pairs, p.column, opt.Level)
	switch {
	case v.bootstrap != "":
		out.Withheld = v.bootstrap
	case len(c.ByRater) < 2:
		out.Withheld = "only one rater marked both sides of a pair (want at least two)"
	case float64(seen) < minSeen*float64(len(pairs)):
		out.Withheld = fmt.Sprintf("raters marked both sides of %d of %d pairs (want at least %.0f %%)", seen, len(pairs), 100*minSeen)
	default:
		i, err := crossed.Pigeonhole(opt.resample())
		if out.set(i, err); err == nil {
			out.Value = i.Value
		}
	}
	return []Sensitivity{out}
}

// byRater fills in the mean of each rater, and how far one rater leads them.
func (t *table) byRater(c *Contrast, crossed *stats.Crossed) {
	name := func(rater int) string { return strings.TrimPrefix(t.graders.list[rater], uplift.RaterPrefix) }
	for _, m := range crossed.ByRater() {
		c.ByRater = append(c.ByRater, RaterMean{Rater: name(m.Rater), Pairs: m.Pairs, Mean: m.Mean})
	}
	for _, l := range crossed.LeaveOneRaterOut() {
		c.LeaveRaterOut = c.LeaveRaterOut.widen(l.Mean, name(l.Rater))
	}
}

// scored gives the difference that each rater saw on each pair, and how many
// pairs at least one rater saw.
func (t *table) scored(pairs []pair, column int) (rows []stats.Scored, seen int) {
	scale := t.scales.find(t.columns[column].scale)
	for i, p := range pairs {
		a, b, before := t.marksOf(p.condition, scale), t.marksOf(p.reference, scale), len(rows)
		for len(a) > 0 && len(b) > 0 {
			switch {
			case a[0].grader < b[0].grader:
				a = a[1:]
			case a[0].grader > b[0].grader:
				b = b[1:]
			default:
				rows = append(rows, stats.Scored{Pair: i, Cluster: t.clusterOf(p.condition), Rater: int(a[0].grader), Value: a[0].value - b[0].value})
				a, b = a[1:], b[1:]
			}
		}
		if len(rows) > before {
			seen++
		}
	}
	return rows, seen
}

// marksOf are the raters' marks that hold for a cell on a scale, by rater.
func (t *table) marksOf(cell int, scale int32) []mark {
	if own := t.ownMarks(cell, scale); len(own) > 0 {
		return own
	}
	if twin, ok := t.twin[cell]; ok {
		return t.ownMarks(twin, scale)
	}
	return nil
}

// ownMarks are the raters' marks of a cell on a scale, by rater.
func (t *table) ownMarks(cell int, scale int32) []mark {
	at := func(m mark, scale int32) int {
		return cmp.Or(m.compare(t.cells[cell].key), cmp.Compare(m.scale, scale))
	}
	lo, _ := slices.BinarySearchFunc(t.own, scale, at)
	hi := lo
	for hi < len(t.own) && at(t.own[hi], scale) == 0 {
		hi++
	}
	return t.own[lo:hi]
}
