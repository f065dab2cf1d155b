package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// canonical is a JSON text's value, for comparison.
func canonical(t *testing.T, s string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		t.Fatalf("%v in %s", err, s)
	}
	return v
}

// events writes a stream of chat chunks.
func events(chunks ...string) string {
	return "data: " + strings.Join(append(chunks, "[DONE]"), "\n\ndata: ") + "\n\n"
}

// typed writes a stream of typed events.
func typed(data ...string) string {
	var b strings.Builder
	for _, d := range data {
		var e struct{ Type string }
		_ = json.Unmarshal([]byte(d), &e)
		b.WriteString("event: " + e.Type + "\ndata: " + d + "\n\n")
	}
	return b.String()
}

type replyCase struct {
	name    string
	status  int    // 0 for 200
	body    string // whole
	stream  string // the same reply as a stream; empty where a server streams none
	want    model.Reply
	details string // of the stream, where it differs
}

func check(t *testing.T, api string, cases []replyCase) {
	for _, c := range cases {
		for mode, ask := range modes {
			text, details := c.body, c.want.Details
			if mode == "streamed" && c.stream != "" {
				text = c.stream
				if c.details != "" {
					details = c.details
				}
			}
			t.Run(c.name+", "+mode, func(t *testing.T) {
				status := c.status
				if status == 0 {
					status = 200
				}
				s := serve(t, body(status, text))
				got, yielded, err := ask(t.Context(), made(t, s.config(api)), hello())
				if err != nil {
					t.Fatal(err)
				}
				want := c.want
				want.Details, want.RequestID = details, "req_1"
				if d := cmp.Diff(got, want, outside); d != "" {
					t.Errorf("(-got +want):\n%s", d)
				}
				if yielded != want.Text {
					t.Errorf("pieces: got %q, want %q", yielded, want.Text)
				}
				if got.Attempt.Status != status || string(got.Attempt.Raw) != text || got.Attempt.At.IsZero() {
					t.Errorf("attempt: got %+v", got.Attempt)
				}
				again, err := Read(api, got.Attempt)
				if d := cmp.Diff(again, got); d != "" || err != nil {
					t.Errorf("read again (-got +want): %v\n%s", err, d)
				}
				s.one(t)
			})
		}
	}
}

// The usage and filter objects below are as the provider documents them.
const (
	usage = `{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29,"prompt_tokens_details":{"cached_tokens":8},"completion_tokens_details":{"reasoning_tokens":4}}`
	safe  = `{"hate":{"filtered":false,"severity":"safe"},"self_harm":{"filtered":false,"severity":"safe"},"sexual":{"filtered":false,"severity":"safe"},"violence":{"filtered":false,"severity":"safe"}}`
	acted = `{"hate":{"filtered":false,"severity":"safe"},"jailbreak":{"filtered":true,"detected":true},"violence":{"filtered":true,"severity":"high"}}`
)

