package openai

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// sent is one request as a server saw it.
type sent struct {
	Method, Host, URI, Body string
	Header                  http.Header
}

// server answers every request alike and keeps what it was sent.
type server struct {
	*httptest.Server
	mu   sync.Mutex
	sent []sent
}

func serve(t *testing.T, answer http.HandlerFunc) *server {
	t.Helper()
	s := new(server)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		s.mu.Lock()
		s.sent = append(s.sent, sent{r.Method, r.Host, r.URL.RequestURI(), string(body), r.Header})
		s.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// one is the only request that came.
func (s *server) one(t *testing.T) sent {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.sent) != 1 {
		t.Fatalf("got %d requests, want 1", len(s.sent))
	}
	return s.sent[0]
}

// body answers with a status and a body, JSON or a stream by its first byte.
func body(status int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		kind := "application/json"
		if strings.HasPrefix(text, "data:") || strings.HasPrefix(text, "event:") {
			kind = "text/event-stream"
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("X-Request-Id", "req_1")
		w.WriteHeader(status)
		io.WriteString(w, text)
	}
}

// elsewhere takes every request to a test server, whatever its host.
type elsewhere struct{ to string }

func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	u, err := url.Parse(e.to)
	if err != nil {
		return nil, err
	}
	host := r.URL.Host
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host, r.Host = u.Scheme, u.Host, host
	return http.DefaultTransport.RoundTrip(r)
}

const secret = "marker-4f1d9c7e2b"

func (s *server) config(api string) Config {
	return Config{Model: "m1", API: api, BaseURL: s.URL + "/v1", Key: secret, Now: time.Now}
}

