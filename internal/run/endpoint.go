package run

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/uplift-eval/uplift/model"
)

// endpoint is what one upstream name of a model stands for during a run: its
// own pace, so that one that falters slows no other.
type endpoint struct {
	model string // the study's name
	price Price
	quiet func(said string) bool // a provider's words are not repeated: they would be withheld
	pace  *pacer
	ended func(*halted) // told once, when it stops

	// open holds one for each request in the air and each reply that is not
	// durable yet, at most twice the requests that may be in the air: so much a
	// kill can lose, however slow the disk is.
	open chan struct{}

	poor atomic.Int32 // requests that wait until what is in the air has a known cost

	mu      sync.Mutex
	answers int // calls that ended well
	refused int // calls in a row that were rejected
}

// mostRejected is how many first calls of an endpoint may be rejected: after
// that the request itself is thought to be wrong, for a name of a model that is
// none.
const mostRejected = 5

func (e *endpoint) well() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answers++
}

// failed stops the endpoint where sending other requests will not do either. The
// cell stays open then.
func (e *endpoint) failed(f *model.Error) error {
	switch f.Kind {
	case model.Denied:
		return e.stop("the key is refused" + e.said(f))
	case model.NoQuota:
		return e.stop("there is no quota, and waiting does not mend it" + e.said(f))
	case model.Rejected, model.Unread:
	default:
		return nil
	}
	e.mu.Lock()
	if e.answers == 0 {
		e.refused++
	}
	stop := e.answers == 0 && e.refused >= mostRejected
	e.mu.Unlock()
	if stop {
		return e.stop(fmt.Sprintf("the first %d requests were all rejected%s", mostRejected, e.said(f)))
	}
	return nil
}

func (e *endpoint) said(f *model.Error) string {
	if e.quiet(f.Error()) {
		return fmt.Sprintf(" (status %d)", f.Attempt.Status)
	}
	return ": " + f.Error()
}

// stop lets nothing more be sent to the endpoint.
func (e *endpoint) stop(text string) error {
	h := &halted{reason: StopModel, model: e.model, text: text}
	if e.pace.stop(h) {
		e.ended(h)
	}
	return e.pace.reason()
}
