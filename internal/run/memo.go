package run

import (
	"sync"

	uplift "github.com/uplift-eval/uplift"
)

// flight is a call that is being made, or one that was made in this run.
type flight struct {
	done chan struct{} // closed when call and err are set
	call uplift.Call   // with its texts, also when those are withheld
	err  error         // no call was made
}

// memo holds the calls of one task for the cells that are going to share them:
// one that failed, so that those that are compared fail together, and one whose
// text is withheld, so that its text need not be read. It is garbage once the
// last cell of the task has ended.
type memo map[string]*flight

// mostRemembered bounds the calls in a memo that could be read again: a task may
// have many replicates.
const mostRemembered = 512

// sharing finds calls that are in the air, or in a task's memo.
type sharing struct {
	mu     sync.Mutex
	flying map[string]*flight // by digest
	shared int                // answers that needed no request
	made   int                // answers that did
}

// join finds a flight, or begins it.
func (s *sharing) join(m memo, digest string) (f *flight, mine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f, ok := m[digest]; ok {
		return f, false
	}
	if f, ok := s.flying[digest]; ok { // of another task, or another model of the same endpoint
		m[digest] = f
		return f, false
	}
	f = &flight{done: make(chan struct{})}
	m[digest], s.flying[digest] = f, f
	return f, true
}

// land ends a flight. What came about stays in the memo.
func (s *sharing) land(m memo, digest string, f *flight) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.flying, digest)
	if f.err != nil || len(m) > mostRemembered && f.call.Withheld == "" && f.call.Stop != uplift.StopError {
		delete(m, digest)
	}
	close(f.done)
}

// ask counts an answer for which a request was sent.
func (s *sharing) ask() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made++
}

func (s *sharing) count() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shared++
}
