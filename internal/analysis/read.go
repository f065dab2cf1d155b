package analysis

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	uplift "github.com/uplift-eval/uplift"
)

// key places a cell: model and item, then replicate and condition, so that
// sorted keys keep the cells that match each other together.
type key struct{ hi, lo uint64 }

func newKey(model, item, replicate, condition int32) key {
	return key{uint64(model)<<32 | uint64(item), uint64(replicate)<<32 | uint64(condition)}
}

func (k key) model() int32     { return int32(k.hi >> 32) }
func (k key) item() int32      { return int32(k.hi) }
func (k key) replicate() int32 { return int32(k.lo >> 32) }
func (k key) condition() int32 { return int32(k.lo) }

// block is the key without its condition.
func (k key) block() key { return key{k.hi, k.lo >> 32} }

func (k key) compare(o key) int { return cmp.Or(cmp.Compare(k.hi, o.hi), cmp.Compare(k.lo, o.lo)) }

type response struct {
	key
	outcome int32 // index into reader.outcomes
}

type mark struct {
	key
	outcome       int32
	scale, grader int32
	value         float64
}

// reader holds what was read. Until rank is called its ids are in order of
// appearance.
type reader struct {
	models, conditions, tasks, attacks names
	scales, graders, outcomes          names
	items                              items
	responses                          []response
	marks                              []mark
	simulated                          bool
	sorter
	heard [kinds]census // what was read of each kind of item
	census
}

// census counts labels, kept or not.
type census struct {
	raterMarks int            // by single raters
	human      int            // by people, on any scale
	labelled   map[string]int // those that are no single rater's, by scale
}

func (c *census) add(o census) {
	c.raterMarks += o.raterMarks
	c.human += o.human
	for scale, n := range o.labelled {
		if c.labelled == nil {
			c.labelled = map[string]int{}
		}
		c.labelled[scale] += n
	}
}

// want tells whether a label is to be kept.
type want func(l uplift.Label) bool

// feed is a reader with the labels that it wants.
type feed struct {
	*reader
	keep want
}

// readResponses streams the responses.
func (r *reader) readResponses(ctx context.Context, src Source) error {
	for resp, err := range src.Responses(ctx) {
		if err == nil {
			err = r.response(resp)
		}
		if err != nil {
			return fmt.Errorf("read responses: %w", err)
		}
	}
	return nil
}

// readLabels streams the labels once, to all feeds, and settles their ids.
func readLabels(ctx context.Context, src Source, feeds ...feed) error {
	for l, err := range src.Labels(ctx) {
		for _, f := range feeds {
			if err == nil {
				err = f.label(l, f.keep)
			}
		}
		if err != nil {
			return fmt.Errorf("read labels: %w", err)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, f := range feeds {
		if err := f.settle(); err != nil {
			return err
		}
	}
	return nil
}

// settle gives the ids their final values, after which nothing may be read.
func (r *reader) settle() error {
	if len(r.items.conflicts) > 0 {
		return conflictError(r.items.conflicts)
	}
	r.rank()
	return r.duplicates()
}

func conflictError(conflicts []string) error {
	slices.Sort(conflicts)
	conflicts = slices.Compact(conflicts)
	if more := len(conflicts) - 1; more > 0 {
		return fmt.Errorf("%s, and %d more like it", conflicts[0], more)
	}
	return errors.New(conflicts[0])
}

func (r *reader) response(u uplift.Response) error {
	k, err := r.key(u.Cell, u.Item.Family, u.Item.Split, u.Item.Tier)
	if err != nil {
		return err
	}
	r.responses = append(r.responses, response{k, r.outcomes.id(string(u.Outcome))})
	r.simulated = r.simulated || u.Simulated
	return nil
}

func (r *reader) label(l uplift.Label, keep want) error {
	r.heard[r.kind(l.Split, l.Attack)].count(l)
	if !keep(l) {
		return nil
	}
	if math.IsNaN(l.Value) || math.IsInf(l.Value, 0) {
		return fmt.Errorf("%v: %s by %s: value %v (want a finite number)", l.Cell, l.Scale, l.Grader, l.Value)
	}
	k, err := r.key(l.Cell, l.Family, l.Split, l.Tier)
	if err != nil {
		return err
	}
	r.marks = append(r.marks, mark{k, r.outcomes.id(string(l.Outcome)), r.scales.id(l.Scale), r.graders.id(l.Grader), l.Value})
	return nil
}

func (c *census) count(l uplift.Label) {
	if _, rater := l.Rater(); rater {
		c.raterMarks++
		return
	}
	if l.Grader == uplift.Human {
		c.human++
	}
	if c.labelled == nil {
		c.labelled = map[string]int{}
	}
	c.labelled[l.Scale]++
}

func (r *reader) key(c uplift.Cell, family, split string, tier uplift.Tier) (key, error) {
	if c.Replicate < 0 || c.Replicate > math.MaxInt32 {
		return key{}, fmt.Errorf("%v: replicate %d (want 0 or more)", c, c.Replicate)
	}
	item := r.items.id(r.tasks.id(c.Task), r.attacks.id(c.Attack), c.Task, family, split, tier)
	return newKey(r.models.id(c.Model), item, int32(c.Replicate), r.conditions.id(c.Condition)), nil
}

// rank replaces every id by the rank of its name and sorts the rows, after
// which nothing tells in which order they came.
func (r *reader) rank() {
	tasks, attacks := r.tasks.rank(), r.attacks.rank()
	for i, it := range r.items.list {
		r.items.list[i].task, r.items.list[i].attack = tasks[it.task], attacks[it.attack]
	}
	items, models, conditions := r.items.rank(), r.models.rank(), r.conditions.rank()
	scales, graders, outcomes := r.scales.rank(), r.graders.rank(), r.outcomes.rank()
	move := func(k key) key {
		return newKey(models[k.model()], items[k.item()], k.replicate(), conditions[k.condition()])
	}
	for i, x := range r.responses {
		r.responses[i] = response{move(x.key), outcomes[x.outcome]}
	}
	for i, m := range r.marks {
		r.marks[i] = mark{move(m.key), outcomes[m.outcome], scales[m.scale], graders[m.grader], m.value}
	}
	slices.SortFunc(r.responses, func(a, b response) int { return a.compare(b.key) })
	slices.SortFunc(r.marks, func(a, b mark) int {
		return cmp.Or(a.compare(b.key), cmp.Compare(a.scale, b.scale), cmp.Compare(a.grader, b.grader))
	})
}

// duplicates refuses what would make a result depend on the order of rows.
func (r *reader) duplicates() error {
	for i := 1; i < len(r.responses); i++ {
		if r.responses[i].key == r.responses[i-1].key {
			return fmt.Errorf("%v: two responses (want one)", r.cell(r.responses[i].key))
		}
	}
	for i := 1; i < len(r.marks); i++ {
		a, b := r.marks[i-1], r.marks[i]
		if a.key == b.key && a.scale == b.scale && a.grader == b.grader {
			return fmt.Errorf("%v: two labels on %s by %s (want one)", r.cell(a.key), r.scales.list[a.scale], r.graders.list[a.grader])
		}
	}
	return nil
}

func (r *reader) cell(k key) uplift.Cell {
	it := r.items.list[k.item()]
	return uplift.Cell{Model: r.models.list[k.model()], Condition: r.conditions.list[k.condition()],
		Task: r.tasks.list[it.task], Attack: r.attacks.list[it.attack], Replicate: int(k.replicate())}
}
