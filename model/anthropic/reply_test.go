package anthropic_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// whole writes a message as the API documents it.
func whole(content, reason, sequence, details string) string {
	return fmt.Sprintf(`{"id":"msg_01","type":"message","role":"assistant","model":"claude-x-20260101","content":%s,`+
		`"stop_reason":%q,"stop_sequence":%s,"stop_details":%s,"container":null,`+
		`"usage":{"input_tokens":20,"cache_creation_input_tokens":3,"cache_read_input_tokens":100,"output_tokens":7,"service_tier":"standard"}}`,
		content, reason, sequence, details)
}

// streamed writes the same message as the events of a stream.
func streamed(blocks [][2]string, reason, sequence, details string) string {
	var b strings.Builder
	event := func(name, data string) { fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", name, data) }
	event("message_start", `{"type":"message_start","message":{"id":"msg_01","type":"message","role":"assistant","model":"claude-x-20260101","content":[],`+
		`"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":20,"cache_creation_input_tokens":3,"cache_read_input_tokens":100,"output_tokens":1,"service_tier":"standard"}}}`)
	event("ping", `{"type":"ping"}`)
	for i, block := range blocks {
		kind, text := block[0], block[1]
		event("content_block_start", fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":%q,%q:""}}`, i, kind, kind))
		for _, word := range strings.SplitAfter(text, " ") {
			event("content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"%s_delta",%q:%q}}`, i, kind, kind, word))
		}
		event("content_block_stop", fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i))
	}
	event("message_delta", fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":%s,"stop_details":%s},"usage":{"output_tokens":7}}`,
		reason, sequence, details))
	event("message_stop", `{"type":"message_stop"}`)
	return b.String()
}

func content(blocks [][2]string) string {
	var out []string
	for _, b := range blocks {
		out = append(out, fmt.Sprintf(`{"type":%q,%q:%q}`, b[0], b[0], b[1]))
	}
	return "[" + strings.Join(out, ",") + "]"
}

// Each stop that the API documents, whole and in a stream.
func TestStops(t *testing.T) {
	sky := [][2]string{{"text", "Light scatters in air."}}
	refusal := `{"type":"refusal","category":"bio","explanation":"Not this <one>."}`
	for name, c := range map[string]struct {
		blocks            [][2]string
		reason            string
		sequence, details string
		stop              uplift.Stop // empty: no reply
		text, reasoning   string
		kind              model.Kind
	}{
		"end_turn":        {blocks: sky, reason: "end_turn", stop: uplift.StopEnd, text: "Light scatters in air."},
		"two texts":       {blocks: [][2]string{{"text", "Light "}, {"text", "scatters."}}, reason: "end_turn", stop: uplift.StopEnd, text: "Light scatters."},
		"thoughts":        {blocks: [][2]string{{"thinking", "Think of air."}, {"thinking", "Then of light."}, {"text", "It scatters."}}, reason: "end_turn", stop: uplift.StopEnd, text: "It scatters.", reasoning: "Think of air.\n\nThen of light."},
		"stop_sequence":   {blocks: sky, reason: "stop_sequence", sequence: `"END"`, stop: uplift.StopEnd, text: "Light scatters in air."},
		"max_tokens":      {blocks: sky, reason: "max_tokens", stop: uplift.StopLength, text: "Light scatters in air."},
		"only thoughts":   {blocks: [][2]string{{"thinking", "Still thinking"}}, reason: "max_tokens", stop: uplift.StopLength, reasoning: "Still thinking"},
		"window":          {blocks: sky, reason: "model_context_window_exceeded", stop: uplift.StopLength, text: "Light scatters in air."},
		"window, empty":   {reason: "model_context_window_exceeded", stop: uplift.StopLength},
		"refusal":         {reason: "refusal", details: refusal, stop: uplift.StopRefusal},
		"partial refusal": {blocks: [][2]string{{"text", "Xxxxx yyyyy"}}, reason: "refusal", details: refusal, stop: uplift.StopRefusal, text: "Xxxxx yyyyy"},
		"tool_use":        {blocks: sky, reason: "tool_use", stop: uplift.StopLength, text: "Light scatters in air."},
		"pause_turn":      {blocks: sky, reason: "pause_turn", stop: uplift.StopLength, text: "Light scatters in air."},
		"unknown":         {blocks: sky, reason: "a_new_word", stop: uplift.StopLength, text: "Light scatters in air."},
		"unknown, empty":  {reason: "a_new_word", kind: model.Unread},
		"tool_use, empty": {reason: "tool_use", kind: model.Unread},
		"empty":           {reason: "end_turn", kind: model.Unread},
	} {
		sequence, details := orNull(c.sequence), orNull(c.details)
		wholeBody, streamBody := whole(content(c.blocks), c.reason, sequence, details), streamed(c.blocks, c.reason, sequence, details)
		for way, a := range map[string]answer{
			"whole":  {body: wholeBody, header: map[string]string{"request-id": "req_1"}},
			"stream": {body: streamBody, header: map[string]string{"request-id": "req_1", "Content-Type": "text/event-stream"}},
		} {
			t.Run(name+"/"+way, func(t *testing.T) {
				s, next := serve(t, a)
				m := open(t, config(s, next))
				var got model.Reply
				var pieces string
				var err error
				if way == "whole" {
					got, err = m.Generate(t.Context(), ask)
				} else {
					got, pieces, err = gather(t.Context(), m, ask)
				}
				mustNotHold(t, got, err)
				if n := s.count(); n != 1 {
					t.Errorf("%d requests, want 1", n)
				}
				if c.stop == "" {
					e, ok := errors.AsType[*model.Error](err)
					if !ok || e.Kind != c.kind || string(e.Attempt.Raw) != a.body {
						t.Fatalf("got %+v %v, want a failure of kind %s with its body", got, err, c.kind)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if string(got.Attempt.Raw) != a.body {
					t.Errorf("raw is %q, want what was sent", got.Attempt.Raw)
				}
				if way == "stream" && pieces != c.text {
					t.Errorf("pieces %q, want %q", pieces, c.text)
				}
				wantDetails(t, got.Details, c.reason, c.sequence, c.details)
				got.Attempt, got.Details = model.Attempt{}, ""
				want := model.Reply{Text: c.text, Reasoning: c.reasoning, Stop: c.stop, Reason: c.reason,
					Version: "claude-x-20260101", RequestID: "req_1", TokensIn: 123, TokensOut: 7}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("reply (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func orNull(s string) string {
	if s == "" {
		return "null"
	}
	return s
}

// wantDetails says whether the provider's fields are there as they came.
func wantDetails(t *testing.T, details, reason, sequence, stop string) {
	t.Helper()
	var got map[string]json.RawMessage
	if err := json.Unmarshal([]byte(details), &got); err != nil {
		t.Fatalf("details %q: %v", details, err)
	}
	for field, want := range map[string]string{"stop_reason": `"` + reason + `"`, "stop_sequence": sequence, "stop_details": stop,
		"id": `"msg_01"`, "model": `"claude-x-20260101"`,
		"usage": `{"input_tokens":20,"cache_creation_input_tokens":3,"cache_read_input_tokens":100,"output_tokens":7,"service_tier":"standard"}`} {
		if string(got[field]) != want {
			t.Errorf("details: %s is %s, want %s", field, got[field], want)
		}
	}
}

// A stream that tells the same as a whole message makes the same reply.
func TestStreamEqualsWhole(t *testing.T) {
	blocks := [][2]string{{"thinking", "Think of <air>."}, {"text", "Light & air."}}
	details := `{"type":"refusal","category":null,"explanation":null}`
	s, next := serve(t, answer{body: whole(content(blocks), "refusal", "null", details)})
	a, err := open(t, config(s, next)).Generate(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	s, next = serve(t, answer{body: streamed(blocks, "refusal", "null", details), header: map[string]string{"Content-Type": "text/event-stream"}})
	b, _, err := gather(t.Context(), open(t, config(s, next)), ask)
	if err != nil {
		t.Fatal(err)
	}
	a.Attempt, b.Attempt = model.Attempt{}, model.Attempt{}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("whole and stream differ:\n%s", diff)
	}
}

// tape is a transport that gives kept bytes again.
type tape struct{ raw []byte }

func (t tape) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(string(t.raw))), Request: r}, nil
}

// The kept bytes alone make the reply again, without a network.
func TestReplay(t *testing.T) {
	s, next := serve(t, answer{body: whole(`[{"type":"text","text":"It scatters."}]`, "end_turn", "null", "null")})
	want, err := open(t, config(s, next)).Generate(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	got, err := open(t, config(s, tape{want.Attempt.Raw})).Generate(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	got.Attempt.Headers, want.Attempt.Headers = nil, nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reply from kept bytes (-want +got):\n%s", diff)
	}
}

// A reader that has enough ends the stream, and gets no reply that is not whole.
func TestStreamStopped(t *testing.T) {
	s, next := serve(t, answer{body: streamed([][2]string{{"text", "one two three"}}, "end_turn", "null", "null"), header: map[string]string{"Content-Type": "text/event-stream"}})
	n := 0
	_, err := open(t, config(s, next)).Stream(t.Context(), ask, func(string) bool { n++; return n < 2 })
	e, ok := errors.AsType[*model.Error](err)
	if !ok || e.Kind.Temporary() || n != 2 {
		t.Errorf("got %v after %d pieces, want a failure that is not sent for again after 2", err, n)
	}
}
