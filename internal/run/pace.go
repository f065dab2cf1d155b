package run

import (
	"sync"
	"time"

	"github.com/uplift-eval/uplift/model"
)

// Pace bounds how fast one model is asked.
type Pace struct {
	Concurrency int // most requests in the air; 0: Options.Concurrency
	RPM         int // requests a minute; 0: as many as the provider allows
	TPM         int // tokens a minute, input and output; 0: the same
}

// firstWindow is how many requests are in the air at first.
const firstWindow = 8

// pacer paces one endpoint. The number of requests in the air doubles each round
// trip until the first sign of congestion, then grows by one a round trip and is
// halved at each sign. Limits of requests and tokens are held, and a pause that
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
	dry      int // cuts since the last good reply
	until    time.Time
	asked    string // why until is set: waitAsked or waitWindow
	requests allowance
	tokens   allowance
	pauses   int
	mean     float64 // tokens of output so far, a running mean; 0: none yet

	// What only people are told.
	waiting int // tokens of the request that waits for its leave; 0: none waits
	heard   time.Time
	resting map[int]time.Time // when requests are sent again that failed
	rests   int
	failure string // the latest of them
}

func newPacer(p Pace, now func() time.Time, sleep Sleep, jitter func(int) float64) *pacer {
	return &pacer{pace: p, now: now, sleep: sleep, jitter: jitter, window: min(firstWindow, p.Concurrency), slow: true,
		turn: make(chan struct{}, 1), freed: make(chan struct{}, 1), halt: make(chan struct{}),
		requests: allow(p.RPM), tokens: allow(p.TPM), resting: map[int]time.Time{}}
}

// pass is leave to send one request.
type pass struct {
	round    int
	tick     int64
	need     int           // tokens that were counted
	requests int           // that were used when it was given, itself included
	tokens   int           // the same
	waited   time.Duration // for a pause or a rate
}

// look is how long a wait goes on at most before it is looked at again: a reply
// may say meanwhile that there is no reason for it any more.
const look = time.Second

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
		if !p.sleep(min(until.Sub(began), look), p.halt) {
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
	_, until = p.held(now, need)
	if !until.IsZero() || p.flying >= p.window {
		p.waiting = max(need, 1)
		return pass{}, until, false
	}
	if p.flying == 0 {
		p.heard = now
	}
	p.flying++
	p.waiting = 0
	got = pass{round: p.round, need: need}
	_, got.requests = p.requests.use(now, 1)
	got.tick, got.tokens = p.tokens.use(now, need)
	return got, now, true
}

// held is why a request of so many tokens is held back, and until when; zero
// where it is not.
func (p *pacer) held(now time.Time, need int) (why string, until time.Time) {
	for _, c := range []struct {
		why   string
		until time.Time
	}{{p.asked, p.until}, {waitRequests, p.requests.free(now, 1)}, {waitTokens, p.tokens.free(now, need)}} {
		if c.until.After(now) && c.until.After(until) {
			why, until = c.why, c.until
		}
	}
	return why, until
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
		p.tokens.minute.correct(got.tick, in+out-got.need)
		if p.mean == 0 {
			p.mean = float64(out)
		}
		p.mean += (float64(out) - p.mean) / 16
	}
	if kind != unsent {
		p.heard = p.now()
	}
	switch kind {
	case "":
		p.dry = 0
		p.grow()
	case model.RateLimit, model.Overloaded:
		p.cut(got.round)
	}
	p.learn(got, kind, rate)
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
		p.dry++
		p.window, p.credit = max(p.window/2, 1), 0
	}
}

// longestPause bounds what a provider may ask for at once. Whoever is still too
// early then is told again.
const longestPause = 5 * time.Minute

// learn takes what the provider says of its limits. Where the study says one,
// that holds. When to come back is the provider's own word, and goes before what
// follows from a limit.
func (p *pacer) learn(got pass, kind model.Kind, r model.Rate) {
	now := p.now()
	requests, tokens := limit{r.Requests, r.RequestsLeft, r.RequestsIn}, limit{r.Tokens, r.TokensLeft, r.TokensIn}
	p.requests.learn(now, requests, got.requests)
	p.tokens.learn(now, tokens, got.tokens)
	switch {
	case r.RetryAfter != nil:
		p.requests.grant(now, 1, *r.RetryAfter)
		p.tokens.grant(now, got.need, *r.RetryAfter)
		p.pause(*r.RetryAfter, waitAsked)
	case kind == model.RateLimit && p.dry > 1:
		p.pause(max(requests.empty(), tokens.empty()), waitWindow)
	}
}

// pause holds every request back for so long, and a little longer, so that many
// runners do not come back at once. It is never sooner than asked, but for the
// longest pause.
func (p *pacer) pause(d time.Duration, why string) {
	if d <= 0 {
		return
	}
	d = min(d, longestPause)
	d += time.Duration(p.jitter(p.pauses) * float64(min(d/10, 2*time.Second)))
	if until := p.now().Add(d); until.After(p.until) {
		p.until, p.asked = until, why
		p.pauses++
	}
}

// rest waits before a request that failed is sent again, and reports whether it
// may be.
func (p *pacer) rest(d time.Duration, k model.Kind) bool {
	p.mu.Lock()
	p.rests++
	n := p.rests
	p.resting[n], p.failure = p.now().Add(d), failed(k)
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.resting, n)
	}()
	return p.sleep(d, p.halt)
}

// next is when the first of those that rest is sent again.
func (p *pacer) next() (first time.Time) {
	for _, at := range p.resting {
		if first.IsZero() || at.Before(first) {
			first = at
		}
	}
	return first
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
