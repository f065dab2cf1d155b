package wire_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/wire"
)

// Failures of the wire itself, with what is kept of a body.
func TestFailure(t *testing.T) {
	for name, c := range map[string]struct {
		handle http.HandlerFunc
		kind   model.Kind
		raw    string
		says   string
	}{
		"reset in the body": {func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "half")
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, model.Transport, "half", "4 bytes of the body came"},
		"reset before": {func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }, model.Transport, "", "EOF"},
		"slow body":    {func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "half"); hang(w, r) }, model.Timeout, "half", "no whole answer within 50ms (4 bytes of the body came)"},
		"no answer":    {func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, model.Timeout, "", "no whole answer within 50ms"},
		"429, body cut": {func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(429)
			_, _ = io.WriteString(w, "{")
			hang(w, r)
		}, model.RateLimit, "{", "status 429: Too Many Requests"},
		"good":    {func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, `{"a":1}`) }, model.Malformed, `{"a":1}`, "the body of 7 bytes is no reply of this API"},
		"no JSON": {func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, `{"a":Xxxxx}`) }, model.Malformed, `{"a":Xxxxx}`, "the body of 11 bytes is no JSON at byte 6"},
		"empty":   {func(w http.ResponseWriter, r *http.Request) {}, model.Malformed, "", "the body is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			url, next := serve(t, c.handle)
			l := line
			l.Timeout = 50 * time.Millisecond
			ctx, seen, done := l.Open(t.Context())
			defer done()
			err := post(ctx, wire.Client(next, clock()), url)
			f := l.Failure(t.Context(), seen, err)
			if f.Kind != c.kind || string(f.Attempt.Raw) != c.raw || !strings.Contains(f.Error(), c.says) || !strings.HasPrefix(f.Error(), l.Where) {
				t.Errorf("got %s %q with %q, want %s %q with %q", f.Kind, f, f.Attempt.Raw, c.kind, c.says, c.raw)
			}
			if f.Attempt.At != epoch.Add(time.Second) || f.Attempt.Latency != time.Second {
				t.Errorf("at %v, after %v: the clock was looked at too often", f.Attempt.At, f.Attempt.Latency)
			}
			if errors.Is(f, context.DeadlineExceeded) {
				t.Error("the attempt's own limit reads as the caller's")
			}
		})
	}
}

func hang(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

// The caller's own end is told as such, whatever the client made of it.
func TestCallersEnd(t *testing.T) {
	url, next := serve(t, func(w http.ResponseWriter, r *http.Request) { hang(w, r) })
	for name, c := range map[string]struct {
		parent func() (context.Context, context.CancelFunc)
		want   error
		kind   model.Kind
	}{
		"deadline": {func() (context.Context, context.CancelFunc) {
			return context.WithTimeout(t.Context(), 30*time.Millisecond)
		}, context.DeadlineExceeded, model.Timeout},
		"cancelled": {func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(30*time.Millisecond, cancel)
			return ctx, cancel
		}, context.Canceled, model.Transport},
	} {
		t.Run(name, func(t *testing.T) {
			parent, cancel := c.parent()
			defer cancel()
			ctx, seen, done := line.Open(parent)
			defer done()
			err := post(ctx, wire.Client(next, clock()), url)
			f := line.Failure(parent, seen, fmt.Errorf("hidden: %v", err))
			if !errors.Is(f, c.want) || f.Kind != c.kind || f.Attempt.Status != 200 {
				t.Errorf("got %s %v, want %v", f.Kind, f, c.want)
			}
		})
	}
}

// A client's error before anything was sent.
func TestNotSent(t *testing.T) {
	_, seen, done := line.Open(t.Context())
	defer done()
	f := line.Failure(t.Context(), seen, errors.New("cannot write the-secret-key"))
	if f.Kind != model.Rejected || f.Error() != "test model-x: not sent: cannot write [secret]" {
		t.Errorf("got %s %q", f.Kind, f)
	}
}

// endless is a body that does not end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }
func (endless) Close() error               { return nil }

type always struct{ body io.ReadCloser }

func (a always) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: a.body, Request: r}, nil
}

func TestLimit(t *testing.T) {
	ctx, seen, done := line.Open(t.Context())
	defer done()
	err := post(ctx, wire.Client(always{endless{}}, clock()), "http://host.example/")
	f := line.Failure(t.Context(), seen, err)
	if f.Kind != model.Rejected || len(f.Attempt.Raw) != wire.Limit {
		t.Errorf("got %s %v with %d bytes, want a body that is cut at %d", f.Kind, f, len(f.Attempt.Raw), wire.Limit)
	}
}

func TestScrub(t *testing.T) {
	secrets := wire.Secrets("k3y/with+signs", map[string]string{"X-Auth": "Token abcdefgh", "X-Flag": "true"})
	for name, c := range map[string]struct{ in, want string }{
		"key":          {"bad key k3y/with+signs.", "bad key [secret]."},
		"in a URL":     {"GET /?x=k3y%2Fwith%2Bsigns", "GET /?x=[secret]"},
		"header":       {"got Token abcdefgh", "got [secret]"},
		"its word":     {"got abcdefgh", "got [secret]"},
		"a short one":  {"true story", "true story"},
		"openai's":     {"Incorrect API key provided: sk-proj-abc*****xyz.", "Incorrect API key provided: [secret]."},
		"google's":     {"key AIzaSyA1234567890abcdef", "key [secret]"},
		"bearer":       {"Authorization: Bearer abc.def", "Authorization: [secret]"},
		"query":        {"https://host/?key=abc&x=1", "https://host/?[secret]&x=1"},
		"plain words":  {"the task-based risk-free desk-top key", "the task-based risk-free desk-top key"},
		"other's mark": {"ask-me-anything", "ask-me-anything"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := wire.Scrub(c.in, secrets...); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A long message is cut between runes, after it was scrubbed.
func TestErrorBounds(t *testing.T) {
	for pad := range 12 {
		message := strings.Repeat("x", pad) + strings.Repeat("é", 220+pad) + " the-secret-key\n\x00" + strings.Repeat("ü", 400)
		url, next := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(400)
			_, _ = io.WriteString(w, `{"error":{"message":"`+strings.NewReplacer("\n", `\n`, "\x00", `\u0000`).Replace(message)+`"}}`)
		})
		ctx, seen, done := line.Open(t.Context())
		err := post(ctx, wire.Client(next, clock()), url)
		got := line.Failure(t.Context(), seen, err).Error()
		done()
		if len(got) > 500 || !utf8.ValidString(got) || strings.Contains(got, "the-sec") || strings.ContainsAny(got, "\n\x00") || !strings.HasSuffix(got, "…") {
			t.Errorf("%d bytes: %q", len(got), got)
		}
	}
}
