package store

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/rating"
)

// Labels yields the current labels in the order of model, condition, task,
// attack, replicate, scale and grader. It is the only place where a rating
// meets its condition, and it refuses with ErrRatingOpen while a row can still
// be rated.
//
// For each response and scale come
//   - grader human: the stated human label, or else the verdict of
//     [rating.Adjudicate] over the marks of its raters, where it has a value;
//   - each judge's or scorer's label, by its name;
//   - each rater's own current mark that is not "does not apply", as
//     "rater:NAME". Where a rater has several rows of one response (rated
//     again for self-agreement), the first row counts.
//
// A row may show several responses, of one item and with one text. Its marks
// count in the verdict of each; as a rater's own they are yielded once, on the
// first of its responses, so that no text counts twice in an agreement.
//
// It sees the store as it was at the first step. An error ends it. Strings are
// shared between labels, and no connection is held between steps.
func (s *Store) Labels(ctx context.Context) iter.Seq2[uplift.Label, error] {
	return func(yield func(uplift.Label, error) bool) {
		n, err := s.Snapshot(ctx)
		var k *known
		if err == nil {
			k, err = n.loadMarked(ctx)
			n.Close()
		}
		k.walkLabels(err, yield)
	}
}

// walkLabels yields the labels, or the error of loading them.
func (k *known) walkLabels(err error, yield func(uplift.Label, error) bool) {
	if err != nil {
		yield(uplift.Label{}, err)
		return
	}
	g := newGatherer(k)
	for _, at := range k.order() {
		g.gather(at)
		for _, e := range g.list {
			if !e.silent && !yield(g.label(e), nil) {
				return
			}
		}
	}
}

// loadMarked loads the labels, those of rated rows included.
func (n *Snapshot) loadMarked(ctx context.Context) (*known, error) {
	k, err := n.loadClosed(ctx)
	if err == nil {
		n.views.at("labels loaded")
		err = k.loadMarks(ctx, n.moment)
	}
	if err != nil {
		return nil, fmt.Errorf("read labels of %w", explain(n.path, err))
	}
	return k, nil
}

// loadClosed loads the labels, if no row can still be rated.
func (n *Snapshot) loadClosed(ctx context.Context) (*known, error) {
	var open int
	if err := n.moment.QueryRowContext(ctx, countOpenRows).Scan(&open); err != nil {
		return nil, ended(ctx, err)
	}
	if open > 0 {
		return nil, fmt.Errorf("%s: %w: %d rows can still be rated; freeze the ratings first", n.path, ErrRatingOpen, open)
	}
	n.views.at("counted")
	return load(ctx, n.moment, withLabels)
}

// loadMarks makes the marks of closed rows labels.
func (k *known) loadMarks(ctx context.Context, q queryer) error {
	first, err := k.firstShown(ctx, q)
	if err != nil {
		return err
	}
	var last [4]int64 // response, scale, rater, row
	return each(ctx, q, selectMarks, 5, func(r *record) error {
		here := [4]int64{r.number(0), r.number(1), r.number(2), r.number(3)}
		if [3]int64(here[:3]) == [3]int64(last[:3]) && here[3] != last[3] {
			return nil // another row of the same response: the first counts
		}
		last = here
		return k.takeMark(r, first)
	})
}

// firstShown gives, by row, the first in order of the responses that it shows.
func (k *known) firstShown(ctx context.Context, q queryer) (map[int64]int32, error) {
	first := map[int64]int32{}
	var place []int32
	err := each(ctx, q, selectShown, 2, func(r *record) error {
		if place == nil {
			place = inverse(k.order())
		}
		row, at := r.number(0), r.index(1, k.responses.len()+1)-1
		if r.bad || at < 0 {
			return errOddRow
		}
		if have, ok := first[row]; !ok || place[at] < place[have] {
			first[row] = at
		}
		return nil
	})
	return first, err
}

