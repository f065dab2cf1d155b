package run

import (
	"context"
	"fmt"

	uplift "github.com/uplift-eval/uplift"
)

// todo says which cells a run asks, by their place in the running order.
type todo struct {
	open    []uint64 // a bit a cell
	count   int
	total   int // selected
	held    int
	failed  int // held failures that are not asked again
	skipped int
	left    int // selected cells beyond the limit
	by      []tallied
}

// tallied counts the cells of one condition.
type tallied struct {
	total, done, withheld, open int
	outcomes                    map[uplift.Outcome]int // of done
}

func (t *todo) has(at int) bool { return t.open[at/64]>>(at%64)&1 == 1 }

// remaining leaves out what is held. A held failure counts as failed unless it
// is asked again.
func remaining(ctx context.Context, spec Spec, keep Kept, opt Options) (*todo, error) {
	held, err := keep.Done(ctx)
	if err != nil {
		return nil, fmt.Errorf("keep: %w", err)
	}
	t := &todo{open: make([]uint64, spec.size()/64+1), by: make([]tallied, len(spec.Conditions))}
	for i := range t.by {
		t.by[i].outcomes = map[uplift.Outcome]int{}
	}
	for at, w := range spec.cells() {
		c := &t.by[at%len(spec.Conditions)]
		var (
			ended uplift.Outcome
			ok    bool
			id    string
		)
		if len(held) > 0 {
			id = w.Cell.ID()
			ended, ok = held[id]
		}
		if !opt.Only.has(w) {
			if !ok {
				t.skipped++
			}
			continue
		}
		t.total++
		c.total++
		if ok && (ended != uplift.Failed || !opt.Retry) {
			t.hold(c, ended, opt.Withheld[id])
		} else if opt.Limit > 0 && t.count >= opt.Limit {
			t.left++
		} else {
			t.open[at/64] |= 1 << (at % 64)
			t.count++
			c.open++
		}
	}
	return t, nil
}

func (t *todo) hold(c *tallied, ended uplift.Outcome, withheld bool) {
	t.held++
	c.done++
	c.outcomes[ended]++
	if ended == uplift.Failed {
		t.failed++
	}
	if withheld {
		c.withheld++
	}
}
