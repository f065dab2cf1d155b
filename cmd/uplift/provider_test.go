package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/store"
	"github.com/uplift-eval/uplift/internal/study"
	"github.com/uplift-eval/uplift/model"
)

// variables is an environment.
type variables map[string]string

func (v variables) env(out, talk io.Writer) *Env {
	return &Env{Stdin: strings.NewReader(""), Stdout: out, Stderr: talk, Getenv: func(name string) string { return v[name] }, Now: time.Now, Width: 80}
}

func TestKeysGoWhereTheyMay(t *testing.T) {
	all := variables{"ANTHROPIC_API_KEY": "a-key", "GEMINI_API_KEY": "g-key", "GOOGLE_API_KEY": "google-key", "OPENAI_API_KEY": "o-key", "MINE": " my-key\n", "ODD": "my key"}
	for _, c := range []struct {
		name string
		p    endpoint
		env  variables
		want string
		err  string
	}{
		{"anthropic", endpoint{Provider: study.Anthropic}, all, "a-key", ""},
		{"gemini", endpoint{Provider: study.Gemini}, all, "g-key", ""},
		{"gemini, the second name", endpoint{Provider: study.Gemini}, variables{"GOOGLE_API_KEY": "google-key"}, "google-key", ""},
		{"openai", endpoint{Provider: study.OpenAI}, all, "o-key", ""},
		{"openai, spelt out", endpoint{Provider: study.OpenAI, BaseURL: "https://api.openai.com/v1"}, all, "o-key", ""},
		{"openai, a region", endpoint{Provider: study.OpenAI, BaseURL: "https://EU.api.openai.com/v1"}, all, "o-key", ""},
		{"its own place with another key", endpoint{Provider: study.OpenAI, KeyEnv: "MINE"}, all, "my-key", ""},
		{"another place", endpoint{Provider: study.OpenAI, BaseURL: "https://guarded.example/v1"}, all, "", ""},
		{"a place that looks alike", endpoint{Provider: study.OpenAI, BaseURL: "https://api.openai.com.example/v1"}, all, "", ""},
		{"another that looks alike", endpoint{Provider: study.OpenAI, BaseURL: "https://evil-api.openai.com/v1"}, all, "", ""},
		{"another provider's place", endpoint{Provider: study.OpenAI, BaseURL: "https://api.anthropic.com/v1"}, all, "", ""},
		{"another place with its key", endpoint{Provider: study.Anthropic, BaseURL: "https://guarded.example", KeyEnv: "MINE"}, all, "my-key", ""},
		{"another place with the usual key", endpoint{Provider: study.OpenAI, BaseURL: "https://guarded.example/v1", KeyEnv: "OPENAI_API_KEY"}, all, "",
			"the key of OPENAI_API_KEY goes to api.openai.com alone, not to guarded.example (want a variable of its own)"},
		{"another provider's usual key", endpoint{Provider: study.OpenAI, KeyEnv: "ANTHROPIC_API_KEY"}, all, "",
			"the key of ANTHROPIC_API_KEY goes to api.anthropic.com alone, not to api.openai.com (want a variable of its own)"},
		{"a provider's place in another's form", endpoint{Provider: study.OpenAI, BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai", KeyEnv: "GEMINI_API_KEY"}, all, "g-key", ""},
		{"this machine with the usual key", endpoint{Provider: study.OpenAI, BaseURL: "http://127.0.0.1:8000/v1", KeyEnv: "OPENAI_API_KEY"}, all, "o-key", ""},
		{"this machine with a key", endpoint{Provider: study.OpenAI, BaseURL: "http://127.0.0.1:8000/v1", KeyEnv: "MINE"}, all, "my-key", ""},
		{"this machine by name", endpoint{Provider: study.OpenAI, BaseURL: "http://localhost:8000/v1", KeyEnv: "MINE"}, all, "my-key", ""},
		{"this machine, IPv6", endpoint{Provider: study.OpenAI, BaseURL: "http://[::1]:8000/v1", KeyEnv: "MINE"}, all, "my-key", ""},
		{"no key, unencrypted", endpoint{Provider: study.OpenAI, BaseURL: "http://10.0.0.7:8000/v1"}, all, "", ""},
		{"a key, unencrypted", endpoint{Provider: study.OpenAI, BaseURL: "http://10.0.0.7:8000/v1", KeyEnv: "MINE"}, all, "",
			"the key of MINE would go unencrypted to 10.0.0.7:8000 (want https)"},
		{"its own place, unencrypted", endpoint{Provider: study.Anthropic, BaseURL: "http://api.anthropic.com"}, all, "",
			"the key of ANTHROPIC_API_KEY would go unencrypted to api.anthropic.com (want https)"},
		{"a name that only begins like this machine", endpoint{Provider: study.OpenAI, BaseURL: "http://localhost.example/v1", KeyEnv: "MINE"}, all, "",
			"the key of MINE would go unencrypted to localhost.example (want https)"},
		{"no key there", endpoint{Provider: study.Gemini}, variables{}, "", "the variable GEMINI_API_KEY is not set (want the key for generativelanguage.googleapis.com)"},
		{"none of that name", endpoint{Provider: study.OpenAI, BaseURL: "https://guarded.example/v1", KeyEnv: "OTHER"}, all, "", "the variable OTHER is not set (want the key for guarded.example)"},
		{"a key with a space", endpoint{Provider: study.OpenAI, KeyEnv: "ODD"}, all, "", "the variable ODD holds a space or a character that no key has"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.p.key(c.env.env(io.Discard, io.Discard))
			if got != c.want || fmt.Sprint(err) != c.err && (err != nil || c.err != "") {
				t.Errorf("got %q, %v, want %q, %s", got, err, c.want, c.err)
			}
			c.p.Model = "m"
			if _, err := c.env.env(io.Discard, io.Discard).provider(c.p, nil); (err != nil) != (c.err != "") {
				t.Errorf("provider: got %v, want %s", err, c.err)
			}
		})
	}
}

// A condition's own place never gets the key of the model's.
func TestEndpointOf(t *testing.T) {
	m := study.Model{Provider: study.OpenAI, API: "responses", Model: "m", BaseURL: "https://base.example/v1", KeyEnv: "BASE"}
	for _, c := range []struct {
		name string
		cond study.Condition
		want endpoint
	}{
		{"the model's", study.Condition{}, endpoint{Provider: study.OpenAI, API: "responses", Model: "m", BaseURL: "https://base.example/v1", KeyEnv: "BASE"}},
		{"another place", study.Condition{BaseURL: "https://guarded.example/v1"}, endpoint{Provider: study.OpenAI, API: "responses", Model: "m", BaseURL: "https://guarded.example/v1"}},
		{"with its key", study.Condition{BaseURL: "https://guarded.example/v1", KeyEnv: "GUARD", Model: "g"}, endpoint{Provider: study.OpenAI, API: "responses", Model: "g", BaseURL: "https://guarded.example/v1", KeyEnv: "GUARD"}},
		{"the same place, another name and headers", study.Condition{Model: "g", Headers: study.Headers{"x-guard": "on"}},
			endpoint{Provider: study.OpenAI, API: "responses", Model: "g", BaseURL: "https://base.example/v1", KeyEnv: "BASE", Headers: map[string]string{"x-guard": "on"}}},
		{"the same place, another key", study.Condition{KeyEnv: "GUARD"}, endpoint{Provider: study.OpenAI, API: "responses", Model: "m", BaseURL: "https://base.example/v1", KeyEnv: "GUARD"}},
	} {
		if d := cmp.Diff(endpointOf(m, c.cond), c.want); d != "" {
			t.Errorf("%s (-got +want):\n%s", c.name, d)
		}
	}
}

// The threshold of filters goes as the study says, and is off without a word.
func TestSafetyIsSent(t *testing.T) {
	for safety, want := range map[string]string{"": "OFF", "off": "OFF", "block_none": "BLOCK_NONE", "block_low_and_above": "BLOCK_LOW_AND_ABOVE"} {
		var sent string
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			b, _ := io.ReadAll(r.Body)
			sent = string(b)
			w.WriteHeader(http.StatusTeapot)
		}))
		m, err := variables{}.env(io.Discard, io.Discard).provider(
			endpointOf(study.Model{Provider: study.Gemini, Model: "m", BaseURL: s.URL, Safety: safety}, study.Condition{}), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Generate(t.Context(), model.Request{Messages: []uplift.Message{{Role: uplift.User, Text: "Hello"}}}); err == nil {
			t.Error("a teapot answered")
		}
		s.Close()
		if n := strings.Count(sent, `"threshold":"`+want+`"`); n == 0 || n != strings.Count(sent, "threshold") {
			t.Errorf("safety %q: sent %s, want %s alone", safety, sent, want)
		}
	}
}

