package gemini_test

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

const (
	usage   = `{"promptTokenCount":11,"cachedContentTokenCount":4,"candidatesTokenCount":5,"thoughtsTokenCount":9,"totalTokenCount":25}`
	ratings = `[{"category":"HARM_CATEGORY_DANGEROUS_CONTENT","probability":"HIGH","blocked":true}]`
)

// part is a text, or a thought when it begins with "~".
func part(text string) string {
	if thought, ok := strings.CutPrefix(text, "~"); ok {
		return fmt.Sprintf(`{"text":%q,"thought":true}`, thought)
	}
	return fmt.Sprintf(`{"text":%q}`, text)
}

func parts(texts []string) string {
	var out []string
	for _, t := range texts {
		out = append(out, part(t))
	}
	return "[" + strings.Join(out, ",") + "]"
}

// tail is what a body says beside its candidates.
const tail = `"usageMetadata":` + usage + `,"modelVersion":"gemini-x-001","responseId":"resp_1"`

// whole writes a reply as the API documents it; more are fields of the candidate.
func whole(texts []string, reason, more string) string {
	content := ""
	if texts != nil {
		content = fmt.Sprintf(`"content":{"parts":%s,"role":"model"},`, parts(texts))
	}
	return fmt.Sprintf("{\n  \"candidates\": [{%s\"finishReason\":%q%s,\"index\":0}],\n  %s\n}\n", content, reason, more, tail)
}

// streamed writes the same reply as the chunks of a stream.
func streamed(texts []string, reason, more string) string {
	var b strings.Builder
	chunk := func(candidate string) {
		fmt.Fprintf(&b, "data: {\"candidates\": [{%s\"index\":0}],%s}\r\n\r\n", candidate, tail)
	}
	for _, t := range texts {
		chunk(fmt.Sprintf(`"content":{"parts":[%s],"role":"model"},`, part(t)))
	}
	chunk(fmt.Sprintf(`"finishReason":%q%s,`, reason, more))
	return b.String()
}

