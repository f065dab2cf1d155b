package run

import (
	"cmp"
	"slices"
	"sync"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// Status is how far a run is.
type Status struct {
	Total      int               `json:"total"`              // cells that are selected
	Held       int               `json:"held"`               // kept by earlier runs, and not asked again
	Finished   int               `json:"finished"`           // became durable in this run
	Failed     int               `json:"failed"`             // of held and finished, with the outcome error
	Withheld   int               `json:"withheld"`           // responses of this run in which a rule found something
	Requests   int               `json:"requests"`           // sent in this run
	Answered   int               `json:"answered"`           // answers that requests of this run gave, failures for good included
	Shared     int               `json:"shared"`             // answers that a kept or flying call gave
	Throttled  int               `json:"throttled"`          // requests that the provider put off: 429, 503 and 529
	Retries    int               `json:"retries"`            // requests that were sent again
	Flying     int               `json:"flying"`             // requests in the air
	Window     int               `json:"window"`             // how many may be
	CostUSD    float64           `json:"cost_usd"`           // over all runs, as far as providers say
	UnknownUSD float64           `json:"unknown_usd"`        // at most, of requests of unknown use
	Unknown    int               `json:"unknown"`            // requests of unknown use that may have been paid for
	Priced     bool              `json:"priced"`             // every model has a price
	Unpriced   []string          `json:"unpriced,omitempty"` // the models that have none
	Conditions []ConditionStatus `json:"conditions"`         // in the order of the study
	Waits      []Wait            `json:"waits,omitempty"`    // why models are not asked faster at the moment
	Halts      []Halt            `json:"halts,omitempty"`
}

// ConditionStatus is how far one condition of one model is.
type ConditionStatus struct {
	Model     string                 `json:"model"`
	Condition string                 `json:"condition"`
	Total     int                    `json:"total"`
	Done      int                    `json:"done"`     // held ones included
	Withheld  int                    `json:"withheld"` // held ones included
	Outcomes  map[uplift.Outcome]int `json:"outcomes"` // held ones included
}

// Fault is one reason for which cells failed in this run.
type Fault struct {
	Text  string `json:"text"`
	Count int    `json:"count"`
	Cell  string `json:"cell"` // one of them
}

// mostFaults bounds how many reasons are told apart.
const mostFaults = 50

// replied counts a reply that is not known to be whole by the provider's word for
// its end: a limit of tokens, or a stop that is not known.
func (s *status) replied(stop uplift.Stop, word string) {
	if stop != uplift.StopLength {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cutOff[word] == 0 && len(s.cutOff) >= mostFaults {
		word = otherFaults
	}
	s.cutOff[word]++
}

// otherFaults stands for the reasons beyond them.
const otherFaults = "other reasons"

// status counts during a run.
type status struct {
	mu         sync.Mutex
	s          Status
	conditions []ConditionStatus
	faults     map[string]*Fault
	cutOff     map[string]int
}

func (s *status) retry() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.s.Retries++
}

func (s *status) sent(k model.Kind) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.s.Requests++
	if k == model.RateLimit || k == model.Overloaded {
		s.s.Throttled++
	}
}

// finish counts a response that is durable, and gives the state of its condition.
func (s *status) finish(at int, r uplift.Response, found bool) (ConditionStatus, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &s.conditions[at]
	s.s.Finished++
	c.Done++
	c.Outcomes[r.Outcome]++
	if found {
		s.s.Withheld++
		c.Withheld++
	}
	if r.Outcome == uplift.Failed {
		s.s.Failed++
		s.fault(r)
	}
	return *c, s.s.Held + s.s.Finished
}

func (s *status) fault(r uplift.Response) {
	text := r.Detail
	f := s.faults[text]
	if f == nil && len(s.faults) >= mostFaults {
		text = otherFaults
		f = s.faults[text]
	}
	if f == nil {
		f = &Fault{Text: text, Cell: r.Cell.String()}
		s.faults[text] = f
	}
	f.Count++
}

// sorted are the faults, the commonest first.
func (s *status) sorted() []Fault {
	var out []Fault
	for _, f := range s.faults {
		out = append(out, *f)
	}
	slices.SortFunc(out, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	return out
}

// Monitor shows a run while it goes on. The zero value shows nothing yet; it is
// safe for concurrent use.
type Monitor struct {
	mu   sync.Mutex
	walk *walk
}

func (m *Monitor) watch(w *walk) {
	if m != nil {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.walk = w
	}
}

// Status is how far the run is; ok is false before it begins.
func (m *Monitor) Status() (s Status, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.walk == nil {
		return s, false
	}
	return m.walk.snapshot(), true
}
