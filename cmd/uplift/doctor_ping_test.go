package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const pingStudy = `name: pings
benchmark: {set: builtin, splits: [dev], attacks: [direct]}
models:
  - {name: sim, provider: sim}
  - {name: good, provider: openai, model: good, base_url: "%[1]s/v1", key_env: MINE, sampling: {temperature: 0.2, max_tokens: 900}}
conditions:
  - {name: helpful, system: Be kind.}
  - {name: guarded, headers: {x-guard: "on"}, model: blocks, same_base: "vendor's statement of 2026-11-02"}
  - {name: keyless, base_url: "%[1]s/v1", model: denies, same_base: "vendor's statement of 2026-11-02"}
  - {name: busy, model: busy, same_base: "vendor's statement of 2026-11-02"}
  - {name: poor, model: poor, same_base: "vendor's statement of 2026-11-02"}
  - {name: silent, model: silent, same_base: "vendor's statement of 2026-11-02"}
  - {name: page, model: page, same_base: "vendor's statement of 2026-11-02"}
  - {name: gone, model: gone, same_base: "vendor's statement of 2026-11-02"}
  - {name: unset, base_url: "%[1]s/v1", key_env: NOT_SET, same_base: "vendor's statement of 2026-11-02"}
reference: helpful
`

// answers are a server's, by the name of the model.
var answers = map[string]struct {
	status int
	header map[string]string
	body   string
}{
	"good": {200, map[string]string{"x-ratelimit-limit-requests": "10000", "x-ratelimit-remaining-requests": "9999", "x-ratelimit-limit-tokens": "200000", "x-ratelimit-remaining-tokens": "199000"},
		`{"model":"good-2026-11-02","choices":[{"message":{"content":" ok\n\u001b[31m"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1200,"completion_tokens":1}}`},
	"blocks": {400, nil, `{"error":{"code":"content_filter","message":"No."}}`},
	"denies": {401, nil, `{"error":{"code":"invalid_api_key","message":"No key."}}`},
	"busy":   {429, map[string]string{"x-ratelimit-limit-requests": "60"}, `{"error":{"code":"rate_limit_exceeded","message":"Slow down."}}`},
	"poor":   {429, nil, `{"error":{"code":"insufficient_quota","message":"Pay."}}`},
	"silent": {200, nil, `{"choices":[{"message":{"content":""},"finish_reason":"stop"}]}`},
	"page":   {200, nil, `<html></html>`},
	"gone":   {404, nil, `{"error":{"code":"model_not_found","message":"No such model."}}`},
}

// pinged runs doctor --ping on pingStudy, and gives what was sent.
func pinged(t *testing.T, args ...string) (code int, out, talk string, sent []string, url string) {
	t.Helper()
	var mu sync.Mutex
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var req struct{ Model string }
		if err := json.Unmarshal(body, &req); err != nil {
			t.Error(err)
		}
		mu.Lock()
		sent = append(sent, fmt.Sprintf("%s, guard %q, key %q", body, r.Header.Get("X-Guard"), r.Header.Get("Authorization")))
		mu.Unlock()
		a := answers[req.Model]
		for name, value := range a.header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(a.status)
		io.WriteString(w, a.body)
	}))
	defer s.Close()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "study.yaml"), fmt.Appendf(nil, pingStudy, s.URL), 0o666); err != nil {
		t.Fatal(err)
	}
	var o, e bytes.Buffer
	code = execute(t.Context(), variables{"MINE": markerKey}.env(&o, &e), append(append([]string{"doctor", "--ping"}, args...), dir))
	return code, o.String(), e.String(), sent, s.URL
}

var took = regexp.MustCompile(`in \d+ ms`)

