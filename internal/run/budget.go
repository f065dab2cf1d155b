package run

import (
	"errors"
	"fmt"
	"sync"
)

// Spent is what the requests to one model took in earlier runs.
type Spent struct {
	Requests  int
	TokensIn  int
	TokensOut int
	Unknown   int // requests that may have been paid for, of unknown use
}

// budget bounds what all runs of a study may spend together. A request is let
// go only when its worst case fits beside what was spent and the worst cases of
// what is in the air.
type budget struct {
	maxRequests int     // 0: no limit
	maxCost     float64 // US dollars; 0: no limit

	mu       sync.Mutex
	requests int
	spent    float64 // known
	unknown  float64 // worst cases of what may have been paid for
	silent   int     // requests of unknown use
	flying   int
	reserved float64 // worst cases of what is in the air
	settled  chan struct{}
}

func newBudget(opt Options) *budget {
	b := &budget{maxRequests: opt.MaxRequests, maxCost: opt.MaxCostUSD, settled: make(chan struct{})}
	for model, s := range opt.Spent {
		price := opt.Prices[model]
		b.requests += s.Requests
		b.spent += price.of(s.TokensIn, s.TokensOut)
		b.silent += s.Unknown
		b.unknown += float64(s.Unknown) * price.of(opt.largest, opt.longest)
	}
	return b
}

// reserve lets one request go that costs at most worst. While others in the air
// may turn out cheaper than their worst case it waits for them.
func (b *budget) reserve(worst float64, halt <-chan struct{}) error {
	for {
		b.mu.Lock()
		switch {
		case b.maxRequests > 0 && b.requests >= b.maxRequests:
			b.mu.Unlock()
			return &halted{reason: StopRequests, text: fmt.Sprintf("the limit of %d requests is reached", b.maxRequests)}
		case b.maxCost == 0 || b.spent+b.unknown+b.reserved+worst <= b.maxCost:
			b.requests++
			b.flying++
			b.reserved += worst
			b.mu.Unlock()
			return nil
		case b.flying == 0:
			text := fmt.Sprintf("the next request could cost more than is left of %s", USD(b.maxCost))
			b.mu.Unlock()
			return &halted{reason: StopCost, text: text}
		}
		settled := b.settled
		b.mu.Unlock()
		select {
		case <-settled:
		case <-halt:
			return errWoken
		}
	}
}

// settle replaces a worst case by what was paid. known is false where the
// provider did not say, and may have been paid.
func (b *budget) settle(worst, paid float64, known bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.flying--
	if b.reserved -= worst; b.flying == 0 {
		b.reserved = 0 // without the rests of rounding
	}
	if known {
		b.spent += paid
	} else {
		b.unknown += worst
		b.silent++
	}
	close(b.settled)
	b.settled = make(chan struct{})
}

// errWoken says that waiting was in vain.
var errWoken = errors.New("nothing is sent any more")

// USD writes an amount of dollars, small ones with more digits.
func USD(v float64) string {
	if v > 0 && v < 1 {
		return fmt.Sprintf("$%.4f", v)
	}
	return fmt.Sprintf("$%.2f", v)
}