func TestChatReplies(t *testing.T) {
	check(t, Chat, []replyCase{
		{name: "a plain reply",
			body: `{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m1-2026-01-01","choices":[{"index":0,"message":{"role":"assistant","content":"Blue \u003c red & \"so\".","refusal":null,"annotations":[]},"logprobs":null,"finish_reason":"stop"}],
				"usage":` + usage + `,"service_tier":"default","system_fingerprint":"fp_1"}`,
			stream: events(
				`{"id":"chatcmpl-1","object":"chat.completion.chunk","model":"m1-2026-01-01","service_tier":"default","system_fingerprint":"fp_1","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"finish_reason":null}],"usage":null}`,
				`{"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":"Blue < red"},"finish_reason":null}],"usage":null}`,
				`{"id":"chatcmpl-1","choices":[{"index":0,"delta":{"content":" & \"so\"."},"finish_reason":null}],"usage":null}`,
				`{"id":"chatcmpl-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}`,
				`{"id":"chatcmpl-1","choices":[],"usage":`+usage+`}`),
			want: model.Reply{Text: `Blue < red & "so".`, Stop: uplift.StopEnd, Reason: "stop", Version: "m1-2026-01-01", TokensIn: 19, TokensOut: 10,
				Details: `{"system_fingerprint":"fp_1","service_tier":"default","usage":` + usage + `,"finish_reason":"stop"}`},
			details: `{"system_fingerprint":"fp_1","service_tier":"default","finish_reason":"stop","usage":` + usage + `}`},
		{name: "a token limit",
			body:   `{"model":"m1","choices":[{"index":0,"message":{"content":"Half a"},"finish_reason":"length"}]}`,
			stream: events(`{"model":"m1","choices":[{"index":0,"delta":{"content":"Half a"}}]}`, `{"choices":[{"delta":{},"finish_reason":"length"}]}`),
			want:   model.Reply{Text: "Half a", Stop: uplift.StopLength, Reason: "length", Version: "m1", Details: `{"finish_reason":"length"}`}},
		{name: "a refusal",
			body:   `{"model":"m1","choices":[{"index":0,"message":{"content":null,"refusal":"I cannot help with <that>."},"finish_reason":"stop"}]}`,
			stream: events(`{"model":"m1","choices":[{"delta":{"content":null,"refusal":"I cannot help"}}]}`, `{"choices":[{"delta":{"refusal":" with <that>."}}]}`, `{"choices":[{"delta":{},"finish_reason":"stop"}]}`),
			want: model.Reply{Text: "I cannot help with <that>.", Stop: uplift.StopRefusal, Reason: "stop", Version: "m1",
				Details: `{"finish_reason":"stop","refusal":"I cannot help with <that>."}`}},
		{name: "a refusal that a filter cut",
			body:   `{"choices":[{"index":0,"message":{"content":null,"refusal":"No"},"finish_reason":"content_filter"}]}`,
			stream: events(`{"choices":[{"delta":{"refusal":"No"},"finish_reason":"content_filter"}]}`),
			want:   model.Reply{Text: "No", Stop: uplift.StopOutput, Reason: "content_filter", Details: `{"finish_reason":"content_filter","refusal":"No"}`}},
		{name: "a refusal after text",
			body:   `{"choices":[{"index":0,"message":{"content":"Well,","refusal":"No."},"finish_reason":"stop"}]}`,
			stream: events(`{"choices":[{"delta":{"content":"Well,"}}]}`, `{"choices":[{"delta":{"refusal":"No."},"finish_reason":"stop"}]}`),
			want:   model.Reply{Text: "Well,", Stop: uplift.StopRefusal, Reason: "stop", Details: `{"finish_reason":"stop","refusal":"No."}`}},
		{name: "a filter that left a part",
			body: `{"model":"m1","choices":[{"index":0,"message":{"content":"The first"},"finish_reason":"content_filter","content_filter_results":` + acted + `}],"prompt_filter_results":[{"prompt_index":0,"content_filter_results":` + safe + `}]}`,
			stream: events(
				`{"model":"","choices":[],"prompt_filter_results":[{"prompt_index":0,"content_filter_results":`+safe+`}]}`,
				`{"model":"m1","choices":[{"index":0,"delta":{"content":"The first"},"content_filter_results":`+safe+`}]}`,
				`{"choices":[{"index":0,"finish_reason":"content_filter","content_filter_results":`+acted+`}]}`,
				`{"choices":[{"index":0,"content_filter_offsets":{"check_offset":1,"start_offset":1,"end_offset":2},"content_filter_results":{}}]}`),
			want: model.Reply{Text: "The first", Stop: uplift.StopOutput, Reason: "content_filter", Version: "m1",
				Details: `{"prompt_filter_results":[{"prompt_index":0,"content_filter_results":` + safe + `}],"finish_reason":"content_filter","content_filter_results":` + acted + `}`},
			details: `{"prompt_filter_results":[{"prompt_index":0,"content_filter_results":` + safe + `}],"content_filter_results":` + acted + `,"finish_reason":"content_filter","content_filter_offsets":{"check_offset":1,"start_offset":1,"end_offset":2}}`},
		{name: "a filter that left nothing",
			body:   `{"choices":[{"index":0,"message":{"role":"assistant"},"finish_reason":"content_filter"}]}`,
			stream: events(`{"choices":[{"index":0,"delta":{},"finish_reason":"content_filter"}]}`),
			want:   model.Reply{Stop: uplift.StopOutput, Reason: "content_filter", Details: `{"finish_reason":"content_filter"}`}},
		{name: "a prompt that Azure blocked", status: 400,
			body: `{"error":{"message":"The response was filtered.","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation","content_filter_result":` + acted + `}}}`,
			want: model.Reply{Stop: uplift.StopPrompt, Reason: "content_filter",
				Details: `{"error":{"message":"The response was filtered.","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation","content_filter_result":` + acted + `}}}`}},
		{name: "a prompt that only the inner error says was blocked", status: 400,
			body: `{"error":{"code":"BadRequest","innererror":{"code":"ResponsibleAIPolicyViolation"}}}`,
			want: model.Reply{Stop: uplift.StopPrompt, Reason: "ResponsibleAIPolicyViolation", Details: `{"error":{"code":"BadRequest","innererror":{"code":"ResponsibleAIPolicyViolation"}}}`}},
		{name: "an invalid prompt", status: 400,
			body: `{"error":{"message":"Your prompt was flagged.","type":"invalid_request_error","param":null,"code":"invalid_prompt"}}`,
			want: model.Reply{Stop: uplift.StopPrompt, Reason: "invalid_prompt", Details: `{"error":{"message":"Your prompt was flagged.","type":"invalid_request_error","param":null,"code":"invalid_prompt"}}`}},
		{name: "a policy that is new to us", status: 403,
			body: `{"error":{"message":"No.","code":"some_new_policy"}}`,
			want: model.Reply{Stop: uplift.StopPrompt, Reason: "some_new_policy", Details: `{"error":{"message":"No.","code":"some_new_policy"}}`}},
		{name: "a prompt that Azure blocked without an error",
			body:   `{"model":"m1","choices":[],"prompt_filter_results":[{"prompt_index":0,"content_filter_results":` + acted + `}]}`,
			stream: events(`{"model":"m1","choices":[],"prompt_filter_results":[{"prompt_index":0,"content_filter_results":` + acted + `}]}`),
			want:   model.Reply{Stop: uplift.StopPrompt, Version: "m1", Details: `{"prompt_filter_results":[{"prompt_index":0,"content_filter_results":` + acted + `}]}`}},
		{name: "a block inside a good status",
			body:   `{"model":"m1","error":{"code":"bio_policy","message":"No."}}`,
			stream: events(`{"model":"m1","error":{"code":"bio_policy","message":"No."}}`),
			want:   model.Reply{Stop: uplift.StopPrompt, Reason: "bio_policy", Version: "m1", Details: `{"error":{"code":"bio_policy","message":"No."}}`}},
		{name: "moderation results beside an answer",
			body: `{"choices":[{"message":{"content":"Yes."},"finish_reason":"stop"}],"moderation":{"input":{"type":"moderation_results","flagged":false},"output":{"type":"error","code":"timeout"}}}`,
			want: model.Reply{Text: "Yes.", Stop: uplift.StopEnd, Reason: "stop",
				Details: `{"moderation":{"input":{"type":"moderation_results","flagged":false},"output":{"type":"error","code":"timeout"}},"finish_reason":"stop"}`}},
		{name: "an unknown reason with text",
			body:   `{"choices":[{"message":{"content":"Some"},"finish_reason":"Zeit_um"}]}`,
			stream: events(`{"choices":[{"delta":{"content":"Some"},"finish_reason":"Zeit_um"}]}`),
			want:   model.Reply{Text: "Some", Stop: uplift.StopLength, Reason: "Zeit_um", Details: `{"finish_reason":"Zeit_um"}`}},
		{name: "a reason that is no word",
			body: `{"choices":[{"message":{"content":"Some"},"finish_reason":17}]}`,
			want: model.Reply{Text: "Some", Stop: uplift.StopLength, Reason: "17", Details: `{"finish_reason":17}`}},
		{name: "no reason",
			body:   `{"choices":[{"message":{"content":"Some"},"finish_reason":null}]}`,
			stream: "data: {\"choices\":[{\"delta\":{\"content\":\"Some\"}}]}\r\n\r\n: a comment\r\n\r\ndata: [DONE]\r\n\r\n",
			want:   model.Reply{Text: "Some", Stop: uplift.StopEnd}},
		{name: "a tool that nobody offered",
			body: `{"choices":[{"message":{"content":"Some","tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
			want: model.Reply{Text: "Some", Stop: uplift.StopLength, Reason: "tool_calls", Details: `{"finish_reason":"tool_calls"}`}},
		{name: "an empty reply is the caller's business",
			body:   `{"choices":[{"message":{"content":""},"finish_reason":"stop"}]}`,
			stream: events(`{"choices":[{"delta":{"content":""},"finish_reason":"stop"}]}`),
			want:   model.Reply{Stop: uplift.StopEnd, Reason: "stop", Details: `{"finish_reason":"stop"}`}},
		{name: "reasoning_content",
			body:   `{"choices":[{"message":{"content":"Yes.","reasoning_content":"Let me think."},"finish_reason":"stop"}]}`,
			stream: events(`{"choices":[{"delta":{"reasoning_content":"Let me"}}]}`, `{"choices":[{"delta":{"reasoning_content":" think."}}]}`, `{"choices":[{"delta":{"content":"Yes."},"finish_reason":"stop"}]}`),
			want:   model.Reply{Text: "Yes.", Reasoning: "Let me think.", Stop: uplift.StopEnd, Reason: "stop", Details: `{"finish_reason":"stop"}`}},
		{name: "reasoning, twice the same",
			body: `{"choices":[{"message":{"content":"Yes.","reasoning":"Hm.","reasoning_content":"Hm."},"finish_reason":"stop","native_finish_reason":"STOP","stop_reason":"</s>"}]}`,
			want: model.Reply{Text: "Yes.", Reasoning: "Hm.", Stop: uplift.StopEnd, Reason: "stop", Details: `{"finish_reason":"stop","native_finish_reason":"STOP","stop_reason":"</s>"}`}},
		{name: "content in parts",
			body: `{"choices":[{"message":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]},{"type":"text","text":"Yes"},{"type":"odd","text":"?"},{"type":"text","text":"."}]},"finish_reason":"stop"}]}`,
			want: model.Reply{Text: "Yes.", Reasoning: "Hm.", Stop: uplift.StopEnd, Reason: "stop", Details: `{"finish_reason":"stop"}`}},
		{name: "fields of odd shapes",
			body: `{"id":7,"model":["m"],"object":{},"choices":[{"index":"a","message":{"content":"Yes.","refusal":{},"reasoning":[1]},"finish_reason":"stop"}],"usage":{"prompt_tokens":"many","completion_tokens":1.5},"extra":1}`,
			want: model.Reply{Text: "Yes.", Stop: uplift.StopEnd, Reason: "stop", Details: `{"usage":{"prompt_tokens":"many","completion_tokens":1.5},"finish_reason":"stop"}`}},
		{name: "more choices than were asked for",
			body:   `{"choices":[{"index":1,"message":{"content":"Other."},"finish_reason":"length"},{"index":0,"message":{"content":"Mine."},"finish_reason":"stop"}]}`,
			stream: events(`{"choices":[{"index":1,"delta":{"content":"Other."}},{"index":0,"delta":{"content":"Mine."}}]}`, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`, `{"choices":[{"index":1,"delta":{},"finish_reason":"length"}]}`),
			want:   model.Reply{Text: "Mine.", Stop: uplift.StopEnd, Reason: "stop", Details: `{"finish_reason":"stop"}`}},
		{name: "a stream that ends without a blank line",
			body:   `{"choices":[{"message":{"content":"Yes."},"finish_reason":"stop"}]}`,
			stream: `data: {"choices":[{"delta":{"content":"Yes."}}]}` + "\n\n" + `data: {"choices":[{"delta":{},"finish_reason":"stop"}],"error":null}`,
			want:   model.Reply{Text: "Yes.", Stop: uplift.StopEnd, Reason: "stop", Details: `{"finish_reason":"stop"}`}},
	})
}

