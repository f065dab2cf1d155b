package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/uplift-eval/uplift/model"
)

// Line is the way to one endpoint of a provider.
type Line struct {
	Where   string        // begins every error, such as "anthropic claude-x"
	Secrets []string      // what no error may hold: keys, and values of headers
	Timeout time.Duration // of one attempt, until the body is whole; 0 for none
}

// Open begins one request. The context is for the provider's client; done must
// be called when the reply is whole or given up.
func (l Line) Open(ctx context.Context) (watched context.Context, seen *Seen, done context.CancelFunc) {
	done = func() {}
	if l.Timeout > 0 {
		ctx, done = context.WithTimeout(ctx, l.Timeout)
	}
	seen = new(Seen)
	return context.WithValue(ctx, key{}, seen), seen, done
}

type key struct{}

// Seen is what a [Tap] saw of one request. It is safe for concurrent use.
type Seen struct {
	mu      sync.Mutex
	now     func() time.Time // nil until something was sent
	at      time.Time
	latency time.Duration
	status  int
	header  http.Header // as it came; only the listed names leave this package
	raw     []byte
	ended   bool
	broke   error // why the answer did not come, or not whole
}

// Attempt tells what came of the request so far.
func (s *Seen) Attempt() model.Attempt {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == nil {
		return model.Attempt{}
	}
	a := model.Attempt{At: s.at, Latency: s.latency, Status: s.status, Headers: listed(s.header), Raw: s.raw[:len(s.raw):len(s.raw)]}
	if !s.ended {
		a.Latency = s.now().Sub(s.at)
	}
	a.Rate = ParseRate(s.header, s.at.Add(a.Latency))
	if a.Rate.RetryAfter == nil && s.status >= 400 {
		a.Rate.RetryAfter = ParseProblem(s.raw).RetryAfter
	}
	return a
}

// Header is a header of the answer, for what the provider says there and not in
// the body; empty when there is none.
func (s *Seen) Header(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.header.Get(name)
}

func (s *Seen) send(now func() time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now != nil {
		return false
	}
	s.now, s.at = now, now()
	return true
}

func (s *Seen) head(r *http.Response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status, s.header = r.StatusCode, r.Header.Clone()
}

// end notes that nothing more will come, and why if that is not the end of a
// whole body. Only the first end counts: a client closes what broke off.
func (s *Seen) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.ended, s.broke, s.latency = true, err, s.now().Sub(s.at)
	}
}

// add keeps what was read, and says whether it is within [Limit].
func (s *Seen) add(p []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	room := Limit - len(s.raw)
	s.raw = append(s.raw, p[:min(len(p), room)]...)
	return len(p) <= room
}

var (
	errLong = fmt.Errorf("the body is longer than %d MiB", Limit>>20)
	errLeft = errors.New("the body was left before its end")
)

// body is an answer's body that is noted as it is read.
type body struct {
	io.ReadCloser
	seen *Seen
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 && !b.seen.add(p[:n]) {
		err = errLong
	}
	switch err {
	case nil:
	case io.EOF:
		b.seen.end(nil)
	default:
		b.seen.end(err)
	}
	return n, err
}

func (b *body) Close() error {
	b.seen.end(errLeft)
	return b.ReadCloser.Close()
}
