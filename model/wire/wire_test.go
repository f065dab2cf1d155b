package wire_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// clock moves on by a second at each look.
func clock() func() time.Time {
	at := epoch
	return func() time.Time { at = at.Add(time.Second); return at }
}

// serve is a server, and a transport that is shut with it.
func serve(t *testing.T, h http.HandlerFunc) (url string, next *http.Transport) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // before this a server does not see its client leave
		h(w, r)
	}))
	next = wire.Transport()
	t.Cleanup(func() { next.CloseIdleConnections(); s.CloseClientConnections(); s.Close() })
	return s.URL, next
}

func post(ctx context.Context, c *http.Client, url string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader("{}"))
	if err != nil {
		return err
	}
	resp, err := c.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.ReadAll(resp.Body)
	return err
}

var line = wire.Line{Where: "test model-x", Secrets: []string{"the-secret-key"}}

func TestAttempt(t *testing.T) {
	raw := "{\"a\":\"\\u00e9\",\r\n \"b\": 1 }\n"
	url, next := serve(t, func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Request-Id", "req_1")
		h.Set("X-RateLimit-Remaining-Requests", "7")
		h.Set("Anthropic-Ratelimit-Tokens-Limit", "80000")
		h.Set("X-Should-Retry", "false")
		h.Set("Set-Cookie", "session=1")
		h.Set("Authorization", "Bearer x")
		h.Set("X-Api-Key", "y")
		h.Set("Retry-After", strings.Repeat("9", 300))
		_, _ = io.WriteString(w, raw)
	})
	ctx, seen, done := line.Open(t.Context())
	defer done()
	if err := post(ctx, wire.Client(next, clock()), url); err != nil {
		t.Fatal(err)
	}
	left, tokens := 7, 80000
	want := model.Attempt{At: epoch.Add(time.Second), Latency: time.Second, Status: 200, Raw: []byte(raw),
		Headers: map[string]string{"request-id": "req_1", "x-ratelimit-remaining-requests": "7",
			"anthropic-ratelimit-tokens-limit": "80000", "x-should-retry": "false"},
		Rate: model.Rate{RequestsLeft: &left, Tokens: &tokens}}
	if diff := cmp.Diff(want, seen.Attempt()); diff != "" {
		t.Errorf("attempt (-want +got):\n%s", diff)
	}
	if got := seen.Header("Authorization"); got != "Bearer x" {
		t.Errorf("Header gives %q", got)
	}
}

func TestUnwatchedPasses(t *testing.T) {
	url, next := serve(t, func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "ok") })
	if err := post(t.Context(), wire.Client(next, clock()), url); err != nil {
		t.Error(err)
	}
	_, seen, done := line.Open(t.Context())
	defer done()
	if diff := cmp.Diff(model.Attempt{}, seen.Attempt()); diff != "" {
		t.Errorf("attempt of a request that was not sent:\n%s", diff)
	}
}

func TestOneRequest(t *testing.T) {
	n := 0
	url, next := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n++
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	})
	ctx, seen, done := line.Open(t.Context())
	defer done()
	c := wire.Client(next, clock())
	if err := post(ctx, c, url); err != nil {
		t.Fatalf("a redirect is followed: %v", err)
	}
	if err := post(ctx, c, url); err == nil {
		t.Error("a second request for one call was sent")
	}
	if n != 1 {
		t.Errorf("%d requests reached the server, want 1", n)
	}
	f := line.Failure(t.Context(), seen, nil)
	if f.Kind != model.Rejected || f.Error() != "test model-x: status 307: Temporary Redirect (the body of 0 bytes says no more)" {
		t.Errorf("redirect: %s %q", f.Kind, f)
	}
}

// A request after its context's end is not sent.
func TestEndedBefore(t *testing.T) {
	url, next := serve(t, func(w http.ResponseWriter, r *http.Request) { t.Error("the server was asked") })
	parent, cancel := context.WithCancel(t.Context())
	cancel()
	ctx, seen, done := line.Open(parent)
	defer done()
	err := post(ctx, wire.Client(next, clock()), url)
	if f := line.Failure(parent, seen, err); !errors.Is(f, context.Canceled) || !f.Attempt.At.IsZero() {
		t.Errorf("got %v, attempt %+v", f, f.Attempt)
	}
}

// The environment says nothing to the transport.
func TestTransportKnowsNoProxy(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"} {
		t.Setenv(name, "http://127.0.0.1:1")
	}
	if wire.Transport().Proxy != nil {
		t.Error("the transport takes a proxy from somewhere")
	}
}