func TestSecretSplit(t *testing.T) {
	s := newSecret("abcabd/z")
	for _, pieces := range [][]string{{"x abcabd/z y"}, {"x ab", "cab", "d/", "z y"}, {"x abcabcab", "d/z"}, {"abcab", " abcabd%2Fz", ` abcabd\`, "/z!"}, {"abc"}, {""}} {
		got, held := "", ""
		for _, p := range pieces {
			var clear string
			clear, held = s.split(held + p)
			got += clear
		}
		got += held
		if want := s.hide(strings.Join(pieces, "")); got != want || strings.Contains(got, "abcabd/z") {
			t.Errorf("%q: got %q, want %q", pieces, got, want)
		}
	}
	twice := newSecret("a/a/b-key") // its forms begin alike at different lengths
	clear, held := twice.split("x a/a")
	if more, rest := twice.split(held + "/b-key y"); clear+more+rest != "x "+hiddenKey+" y" {
		t.Errorf("got %q and %q", clear, more+rest)
	}
	if newSecret("EMPTY").hide("EMPTY") != "EMPTY" {
		t.Error("a placeholder was hidden")
	}
}

// pieces streams what it holds, and fails where it holds an error.
type pieces struct {
	model.Model
	texts []string
	err   error
}

func (p pieces) Stream(_ context.Context, _ model.Request, yield func(string) bool) (model.Reply, error) {
	for _, text := range p.texts {
		if !yield(text) {
			return model.Reply{}, errors.New("left")
		}
	}
	return model.Reply{Text: strings.Join(p.texts, "")}, p.err
}

// An end that looks like the beginning of the key is held back and comes at the
// end of a reply, and in no other case.
func TestStreamsEndIsNotLost(t *testing.T) {
	broke := errors.New("broke off")
	for _, c := range []struct {
		name  string
		texts []string
		err   error
		takes int // pieces, then the reader leaves; 0: all
		want  string
		fails bool
	}{
		{"an end like the key", []string{"It is ", "mark"}, nil, 0, "It is mark", false},
		{"the key", []string{"It is ", markerKey[:7], markerKey[7:]}, nil, 0, "It is " + hiddenKey, false},
		{"a stream that breaks", []string{"It is ", "mark"}, broke, 0, "It is ", true},
		{"a reader that leaves", []string{"It is mark"}, nil, 1, "It is ", true},
		{"a reader that leaves at the end", []string{"It is ", "mark"}, nil, 2, "It is mark", true},
	} {
		got, n := "", 0
		_, err := keyless{pieces{texts: c.texts, err: c.err}, newSecret(markerKey)}.Stream(t.Context(), model.Request{}, func(p string) bool {
			got, n = got+p, n+1
			return n != c.takes
		})
		if got != c.want || (err != nil) != c.fails {
			t.Errorf("%s: got %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

// A failure is rid of the key here too, whatever the provider's own package left
// in it, and keeps its kind; an error that does not hold it stays what it was.
func TestFailuresHoldNoKey(t *testing.T) {
	s := newSecret(markerKey)
	got := s.failure(fmt.Errorf("asked: %w", &model.Error{Kind: model.Denied, Err: errors.New("no such key " + markerKey),
		Attempt: model.Attempt{Status: 401, Raw: []byte(markerKey), Headers: map[string]string{"request-id": markerKey}}}))
	e, ok := got.(*model.Error)
	if !ok || e.Kind != model.Denied || e.Attempt.Status != 401 || e.Error() != "no such key "+hiddenKey {
		t.Errorf("got %v (%T), want the failure without the key", got, got)
	}
	holdsNoKey(t, "failure", fmt.Sprintf("%+v %s", e, e.Attempt.Raw))
	if err := s.failure(errors.New("not sent: " + markerKey)); err.Error() != "not sent: "+hiddenKey {
		t.Errorf("got %v", err)
	}
	if err := s.failure(context.Canceled); err != context.Canceled {
		t.Errorf("got %v, want it as it was", err)
	}
}

const markerKey = "marker-7c1e/55d0+a9"

// echo is a server of every form that sends back what it was sent: every third
// time as an error, else as a reply, with the request's headers in its headers,
// its ids and its text.
func echo(t *testing.T) (*httptest.Server, *atomic.Int64) {
	n := new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, _ := io.ReadAll(r.Body)
		all, _ := json.Marshal(fmt.Sprint("Heard: ", r.Header, r.URL))
		key := strings.TrimPrefix(r.Header.Get("Authorization")+r.Header.Get("X-Api-Key")+r.Header.Get("X-Goog-Api-Key"), "Bearer ")
		for _, name := range []string{"X-Request-Id", "Request-Id", "X-Ratelimit-Limit-Requests", "Retry-After"} {
			w.Header().Set(name, key)
		}
		w.Header().Set("Content-Type", "application/json")
		count := n.Add(1)
		stream := bytes.Contains(request, []byte(`"stream":true`))
		switch {
		case count%3 == 0:
			w.WriteHeader(map[bool]int{true: 401, false: 400}[count%2 == 0])
			fmt.Fprintf(w, `{"error":{"type":"invalid_request_error","code":%q,"message":%s}}`, key, all)
		case strings.HasSuffix(r.URL.Path, "/responses"):
			fmt.Fprintf(w, `{"id":%q,"model":%q,"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":%s}]}],"usage":{"x":%[2]q}}`, key, key, all)
		case strings.HasSuffix(r.URL.Path, "/chat/completions") && stream:
			w.Header().Set("Content-Type", "text/event-stream")
			for piece := range strings.SplitSeq("Heard: "+key+"|.", "-") {
				fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%q}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":%q}}]}\n\n", strings.TrimSuffix(piece, "|."), map[bool]string{true: ".", false: "-"}[strings.HasSuffix(piece, "|.")])
			}
			io.WriteString(w, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
		case strings.HasSuffix(r.URL.Path, "/chat/completions"):
			fmt.Fprintf(w, `{"id":%q,"model":%q,"choices":[{"message":{"content":%s,"reasoning":%[3]s},"finish_reason":"stop"}],"usage":{"x":%[2]q}}`, key, key, all)
		case strings.HasSuffix(r.URL.Path, "/messages"):
			fmt.Fprintf(w, `{"id":%q,"type":"message","role":"assistant","model":%q,"content":[{"type":"text","text":%s}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`, key, key, all)
		default:
			fmt.Fprintf(w, `{"responseId":%q,"modelVersion":%q,"candidates":[{"content":{"parts":[{"text":%s}]},"finishReason":"STOP"}]}`, key, key, all)
		}
	}))
	t.Cleanup(s.Close)
	return s, n
}

// everyForm lists an endpoint of each provider at a server.
func everyForm(url string) []endpoint {
	return []endpoint{
		{Provider: study.Anthropic, Model: "a", BaseURL: url, KeyEnv: "MINE"},
		{Provider: study.Gemini, Model: "g", BaseURL: url, KeyEnv: "MINE"},
		{Provider: study.OpenAI, Model: "c", BaseURL: url + "/v1", KeyEnv: "MINE"},
		{Provider: study.OpenAI, API: "responses", Model: "r", BaseURL: url + "/v1", KeyEnv: "MINE"},
	}
}

// A server that sends the key back finds it in nothing that a model returns.
func TestKeyComesBackFromNoServer(t *testing.T) {
	s, n := echo(t)
	env := variables{"MINE": markerKey}.env(io.Discard, io.Discard)
	seen := map[bool]int{}
	for _, p := range everyForm(s.URL) {
		m, err := env.provider(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 6 {
			req := model.Request{Messages: []uplift.Message{{Role: uplift.User, Text: "Hello"}}}
			var r model.Reply
			var pieces strings.Builder
			if p.API == "" && p.Provider == study.OpenAI && i%2 == 1 {
				r, err = m.(model.Streamer).Stream(t.Context(), req, func(piece string) bool { pieces.WriteString(piece); return true })
				if err == nil && pieces.String() != r.Text {
					t.Errorf("pieces %q, text %q", pieces.String(), r.Text)
				}
			} else {
				r, err = m.Generate(t.Context(), req)
			}
			seen[err == nil]++
			attempt := r.Attempt
			if e, ok := err.(*model.Error); ok {
				attempt = e.Attempt
			} else if err != nil {
				t.Fatalf("%s: %v (%T)", p.Model, err, err)
			}
			all := fmt.Sprintf("%+v\n%v\n%s\n%s", r, err, attempt.Raw, pieces.String()) + fmt.Sprint(attempt.Headers)
			if len(attempt.Raw) == 0 || !strings.Contains(all, hiddenKey) {
				t.Errorf("%s: nothing was sent back: %s", p.Model, all)
			}
			holdsNoKey(t, p.Model, all)
		}
	}
	if n.Load() != 24 || seen[true] < 10 || seen[false] < 6 {
		t.Errorf("%d requests, %v: the server did not do both", n.Load(), seen)
	}
}

func holdsNoKey(t *testing.T, where, text string) {
	t.Helper()
	for _, form := range newSecret(markerKey) {
		if i := strings.Index(text, form); i >= 0 {
			t.Errorf("%s: the key stands in it: ...%.160s", where, text[max(0, i-40):])
			return
		}
	}
}

const echoStudy = `name: echo
benchmark: {file: tasks.jsonl, attacks: [direct]}
models:
  - {name: a, provider: anthropic, model: a, base_url: %[1]q, key_env: MINE}
  - {name: g, provider: gemini, model: g, base_url: %[1]q, key_env: MINE}
  - {name: c, provider: openai, model: c, base_url: "%[1]s/v1", key_env: MINE}
  - {name: r, provider: openai, api: responses, model: r, base_url: "%[1]s/v1", key_env: MINE}
conditions:
  - {name: helpful, system: Be kind.}
  - {name: guarded, draft: helpful, controller: {policy: default}}
reference: helpful
`

const echoTasks = `{"id":"t1","split":"dev","tier":"benign","expected":"full","family":"f1","ask":"Why is the sky blue?"}
{"id":"t2","split":"dev","tier":"benign","expected":"full","family":"f2","ask":"Why is grass green?"}
{"id":"t3","split":"dev","tier":"benign","expected":"full","family":"f3","ask":"Why is the sea salt?"}
`

// After a run and a look at the endpoints, the key stands in no byte of the
// study, nor in what was said.
func TestKeyStandsInNoFile(t *testing.T) {
	s, n := echo(t)
	dir := t.TempDir()
	for name, text := range map[string]string{"study.yaml": fmt.Sprintf(echoStudy, s.URL), "tasks.jsonl": echoTasks} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out, talk bytes.Buffer
	env := variables{"MINE": markerKey}.env(&out, &talk)
	for _, args := range [][]string{{"run", dir}, {"doctor", "--ping", dir}, {"doctor", "--ping", "--json", dir}, {"doctor", dir}} {
		before := n.Load()
		code := execute(context.Background(), env, args)
		if sent := n.Load() - before; len(args) < 3 && args[0] == "run" && sent < 8 || args[0] == "doctor" && sent != int64(4*min(1, len(args)-2)) {
			t.Errorf("%v: exit code %d after %d requests\n%s", args, code, sent, talk.String())
		}
	}
	holdsNoKey(t, "stdout", out.String())
	holdsNoKey(t, "stderr", talk.String())
	if !strings.Contains(out.String(), hiddenKey) {
		t.Errorf("stdout holds nothing that was sent back:\n%s", out.String())
	}
	if kept := bodies(t, dir); !strings.Contains(kept, hiddenKey) {
		t.Errorf("the kept bodies hold nothing that was sent back: %.200s", kept)
	} else {
		holdsNoKey(t, "kept bodies", kept)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		holdsNoKey(t, path, string(b))
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// bodies are the kept bodies of a study: they are packed in its database, so
// that its bytes alone would not show a key.
func bodies(t *testing.T, dir string) string {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(dir, storeFile), store.ReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var b strings.Builder
	for a, err := range db.Attempts(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		raw, _, err := db.Raw(t.Context(), a.RawHash)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%+v\n%s\n", a, raw)
	}
	return b.String()
}

// A use that no request can have is not reported: a negative one would give money
// back to a budget, and the sum of huge ones overflows.
func TestImpossibleUseIsNotReported(t *testing.T) {
	for _, n := range []string{"-1000000", "2000000000"} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			body := `{"candidates":[{"content":{"parts":[{"text":"Hi"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":N,"candidatesTokenCount":N}}`
			switch {
			case strings.HasSuffix(r.URL.Path, "/responses"):
				body = `{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"Hi"}]}],"usage":{"input_tokens":N,"output_tokens":N}}`
			case strings.HasSuffix(r.URL.Path, "/chat/completions"):
				body = `{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":N,"completion_tokens":N}}`
			case strings.HasSuffix(r.URL.Path, "/messages"):
				body = `{"type":"message","role":"assistant","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn","usage":{"input_tokens":N,"output_tokens":N}}`
			}
			io.WriteString(w, strings.ReplaceAll(body, ":N", ":"+n))
		}))
		for _, p := range everyForm(s.URL) {
			m, err := variables{"MINE": markerKey}.env(io.Discard, io.Discard).provider(p, nil)
			if err != nil {
				t.Fatal(err)
			}
			r, err := m.Generate(t.Context(), model.Request{Messages: []uplift.Message{{Role: uplift.User, Text: "Hello"}}})
			if err != nil || r.Text != "Hi" || r.TokensIn != 0 || r.TokensOut != 0 {
				t.Errorf("%s %s of %s: got %d in, %d out, %v, want neither", p.Provider, p.API, n, r.TokensIn, r.TokensOut, err)
			}
		}
		s.Close()
	}
}