// takeMark makes a mark of a rated row the label of its rater. It takes the
// place of an earlier one, and of one that was imported.
func (k *known) takeMark(r *record, first map[int64]int32) error {
	at, scale, rater := r.index(0, k.responses.len()+1)-1, r.index(1, len(k.names)), r.index(2, len(k.names))
	if r.bad || at < 0 {
		return errOddRow
	}
	l := label{response: at, measure: k.measure(scale, k.name(uplift.RaterPrefix+k.names[rater])),
		na: r.cells[4] == nil, elsewhere: first[r.number(3)] != at}
	if !l.na {
		l.value = r.float(4)
	}
	if old := k.findLabel(at, l.measure); old >= 0 {
		have := k.labels.at(old)
		have.value, have.na, have.elsewhere = l.value, l.na, l.elsewhere
	} else {
		k.addLabel(l)
	}
	return nil
}

// gatherer puts the labels of one response at a time in order.
type gatherer struct {
	*known
	human []int32 // by measure: that of its scale by people as a whole, where it is a rater's
	rank  []int32 // by measure: its place in the order of scale and grader

	at    int32
	cell  uplift.Cell
	list  []entry
	marks []rating.Mark
}

// entry is one label of the response at hand.
type entry struct {
	measure int32
	value   float64
	na      bool
	silent  bool // counts in the verdict, is not yielded
}

func newGatherer(k *known) *gatherer {
	g := &gatherer{known: k, human: make([]int32, len(k.measures))}
	people := k.name(uplift.Human)
	for m := range g.human {
		if k.rater[m] {
			g.human[m] = k.measure(k.measures[m][0], people)
		}
	}
	g.rank = pairRanks(k.measures, k.ranks())
	return g
}

// gather fills list for the response at a position.
func (g *gatherer) gather(at int32) {
	g.at, g.cell, g.list = at, g.known.cell(g.responses.at(at)), g.list[:0]
	raters := false
	for i := g.responses.at(at).first; i >= 0; i = g.labels.at(i).next {
		l := g.labels.at(i)
		g.list = append(g.list, entry{l.measure, l.value, l.na, l.na || l.elsewhere})
		raters = raters || g.rater[l.measure]
	}
	if len(g.list) > 1 {
		g.sort()
	}
	if raters {
		g.adjudicate()
	}
}

func (g *gatherer) sort() {
	slices.SortFunc(g.list, func(a, b entry) int { return cmp.Compare(g.rank[a.measure], g.rank[b.measure]) })
}

// adjudicate adds a human label to each scale that has raters' marks and none
// stated. The marks go in the order of the raters' names.
func (g *gatherer) adjudicate() {
	for n, from := len(g.list), 0; from < n; {
		scale, human, stated := g.measures[g.list[from].measure][0], int32(-1), false
		g.marks = g.marks[:0]
		to := from
		for ; to < n && g.measures[g.list[to].measure][0] == scale; to++ {
			e := g.list[to]
			if g.rater[e.measure] {
				human = g.human[e.measure]
				g.marks = append(g.marks, rating.Mark{Scale: g.names[scale], Value: e.value, NA: e.na})
			} else if g.names[g.measures[e.measure][1]] == uplift.Human {
				stated = true
			}
		}
		from = to
		if stated || len(g.marks) == 0 {
			continue
		}
		if v := rating.Adjudicate(g.names[scale], g.marks); v.Resolved && !v.NA {
			g.list = append(g.list, entry{measure: human, value: v.Value})
		}
	}
	g.sort()
}

// label makes a record of an entry.
func (g *gatherer) label(e entry) uplift.Label {
	r, m := g.responses.at(g.at), g.measures[e.measure]
	it := &g.items[r.item]
	return uplift.Label{Cell: g.cell, Family: g.names[it.family], Split: g.names[it.split], Tier: uplift.Tier(g.names[it.tier]),
		Outcome: uplift.Outcome(g.names[r.outcome]), Scale: g.names[m[0]], Value: e.value, Grader: g.names[m[1]]}
}
