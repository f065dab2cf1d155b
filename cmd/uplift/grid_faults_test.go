package main

import (
	"testing"

	"github.com/uplift-eval/uplift/internal/fakeprovider"
)

// On a bad day a run is slower, and all that it keeps is what it keeps on a good
// one: a reply is never sent for twice, and each failure has its record.
func TestGridOnABadDay(t *testing.T) {
	attacks := "[direct]"
	if gridAttacks() == "standard" {
		attacks = "standard"
	}
	want, good := unbroken(t, attacks)
	g := newGrid(t, attacks, 16, fakeprovider.Options{Seed: 11, Rate: 100_000, Faults: map[fakeprovider.Fault]float64{
		fakeprovider.RateLimit: .10, fakeprovider.Reset: .01, fakeprovider.ResetBody: .01, fakeprovider.Malformed: .01}})
	r := g.run(t)
	got, s := g.read(t), g.settled()
	got.equal(t, want)
	if s.Distinct != good.Distinct || s.Delivered != good.Delivered || s.Repaid != 0 {
		t.Errorf("%d different requests, %d delivered, %d of them again: want %d, %d and 0", s.Distinct, s.Delivered, s.Repaid, good.Distinct, good.Delivered)
	}
	faults := 0
	for _, n := range s.Faults {
		faults += n
	}
	if faults == 0 || got.failed != faults || s.Requests != s.Delivered+faults || r.Requests != s.Requests {
		t.Errorf("%d requests (%d by the run's count), %d delivered, %d faults, %d failed attempts kept: want each request to be one or the other, and kept",
			s.Requests, r.Requests, s.Delivered, faults, got.failed)
	}
	if s.TokensOut != got.TokensOut || s.TokensIn != got.TokensIn {
		t.Errorf("%d and %d tokens kept, want the provider's %d and %d", got.TokensIn, got.TokensOut, s.TokensIn, s.TokensOut)
	}
	if cost := (0.5*float64(s.TokensIn) + 2*float64(s.TokensOut)) / 1e6; r.Cost < cost*(1-1e-9) || r.Cost > cost*(1+1e-9) {
		t.Errorf("cost %v, want %v", r.Cost, cost)
	}
	t.Logf("%d requests, faults %v", s.Requests, s.Faults)
}

// Two processes on one study: one is refused, and nothing is paid twice.
func TestGridByTwoProcesses(t *testing.T) {
	g := newGrid(t, "[direct]", 4, fakeprovider.Options{Latency: 20e6})
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
	want, _ := unbroken(t, "[direct]")
	g.read(t).equal(t, want)
	if s := g.settled(); s.Repaid != 0 || s.Requests != s.Distinct {
		t.Errorf("%d requests, %d different, %d paid again: want each once", s.Requests, s.Distinct, s.Repaid)
	}
}