func TestResponsesReplies(t *testing.T) {
	const use = `{"input_tokens":36,"input_tokens_details":{"cached_tokens":0},"output_tokens":87,"output_tokens_details":{"reasoning_tokens":40},"total_tokens":123}`
	message := func(parts string) string {
		return `{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[` + parts + `]}`
	}
	text := func(s string) string { return `{"type":"output_text","text":"` + s + `","annotations":[]}` }
	delta := func(s string) string {
		return `{"type":"response.output_text.delta","sequence_number":3,"item_id":"msg_1","output_index":0,"content_index":0,"delta":"` + s + `"}`
	}
	refusal := func(s string) string {
		return `{"type":"response.refusal.delta","item_id":"msg_1","delta":"` + s + `"}`
	}
	last := func(kind, whole string) string { return `{"type":"response.` + kind + `","response":` + whole + `}` }
	const created = `{"type":"response.created","response":{"id":"resp_1","status":"in_progress","output":[]}}`

	plain := `{"id":"resp_1","object":"response","status":"completed","error":null,"incomplete_details":null,"model":"m1-2026","output":[{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"One."},{"type":"summary_text","text":"Two."}]},` +
		message(text("Blue, ")+","+text("so.")) + `],"service_tier":"default","access_programs":{"cyber":"standard"},"usage":` + use + `}`
	limited := `{"id":"resp_1","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"model":"m1","output":[` + message(text("Half")) + `]}`
	filtered := `{"id":"resp_1","status":"incomplete","incomplete_details":{"reason":"content_filter"},"model":"m1","output":[` + message(text("Half")) + `]}`
	declined := `{"id":"resp_1","status":"completed","model":"m1","output":[` + message(`{"type":"refusal","refusal":"I cannot do that."}`) + `]}`
	failed := func(code, output string) string {
		return `{"id":"resp_1","status":"failed","error":{"code":"` + code + `","message":"No."},"model":"m1","output":[` + output + `]}`
	}
	block := func(code string) model.Reply {
		return model.Reply{Stop: uplift.StopPrompt, Reason: code, Version: "m1", Details: `{"status":"failed","error":{"code":"` + code + `","message":"No."}}`}
	}
	begun := block("misalignment_policy_violation")
	begun.Stop, begun.Text = uplift.StopOutput, "Half"
	check(t, Responses, []replyCase{
		{name: "a plain reply", body: plain, stream: typed(created, delta("Blue, "), delta("so."), last("completed", plain)),
			want: model.Reply{Text: "Blue, so.", Reasoning: "One.\nTwo.", Stop: uplift.StopEnd, Reason: "completed", Version: "m1-2026", TokensIn: 36, TokensOut: 87,
				Details: `{"status":"completed","service_tier":"default","access_programs":{"cyber":"standard"},"usage":` + use + `}`}},
		{name: "a token limit", body: limited, stream: typed(created, delta("Half"), last("incomplete", limited)),
			want: model.Reply{Text: "Half", Stop: uplift.StopLength, Reason: "max_output_tokens", Version: "m1", Details: `{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}`}},
		{name: "a filter", body: filtered, stream: typed(created, delta("Half"), last("incomplete", filtered)),
			want: model.Reply{Text: "Half", Stop: uplift.StopOutput, Reason: "content_filter", Version: "m1", Details: `{"status":"incomplete","incomplete_details":{"reason":"content_filter"}}`}},
		{name: "an unknown reason", body: `{"status":"incomplete","incomplete_details":{"reason":"steered"},"output":[]}`,
			want: model.Reply{Stop: uplift.StopLength, Reason: "steered", Details: `{"status":"incomplete","incomplete_details":{"reason":"steered"}}`}},
		{name: "no reason", body: `{"status":"incomplete","incomplete_details":null,"output":[]}`,
			want: model.Reply{Stop: uplift.StopLength, Reason: "incomplete", Details: `{"status":"incomplete"}`}},
		{name: "a refusal", body: declined, stream: typed(created, refusal("I cannot"), refusal(" do that."), last("completed", declined)),
			want: model.Reply{Text: "I cannot do that.", Stop: uplift.StopRefusal, Reason: "completed", Version: "m1", Details: `{"status":"completed","refusal":"I cannot do that."}`}},
		{name: "an invalid prompt", body: failed("invalid_prompt", ""), stream: typed(created, last("failed", failed("invalid_prompt", ""))), want: block("invalid_prompt")},
		{name: "bio policy", body: failed("bio_policy", ""), stream: typed(created, last("failed", failed("bio_policy", ""))), want: block("bio_policy")},
		{name: "image policy", body: failed("image_content_policy_violation", ""), want: block("image_content_policy_violation")},
		{name: "a policy after text had begun", body: failed("misalignment_policy_violation", message(text("Half"))),
			stream: typed(created, delta("Half"), last("failed", failed("misalignment_policy_violation", message(text("Half"))))), want: begun},
		{name: "a stream whose last event leaves the output out", body: `{"status":"completed","output":[` + message(text("Yes.")) + `]}`,
			stream: typed(delta("Ye"), delta("s."), last("completed", `{"status":"completed","output":[]}`)) + "data: [DONE]\n\n",
			want:   model.Reply{Text: "Yes.", Stop: uplift.StopEnd, Reason: "completed", Details: `{"status":"completed"}`}},
		{name: "an error event that is a block", body: `{"error":{"code":"invalid_prompt","message":"No."}}`, status: 400,
			want: model.Reply{Stop: uplift.StopPrompt, Reason: "invalid_prompt", Details: `{"error":{"code":"invalid_prompt","message":"No."}}`}},
		{name: "reasoning in the open, odd shapes, no status", body: `{"id":[],"model":5,"output":[{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"Hm."}]},{"type":"web","x":1},{"type":"message","content":"Yes."}],"usage":[],"moderation":{"input":null},"content_filters":[{"blocked":false}]}`,
			want: model.Reply{Text: "Yes.", Reasoning: "Hm.", Stop: uplift.StopEnd, Details: `{"moderation":{"input":null},"content_filters":[{"blocked":false}],"usage":[]}`}},
	})
}