func made(t *testing.T, c Config) *Model {
	t.Helper()
	m, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func ptr[T any](v T) *T { return &v }

// question is a request with two turns and every setting but the seed.
func question() model.Request {
	return model.Request{
		System: "Be <kind>.", Replicate: 3,
		Messages: []uplift.Message{{Role: uplift.User, Text: "Why is the sky blue?"}, {Role: uplift.Assistant, Text: "Light scatters."}, {Role: uplift.User, Text: "Say more."}},
		Sampling: model.Sampling{Temperature: ptr(0.2), TopP: ptr(0.9), MaxTokens: ptr(64)},
	}
}

func hello() model.Request {
	return model.Request{Messages: []uplift.Message{{Role: uplift.User, Text: "Hello"}}}
}

// modes are the two ways to ask.
var modes = map[string]func(context.Context, *Model, model.Request) (model.Reply, string, error){
	"whole": func(ctx context.Context, m *Model, req model.Request) (model.Reply, string, error) {
		r, err := m.Generate(ctx, req)
		return r, r.Text, err
	},
	"streamed": func(ctx context.Context, m *Model, req model.Request) (model.Reply, string, error) {
		var b strings.Builder
		r, err := m.Stream(ctx, req, func(piece string) bool { b.WriteString(piece); return true })
		return r, b.String(), err
	},
}

// outside leaves out what a clock and a connection decide.
var outside = cmp.Options{cmpopts.IgnoreFields(model.Reply{}, "Attempt")}

func TestRequestsAreWhatWasMeant(t *testing.T) {
	const chat = `{"id":"c","model":"m1","choices":[{"index":0,"message":{"content":"ok"},"finish_reason":"stop"}]}`
	const response = `{"id":"r","model":"m1","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"ok"}]}]}`
	seeded := question()
	seeded.Sampling.Seed = ptr(int64(7))
	const turns = `{"content":"Why is the sky blue?","role":"user"},{"content":"Light scatters.","role":"assistant"},{"content":"Say more.","role":"user"}`
	const messages = `"messages":[{"content":"Be <kind>.","role":"system"},` + turns + `]`
	for _, c := range []struct {
		name, base, api, answer string
		req                     model.Request
		uri, body, stream       string // stream is what a streamed body has beside
		header, value           string
	}{
		{"chat, a compatible server", "http://10.1.2.3:8000/v1", Chat, chat, seeded, "/v1/chat/completions",
			`{"model":"m1","n":1,"max_tokens":64,"seed":7,"temperature":0.2,"top_p":0.9,` + messages + `}`,
			`"stream":true,"stream_options":{"include_usage":true}`, "Authorization", "Bearer " + secret},
		{"chat, no settings", "http://10.1.2.3:8000/v1/", Chat, chat, hello(), "/v1/chat/completions",
			`{"model":"m1","n":1,"messages":[{"content":"Hello","role":"user"}]}`,
			`"stream":true,"stream_options":{"include_usage":true}`, "Authorization", "Bearer " + secret},
		{"chat, official", "", Chat, chat, seeded, "/v1/chat/completions",
			`{"model":"m1","n":1,"max_completion_tokens":64,"seed":7,"store":false,"service_tier":"default","temperature":0.2,"top_p":0.9,` + messages + `}`,
			`"stream":true,"stream_options":{"include_usage":true}`, "Authorization", "Bearer " + secret},
		{"chat, official of a region", "https://eu.api.openai.com/v1", Chat, chat, hello(), "/v1/chat/completions",
			`{"model":"m1","n":1,"store":false,"service_tier":"default","messages":[{"content":"Hello","role":"user"}]}`,
			`"stream":true,"stream_options":{"include_usage":true}`, "Authorization", "Bearer " + secret},
		{"chat, Azure", "https://x.openai.azure.com/openai/v1", Chat, chat, question(), "/openai/v1/chat/completions",
			`{"model":"m1","n":1,"max_completion_tokens":64,"temperature":0.2,"top_p":0.9,` + messages + `}`,
			`"stream":true,"stream_options":{"include_usage":true}`, "Api-Key", secret},
		{"chat, an Azure deployment", "https://proxy.example/openai/deployments/d1?api-version=2024-10-21", Chat, chat, question(),
			"/openai/deployments/d1/chat/completions?api-version=2024-10-21",
			`{"model":"m1","n":1,"max_completion_tokens":64,"temperature":0.2,"top_p":0.9,` + messages + `}`,
			`"stream":true,"stream_options":{"include_usage":true}`, "Api-Key", secret},
		{"responses, official", "", Responses, response, question(), "/v1/responses",
			`{"model":"m1","instructions":"Be <kind>.","max_output_tokens":64,"store":false,"temperature":0.2,"top_p":0.9,"service_tier":"default","truncation":"disabled","input":[` + turns + `]}`,
			`"stream":true`, "Authorization", "Bearer " + secret},
		{"responses, a compatible server", "http://10.1.2.3:8000/v1", Responses, response, hello(), "/v1/responses",
			`{"model":"m1","store":false,"input":[{"content":"Hello","role":"user"}]}`,
			`"stream":true`, "Authorization", "Bearer " + secret},
	} {
		for mode, ask := range modes {
			t.Run(c.name+", "+mode, func(t *testing.T) {
				s := serve(t, body(200, c.answer))
				cfg := s.config(c.api)
				cfg.BaseURL, cfg.HTTP, cfg.Headers = c.base, elsewhere{s.URL}, map[string]string{"X-Guard": "on, please"}
				r, _, err := ask(t.Context(), made(t, cfg), c.req)
				if err != nil || r.Text != "ok" || r.RequestID != "req_1" {
					t.Fatalf("got %+v, %v", r, err)
				}
				want := c.body
				if mode == "streamed" {
					want = strings.TrimSuffix(want, "}") + "," + c.stream + "}"
				}
				got := s.one(t)
				if d := cmp.Diff(canonical(t, got.Body), canonical(t, want)); d != "" {
					t.Errorf("body (-got +want):\n%s", d)
				}
				if got.Method != "POST" || got.URI != c.uri {
					t.Errorf("got %s %s, want POST %s", got.Method, got.URI, c.uri)
				}
				if v := got.Header.Get(c.header); v != c.value {
					t.Errorf("%s: got %q, want %q", c.header, v, c.value)
				}
				if n := strings.Count(fmt.Sprint(got.Header), secret); n != 1 {
					t.Errorf("the key stands %d times in the headers, want once", n)
				}
				if v := got.Header.Get("X-Guard"); v != "on, please" {
					t.Errorf("X-Guard: got %q", v)
				}
			})
		}
	}
}

// The SDK's client would take all of these; its services must not.
func TestEnvironmentChangesNothing(t *testing.T) {
	const answer = `{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}`
	clean := serve(t, body(200, answer))
	if _, err := made(t, clean.config(Chat)).Generate(t.Context(), question()); err != nil {
		t.Fatal(err)
	}
	foreign := serve(t, body(200, answer))
	for name, value := range map[string]string{
		"OPENAI_BASE_URL": foreign.URL, "OPENAI_API_KEY": "other-key", "OPENAI_ADMIN_KEY": "other-admin-key",
		"OPENAI_ORG_ID": "other-org", "OPENAI_PROJECT_ID": "other-project", "OPENAI_WEBHOOK_SECRET": "other-hook",
		"OPENAI_CUSTOM_HEADERS": "X-Other: yes\nAuthorization: Bearer other",
		"HTTP_PROXY":            foreign.URL, "HTTPS_PROXY": foreign.URL, "ALL_PROXY": foreign.URL, "NO_PROXY": "",
	} {
		t.Setenv(name, value)
		t.Setenv(strings.ToLower(name), value)
	}
	hostile := serve(t, body(200, answer))
	for _, key := range []string{secret, ""} {
		cfg := hostile.config(Chat)
		cfg.Key = key
		if _, err := made(t, cfg).Generate(t.Context(), question()); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(foreign.sent); n != 0 {
		t.Errorf("%d requests went to the host that the environment names", n)
	}
	want, got := clean.one(t), hostile.sent
	want.Host = strings.TrimPrefix(hostile.URL, "http://")
	if d := cmp.Diff(got[0], want); d != "" {
		t.Errorf("with a hostile environment (-got +want):\n%s", d)
	}
	want.Header = want.Header.Clone()
	want.Header.Del("Authorization")
	if d := cmp.Diff(got[1], want); d != "" {
		t.Errorf("without a key (-got +want):\n%s", d)
	}
}

func TestWhatCannotBeSentIsNot(t *testing.T) {
	s := serve(t, body(200, `{}`))
	seeded, spoken := hello(), hello()
	seeded.Sampling.Seed = ptr(int64(1))
	spoken.Messages[0].Role = uplift.System
	for name, c := range map[string]struct {
		api  string
		req  model.Request
		want string
	}{
		"a seed to Responses": {Responses, seeded, `openai m1: Responses takes no seed (want the API chat, or no seed): request not sent`},
		"a role to chat":      {Chat, spoken, `openai m1: a message of the role "system" (want user or assistant): request not sent`},
		"a role to Responses": {Responses, spoken, `openai m1: a message of the role "system" (want user or assistant): request not sent`},
	} {
		for mode, ask := range modes {
			t.Run(name+", "+mode, func(t *testing.T) {
				_, _, err := ask(t.Context(), made(t, s.config(c.api)), c.req)
				if fmt.Sprint(err) != c.want {
					t.Errorf("got %v, want %s", err, c.want)
				}
			})
		}
	}
	if len(s.sent) > 0 {
		t.Errorf("got %d requests, want none", len(s.sent))
	}
}

func TestNewChecks(t *testing.T) {
	good := Config{Model: "m", Now: time.Now}
	for name, c := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"no model":    {func(c *Config) { c.Model = "" }, "openai: model: is missing (want the server's name of the model)"},
		"API":         {func(c *Config) { c.API = "completions" }, `openai: API: unknown value "completions" (want chat or responses)`},
		"no clock":    {func(c *Config) { c.Now = nil }, "openai: clock: is missing"},
		"no scheme":   {func(c *Config) { c.BaseURL = "127.0.0.1:8000/v1" }, "openai: base URL: cannot be read (want http:// or https:// and a host)"},
		"other":       {func(c *Config) { c.BaseURL = "ftp://host/v1" }, "openai: base URL: cannot be read (want http:// or https:// and a host)"},
		"credentials": {func(c *Config) { c.BaseURL = "https://a:b@host/v1" }, "openai: base URL: holds credentials (want none: the key is given apart)"},
		"query":       {func(c *Config) { c.BaseURL = "https://host/v1?a=%zz" }, "openai: base URL: its query cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := good
			c.change(&cfg)
			if _, err := New(cfg); fmt.Sprint(err) != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}
