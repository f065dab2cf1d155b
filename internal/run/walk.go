package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
)

// walk is one run in progress.
type walk struct {
	spec    Spec
	keep    *guarded
	opt     Options
	todo    *todo
	sharing sharing
	budget  *budget
	status  status
	ends    []*endpoint // of each condition
	writers []*endpoint // of each condition's rewriter; nil where it has none
	all     []*endpoint // each once, in the order of the conditions

	ending  sync.Once
	halting sync.Once
	halt    chan struct{} // closed: no further cell is begun
	telling sync.Mutex
}

func newWalk(spec Spec, keep Keeper, opt Options, t *todo) *walk {
	w := &walk{spec: spec, opt: opt, todo: t, budget: newBudget(opt), halt: make(chan struct{}),
		keep:    &guarded{Keeper: keep, profile: &glass{profile: opt.Profile}, vault: opt.Vault, hazard: opt.Hazard, now: opt.Now},
		sharing: sharing{flying: map[string]*flight{}}}
	w.status.faults, w.status.cutOff = map[string]*Fault{}, map[string]int{}
	w.status.s = Status{Total: t.total, Held: t.held, Failed: t.failed, Priced: true}
	named := map[string]*endpoint{}
	for i := range spec.Conditions {
		c := &spec.Conditions[i]
		w.status.conditions = append(w.status.conditions, ConditionStatus{Model: c.ModelName, Condition: c.Name, Total: t.by[i].total,
			Done: t.by[i].done, Withheld: t.by[i].withheld, Outcomes: maps.Clone(t.by[i].outcomes)})
		w.ends = append(w.ends, w.endpoint(named, c.ModelName, c.Upstream))
		var writer *endpoint
		if r := c.Rewriter; r != nil {
			writer = w.endpoint(named, r.ModelName, r.Upstream)
		}
		w.writers = append(w.writers, writer)
	}
	return w
}

// endpoint finds the endpoint of a name, or makes it.
func (w *walk) endpoint(named map[string]*endpoint, model, upstream string) *endpoint {
	name := cmp.Or(upstream, model)
	if e := named[name]; e != nil {
		return e
	}
	pace := w.opt.Models[model]
	if pace.Concurrency == 0 {
		pace.Concurrency = w.opt.Concurrency
	}
	price, priced := w.opt.Prices[model]
	if !priced && !w.spec.Simulated {
		w.status.s.Priced = false
		if !slices.Contains(w.status.s.Unpriced, model) {
			w.status.s.Unpriced = append(w.status.s.Unpriced, model)
		}
	}
	e := &endpoint{model: model, price: price, ended: w.lost, quiet: func(said string) bool { return w.keep.look(said) != nil }, open: make(chan struct{}, 2*pace.Concurrency),
		pace: newPacer(pace, w.opt.Now, w.opt.Sleep, func(n int) float64 { return jitter(w.opt.Seed, "pause of "+name, n) })}
	named[name] = e
	w.all = append(w.all, e)
	return e
}

// run starts a lane for each model and waits for all of them. The first error
// ends it.
func (w *walk) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	awake := context.AfterFunc(ctx, func() { w.close(context.Cause(ctx)) })
	defer awake()
	w.tell(w.todo.held)
	for i := range w.status.conditions {
		w.pause(w.status.conditions[i])
	}
	var lanes, watch sync.WaitGroup
	over := make(chan struct{})
	watch.Go(func() { w.watch(over) })
	if w.opt.MaxMinutes > 0 {
		watch.Go(func() { w.timeout(over) })
	}
	for _, l := range w.lanes() {
		lanes.Go(func() { l.walk(ctx, cancel) })
	}
	lanes.Wait()
	close(over)
	watch.Wait()
	return context.Cause(ctx)
}

// watch ends the run when its caller says so.
func (w *walk) watch(over <-chan struct{}) {
	select {
	case <-w.opt.Halt:
		w.end(&halted{reason: StopAsked, text: "it was asked to stop"})
	case <-over:
	}
}

func (w *walk) timeout(over <-chan struct{}) {
	if w.opt.Sleep(time.Duration(w.opt.MaxMinutes*float64(time.Minute)), over) {
		w.end(&halted{reason: StopMinutes, text: fmt.Sprintf("the limit of %g minutes is reached", w.opt.MaxMinutes)})
	}
}

// end lets nothing more be sent, and keeps the first reason. Where that is what
// was spent, further cells are begun: those whose calls are kept can finish.
func (w *walk) end(h *halted) {
	w.ending.Do(func() {
		w.lost(h)
		w.close(h)
	})
	if !spent(h) {
		w.halting.Do(func() { close(w.halt) })
	}
}

