package access

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/controller"
)

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func answers(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) }
}

var outsideCuts = controller.Cuts{Warn: .25, Redact: .5, Refuse: .75}

func TestOutsideDecides(t *testing.T) {
	rules, err := NewRules(controller.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, scores, actions, answer string
		action, would                 uplift.Action
		text                          string // empty: not pinned
		score                         float64
	}{
		{"two scores", "", "", `{"prompt_score": 0.2, "output_score": 0.2}`, uplift.Allow, "", "draft", .2},
		{"two scores that refuse", "", "", `{"prompt_score": 1, "output_score": 1, "why": {"x": [1]}}`, uplift.Refuse, "", rules.refusal(), 1},
		{"one score", "", "", `{"score": 0.1}`, uplift.Allow, "", "draft", .1},
		{"at a cut", "", "", `{"score": 0.75}`, uplift.Refuse, "", rules.refusal(), .75},
		{"its own score beside the two", "", "", `{"prompt_score": 1, "output_score": 1, "score": 0}`, uplift.Allow, "", "draft", 0},
		{"the prompt's alone", "prompt", "", `{"prompt_score": 0.8, "output_score": 0}`, uplift.Refuse, "", rules.refusal(), .8},
		{"the output's alone", "output", "", `{"prompt_score": 0.8, "output_score": 0.1}`, uplift.Allow, "", "draft", .1},
		{"an action with a text", "", "", `{"action": "redact", "text": "cut"}`, uplift.Redact, "", "cut", 0},
		{"an action with scores", "", "", `{"action": "allow", "score": 0.9}`, uplift.Allow, "", "draft", .9},
		{"a refusal without a text", "", "", `{"action": "refuse"}`, uplift.Refuse, "", rules.refusal(), 0},
		{"an allowed draft sent back", "", "", `{"action": "allow", "text": "draft"}`, uplift.Allow, "", "draft", 0},
		{"only watching", "", "none", `{"score": 0.9}`, uplift.Allow, uplift.Refuse, "draft", .9},
		{"only watching an action", "", "none", `{"action": "redact", "text": "cut"}`, uplift.Allow, uplift.Redact, "draft", 0},
		{"refusing only: below the cut", "", "refuse", `{"score": 0.6}`, uplift.Allow, "", "draft", .6},
		{"refusing only: above it", "", "refuse", `{"score": 0.8}`, uplift.Refuse, "", rules.refusal(), .8},
		{"refusing only: another action", "", "refuse", `{"action": "warn", "text": "cut"}`, uplift.Allow, "", "draft", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := &Outside{URL: serve(t, answers(c.answer)), Cuts: outsideCuts, Scores: c.scores, Actions: c.actions, Rules: rules}
			got := respond(t, Condition{Model: &script{replies: []any{says("draft")}}, Controller: o}, "q")
			d := got.Decision
			if d.Action != c.action || d.Would != c.would || got.Text != c.text || d.Score != c.score || d.Err != "" || len(d.Policy) != 64 {
				t.Errorf("got %s, would %q, %q, score %v, error %q, policy %q; want %s, %q, %q, %v", d.Action, d.Would, got.Text, d.Score, d.Err, d.Policy, c.action, c.would, c.text, c.score)
			}
		})
	}
}

