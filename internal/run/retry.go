package run

import (
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/uplift-eval/uplift/model"
)

// Sleep waits, and reports whether it waited to the end: it stops when halt is
// closed.
type Sleep func(d time.Duration, halt <-chan struct{}) bool

// sleep waits by the clock of the process.
func sleep(d time.Duration, halt <-chan struct{}) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-halt:
		return false
	}
}

// Retries says how often a request is sent again in one run after failures that
// may pass, and how long the pauses are. A zero field has its default.
type Retries struct {
	Limited   int           // attempts where the provider limits rates or is overloaded; default 8
	Broken    int           // attempts where no answer came, or one of an error of the server; default 4
	Malformed int           // attempts where answers came that are none; default 3
	First     time.Duration // the pause after the first failure, doubled with each one; default 1 s
	Longest   time.Duration // default 1 min
}

func (r Retries) filled() Retries {
	set := func(v *int, to int) {
		if *v == 0 {
			*v = to
		}
	}
	set(&r.Limited, 8)
	set(&r.Broken, 4)
	set(&r.Malformed, 3)
	if r.First == 0 {
		r.First = time.Second
	}
	if r.Longest == 0 {
		r.Longest = time.Minute
	}
	return r
}

// tally counts the failures of one call in one run.
type tally struct{ limited, broken, malformed int }

// again counts a failure, and says whether the request may be sent again.
func (t *tally) again(k model.Kind, r Retries) bool {
	count := func(n *int, most int) bool {
		*n++
		return *n < most
	}
	switch {
	case !k.Temporary():
		return false
	case k == model.RateLimit, k == model.Overloaded:
		return count(&t.limited, r.Limited)
	case k == model.Malformed:
		return count(&t.malformed, r.Malformed)
	}
	return count(&t.broken, r.Broken)
}

func (t *tally) total() int { return t.limited + t.broken + t.malformed }

// pause is how long to wait after the n-th failure, n from 1: between half of
// the exponential pause and all of it.
func (r Retries) pause(n int, jitter float64) time.Duration {
	d := r.First
	for range n - 1 {
		if d *= 2; d >= r.Longest {
			break
		}
	}
	d = min(d, r.Longest)
	return d/2 + time.Duration(jitter*float64(d/2))
}

// jitter draws from [0,1) by what it is for, so that the same study waits the
// same whatever the order of its replies.
func jitter(seed uint64, what string, n int) float64 {
	h := fnv.New64a()
	h.Write([]byte(what + " " + strconv.Itoa(n)))
	return rand.New(rand.NewPCG(seed, h.Sum64())).Float64()
}
