package anthropic_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/anthropic"
)

var good = answer{body: whole(`[{"type":"text","text":"It scatters."}]`, "end_turn", "null", "null")}

func ptr[T any](v T) *T { return &v }

// The whole request as it crosses the wire.
func TestRequest(t *testing.T) {
	talk := []uplift.Message{{Role: uplift.User, Text: "Why is the sky blue?"}, {Role: uplift.Assistant, Text: "It <scatters>."},
		{Role: uplift.User, Text: "And at dusk?"}}
	for name, c := range map[string]struct {
		req     model.Request
		version string
		want    string
	}{
		"defaults": {req: model.Request{Messages: talk[:1]}, version: "2026-10-21",
			want: `{"model":"claude-x","max_tokens":4096,"messages":[{"role":"user","content":[{"type":"text","text":"Why is the sky blue?"}]}]}`},
		"all": {req: model.Request{System: "Be brief.", Messages: talk, Replicate: 3,
			Sampling: model.Sampling{Temperature: ptr(0.2), TopP: ptr(0.9), MaxTokens: ptr(1024)}}, version: "2023-06-01",
			want: `{"model":"claude-x","max_tokens":1024,"temperature":0.2,"top_p":0.9,"system":[{"type":"text","text":"Be brief."}],
				"messages":[{"role":"user","content":[{"type":"text","text":"Why is the sky blue?"}]},
				{"role":"assistant","content":[{"type":"text","text":"It <scatters>."}]},
				{"role":"user","content":[{"type":"text","text":"And at dusk?"}]}]}`},
		"zero temperature": {req: model.Request{Messages: talk[:1], Sampling: model.Sampling{Temperature: ptr(0.0)}}, version: "2023-06-01",
			want: `{"model":"claude-x","max_tokens":4096,"temperature":0,"messages":[{"role":"user","content":[{"type":"text","text":"Why is the sky blue?"}]}]}`},
		"long": {req: model.Request{Messages: talk[:1], Sampling: model.Sampling{MaxTokens: ptr(128000)}}, version: "2026-10-21", // the client would refuse it
			want: `{"model":"claude-x","max_tokens":128000,"messages":[{"role":"user","content":[{"type":"text","text":"Why is the sky blue?"}]}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			s, next := serve(t, good)
			m := open(t, config(s, next))
			if _, err := m.Generate(t.Context(), c.req); err != nil {
				t.Fatal(err)
			}
			_, _, err := gather(t.Context(), m, c.req)
			if err == nil {
				t.Error("a stream that is none made a reply")
			}
			wantJSON(t, s.sent[0], c.want)
			wantJSON(t, s.sent[1], strings.TrimSuffix(c.want, "}")+`,"stream":true}`)
			r := s.asks[0]
			if r.Method != "POST" || r.URL.String() != "/v1/messages" {
				t.Errorf("asked %s %s", r.Method, r.URL)
			}
			for header, want := range map[string]string{"Anthropic-Version": c.version, "Authorization": "Bearer " + secret,
				"X-Api-Key": secret, "Anthropic-Beta": "", "Idempotency-Key": "", "Traceparent": ""} {
				if got := r.Header.Get(header); got != want {
					t.Errorf("%s is %q, want %q", header, got, want)
				}
			}
		})
	}
}

func wantJSON(t *testing.T, got, want string) {
	t.Helper()
	var a, b any
	if err := json.Unmarshal([]byte(got), &a); err != nil {
		t.Fatalf("sent %q: %v", got, err)
	}
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b, a); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}

// What cannot be asked is not asked.
func TestNotAsked(t *testing.T) {
	for name, req := range map[string]model.Request{
		"seed": {Messages: ask.Messages, Sampling: model.Sampling{Seed: ptr(int64(1))}},
		"role": {Messages: []uplift.Message{{Role: uplift.System, Text: "Be brief."}}},
	} {
		t.Run(name, func(t *testing.T) {
			s, next := serve(t, good)
			m := open(t, config(s, next))
			if _, err := m.Generate(t.Context(), req); err == nil || !strings.Contains(err.Error(), "claude-x") {
				t.Errorf("got %v, want an error that names the model", err)
			}
			if _, _, err := gather(t.Context(), m, req); err == nil {
				t.Error("a stream was asked for")
			}
			if n := s.count(); n != 0 {
				t.Errorf("%d requests, want none", n)
			}
		})
	}
}

// Nothing in the environment changes what is sent, or where.
func TestEnvironment(t *testing.T) {
	ask2 := func() (map[string][]string, string) {
		s, next := serve(t, good)
		c := config(s, next)
		c.Key, c.Headers = "", map[string]string{"X-Team": "north"}
		if _, err := open(t, c).Generate(t.Context(), ask); err != nil {
			t.Fatal(err)
		}
		return s.asks[0].Header, s.sent[0]
	}
	header, body := ask2()
	for _, name := range []string{"ANTHROPIC_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		t.Setenv(name, "http://127.0.0.1:1/")
	}
	for _, name := range []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE", "ANTHROPIC_IDENTITY_TOKEN",
		"ANTHROPIC_FEDERATION_RULE_ID", "ANTHROPIC_ORGANIZATION_ID", "ANTHROPIC_WORKSPACE_ID", "ANTHROPIC_CONFIG_DIR"} {
		t.Setenv(name, "from-the-environment")
	}
	t.Setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Evil: 1\nanthropic-version: 1999-01-01\nAuthorization: Bearer evil")
	t.Setenv("ANTHROPIC_OPEN_TELEMETRY", "true")
	t.Setenv("ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE", "content")
	header2, body2 := ask2()
	if diff := cmp.Diff(header, header2); diff != "" {
		t.Errorf("headers without and with an environment:\n%s", diff)
	}
	if body != body2 {
		t.Errorf("body %s, want %s", body2, body)
	}
	for name, want := range map[string]string{"X-Team": "north", "Authorization": "", "X-Api-Key": ""} {
		if got := strings.Join(header[name], ","); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// A study's headers win, the version of the API among them.
func TestHeaders(t *testing.T) {
	s, next := serve(t, good)
	c := config(s, next)
	c.Headers = map[string]string{"anthropic-version": "2023-06-01", "anthropic-beta": "a-feature"}
	if _, err := open(t, c).Generate(t.Context(), ask); err != nil {
		t.Fatal(err)
	}
	if h := s.asks[0].Header; h.Get("Anthropic-Version") != "2023-06-01" || h.Get("Anthropic-Beta") != "a-feature" {
		t.Errorf("sent %v", h)
	}
}

func TestConfig(t *testing.T) {
	for name, c := range map[string]anthropic.Config{
		"no model": {Now: now}, "no clock": {Model: "claude-x"},
		"no scheme":  {Model: "claude-x", Now: now, BaseURL: "api.example"},
		"key in URL": {Model: "claude-x", Now: now, BaseURL: "https://user:" + secret + "@api.example/"},
		"query":      {Model: "claude-x", Now: now, BaseURL: "https://api.example/?key=" + secret},
		"no URL":     {Model: "claude-x", Now: now, BaseURL: "https://api.example/%zz" + secret},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := anthropic.New(c); err == nil || strings.Contains(err.Error(), secret) {
				t.Errorf("got %v, want an error without the key", err)
			}
		})
	}
}
