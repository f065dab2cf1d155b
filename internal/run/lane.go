package run

import (
	"context"
	"sync"
)

// lane walks the cells of one model. Each model has its own, so that one that
// falters holds no other up.
type lane struct {
	w          *walk
	conditions map[int]bool // of the Spec's
	workers    int
}

// step is one cell in a lane.
type step struct {
	Work
	condition int // of the Spec's
	memo      memo
}

// mostWorkers bounds the cells that are under way at once.
const mostWorkers = 20_000

// lanes are in the order of the conditions. There are more workers than requests
// in the air, because a cell waits for its shared call and for the disk without
// one: as many wait for a call as conditions share it.
func (w *walk) lanes() []*lane {
	var out []*lane
	named := map[string]*lane{}
	open := map[string]int{}
	for i := range w.spec.Conditions {
		name := w.spec.Conditions[i].ModelName
		l := named[name]
		if l == nil {
			l = &lane{w: w, conditions: map[int]bool{}}
			named[name] = l
			out = append(out, l)
		}
		l.conditions[i] = true
		open[name] += w.todo.by[i].open
		l.workers = max(l.workers, w.ends[i].pace.pace.Concurrency)
	}
	for name, l := range named {
		l.workers = min(open[name], l.workers*(1+l.sharers())+64, mostWorkers)
	}
	return out
}

// sharers is how many cells, at least on average, share one call of an item.
func (l *lane) sharers() int {
	cells, prompts := 0, map[string]bool{}
	for i := range l.conditions {
		if c := &l.w.spec.Conditions[i]; c.Model != nil {
			cells++
			prompts[c.Upstream+"\x00"+c.System] = true
		}
	}
	return (cells + len(prompts) - 1) / max(len(prompts), 1)
}

func (l *lane) walk(ctx context.Context, fail context.CancelCauseFunc) {
	feed := make(chan step)
	var group sync.WaitGroup
	for range l.workers {
		group.Go(func() {
			for s := range feed {
				if err := l.w.cell(ctx, s); err != nil {
					fail(err)
				}
			}
		})
	}
	l.feed(ctx, feed)
	close(feed)
	group.Wait()
}

// feed hands out the open cells in order, until nothing is begun any more. What
// a stopped endpoint would have to be asked stays open; where a limit was reached
// each cell is tried, since its calls may be kept.
func (l *lane) feed(ctx context.Context, feed chan<- step) {
	var calls memo
	task := ""
	for at, work := range l.w.spec.cells() {
		i := at % len(l.w.spec.Conditions)
		if !l.conditions[i] || !l.w.todo.has(at) {
			continue
		}
		if calls == nil || work.Cell.Task != task {
			calls, task = memo{}, work.Cell.Task
		}
		if why := l.w.ends[i].pace.reason(); work.Condition.Model != nil && why != nil && !spent(why) {
			continue
		}
		select {
		case feed <- step{work, i, calls}:
		case <-l.w.halt:
			return
		case <-ctx.Done():
			return
		}
	}
}
