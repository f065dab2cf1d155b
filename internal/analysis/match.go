package analysis

import (
	"slices"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/stats"
)

// plan is one contrast to make.
type plan struct {
	model, condition, reference int32
	endpoint                    int // index into Options.Endpoints
	column                      int
	tiers                       []uplift.Tier
}

// plans lists every contrast: by model, then endpoint in the order of the
// options, then condition; models and conditions in order of name.
func (t *table) plans(opt Options) []plan {
	ref := t.conditions.find(opt.Reference)
	var out []plan
	for m := range t.models.list {
		if !t.present[m][ref] {
			continue
		}
		for e, end := range opt.Endpoints {
			for c := range t.conditions.list {
				if t.present[m][c] && int32(c) != ref {
					out = append(out, plan{int32(m), int32(c), ref, e, t.endpoints[e], end.Tiers})
				}
			}
		}
	}
	return out
}

// match visits, in order of item and replicate, every matched set of cells
// that holds a cell of the condition or the reference in the plan's tiers. The
// index of a cell that is not there is -1.
func (t *table) match(p plan, visit func(condition, reference int)) {
	end := t.modelStart[p.model+1]
	for lo, hi := t.modelStart[p.model], 0; lo < end; lo = hi {
		c, r := -1, -1
		for hi = lo; hi < end && t.cells[hi].block() == t.cells[lo].block(); hi++ {
			switch t.cells[hi].condition() {
			case p.condition:
				c = hi
			case p.reference:
				r = hi
			}
		}
		if (c >= 0 || r >= 0) && slices.Contains(p.tiers, t.tier(lo)) {
			visit(c, r)
		}
	}
}

// pair is two matched cells that both carry a label.
type pair struct {
	condition, reference           int // cells
	scoreCondition, scoreReference float64
}

func (p pair) difference() float64 { return p.scoreCondition - p.scoreReference }

// matched is what a contrast has to work with.
type matched struct {
	pairs     []pair
	unmatched int     // labelled cells without a labelled partner
	missing   int     // cells of cellPairs that lack a label
	graded    int     // of missing: labelled by the same grader on another scale
	cellPairs int     // pairs of cells, labelled or not
	lo, hi    float64 // sums of the worst and best differences over cellPairs
}

// pairUp matches the labels of a plan.
func (t *table) pairUp(p plan) matched { return t.pairUpAs(t.blockedAs, p) }

// pairUpAs is pairUp with a provider's blocks taken one way. Apart, a matched
// pair of cells that holds one is not there.
func (t *table) pairUpAs(b Blocks, p plan) matched {
	var m matched
	t.match(p, func(c, r int) {
		if b == BlocksApart && (c >= 0 && t.blocked(c) || r >= 0 && t.blocked(r)) {
			return
		}
		x, okC := t.labelAs(b, c, p.column)
		y, okR := t.labelAs(b, r, p.column)
		switch {
		case okC && okR:
			m.pairs = append(m.pairs, pair{c, r, x, y})
		case okC || okR:
			m.unmatched++
		}
		if c >= 0 && r >= 0 {
			m.bound(x, okC, y, okR)
			if !okC && t.gradedElsewhere(c, p.column) {
				m.graded++
			}
			if !okR && t.gradedElsewhere(r, p.column) {
				m.graded++
			}
		}
	})
	return m
}

// labelAs is valueAs for a cell that may be absent.
func (t *table) labelAs(b Blocks, cell, column int) (float64, bool) {
	if cell < 0 {
		return 0, false
	}
	return t.valueAs(b, cell, column)
}

// bound adds a pair of cells to the sums, a missing label being 0 or 1,
// whichever is worse or better.
func (m *matched) bound(x float64, okC bool, y float64, okR bool) {
	m.cellPairs++
	loX, hiX, loY, hiY := x, x, y, y
	if !okC {
		loX, hiX = 0, 1
		m.missing++
	}
	if !okR {
		loY, hiY = 0, 1
		m.missing++
	}
	m.lo += loX - hiY
	m.hi += hiX - loY
}

// bounds is nil when no label is missing.
func (m matched) bounds() *Range {
	if m.missing == 0 {
		return nil
	}
	n := float64(m.cellPairs)
	return &Range{Lo: m.lo / n, Hi: m.hi / n}
}

// sample clusters the differences.
func (t *table) sample(pairs []pair) (*stats.Clustered, error) {
	values, cluster := make([]float64, len(pairs)), make([]int, len(pairs))
	for i, p := range pairs {
		values[i] = p.difference()
		cluster[i] = t.clusterOf(p.condition)
	}
	return stats.NewClustered(values, cluster)
}
