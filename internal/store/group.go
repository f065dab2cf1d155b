package store

import (
	"context"
	"errors"
	"sync"
	"time"
)

// A group is what one commit makes durable. It costs one sync of the disk
// however many puts it holds, and a fixed part of a millisecond besides.
//
// Who leads waits until as many have come as the last group held, since those
// whose puts have returned are likely to come again, but for no more than
// groupEnough of them and no longer than groupWait. Whatever stands in line by
// then goes along, up to groupSize, which bounds the memory of a group.
const (
	groupEnough = 64
	groupSize   = 512
	groupWait   = 5 * time.Millisecond
)

// group gathers concurrent puts. There is no goroutine of its own: the first
// caller in line leads, commits for those behind it, and hands over.
type group struct {
	mu     sync.Mutex
	line   []*put
	led    bool
	enough int           // so many are worth no further wait
	full   chan struct{} // so many have come
}

func newGroup() group { return group{full: make(chan struct{}, 1)} }

// put is one caller's rows.
type put struct {
	add  func(*Batch) error
	err  error
	lead chan bool // true: lead the next group; false: done
}

// put adds rows and returns when they are durable. When the commit fails, it
// fails for every caller of the group, and nothing of it is kept.
func (s *Store) put(ctx context.Context, add func(*Batch) error) error {
	if s.writer == nil {
		return s.errNotWritable()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.writer.put(ctx, add)
}

func (w *writer) put(ctx context.Context, add func(*Batch) error) error {
	p := &put{add: add, lead: make(chan bool, 1)}
	if !w.group.join(p) && !<-p.lead {
		return p.err
	}
	puts := w.group.gather()
	// SQLite needs a deep stack, which a caller that waits for its next turn to
	// lead would go on holding: there are hundreds of them.
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.commit(context.WithoutCancel(ctx), puts) // the others' rows do not end with this caller
	}()
	<-done
	w.group.handOver()
	for _, other := range puts {
		if other != p {
			other.lead <- false
		}
	}
	return p.err
}

// join takes a place in line; it reports whether that is the lead.
func (g *group) join(p *put) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.line = append(g.line, p)
	if len(g.line) >= g.enough {
		select {
		case g.full <- struct{}{}:
		default:
		}
	}
	lead := !g.led
	g.led = true
	return lead
}

// gather waits for company, unless the caller seems to be alone, and takes the
// front of the line, the leader first.
func (g *group) gather() []*put {
	g.mu.Lock()
	n := len(g.line)
	select { // of an earlier group
	case <-g.full:
	default:
	}
	wait := n < g.enough
	g.mu.Unlock()
	if wait {
		timer := time.NewTimer(groupWait)
		select {
		case <-g.full:
		case <-timer.C:
		}
		timer.Stop()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	n = min(len(g.line), groupSize)
	puts := g.line[:n:n]
	g.line = g.line[n:]
	g.enough = min(n, groupEnough)
	return puts
}

// handOver lets the next in line lead.
func (g *group) handOver() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.led = len(g.line) > 0; g.led {
		g.line[0].lead <- true
	}
}

// commit writes a group. A put whose own rows are refused leaves the others be.
func (w *writer) commit(ctx context.Context, puts []*put) {
	err := w.transact(ctx, aFew, func() error {
		b := newBatch(ctx, w, Options{})
		for _, p := range puts {
			p.err = p.add(b)
		}
		return errors.Join(b.finish(), w.inPlace())
	})
	if err != nil {
		for _, p := range puts {
			p.err = err
		}
	}
}
