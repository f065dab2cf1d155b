package gemini_test

import (
	"encoding/json"
	"log"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/gemini"
)

var good = answer{body: whole([]string{"It scatters."}, "STOP", "")}

func ptr[T any](v T) *T { return &v }

func safety(threshold string) string {
	var out []string
	for _, c := range []string{"HARASSMENT", "HATE_SPEECH", "SEXUALLY_EXPLICIT", "DANGEROUS_CONTENT"} {
		out = append(out, `{"category":"HARM_CATEGORY_`+c+`","threshold":"`+threshold+`"}`)
	}
	return `"safetySettings":[` + strings.Join(out, ",") + `]`
}

// The whole request as it crosses the wire. The client writes a role into the
// system's instruction, which the API does not read.
func TestRequest(t *testing.T) {
	talk := []uplift.Message{{Role: uplift.User, Text: "Why is the sky blue?"}, {Role: uplift.Assistant, Text: "It <scatters>."},
		{Role: uplift.User, Text: "And at dusk?"}}
	for name, c := range map[string]struct {
		req    model.Request
		safety gemini.Safety
		want   string
	}{
		"defaults": {req: model.Request{Messages: talk[:1]},
			want: `{"contents":[{"role":"user","parts":[{"text":"Why is the sky blue?"}]}],"generationConfig":{"candidateCount":1},` + safety("OFF") + `}`},
		"all": {req: model.Request{System: "Be brief.", Messages: talk, Replicate: 3,
			Sampling: model.Sampling{Temperature: ptr(0.2), TopP: ptr(0.9), MaxTokens: ptr(1024), Seed: ptr(int64(7))}}, safety: gemini.BlockOnlyHigh,
			want: `{"systemInstruction":{"role":"user","parts":[{"text":"Be brief."}]},"contents":[{"role":"user","parts":[{"text":"Why is the sky blue?"}]},
				{"role":"model","parts":[{"text":"It <scatters>."}]},{"role":"user","parts":[{"text":"And at dusk?"}]}],
				"generationConfig":{"candidateCount":1,"temperature":0.2,"topP":0.9,"maxOutputTokens":1024,"seed":7},` + safety("BLOCK_ONLY_HIGH") + `}`},
		"zeros": {req: model.Request{Messages: talk[:1], Sampling: model.Sampling{Temperature: ptr(0.0), Seed: ptr(int64(0))}},
			want: `{"contents":[{"role":"user","parts":[{"text":"Why is the sky blue?"}]}],"generationConfig":{"candidateCount":1,"temperature":0,"seed":0},` + safety("OFF") + `}`},
	} {
		t.Run(name, func(t *testing.T) {
			s, next := serve(t, good)
			cfg := config(s, next)
			cfg.Safety = c.safety
			m := open(t, cfg)
			if _, err := m.Generate(t.Context(), c.req); err != nil {
				t.Fatal(err)
			}
			if _, _, err := gather(t.Context(), m, c.req); err == nil {
				t.Error("a stream that is none made a reply")
			}
			wantJSON(t, s.sent[0], c.want)
			wantJSON(t, s.sent[1], c.want)
			if r := s.asks[0]; r.Method != "POST" || r.URL.String() != "/v1beta/models/gemini-x:generateContent" || r.Header.Get("X-Goog-Api-Key") != secret {
				t.Errorf("asked %s %s with %v", r.Method, r.URL, r.Header)
			}
			if got := s.asks[1].URL.String(); got != "/v1beta/models/gemini-x:streamGenerateContent?alt=sse" {
				t.Errorf("streamed from %s", got)
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
		"seed":       {Messages: ask.Messages, Sampling: model.Sampling{Seed: ptr(int64(math.MaxInt32 + 1))}},
		"max_tokens": {Messages: ask.Messages, Sampling: model.Sampling{MaxTokens: ptr(0)}},
		"role":       {Messages: []uplift.Message{{Role: uplift.System, Text: "Be brief."}}},
	} {
		t.Run(name, func(t *testing.T) {
			s, next := serve(t, good)
			m := open(t, config(s, next))
			if _, err := m.Generate(t.Context(), req); err == nil || !strings.Contains(err.Error(), "gemini-x") {
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
	log.SetOutput(t.Output()) // the client warns of two keys that it does not use
	defer log.SetOutput(log.Default().Writer())
	ask2 := func(key string) (map[string][]string, string) {
		s, next := serve(t, good)
		c := config(s, next)
		c.Key, c.Headers = key, map[string]string{"X-Team": "north"}
		if _, err := open(t, c).Generate(t.Context(), ask); err != nil {
			t.Fatal(err)
		}
		return s.asks[0].Header, s.sent[0]
	}
	header, body := ask2("")
	withKey, _ := ask2(secret)
	for _, name := range []string{"GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		t.Setenv(name, "http://127.0.0.1:1/")
	}
	for _, name := range []string{"GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_CLOUD_REGION",
		"GOOGLE_APPLICATION_CREDENTIALS"} {
		t.Setenv(name, "from-the-environment")
	}
	t.Setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
	t.Setenv("GOOGLE_GENAI_USE_ENTERPRISE", "true")
	header2, body2 := ask2("")
	withKey2, _ := ask2(secret)
	if diff := cmp.Diff(header, header2); diff != "" {
		t.Errorf("headers without and with an environment:\n%s", diff)
	}
	if diff := cmp.Diff(withKey, withKey2); diff != "" {
		t.Errorf("headers without and with an environment:\n%s", diff)
	}
	wantJSON(t, body2, body)
	if got := header2["X-Goog-Api-Key"]; len(got) != 1 || got[0] != "none" {
		t.Errorf("without a key %q was sent", got)
	}
	if got := header2["X-Team"]; len(got) != 1 || got[0] != "north" {
		t.Errorf("own header %q", got)
	}
}

func TestConfig(t *testing.T) {
	for name, c := range map[string]gemini.Config{
		"no model": {Now: now}, "no clock": {Model: "gemini-x"},
		"no scheme":  {Model: "gemini-x", Now: now, BaseURL: "api.example"},
		"key in URL": {Model: "gemini-x", Now: now, BaseURL: "https://api.example/?key=" + secret},
		"safety":     {Model: "gemini-x", Now: now, Key: secret, Safety: "off"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := gemini.New(c); err == nil || strings.Contains(err.Error(), secret) {
				t.Errorf("got %v, want an error without the key", err)
			}
		})
	}
}
