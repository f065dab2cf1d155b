package gemini_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/gemini"
	"github.com/uplift-eval/uplift/model/wire"
)

// The provider's client imports a package that starts a goroutine as it loads.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("go.opencensus.io/stats/view.(*worker).start"))
}

const secret = "the-key-that-nobody-sees"

var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func now() time.Time { return epoch }

// answer is what the server says to every request.
type answer struct {
	status  int // 0 is 200
	header  map[string]string
	body    string
	cut     bool // the connection breaks after body
	trickle bool // nothing follows body, and the connection stays open
}

// server is a provider that says one thing and notes what it was asked.
type server struct {
	url  string
	mu   sync.Mutex
	asks []*http.Request
	sent []string
}

func serve(t *testing.T, a answer) (*server, *http.Transport) {
	t.Helper()
	s := &server{}
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.asks, s.sent = append(s.asks, r), append(s.sent, string(body))
		s.mu.Unlock()
		for k, v := range a.header {
			w.Header().Set(k, v)
		}
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/json")
		}
		if a.status != 0 {
			w.WriteHeader(a.status)
		}
		_, _ = io.WriteString(w, a.body)
		_ = http.NewResponseController(w).Flush()
		if a.trickle {
			<-r.Context().Done()
		}
		if a.cut {
			panic(http.ErrAbortHandler)
		}
	}))
	h.Config.ErrorLog = nil
	s.url = h.URL
	next := wire.Transport()
	t.Cleanup(func() { next.CloseIdleConnections(); h.CloseClientConnections(); h.Close() })
	return s, next
}

func (s *server) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asks)
}

func config(s *server, next http.RoundTripper) gemini.Config {
	return gemini.Config{Model: "gemini-x", BaseURL: s.url, Key: secret, HTTP: next, Now: now}
}

func open(t *testing.T, c gemini.Config) *gemini.Model {
	t.Helper()
	m, err := gemini.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var ask = model.Request{System: "Be brief.", Messages: []uplift.Message{{Role: uplift.User, Text: "Why is the sky blue?"}}}

// gather asks in a stream and joins the pieces.
func gather(ctx context.Context, m *gemini.Model, req model.Request) (model.Reply, string, error) {
	var b strings.Builder
	r, err := m.Stream(ctx, req, func(piece string) bool { b.WriteString(piece); return true })
	return r, b.String(), err
}

// mustNotHold fails when the key stands anywhere in what a call gave.
func mustNotHold(t *testing.T, r model.Reply, err error) {
	t.Helper()
	told, _ := json.Marshal(r)
	if strings.Contains(string(told), secret) {
		t.Error("the key stands in the reply")
	}
	if err != nil && strings.Contains(err.Error(), secret) {
		t.Error("the key stands in the error")
	}
}

// by asks one way or the other.
func by(t *testing.T, way string, m *gemini.Model) (model.Reply, string, error) {
	t.Helper()
	if way == "stream" {
		return gather(t.Context(), m, ask)
	}
	r, err := m.Generate(t.Context(), ask)
	return r, "", err
}
