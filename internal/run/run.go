package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/lint"
)

// Options bound a run. The zero value asks one request of each model at a time
// without end.
type Options struct {
	Concurrency int             // upstream requests of each model in the air; 0 means 1
	Models      map[string]Pace // by the study's name of a model, where it differs
	Retries     Retries         // of failures that may pass

	Only  Only // cells that are asked; the zero value selects all
	Limit int  // cells that are asked in this run; 0 means no limit
	Retry bool // plan held failures again; without it they stay as they are

	MaxRequests int     // upstream requests of all runs; 0 means no limit
	MaxCostUSD  float64 // of all runs; 0 means no limit
	MaxMinutes  float64 // of this run; 0 means no limit

	Prices map[string]Price // by the study's name of a model; of all that are asked where MaxCostUSD is set
	Spent  map[string]Spent // by earlier runs, by the same name
	Tried  map[string]int   // attempts of calls, by digest, where a failed one was the last that was kept

	Profile   lint.Profile    // looks through what comes back
	Vault     Sealer          // nil: a text that is withheld is dropped
	Hazard    bool            // the study asks real hazardous requests: every text is withheld
	PastPause bool            // goes on where too much of a condition is withheld
	Withheld  map[string]bool // ids of held responses in which a rule found something
	KeepRaw   bool            // keep the bodies that came

	Seed  uint64           // of pauses
	Now   func() time.Time // nil: a clock that stands still
	Sleep Sleep            // nil: by the clock of the process
	Halt  <-chan struct{}  // closed: nothing more is sent, and what is in the air is finished

	// Progress is told how many of the selected cells are held, once before the
	// first and after each one that became durable. Calls never overlap; a slow
	// one holds up the run.
	Progress func(done, total int)
	Monitor  *Monitor // shows the run; may be nil

	largest int // worst input of an item's first request, in tokens
	longest int // and output
}

// Report says what a run did. Total = Held + Finished + Remaining.
type Report struct {
	Status
	Remaining int                    `json:"remaining"`         // selected cells without a response
	Skipped   int                    `json:"skipped"`           // cells that are not selected, and have none
	Outcomes  map[uplift.Outcome]int `json:"outcomes"`          // held cells included
	CutOff    map[string]int         `json:"cut_off,omitempty"` // replies to requests of this run that are not known to be whole, by the provider's word
	Faults    []Fault                `json:"faults,omitempty"`
}

// Gaps reports whether selected cells are missing or failed: the run is finished
// with gaps.
func (r Report) Gaps() bool { return r.Remaining > 0 || r.Failed > 0 }

// Run walks the cells that the keeper does not hold yet. It returns when every
// selected cell is durable, when a limit is reached or every model stopped (no
// error; Halts), or with an error when ctx ends or the keeper fails; the Report
// is right in every case, and running again goes on from there. Replies that
// came before the end are kept.
func Run(ctx context.Context, spec Spec, keep Keeper, opt Options) (Report, error) {
	if err := spec.Check(); err != nil {
		return Report{}, err
	}
	opt = opt.filled(spec)
	if err := opt.Check(spec); err != nil {
		return Report{}, err
	}
	todo, err := remaining(ctx, spec, keep, opt)
	if err != nil {
		return Report{}, err
	}
	w := newWalk(spec, keep, opt, todo)
	opt.Monitor.watch(w)
	err = w.run(ctx)
	return w.report(), err
}

func (o Options) filled(s Spec) Options {
	o.Concurrency = max(o.Concurrency, 1)
	o.Retries = o.Retries.filled()
	if o.Now == nil {
		o.Now = func() time.Time { return time.Unix(0, 0) }
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	for i := range s.Conditions {
		c := &s.Conditions[i]
		out := openOutput
		if c.Sampling.MaxTokens != nil {
			out = *c.Sampling.MaxTokens
		}
		o.longest, o.largest = max(o.longest, out), max(o.largest, len(c.System))
	}
	turns := 0
	for _, item := range s.Items {
		n := 0
		for _, t := range item.Turns {
			n += len(t)
		}
		turns = max(turns, n)
	}
	o.largest += turns
	return o
}

// Check wants a cell for every selector, and a price of every model that they ask
// where money is limited: without one the limit would mean nothing.
func (o Options) Check(s Spec) error {
	if missing := o.Only.unused(s); missing != "" {
		return fmt.Errorf("only: no cell of the study has %s", missing)
	}
	if name := o.unpriced(s); name != "" {
		return fmt.Errorf("max_cost_usd: model %s: no price is known, so its cost cannot be limited: %w", name, ErrNoPrice)
	}
	return nil
}

// unpriced names a model without a price whose cost is limited: one that selected
// cells ask, or that earlier runs have asked. It is empty when there is none.
func (o Options) unpriced(s Spec) string {
	if o.MaxCostUSD == 0 {
		return ""
	}
	missing := make([]string, len(s.Conditions))
	for i := range s.Conditions {
		names := []string{s.Conditions[i].ModelName}
		if r := s.Conditions[i].Rewriter; r != nil {
			names = append(names, r.ModelName)
		}
		for _, name := range names {
			_, ok := o.Prices[name]
			if !ok {
				missing[i] = name
			}
			if !ok && o.Spent[name].Requests > 0 {
				return name
			}
		}
	}
	if !slices.ContainsFunc(missing, func(name string) bool { return name != "" }) {
		return ""
	}
	for at, w := range s.cells() {
		if name := missing[at%len(missing)]; name != "" && o.Only.has(w) {
			return name
		}
	}
	return ""
}

// ErrNoPrice says that money is limited and a model has no price.
var ErrNoPrice = errors.New("want a price of it")
