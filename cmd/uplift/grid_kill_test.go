package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/uplift-eval/uplift/internal/fakeprovider"
)

func pause() { time.Sleep(time.Millisecond) }

func contains(b []byte, s string) bool { return bytes.Contains(b, []byte(s)) }

// Killed at random moments and run again each time, a study sends exactly what
// is missing. What is paid again is what was in the air at a kill, or came and
// was not durable yet. At the end it holds what an unbroken run holds.
func TestGridKilled(t *testing.T) {
	if os.Getenv("UPLIFT_LONG") != "" {
		killing(t, "standard", 20, nil)
		return
	}
	killing(t, "[direct, multiturn_pressure]", 5, nil)
}

// A bad day changes nothing of that.
func TestGridKilledOnABadDay(t *testing.T) {
	if os.Getenv("UPLIFT_LONG") == "" {
		t.Skip("only in the long run: a run that is killed, and a bad day, are each tried in the short one")
	}
	killing(t, "[direct, multiturn_pressure]", 10, map[fakeprovider.Fault]float64{fakeprovider.RateLimit: .10, fakeprovider.Overloaded: .02,
		fakeprovider.Reset: .02, fakeprovider.ResetBody: .02, fakeprovider.Malformed: .02})
}

func killing(t *testing.T, attacks string, kills int, chances map[fakeprovider.Fault]float64) {
	t.Helper()
	const concurrency = 4
	want, good, whole := unbroken(t, attacks)
	g := newGrid(t, attacks, concurrency, fakeprovider.Options{Latency: 4 * time.Millisecond, Jitter: 6 * time.Millisecond,
		Seed: 3, Rate: 100_000, Faults: chances})
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	held, lost := 0, 0
	for i := range kills {
		left := max(good.Distinct-held, 1)
		g.stopped(t, os.Kill, rng.IntN(left/(kills-i+1)+1), time.Duration(rng.IntN(8000))*time.Microsecond)
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
	if missing := good.Distinct - held; r.Held+r.Finished != len(want.Responses) || r.Requests-r.Retries != missing {
		t.Errorf("%d cells held, %d finished, %d requests: want %d cells and the %d requests that were missing", r.Held, r.Finished, r.Requests, len(want.Responses), missing)
	}
	if d := cmp.Diff(r.done(), whole.done()); d != "" || r.Cost < whole.Cost*(1-1e-9) || r.Cost > whole.Cost*(1+1e-9) || r.Unknown > got.failed {
		t.Errorf("cost %v, %d of unknown use, want %v and %d at most; cells by condition: %s", r.Cost, r.Unknown, whole.Cost, got.failed, d)
	}
	got.equal(t, want)
	t.Logf("%d requests for %d, %d replies paid again", s.Requests, good.Requests, s.Repaid)
}

// stopped begins a run, sends it a signal a moment after the provider has got so
// many requests of it, and gives its end.
func (g *gridStudy) stopped(t *testing.T, signal os.Signal, requests int, moment time.Duration) (code int, talk string) {
	t.Helper()
	before := g.settled().Requests
	cmd := g.process()
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for ; g.fake.Stats().Requests < before+requests; pause() {
		select {
		case err := <-ended:
			t.Fatalf("the run ended before it was stopped: %v\n%s", err, said.String())
		default:
		}
	}
	time.Sleep(moment)
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	<-ended
	return cmd.ProcessState.ExitCode(), said.String()
}

// Interrupted at a random moment, a run finishes what is in the air, says how to
// go on, and then nothing at all is paid twice.
func TestGridInterrupted(t *testing.T) {
	attacks := "[direct, multiturn_pressure]"
	want, good, whole := unbroken(t, attacks)
	g := newGrid(t, attacks, 4, fakeprovider.Options{Latency: 4 * time.Millisecond, Jitter: 6 * time.Millisecond})
	seed := uint64(time.Now().UnixNano())
	rng := rand.New(rand.NewPCG(seed, 2))
	t.Logf("seed %d", seed)
	for i, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		ended, talk := g.stopped(t, signal, 1+rng.IntN(good.Distinct/4), time.Duration(rng.IntN(8000))*time.Microsecond)
		if ended != exitGaps || !strings.Contains(talk, "uplift run "+g.dir+" goes on from there") {
			t.Errorf("%v: exit code %d, want %d and how to go on\n%s", signal, ended, exitGaps, talk)
		}
		if held, s := g.held(t), g.settled(); held != s.Delivered || s.Requests != s.Delivered || s.Repaid != 0 {
			t.Errorf("stop %d: %d requests, %d delivered, %d held: want each reply kept", i, s.Requests, s.Delivered, held)
		}
	}
	held := g.held(t)
	r := g.run(t)
	if s := g.settled(); s.Requests != good.Requests || s.Repaid != 0 || r.Requests != good.Requests-held || r.Held+r.Finished != len(want.Responses) {
		t.Errorf("%d requests in all, %d paid again, and at last %+v: want %d, none and %d", s.Requests, s.Repaid, r, good.Requests, good.Requests-held)
	}
	if d := cmp.Diff(r.done(), whole.done()); d != "" {
		t.Errorf("cells by condition: %s", d)
	}
	g.priced(t, r)
	g.read(t).equal(t, want)
}

// held is how many replies a killed study holds; 0 before there is a database.
func (g *gridStudy) held(t testing.TB) int {
	if _, err := os.Stat(g.dir + "/" + storeFile); err != nil {
		return 0
	}
	return g.read(t).Replies
}
