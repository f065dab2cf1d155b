package fakeprovider

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
)

// Stats counts since the start or the last reset.
type Stats struct {
	Requests  int            `json:"requests"`  // that arrived in one of the forms
	Completed int            `json:"completed"` // whose answer was written to its end, errors among them
	InFlight  int            `json:"in_flight"` // now
	Peak      int            `json:"peak"`      // the most at once
	Distinct  int            `json:"distinct"`  // different requests that were understood
	Delivered int            `json:"delivered"` // replies worth their money that were written whole
	Repaid    int            `json:"repaid"`    // those among them whose request had been delivered before
	TokensIn  int            `json:"tokens_in"` // of what was delivered
	TokensOut int            `json:"tokens_out"`
	Faults    map[Fault]int  `json:"faults"` // that were drawn or scripted
	By        []Count        `json:"by"`
	Of        map[string]int `json:"of,omitempty"` // how often each request was delivered, by digest; with ?requests
}

// Count counts answers of one kind.
type Count struct {
	Endpoint string `json:"endpoint"`
	Model    string `json:"model"`  // empty where the request was not understood
	Status   int    `json:"status"` // 0: the connection ended without one
	Count    int    `json:"count"`
}

// seen is what is known of one request.
type seen struct{ copies, delivered int }

// Stats is a copy of the counts; Of is always filled.
func (p *Provider) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.counts
	s.Faults = maps.Clone(s.Faults)
	s.Distinct, s.Of, s.By = len(p.seen), make(map[string]int, len(p.seen)), []Count{}
	for d, one := range p.seen {
		s.Of[d.String()] = one.delivered
	}
	for c, n := range p.by {
		c.Count = n
		s.By = append(s.By, c)
	}
	slices.SortFunc(s.By, func(a, b Count) int {
		return cmp.Or(cmp.Compare(a.Endpoint, b.Endpoint), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Status, b.Status))
	})
	return s
}

// Reset forgets what was counted. Requests in flight go on.
func (p *Provider) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts = Stats{InFlight: p.counts.InFlight, Peak: p.counts.InFlight, Faults: map[Fault]int{}}
	p.seen, p.by, p.used = map[digest]*seen{}, map[Count]int{}, make([]int, len(p.opt.Script))
}

func (p *Provider) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts.Requests++
	p.counts.InFlight++
	p.counts.Peak = max(p.counts.Peak, p.counts.InFlight)
}

// sight counts a request that was understood: which copy it is.
func (p *Provider) sight(x *exchange) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	one := p.seen[x.digest]
	if one == nil {
		one = new(seen)
		p.seen[x.digest] = one
	}
	one.copies++
	return one.copies
}

// end counts how a request ended.
func (p *Provider) end(x *exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.counts.InFlight--
	p.by[Count{Endpoint: x.form.endpoint(), Model: x.ask.model, Status: x.status}]++
	if x.fault != "" {
		p.counts.Faults[x.fault]++
	}
	if !x.whole {
		return
	}
	p.counts.Completed++
	if one := p.seen[x.digest]; one != nil && x.nth > 0 && x.fault.well() {
		p.counts.Delivered++
		p.counts.Repaid += b2i(one.delivered > 0)
		one.delivered++
		if x.status < 300 { // an error says nothing of use: a blocked prompt of the chat form
			p.counts.TokensIn += x.reply.tokensIn
			p.counts.TokensOut += x.reply.tokensOut
		}
	}
}

func (p *Provider) serveStats(w http.ResponseWriter, r *http.Request) {
	s := p.Stats()
	if !r.URL.Query().Has("requests") {
		s.Of = nil
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(s)
}
