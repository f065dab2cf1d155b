package run

import (
	"sync"
	"time"

	"github.com/uplift-eval/uplift/model"
)

// Pace bounds how fast one model is asked.
type Pace struct {
	Concurrency int // most requests in the air; 0: Options.Concurrency
	RPM         int // requests a minute; 0: as many as the provider says
	TPM         int // tokens a minute, input and output; 0: the same
}

// firstWindow is how many requests are in the air at first.
const firstWindow = 8

// pacer paces one endpoint. The number of requests in the air doubles each round
// trip until the first sign of congestion, then grows by one a round trip and is
// halved at each sign. Requests and tokens a minute are held, and a pause that
// the provider asks for holds every request back.
type pacer struct {
	pace   Pace
	now    func() time.Time
	sleep  Sleep
	jitter func(n int) float64 // of the n-th pause, in [0,1)

	turn  chan struct{} // held by the one request that waits for its leave
	freed chan struct{} // something left
	halt  chan struct{} // closed: nothing is sent any more

	mu       sync.Mutex
	why      error // set when halt is closed
	window   int
	slow     bool // slow start: no congestion yet
	credit   int  // replies since the window grew
	flying   int
	round    int // cuts so far
	until    time.Time
	requests minute
	tokens   minute
	pauses   int
	mean     float64 // tokens of output so far, a running mean; 0: none yet
}

func newPacer(p Pace, now func() time.Time, sleep Sleep, jitter func(int) float64) *pacer {
	return &pacer{pace: p, now: now, sleep: sleep, jitter: jitter, window: min(firstWindow, p.Concurrency), slow: true,
		turn: make(chan struct{}, 1), freed: make(chan struct{}, 1), halt: make(chan struct{}),
		requests: minute{limit: p.RPM}, tokens: minute{limit: p.TPM}}
}

// pass is leave to send one request.
type pass struct {
	round  int
	tick   int64
	need   int           // tokens that were counted
	waited time.Duration // for a pause or a rate
}

// enter waits for leave to send a request of so many tokens of input and, at
// most, of output. It fails when nothing is sent any more.
func (p *pacer) enter(in, out int) (pass, error) {
	select {
	case p.turn <- struct{}{}:
	case <-p.halt:
		return pass{}, p.reason()
	}
	defer func() { <-p.turn }()
	var waited time.Duration
	for {
		got, until, ok := p.try(in, out)
		if ok {
			got.waited = waited
			return got, nil
		}
		if why := p.reason(); why != nil {
			return pass{}, why
		}
		if until.IsZero() {
			select {
			case <-p.freed:
			case <-p.halt:
				return pass{}, p.reason()
			}
			continue
		}
		began := p.now()
		if !p.sleep(until.Sub(began), p.halt) {
			return pass{}, p.reason()
		}
		waited += p.now().Sub(began)
	}
}

// try takes leave, or says when to try again; zero: when something left.
func (p *pacer) try(in, out int) (got pass, until time.Time, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.why != nil {
		return pass{}, time.Time{}, false
	}
	now := p.now()
	need := in + p.likely(out)
	for _, t := range []time.Time{p.until, p.requests.free(now, 1), p.tokens.free(now, need)} {
		if t.After(now) && t.After(until) {
			until = t
		}
	}
	if !until.IsZero() || p.flying >= p.window {
		return pass{}, until, false
	}
	p.flying++
	p.requests.use(now, 1)
	return pass{round: p.round, tick: p.tokens.use(now, need), need: need}, now, true
}

// likely is how many tokens of output are counted beforehand: as many as before,
// with a margin, and at first all that are allowed.
func (p *pacer) likely(most int) int {
	if p.mean == 0 {
		return most
	}
	return min(most, int(1.25*p.mean)+1)
}

// leave ends a request. used is what the provider says that it took, input and
// output; 0 when it says nothing.
func (p *pacer) leave(got pass, kind model.Kind, rate model.Rate, in, out int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flying--
	if in+out > 0 {
		p.tokens.correct(got.tick, in+out-got.need)
		if p.mean == 0 {
			p.mean = float64(out)
		}
		p.mean += (float64(out) - p.mean) / 16
	}
	switch kind {
	case "":
		p.grow()
	case model.RateLimit, model.Overloaded:
		p.cut(got.round)
	}
	p.learn(rate)
	select {
	case p.freed <- struct{}{}:
	default:
	}
}

func (p *pacer) grow() {
	p.credit++
	if p.window < p.pace.Concurrency && (p.slow || p.credit >= p.window) {
		p.window, p.credit = p.window+1, 0
	}
}

// cut halves the window, once for all requests that were in the air together.
func (p *pacer) cut(round int) {
	if p.slow = false; round == p.round {
		p.round++
		p.window, p.credit = max(p.window/2, 1), 0
	}
}

// longestPause bounds what a provider may ask for at once. Whoever is still too
// early then is told again.
const longestPause = 5 * time.Minute

// learn takes what the provider says of its limits. Where the study says one,
// that holds. A limit of nothing, or below it, is none.
func (p *pacer) learn(r model.Rate) {
	limit := func(m *minute, own int, said *int) {
		if own == 0 && said != nil && *said > 0 {
			m.limit = *said
		}
	}
	limit(&p.requests, p.pace.RPM, r.Requests)
	limit(&p.tokens, p.pace.TPM, r.Tokens)
	spent := func(limit, left *int, in *time.Duration) {
		if limit != nil && *limit > 0 && left != nil && *left <= 0 && in != nil {
			p.pause(*in)
		}
	}
	spent(r.Requests, r.RequestsLeft, r.RequestsIn)
	spent(r.Tokens, r.TokensLeft, r.TokensIn)
	if r.RetryAfter != nil {
		p.pause(*r.RetryAfter)
	}
}

// pause holds every request back for so long, and a little longer, so that many
// runners do not come back at once. It is never sooner than asked, but for the
// longest pause.
func (p *pacer) pause(d time.Duration) {
	if d <= 0 {
		return
	}
	d = min(d, longestPause)
	d += time.Duration(p.jitter(p.pauses) * float64(min(d/10, 2*time.Second)))
	if until := p.now().Add(d); until.After(p.until) {
		p.until = until
		p.pauses++
	}
}

// stop lets nothing be sent any more, and reports whether it was the first to:
// its reason stays.
func (p *pacer) stop(why error) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.why != nil {
		return false
	}
	p.why = why
	close(p.halt)
	return true
}

// reason is why nothing is sent any more; nil when it is.
func (p *pacer) reason() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.why
}

// state is how many requests are in the air, and how many may be.
func (p *pacer) state() (flying, window int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.flying, p.window
}
