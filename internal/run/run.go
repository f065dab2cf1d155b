package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
)

// Options bound a run. The zero value asks one request at a time without end.
type Options struct {
	Concurrency int  // upstream requests in the air; 0 means 1
	MaxRequests int  // upstream requests of this run; 0 means no limit
	Retry       bool // plan held failures again; without it they stay as they are

	// Progress is told how many cells of the plan are held, once before the
	// first and after each one that became durable. Calls never overlap; a
	// slow one holds up the run.
	Progress func(done, total int)
}

// Report says what a run did. Total = Held + Finished + Remaining.
type Report struct {
	Total     int                    `json:"total"`     // cells of the plan
	Held      int                    `json:"held"`      // kept by earlier runs and not planned again
	Finished  int                    `json:"finished"`  // became durable in this run
	Remaining int                    `json:"remaining"` // without a response
	Failed    int                    `json:"failed"`    // responses with the outcome error, those of earlier runs included
	Requests  int                    `json:"requests"`  // upstream requests begun
	Shared    int                    `json:"shared"`    // answers that a kept or flying call gave
	Outcomes  map[uplift.Outcome]int `json:"outcomes"`  // of this run
	Limited   bool                   `json:"limited"`   // stopped by MaxRequests
}

// Gaps reports whether cells are missing or failed: the run is finished with gaps.
func (r Report) Gaps() bool { return r.Remaining > 0 || r.Failed > 0 }

// Run walks the cells that the keeper does not hold yet. It returns when every
// cell is durable, when a limit is reached (no error; Limited), or with an
// error when ctx ends or the keeper fails; the Report is right in every case,
// and running again goes on from there. Replies that came before the end are
// kept.
func Run(ctx context.Context, spec Spec, keep Keeper, opt Options) (Report, error) {
	plan, err := spec.Plan()
	if err != nil {
		return Report{}, err
	}
	held, err := keep.Done(ctx)
	if err != nil {
		return Report{}, fmt.Errorf("keep: %w", err)
	}
	report := Report{Total: len(plan), Outcomes: map[uplift.Outcome]int{}}
	todo := remaining(plan, held, opt.Retry, &report)
	w := newWalk(spec, keep, opt, &report)
	err = w.walk(ctx, todo)
	report.Remaining = report.Total - report.Held - report.Finished
	report.Requests, report.Shared, report.Limited = w.calls.sent, w.calls.shared, w.calls.halted
	return report, err
}

// remaining leaves out what is held. A held failure counts as failed unless it
// is planned again.
func remaining(plan []Work, held map[string]bool, retry bool, r *Report) []Work {
	return slices.DeleteFunc(plan, func(w Work) bool {
		well, ok := held[w.Cell.ID()]
		if !ok || (!well && retry) {
			return false
		}
		r.Held++
		if !well {
			r.Failed++
		}
		return true
	})
}

// walk is one run in progress.
type walk struct {
	keep       Keeper
	calls      *calls
	conditions map[*access.Condition]access.Condition // with calls that are kept
	opt        Options
	simulated  bool

	mu     sync.Mutex
	report *Report
}

func newWalk(spec Spec, keep Keeper, opt Options, r *Report) *walk {
	opt.Concurrency = max(opt.Concurrency, 1)
	w := &walk{keep: keep, opt: opt, simulated: spec.Simulated, report: r,
		conditions: make(map[*access.Condition]access.Condition, len(spec.Conditions)),
		calls: &calls{keep: keep, limit: opt.MaxRequests, flying: map[string]*flight{},
			slots: make(chan struct{}, opt.Concurrency)}}
	for i := range spec.Conditions {
		c := spec.Conditions[i]
		c.Via = w.calls.answer
		w.conditions[&spec.Conditions[i]] = c
	}
	return w
}

// workers is how many cells are walked at once. There are more than slots,
// because a cell waits for its shared call and for the disk without one.
func (w *walk) workers(cells int) int { return min(cells, 4*w.opt.Concurrency+64) }

// walk starts the workers, feeds them in order and waits for all of them. The
// first error ends it.
func (w *walk) walk(ctx context.Context, todo []Work) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.progress()
	feed := make(chan Work)
	var group sync.WaitGroup
	for range w.workers(len(todo)) {
		group.Go(func() {
			for work := range feed {
				if err := w.cell(ctx, work); err != nil {
					cancel(err)
				}
			}
		})
	}
	w.feed(ctx, feed, todo)
	close(feed)
	group.Wait()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, errLimit) {
		return cause
	}
	return nil
}

func (w *walk) feed(ctx context.Context, feed chan<- Work, todo []Work) {
	for _, work := range todo {
		select {
		case feed <- work:
		case <-ctx.Done():
			return
		}
	}
}

// cell runs one cell and keeps its response. Reaching a limit leaves the cell
// open and is no error, because cells whose calls are kept can still finish.
func (w *walk) cell(ctx context.Context, work Work) error {
	c := w.conditions[work.Condition]
	got, err := c.Respond(ctx, access.Request{Turns: work.Item.Turns, Next: next(work.Item), Replicate: work.Cell.Replicate})
	switch {
	case errors.Is(err, errLimit):
		return nil
	case err != nil:
		return fmt.Errorf("run %s: %w", work.Cell, err)
	}
	if err := w.keep.PutResponse(context.WithoutCancel(ctx), work.response(got, w.simulated)); err != nil {
		return fmt.Errorf("run %s: %w", work.Cell, keeping(err))
	}
	w.finish(got.Outcome)
	return nil
}

func (w *walk) finish(o uplift.Outcome) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.report.Finished++
	w.report.Outcomes[o]++
	if o == uplift.Failed {
		w.report.Failed++
	}
	w.told()
}

func (w *walk) progress() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told()
}

// told reports progress; w.mu is held.
func (w *walk) told() {
	if w.opt.Progress != nil {
		w.opt.Progress(w.report.Held+w.report.Finished, w.report.Total)
	}
}