// Each finishReason that the API documents, whole and in a stream.
func TestStops(t *testing.T) {
	sky := []string{"Light ", "scatters."}
	type want struct {
		stop            uplift.Stop // empty: a failure of this kind
		text, reasoning string
		kind            model.Kind
	}
	cases := map[string]struct {
		texts        []string
		reason, more string
		want
	}{
		"thoughts":            {[]string{"~Think of air.", "Light scatters."}, "STOP", "", want{stop: uplift.StopEnd, text: "Light scatters.", reasoning: "Think of air."}},
		"empty":               {nil, "STOP", "", want{kind: model.Unread}},
		"only thoughts":       {[]string{"~Still thinking"}, "MAX_TOKENS", "", want{stop: uplift.StopLength, reasoning: "Still thinking"}},
		"unknown":             {sky, "A_NEW_WORD", "", want{stop: uplift.StopLength, text: "Light scatters."}},
		"unknown, empty":      {nil, "A_NEW_WORD", "", want{kind: model.Unread}},
		"other, empty":        {nil, "OTHER", "", want{kind: model.Unread}},
		"safety, empty":       {nil, "SAFETY", `,"safetyRatings":` + ratings + `,"finishMessage":"Blocked <here>."`, want{stop: uplift.StopOutput}},
		"continuation":        {sky, "CONTINUATION", `,"continuationToken":"AAAA"`, want{stop: uplift.StopLength, text: "Light scatters."}},
		"bad call":            {nil, "MALFORMED_FUNCTION_CALL", "", want{kind: model.Unread}},
		"unexpected call":     {sky, "UNEXPECTED_TOOL_CALL", "", want{stop: uplift.StopLength, text: "Light scatters."}},
		"unspecified":         {sky, "FINISH_REASON_UNSPECIFIED", "", want{stop: uplift.StopLength, text: "Light scatters."}},
		"recitation, partial": {[]string{"Xxxxx yyyyy"}, "RECITATION", "", want{stop: uplift.StopOutput, text: "Xxxxx yyyyy"}},
	}
	for reason, stop := range map[string]uplift.Stop{"STOP": uplift.StopEnd, "MAX_TOKENS": uplift.StopLength, "SAFETY": uplift.StopOutput,
		"BLOCKLIST": uplift.StopOutput, "PROHIBITED_CONTENT": uplift.StopOutput, "SPII": uplift.StopOutput, "LANGUAGE": uplift.StopOutput,
		"IMAGE_SAFETY": uplift.StopOutput, "OTHER": uplift.StopLength} {
		c := cases[reason]
		c.texts, c.reason, c.want = sky, reason, want{stop: stop, text: "Light scatters."}
		cases[reason] = c
	}
	for name, c := range cases {
		for way, a := range map[string]answer{
			"whole":  {body: whole(c.texts, c.reason, c.more)},
			"stream": {body: streamed(c.texts, c.reason, c.more), header: map[string]string{"Content-Type": "text/event-stream"}},
		} {
			t.Run(name+"/"+way, func(t *testing.T) {
				s, next := serve(t, a)
				got, pieces, err := by(t, way, open(t, config(s, next)))
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
				fields := map[string]string{"finishReason": `"` + c.reason + `"`, "usageMetadata": usage, "modelVersion": `"gemini-x-001"`,
					"responseId": `"resp_1"`, "safetySettings": `"OFF"`, "promptFeedback": ""}
				if strings.Contains(c.more, "Blocked") {
					fields["safetyRatings"], fields["finishMessage"] = ratings, `"Blocked <here>."`
				}
				wantDetails(t, got.Details, fields)
				got.Attempt, got.Details = model.Attempt{}, ""
				want := model.Reply{Text: c.text, Reasoning: c.reasoning, Stop: c.stop, Reason: c.reason,
					Version: "gemini-x-001", RequestID: "resp_1", TokensIn: 11, TokensOut: 14}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("reply (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func wantDetails(t *testing.T, details string, fields map[string]string) {
	t.Helper()
	var got map[string]json.RawMessage
	if err := json.Unmarshal([]byte(details), &got); err != nil {
		t.Fatalf("details %q: %v", details, err)
	}
	for field, want := range fields {
		if string(got[field]) != want {
			t.Errorf("details: %s is %s, want %s", field, got[field], want)
		}
	}
}

// A block of the prompt is one only where no candidate came: what came counts.
func TestBlockBesideACandidate(t *testing.T) {
	s, next := serve(t, answer{body: `{"candidates":[{"content":{"parts":[{"text":"Light scatters."}]},"finishReason":"STOP"}],"promptFeedback":{"blockReason":"OTHER"}}`})
	got, err := open(t, config(s, next)).Generate(t.Context(), ask)
	if err != nil || got.Stop != uplift.StopEnd || got.Reason != "STOP" || got.Text != "Light scatters." || !strings.Contains(got.Details, `"blockReason":"OTHER"`) {
		t.Errorf("got %+v, %v, want the answer, and the block among its details", got, err)
	}
}

// A prompt that is blocked for any reason, known or not.
func TestPromptBlocked(t *testing.T) {
	for _, reason := range []string{"SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY", "MODEL_ARMOR", "JAILBREAK", "A_NEW_WORD"} {
		feedback := fmt.Sprintf(`{"blockReason":%q,"safetyRatings":%s}`, reason, ratings)
		body := fmt.Sprintf(`{"promptFeedback":%s,"usageMetadata":{"promptTokenCount":11},"modelVersion":"gemini-x-001","responseId":"resp_1"}`, feedback)
		for way, a := range map[string]answer{
			"whole":  {body: body},
			"stream": {body: "data: " + body + "\r\n\r\n", header: map[string]string{"Content-Type": "text/event-stream"}},
		} {
			t.Run(reason+"/"+way, func(t *testing.T) {
				s, next := serve(t, a)
				got, _, err := by(t, way, open(t, config(s, next)))
				if err != nil {
					t.Fatal(err)
				}
				wantDetails(t, got.Details, map[string]string{"promptFeedback": feedback})
				got.Attempt, got.Details = model.Attempt{}, ""
				want := model.Reply{Stop: uplift.StopPrompt, Reason: reason, Version: "gemini-x-001", RequestID: "resp_1", TokensIn: 11}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("reply (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// tape is a transport that gives kept bytes again.
type tape struct{ raw []byte }

func (t tape) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(t.raw))), Request: r}, nil
}

// The kept bytes alone make the reply again, without a network.
func TestReplay(t *testing.T) {
	s, next := serve(t, answer{body: whole([]string{"~Air.", "It scatters."}, "STOP", `,"safetyRatings":`+ratings)})
	want, err := open(t, config(s, next)).Generate(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	got, err := open(t, config(s, tape{want.Attempt.Raw})).Generate(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reply from kept bytes (-want +got):\n%s", diff)
	}
}

// A reader that has enough ends the stream, and gets no reply that is not whole.
func TestStreamStopped(t *testing.T) {
	s, next := serve(t, answer{body: streamed([]string{"one ", "two ", "three"}, "STOP", ""), header: map[string]string{"Content-Type": "text/event-stream"}})
	n := 0
	_, err := open(t, config(s, next)).Stream(t.Context(), ask, func(string) bool { n++; return n < 2 })
	e, ok := errors.AsType[*model.Error](err)
	if !ok || e.Kind.Temporary() || n != 2 {
		t.Errorf("got %v after %d pieces, want a failure that is not sent for again after 2", err, n)
	}
}

// A reader's own panic is not taken for a body that is none.
func TestStreamPanic(t *testing.T) {
	s, next := serve(t, answer{body: streamed([]string{"one "}, "STOP", ""), header: map[string]string{"Content-Type": "text/event-stream"}})
	defer func() {
		if got := recover(); got != "the reader's" {
			t.Errorf("recovered %v", got)
		}
	}()
	_, _ = open(t, config(s, next)).Stream(t.Context(), ask, func(string) bool { panic("the reader's") })
}
