package run

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/uplift-eval/uplift/model"
)

// refusing asks for a while through a pacer of 64 places, of a server that takes
// 20 ms and puts off the requests that no names. It gives the replies.
func refusing(p *pacer, long time.Duration, no func() bool, rate model.Rate) (replies int) {
	var group sync.WaitGroup
	var mu sync.Mutex
	end := time.Now().Add(long)
	for range 64 {
		group.Go(func() {
			for time.Now().Before(end) {
				got, err := p.enter(1, 1)
				if err != nil {
					return
				}
				time.Sleep(20 * time.Millisecond)
				mu.Lock()
				refused := no()
				if !refused {
					replies++
				}
				mu.Unlock()
				if refused {
					p.leave(got, model.RateLimit, rate, 0, 0)
				} else {
					p.leave(got, "", model.Rate{}, 1, 1)
				}
			}
		})
	}
	group.Wait()
	return replies
}

// A burst of refusals is one sign: the window is halved once, the pause is as long
// as one asks for, and each round trip gives a place back.
func TestABurstIsOneSign(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := newPacer(Pace{Concurrency: 64}, time.Now, sleep, func(int) float64 { return 0.5 })
		never := func() bool { return false }
		refusing(p, time.Second, never, model.Rate{})
		if _, window := p.state(); window != 64 {
			t.Fatalf("window %d after a good second, want 64", window)
		}
		n, wait := 0, time.Second
		began := time.Now()
		refusing(p, time.Millisecond, func() bool { n++; return true }, model.Rate{RetryAfter: &wait})
		if _, window := p.state(); n != 64 || window != 32 {
			t.Errorf("window %d after %d refusals in the air together, want 32 after 64", window, n)
		}
		if until := p.until.Sub(began); until != 20*time.Millisecond+1050*time.Millisecond {
			t.Errorf("held for %v, want 1.05 s from the answers on", until)
		}
		refusing(p, 1070*time.Millisecond+33*20*time.Millisecond, never, model.Rate{})
		if _, window := p.state(); window < 63 {
			t.Errorf("window %d after 33 good round trips, want 64", window)
		}
	})
}

// One refusal in ten, by chance, leaves what additive increase and multiplicative
// decrease can hold: some sqrt(3/(2p)) places (Floyd and others 2000, with one sign
// a round trip and a halving), four of them here, so 190 replies a second. A server
// that asks for a second's pause each time gets it.
func TestRefusalsByChance(t *testing.T) {
	for name, c := range map[string]struct {
		wait        time.Duration
		least, most int // replies a second
	}{"no pause": {0, 120, 300}, "a pause of 1 s": {time.Second, 5, 30}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				g := rand.New(rand.NewPCG(1, 2))
				rate := model.Rate{}
				if c.wait > 0 {
					rate.RetryAfter = &c.wait
				}
				p := newPacer(Pace{Concurrency: 64}, time.Now, sleep, func(int) float64 { return 0.5 })
				got := refusing(p, time.Minute, func() bool { return g.Float64() < 0.1 }, rate) / 60
				if got < c.least || got > c.most {
					t.Errorf("%d replies a second, want %d to %d", got, c.least, c.most)
				}
			})
		})
	}
}
