package analysis

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	uplift "github.com/uplift-eval/uplift"
)

// shown is a text of an item: what makes two responses one row for a rater.
type shown struct {
	item int32
	text [sha256.Size]byte
}

// findTwins finds, for cells of pairs without a rater's own mark, a marked cell
// of the same item that showed the same text: one row was marked for both. It
// reads the texts once, and only where an item of a table has both kinds of cells;
// it knows no twins of a source without texts.
func findTwins(ctx context.Context, src Source, tables []*table, opt Options) error {
	source, ok := src.(Texts)
	if !ok {
		return nil
	}
	var searches []*search
	for _, t := range tables {
		if bare, items := t.bareCells(opt); len(items) > 0 {
			searches = append(searches, &search{t, bare, items, map[shown]int{}, map[int]shown{}})
		}
	}
	if len(searches) == 0 {
		return nil
	}
	for r, err := range source.Texts(ctx) {
		if err != nil {
			return fmt.Errorf("read texts: %w", err)
		}
		for _, s := range searches {
			s.see(r)
		}
	}
	for _, s := range searches {
		s.settle()
	}
	return nil
}

// search finds the twins of one table.
type search struct {
	*table
	bare    []bool         // cells without a mark
	items   map[int32]bool // that have such a cell beside a marked one
	marked  map[shown]int  // the first marked cell that showed it
	lacking map[int]shown
}

func (s *search) see(r uplift.Response) {
	cell := s.cellOf(r.Cell)
	if cell < 0 || !s.items[s.cells[cell].item()] {
		return
	}
	what, ok := s.shownBy(cell, r)
	switch {
	case !ok:
	case s.bare[cell]:
		s.lacking[cell] = what
	case s.isMarked(cell):
		if first, ok := s.marked[what]; !ok || cell < first {
			s.marked[what] = cell
		}
	}
}

func (s *search) settle() {
	s.twin = map[int]int{}
	for cell, what := range s.lacking {
		if twin, ok := s.marked[what]; ok {
			s.twin[cell] = twin
		}
	}
}

// bareCells tells which cells of the pairs by people no rater marked, and which
// items have such a cell beside a marked one.
func (t *table) bareCells(opt Options) (bare []bool, items map[int32]bool) {
	if len(t.own) == 0 {
		return nil, nil
	}
	bare, items = make([]bool, len(t.cells)), map[int32]bool{}
	marked := map[int32]bool{}
	for _, m := range t.own {
		marked[m.item()] = true
	}
	for _, p := range t.plans(opt) {
		if t.columns[p.column].grader != uplift.Human {
			continue
		}
		for _, m := range t.pairUp(p).pairs {
			for _, cell := range []int{m.condition, m.reference} {
				if item := t.cells[cell].item(); marked[item] && !t.isMarked(cell) {
					bare[cell], items[item] = true, true
				}
			}
		}
	}
	return bare, items
}

// isMarked reports whether a rater marked a cell, on any scale.
func (t *table) isMarked(cell int) bool {
	lo, _ := slices.BinarySearchFunc(t.own, t.cells[cell].key, func(m mark, k key) int { return m.compare(k) })
	return lo < len(t.own) && t.own[lo].key == t.cells[cell].key
}

// shownBy is what a response showed; false when nothing.
func (t *table) shownBy(cell int, r uplift.Response) (shown, bool) {
	if r.Text == "" && len(r.Transcript) == 0 {
		return shown{}, false
	}
	b, err := json.Marshal([]any{r.Transcript, r.Text})
	if err != nil { // strings have a JSON form
		return shown{}, false
	}
	return shown{t.cells[cell].item(), sha256.Sum256(b)}, true
}

// cellOf is the index of a cell; -1 when it was not read.
func (t *table) cellOf(c uplift.Cell) int {
	task, attack := t.tasks.find(c.Task), t.attacks.find(c.Attack)
	model, condition := t.models.find(c.Model), t.conditions.find(c.Condition)
	if min(task, attack, model, condition) < 0 || c.Replicate < 0 {
		return -1
	}
	item, ok := slices.BinarySearchFunc(t.items.list, item{task: task, attack: attack}, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.task, b.task), cmp.Compare(a.attack, b.attack))
	})
	if !ok {
		return -1
	}
	at, ok := slices.BinarySearchFunc(t.cells, newKey(model, int32(item), int32(c.Replicate), condition), func(r response, k key) int { return r.compare(k) })
	if !ok {
		return -1
	}
	return at
}
