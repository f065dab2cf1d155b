package main

import (
	"os"
	"testing"

	"github.com/uplift-eval/uplift/internal/fakeprovider"
)

// On a bad day a run is slower, and all that it keeps is what it keeps on a good
// one: a reply is never sent for twice, and each failure has its record.
func TestGridOnABadDay(t *testing.T) {
	attacks := "[direct, paraphrase]"
	if os.Getenv("UPLIFT_LONG") != "" {
		attacks = "standard"
	}
	want, good, _ := unbroken(t, attacks)
	chances := map[fakeprovider.Fault]float64{
		fakeprovider.RateLimit: .10, fakeprovider.Reset: .01, fakeprovider.ResetBody: .01, fakeprovider.Malformed: .01}
	g := newGrid(t, attacks, 16, fakeprovider.Options{Seed: 13699, Rate: 100_000, Faults: chances})
	got := g.badDay(t, chances, good)
	got.equal(t, want)
}

// badDay runs a study against a provider that has faults, all of which it
// meets.
func (g *gridStudy) badDay(t *testing.T, chances map[fakeprovider.Fault]float64, good fakeprovider.Stats) kept {
	t.Helper()
	r := g.run(t)
	got, s := g.read(t), g.settled()
	if s.Distinct != good.Distinct || s.Delivered != good.Delivered || s.Repaid != 0 {
		t.Errorf("%d different requests, %d delivered, %d of them again: want %d, %d and 0", s.Distinct, s.Delivered, s.Repaid, good.Distinct, good.Delivered)
	}
	faults := 0
	for f := range chances {
		if faults += s.Faults[f]; s.Faults[f] == 0 {
			t.Errorf("no fault %s: %v", f, s.Faults)
		}
	}
	if got.failed != faults || s.Requests != s.Delivered+faults || r.Requests != s.Requests || r.Retries != faults || r.Failed+r.Remaining != 0 {
		t.Errorf("%d requests, %d delivered, %d faults, %d failed attempts kept, %+v: want each request to be one or the other, kept, and sent again",
			s.Requests, s.Delivered, faults, got.failed, r)
	}
	if s.TokensOut != got.TokensOut || s.TokensIn != got.TokensIn {
		t.Errorf("%d and %d tokens kept, want the provider's %d and %d", got.TokensIn, got.TokensOut, s.TokensIn, s.TokensOut)
	}
	g.priced(t, r)
	t.Logf("%d cells, %d requests, %d put off, %d sent again, faults %v", len(got.Responses), s.Requests, r.Throttled, r.Retries, s.Faults)
	return got
}

// Two processes on one study: one is refused, and nothing is paid twice.
func TestGridByTwoProcesses(t *testing.T) {
	g := newGrid(t, "[direct, paraphrase]", 4, fakeprovider.Options{Latency: 10e6})
	first := g.process()
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	for g.fake.Stats().Requests == 0 {
		if first.ProcessState != nil {
			t.Fatal("the first process has ended")
		}
		pause()
	}
	out, err := g.process().CombinedOutput()
	if err == nil || !contains(out, "another process runs this study") {
		t.Errorf("the second process: %v\n%s", err, out)
	}
	if err := first.Wait(); err != nil {
		t.Errorf("the first process: %v", err)
	}
	want, _, _ := unbroken(t, "[direct, paraphrase]")
	g.read(t).equal(t, want)
	if s := g.settled(); s.Repaid != 0 || s.Requests != s.Distinct {
		t.Errorf("%d requests, %d different, %d paid again: want each once", s.Requests, s.Distinct, s.Repaid)
	}
}
