package run

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model/sim"
)

// slowDisk keeps no call before it is let.
type slowDisk struct {
	*memory
	let     chan struct{}
	waiting atomic.Int32
}

func (s *slowDisk) PutCall(ctx context.Context, c uplift.Call, last ...uplift.Attempt) error {
	s.waiting.Add(1)
	<-s.let
	return s.memory.PutCall(ctx, c, last...)
}

// However slow the disk is, no more replies wait for it than twice the requests
// that may be in the air: a kill loses no more.
func TestRepliesThatAreNotDurableAreFew(t *testing.T) {
	const concurrency = 3
	m, keep := count(sim.Model{}), &slowDisk{memory: newMemory(), let: make(chan struct{})}
	ended := make(chan error, 1)
	go func() {
		_, err := Run(context.Background(), study(t, m), keep, Options{Concurrency: concurrency})
		ended <- err
	}()
	for keep.waiting.Load() < 2*concurrency {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(20 * time.Millisecond)
	if n := keep.waiting.Load(); n != 2*concurrency {
		t.Errorf("%d replies wait for the disk, want %d", n, 2*concurrency)
	}
	close(keep.let)
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if len(m.sent) != 36 || len(keep.responses) != 54 {
		t.Errorf("%d requests and %d cells, want 36 and 54", len(m.sent), len(keep.responses))
	}
}