// Whatever an outside controller does wrong, nothing of the draft is shown.
func TestOutsideFailsClosed(t *testing.T) {
	rules, err := NewRules(controller.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := serve(t, answers(`{"action": "allow"}`))
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			io.WriteString(w, `{"action": "allow"}`)
		}
	}
	for _, c := range []struct {
		name, want string
		h          http.HandlerFunc
	}{
		{"slow", "deadline exceeded", func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) // only then is the end of the caller seen
			<-r.Context().Done()
		}},
		{"slow in its body", "deadline exceeded", func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			io.WriteString(w, `{"action": `)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}},
		{"huge", "more than 8 MB", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"action": "allow", "x": "`)
			for range maxAnswer>>16 + 1 {
				io.WriteString(w, strings.Repeat("x", 1<<16))
			}
			io.WriteString(w, `"}`)
		}},
		{"cut off", "unexpected EOF", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, `{"action": "allow"}`)
		}},
		{"redirect", "status 307", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere, http.StatusTemporaryRedirect)
		}},
		{"redirect to a page", "status 302", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere, http.StatusFound) }},
		{"its own error", "status 500", status(500)},
		{"another good status", "status 201", status(201)},
		{"nothing", "no JSON object", answers("")},
		{"words", "no JSON object", answers("allow")},
		{"a list", "no JSON object", answers(`[{"action": "allow"}]`)},
		{"an empty object", "holds no score", answers(`{}`)},
		{"not whole", "no whole JSON object", answers(`{"action": "allow"`)},
		{"two values", "more than one value", answers(`{"action": "allow"}{"action": "refuse"}`)},
		{"a key twice", "a key twice", answers(`{"action": "refuse", "action": "allow"}`)},
		{"a key in capitals", "holds no score", answers(`{"Action": "allow"}`)},
		{"not UTF-8", "UTF-8", answers("{\"action\": \"allow\", \"x\": \"\xff\"}")},
		{"not a number", "no whole JSON object", answers(`{"score": NaN}`)},
		{"a number as text", "score: is no number from 0 to 1", answers(`{"score": "0.1"}`)},
		{"no score at all", "score: is no number from 0 to 1", answers(`{"score": null}`)},
		{"beyond every number", "score: is no number from 0 to 1", answers(`{"score": 1e999}`)},
		{"above one", "prompt_score: is no number from 0 to 1", answers(`{"prompt_score": 1.01, "output_score": 0}`)},
		{"below zero", "output_score: is no number from 0 to 1", answers(`{"prompt_score": 0, "output_score": -0.01}`)},
		{"one of the two", "holds no score", answers(`{"prompt_score": 0}`)},
		{"an unknown action", "action: is none of", answers(`{"action": "pass"}`)},
		{"the zero action", "action: is none of", answers(`{"action": "", "score": 0}`)},
		{"an action that is no text", "action: is none of", answers(`{"action": 1}`)},
		{"an empty text", "no text to show", answers(`{"action": "redact", "text": ""}`)},
		{"a blank text", "no text to show", answers(`{"action": "refuse", "text": " \n"}`)},
		{"a text that is none", "text: is no text", answers(`{"action": "redact", "text": null}`)},
		{"a text without an action", "text: stands without an action", answers(`{"score": 0, "text": "x"}`)},
		{"the draft as its own redaction", "the draft is shown unchanged", answers(`{"action": "redact", "text": "draft"}`)},
		{"another text that is allowed", "changed the draft", answers(`{"action": "allow", "text": "else"}`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := &Outside{URL: serve(t, c.h), Cuts: outsideCuts, Rules: rules, Timeout: 10 * time.Second}
			if strings.HasPrefix(c.name, "slow") {
				o.Timeout = 30 * time.Millisecond
			}
			got := respond(t, Condition{Model: &script{replies: []any{says("draft")}}, Controller: o}, "q")
			if got.Outcome != uplift.ControllerRefused || got.Text != rules.refusal() || !strings.Contains(got.Decision.Err, c.want) {
				t.Errorf("got %s %q with %q, want a refusal with %q", got.Outcome, got.Text, got.Decision.Err, c.want)
			}
		})
	}
	t.Run("nobody there", func(t *testing.T) {
		gone := httptest.NewServer(answers(""))
		gone.Close()
		got := respond(t, Condition{Model: &script{replies: []any{says("draft")}}, Controller: &Outside{URL: gone.URL, Rules: rules}}, "q")
		if got.Outcome != uplift.ControllerRefused || got.Decision.Err == "" {
			t.Errorf("got %s, want a refusal with its error", got.Outcome)
		}
	})
	t.Run("allowed by name only", func(t *testing.T) {
		o := &Outside{URL: serve(t, status(500)), Rules: rules}
		got := respond(t, Condition{Model: &script{replies: []any{says("draft")}}, Controller: o, OnError: OnErrorAllow}, "q")
		if got.Outcome != uplift.Answered || got.Text != "draft" || got.Decision.Err == "" {
			t.Errorf("got %s %q, want the draft with the error beside it", got.Outcome, got.Text)
		}
	})
}