// lost notes a reason.
func (w *walk) lost(h *halted) {
	w.status.mu.Lock()
	defer w.status.mu.Unlock()
	w.status.s.Halts = append(w.status.s.Halts, h.halt())
}

// close wakes whoever waits for leave to send.
func (w *walk) close(why error) {
	for _, e := range w.all {
		e.pace.stop(why)
	}
}

// cell runs one cell and keeps its response. Where nothing may be sent any more
// the cell stays open, which is no error: cells whose calls are kept can still
// finish.
func (w *walk) cell(ctx context.Context, s step) error {
	work := s.Work
	c := *work.Condition
	if c.Model != nil {
		a := &asker{walk: w, to: w.ends[s.condition], next: c.Model, memo: s.memo}
		c.Model, c.Via = a, a.answer
	}
	if c.Rewriter != nil {
		r := *c.Rewriter
		a := &asker{walk: w, to: w.writers[s.condition], next: r.Model, memo: s.memo}
		r.Model, r.Via = a, a.answer
		c.Rewriter = &r
	}
	got, err := c.Respond(ctx, access.Request{Turns: work.Item.Turns, Next: next(work.Item), Replicate: work.Cell.Replicate})
	if _, ok := errors.AsType[*halted](err); ok {
		return nil
	}
	if err != nil {
		return fmt.Errorf("run %s: %w", work.Cell, err)
	}
	r := work.response(got, w.spec.Simulated)
	found, err := w.keep.putResponse(context.WithoutCancel(ctx), r)
	if err != nil {
		return fmt.Errorf("run %s: %w", work.Cell, keeping(err))
	}
	if w.keep.look(r.Detail) != nil {
		r.Detail = withheldError
	}
	w.finish(s.condition, r, found)
	return nil
}

func (w *walk) finish(condition int, r uplift.Response, found bool) {
	w.telling.Lock()
	defer w.telling.Unlock()
	c, done := w.status.finish(condition, r, found)
	if w.opt.Progress != nil {
		w.opt.Progress(done, w.todo.total)
	}
	w.pause(c)
}

func (w *walk) tell(done int) {
	w.telling.Lock()
	defer w.telling.Unlock()
	if w.opt.Progress != nil {
		w.opt.Progress(done, w.todo.total)
	}
}

// A run pauses when more than this share of the responses of a condition
// is withheld, after so many.
const (
	PauseShare = 0.02
	PauseAfter = 50
)

// pause ends the run where too much of a condition is withheld: somebody should
// know before more of it is made.
func (w *walk) pause(c ConditionStatus) {
	if w.opt.PastPause || c.Done < PauseAfter || float64(c.Withheld) <= PauseShare*float64(c.Done) {
		return
	}
	w.end(&halted{reason: StopPaused, text: fmt.Sprintf("condition %s of model %s: %d of %d responses are withheld, more than 2 %%",
		c.Condition, c.Model, c.Withheld, c.Done)})
}

// snapshot is how far the run is.
func (w *walk) snapshot() Status {
	w.status.mu.Lock()
	s := w.status.s
	s.Conditions = nil
	for _, c := range w.status.conditions {
		c.Outcomes = maps.Clone(c.Outcomes)
		s.Conditions = append(s.Conditions, c)
	}
	s.Halts = append([]Halt(nil), s.Halts...)
	w.status.mu.Unlock()
	for _, e := range w.all {
		flying, window := e.pace.state()
		s.Flying, s.Window = s.Flying+flying, s.Window+window
		s.Waits = append(s.Waits, e.waits(w.opt.Now())...)
	}
	w.sharing.mu.Lock()
	s.Shared, s.Answered = w.sharing.shared, w.sharing.made
	w.sharing.mu.Unlock()
	w.budget.mu.Lock()
	s.CostUSD, s.UnknownUSD, s.Unknown = w.budget.spent, w.budget.unknown, w.budget.silent
	w.budget.mu.Unlock()
	return s
}

func (w *walk) report() Report {
	r := Report{Status: w.snapshot(), Skipped: w.todo.skipped, Outcomes: map[uplift.Outcome]int{}, Faults: w.status.sorted(), CutOff: w.status.cutOff}
	r.Remaining = r.Total - r.Held - r.Finished
	for _, c := range r.Conditions {
		for o, n := range c.Outcomes {
			r.Outcomes[o] += n
		}
	}
	return r
}
