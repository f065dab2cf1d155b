package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/uplift-eval/uplift/internal/fakeprovider"
)

func pause() { time.Sleep(time.Millisecond) }

func contains(b []byte, s string) bool { return bytes.Contains(b, []byte(s)) }

// Killed at random moments and run again each time, a study sends exactly what
// is missing. What is paid again is what was in the air at a kill, or came and
// was not durable yet. At the end it holds what an unbroken run holds.
func TestGridKilled(t *testing.T) {
	attacks, kills := "[direct, multiturn_pressure]", 5
	if os.Getenv("UPLIFT_LONG") != "" {
		attacks, kills = "standard", 20
	}
	const concurrency = 4
	want, good := unbroken(t, attacks)
	g := newGrid(t, attacks, concurrency, fakeprovider.Options{Latency: 4 * time.Millisecond, Jitter: 6 * time.Millisecond})
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	held, lost := 0, 0
	for i := range kills {
		left := max(good.Distinct-held, 1)
		g.killed(t, rng.IntN(left/(kills-i+1)+1), time.Duration(rng.IntN(8000))*time.Microsecond)
		held = g.held(t)
		s := g.settled()
		more := s.Delivered - held - lost
		lost += more
		if most := 2 * gridModels * concurrency; more > most {
			t.Errorf("kill %d lost %d replies, want at most %d: those in the air, and as many that were being kept", i, more, most)
		}
		t.Logf("kill %d: %d requests, %d delivered, %d held, %d lost", i, s.Requests, s.Delivered, held, more)
	}
	r := g.run(t)
	got, s := g.read(t), g.settled()
	if s.Distinct != good.Distinct || s.Delivered != good.Delivered+lost || s.Repaid != lost {
		t.Errorf("%d different requests, %d delivered, %d again: want %d, and again the %d that were lost", s.Distinct, s.Delivered, s.Repaid, good.Distinct, lost)
	}
	if r.Held+r.Finished != len(want.Responses) || r.Requests != good.Distinct-held {
		t.Errorf("%d cells held, %d finished, %d requests: want %d cells and the %d requests that were missing", r.Held, r.Finished, r.Requests, len(want.Responses), good.Distinct-held)
	}
	got.equal(t, want)
	t.Logf("%d requests for %d, %d replies paid again", s.Requests, good.Requests, s.Repaid)
}

// killed begins a run, and kills it a moment after the provider has got so many
// requests of it.
func (g *gridStudy) killed(t *testing.T, requests int, moment time.Duration) {
	t.Helper()
	before := g.settled().Requests
	cmd := g.process()
	var talk bytes.Buffer
	cmd.Stderr = &talk
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for ; g.fake.Stats().Requests < before+requests; pause() {
		select {
		case err := <-ended:
			t.Fatalf("the run ended before it was killed: %v\n%s", err, talk.String())
		default:
		}
	}
	time.Sleep(moment)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
}

// held is how many replies a killed study holds; 0 before there is a database.
func (g *gridStudy) held(t testing.TB) int {
	if _, err := os.Stat(g.dir + "/" + storeFile); err != nil {
		return 0
	}
	return g.read(t).Replies
}