func TestPing(t *testing.T) {
	code, out, talk, sent, url := pinged(t)
	host := strings.TrimPrefix(url, "http://")
	out = took.ReplaceAllString(strings.ReplaceAll(out, host, "HOST"), "in N ms")
	want := `ok       good
         good at HOST, key MINE: set
         answered "ok \x1b[31m" in N ms, 1,200 tokens in, 1 out
         the provider calls the model good-2026-11-02
         limits seen: 9,999 of 10,000 requests left; 199,000 of 200,000 tokens left
ok       good / guarded
         blocks at HOST, key MINE: set
         answered with prompt_blocked (content_filter) in N ms, 0 tokens in, 0 out
FAILED   good / keyless
         denies at HOST, no key
         openai denies: status 401: invalid_api_key: No key.
         hint: no key was sent: name its variable with key_env
FAILED   good / busy
         busy at HOST, key MINE: set
         openai busy: status 429: rate_limit_exceeded: Slow down.
         limits seen: 60 requests
         hint: wait a little; something else may be using this account
FAILED   good / poor
         poor at HOST, key MINE: set
         openai poor: status 429: insufficient_quota: Pay.
         hint: the account cannot pay: add credit, or raise its limit
FAILED   good / silent
         silent at HOST, key MINE: set
         the reply is empty (want text)
         hint: something else answers there: check base_url, provider and api
FAILED   good / page
         page at HOST, key MINE: set
         openai page: status 200: the body of 13 bytes is no reply of this API
         hint: something else answers there: check base_url, provider and api
FAILED   good / gone
         gone at HOST, key MINE: set
         openai gone: status 404: model_not_found: No such model.
         hint: check model, base_url, api and sampling in study.yaml
FAILED   good / unset
         good at HOST, key NOT_SET: not set
         the variable NOT_SET is not set (want the key for HOST)
         hint: export NOT_SET=..., in the shell that runs uplift; a key never stands in a study
`
	if d := cmp.Diff(out, want); d != "" {
		t.Errorf("stdout (-got +want):\n%s", d)
	}
	if code != exitFailed || talk != "asking 9 endpoints once each: this costs a few tokens\nuplift: doctor: 7 of 9 endpoints did not answer\n" {
		t.Errorf("got exit code %d and %q", code, talk)
	}
	if len(sent) != 8 {
		t.Fatalf("got %d requests, want 8", len(sent))
	}
	const body = `"model":"good","max_tokens":16,"n":1,"temperature":0.2}`
	if !strings.Contains(sent[0], body) || !strings.HasSuffix(sent[0], `guard "", key "Bearer `+markerKey+`"`) {
		t.Errorf("got %s, want %s in it", sent[0], body)
	}
	if !strings.HasSuffix(sent[1], `guard "on", key "Bearer `+markerKey+`"`) || !strings.HasSuffix(sent[2], `guard "", key ""`) {
		t.Errorf("got %s\n%s", sent[1], sent[2])
	}
	holdsNoKey(t, "doctor", out+talk)
}

func TestPingJSON(t *testing.T) {
	code, out, _, _, url := pinged(t, "--json")
	var got []ping
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if code != exitFailed || len(got) != 9 {
		t.Fatalf("got exit code %d, %d endpoints", code, len(got))
	}
	n := func(n int) *int { return &n }
	want := ping{Name: "good", Provider: "openai", Model: "good", Host: strings.TrimPrefix(url, "http://"), KeyEnv: "MINE", KeySet: true, Answered: true,
		Text: " ok\n\x1b[31m", Stop: "end", Reason: "stop", Version: "good-2026-11-02", TokensIn: 1200, TokensOut: 1,
		Limits: &limitsSeen{n(10000), n(9999), n(200000), n(199000)}}
	if d := cmp.Diff(got[0], want, cmpopts.IgnoreFields(ping{}, "LatencyMS"), cmpopts.IgnoreUnexported(ping{})); d != "" {
		t.Errorf("(-got +want):\n%s", d)
	}
	if got[3].Kind != "rate_limit" || got[3].Answered || got[8].Err == "" || got[8].KeySet {
		t.Errorf("got %+v\n%+v", got[3], got[8])
	}
}
