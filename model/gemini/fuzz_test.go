package gemini_test

import (
	"errors"
	"sync"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/gemini"
)

// Whatever a good status brings is a reply with a stop, or a failure that says
// which; never both, neither or a panic.
func FuzzBody(f *testing.F) {
	for _, s := range []string{good.body, whole(nil, "SAFETY", ""), told(503, "UNAVAILABLE", "Busy.", ""), "null", "[]", `{"candidates":{}}`,
		`{"promptFeedback":{"blockReason":"SAFETY"}}`, `{"candidates":[null]}`, `{"candidates":[{"content":{"parts":[null,{"text":1}]},"finishReason":"STOP"}],"modelStatus":[]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m := open(t, gemini.Config{Model: "gemini-x", Key: secret, HTTP: tape{body}, Now: now})
		r, err := m.Generate(t.Context(), ask)
		wantOneOf(t, r, err)
	})
}

func wantOneOf(t *testing.T, r model.Reply, err error) {
	t.Helper()
	if err != nil {
		if e, ok := errors.AsType[*model.Error](err); !ok || e.Kind == "" || r.Stop != "" || e.Attempt.Status != 200 {
			t.Errorf("got %+v and %v", r, err)
		}
		return
	}
	switch r.Stop {
	case uplift.StopEnd:
		if r.Text == "" {
			t.Error("an answer with no text")
		}
	case uplift.StopLength, uplift.StopRefusal, uplift.StopPrompt, uplift.StopOutput:
	default:
		t.Errorf("stop %q", r.Stop)
	}
	if r.Reason == "" || r.Details == "" {
		t.Errorf("reason %q, details %q", r.Reason, r.Details)
	}
}

// Many requests at once do not mix.
func TestConcurrent(t *testing.T) {
	s, next := serve(t, good)
	m := open(t, config(s, next))
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			r, err := m.Generate(t.Context(), ask)
			if err != nil || r.Text != "It scatters." || string(r.Attempt.Raw) != good.body {
				t.Errorf("got %+v %v", r, err)
			}
		})
	}
	all.Wait()
	if n := s.count(); n != 64 {
		t.Errorf("%d requests, want 64", n)
	}
}