// Scores that need a side want that side.
func TestOutsideWantsTheScoreThatDecides(t *testing.T) {
	for scores, answer := range map[string]string{"prompt": `{"score": 0, "output_score": 0}`, "output": `{"action": "allow"}`} {
		o := &Outside{URL: serve(t, answers(answer)), Cuts: outsideCuts, Scores: scores}
		if _, _, err := o.Control(context.Background(), "q", "draft"); err == nil || !strings.Contains(err.Error(), "holds no "+scores+"_score") {
			t.Errorf("%s: got %v, want that its score is missing", scores, err)
		}
	}
}

// It is told what is judged, and nothing of who asks.
func TestOutsideIsSentWhatIsJudged(t *testing.T) {
	var bodies []string
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		bodies = append(bodies, fmt.Sprintf("%s %s %s", r.Method, r.Header.Get("Content-Type"), b))
		io.WriteString(w, `{"action": "redact", "text": "[cut]"}`)
	})
	c := Condition{Name: "sealed-condition", ModelName: "sealed-model", System: "sealed-prompt", Controller: &Outside{URL: url},
		Model: &script{replies: []any{says("one"), says("two")}}, Scan: Scan{Assistant: true}}
	respond(t, c, "a \"b\"", "c")
	want := []string{`POST application/json {"draft":"one","prompt":"a \"b\"","turns":["a \"b\""]}`,
		`POST application/json {"draft":"two","prompt":"a \"b\"\n\n[cut]\n\nc","turns":["a \"b\"","[cut]","c"]}`}
	if d := cmp.Diff(want, bodies); d != "" {
		t.Error(d)
	}
}

func TestOutsideDigest(t *testing.T) {
	rules, err := NewRules(controller.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, o := range []*Outside{{}, {URL: "http://a"}, {URL: "http://b"}, {URL: "http://a", Scores: "prompt"}, {URL: "http://a", Actions: "none"},
		{URL: "http://a", Cuts: outsideCuts}, {URL: "http://a", Rules: rules}} {
		if d := o.Digest(); seen[d] || len(d) != 64 {
			t.Errorf("%+v: digest %q, want one of its own", o, d)
		} else {
			seen[d] = true
		}
	}
	if a, b := (&Outside{URL: "x", Timeout: 1}).Digest(), (&Outside{URL: "x", Timeout: 2}).Digest(); a != b {
		t.Error("how long one waits is in the digest of what is decided")
	}
}

// An answer that is read is the one that another reader finds.
func FuzzVerdict(f *testing.F) {
	for _, s := range []string{`{"score":0.5}`, `{"action":"warn","text":"x"}`, `{"prompt_score":0,"output_score":1}`, `{"score":1e-400}`, `{"score":0.5,"score":1}`, `{"a":{"score":2},"score":0}`, `{"":1e700,"score":0}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := parseVerdict(data)
		if err != nil {
			return
		}
		var again map[string]any
		other := json.NewDecoder(bytes.NewReader(data))
		other.UseNumber() // fields that nobody reads may hold any number
		if err := other.Decode(&again); err != nil {
			t.Fatalf("%q was read, and is no JSON: %v", data, err)
		}
		for key, got := range map[string]*float64{"score": v.score, "prompt_score": v.prompt, "output_score": v.output} {
			number, there := again[key].(json.Number)
			want, err := number.Float64()
			if there && err != nil && !(want == 0) {
				t.Errorf("%q: %s is %v, which no other reader takes: %v", data, key, got, err)
			}
			if (got != nil) != there || there && (*got != want || want < 0 || want > 1) {
				t.Errorf("%q: %s is %v, another reader finds %v", data, key, got, again[key])
			}
		}
		if a, _ := again["action"].(string); a != string(v.action) {
			t.Errorf("%q: action %q, another reader finds %q", data, v.action, a)
		}
	})
}
