package fakeprovider

import (
	"encoding/json"
	"net/http"
	"net/url"
)

// responses is OpenAI's Responses API.
type responses struct{}

func (responses) endpoint() string { return "openai responses" }

func (responses) key(h http.Header, _ url.Values) string { return bearer(h) }

func (responses) read(_ *http.Request, body []byte) (ask, error) {
	var in struct {
		Model        string          `json:"model"`
		Instructions string          `json:"instructions"`
		Input        json.RawMessage `json:"input"`
		Stream       bool            `json:"stream"`
		MaxTokens    int             `json:"max_output_tokens"`
	}
	if err := decode(body, &in); err != nil {
		return ask{}, err
	}
	var list []message
	if len(in.Input) > 0 && in.Input[0] == '"' {
		list = []message{{Role: "user"}}
		if err := json.Unmarshal(in.Input, &list[0].Content); err != nil {
			return ask{}, err
		}
	} else if len(in.Input) > 0 {
		if err := decode(in.Input, &list); err != nil {
			return ask{}, err
		}
	}
	system, turns, err := spoken(list)
	if err != nil {
		return ask{}, err
	}
	return newAsk(in.Model, in.Instructions+system, turns, in.MaxTokens, in.Stream)
}

// state is how a response ended: its status, error and incomplete_details.
func (responses) state(f Fault) (status string, failure, incomplete []byte) {
	null := []byte("null")
	switch f {
	case TokenLimit:
		return "incomplete", null, []byte(`{"reason":"max_output_tokens"}`)
	case OutputFilter:
		return "incomplete", null, []byte(`{"reason":"content_filter"}`)
	case Unknown:
		return "incomplete", null, []byte(`{"reason":"a_reason_of_tomorrow"}`)
	case PromptBlock:
		return "failed", line(nil, `{"code":"invalid_prompt","message":?}`, "Invalid prompt: it was flagged by the usage policy."), null
	}
	return "completed", null, null
}

// part is the one part of a message.
func (responses) part(r reply, text string) []byte {
	if r.fault == Refusal {
		return line(nil, `{"type":"refusal","refusal":?}`, text)
	}
	return line(nil, `{"type":"output_text","annotations":[],"logprobs":[],"text":?}`, text)
}

func (responses) item(r reply, status string, parts []byte) []byte {
	return line(nil, `{"id":?,"type":"message","status":?,"role":"assistant","content":[?]}`, "msg_"+r.id, status, parts)
}

// object is the whole response; output is nil before there is any.
func (responses) object(a ask, r reply, status string, failure, incomplete, output, usage []byte) []byte {
	return line(make([]byte, 0, len(r.text)+1024),
		`{"id":?,"object":"response","created_at":1767225600,"status":?,"error":?,"incomplete_details":?,"instructions":null,"max_output_tokens":null,"metadata":{},"model":?,"output":[?],"parallel_tool_calls":true,"previous_response_id":null,"service_tier":"default","tool_choice":"auto","tools":[],"usage":?}`,
		"resp_"+r.id, status, failure, incomplete, a.model, output, usage)
}

func (f responses) ended(a ask, r reply) []byte {
	status, failure, incomplete := f.state(r.fault)
	var output []byte
	if r.fault != NoChoices && r.fault != PromptBlock {
		inner := "completed"
		if status == "incomplete" {
			inner = "incomplete"
		}
		output = f.item(r, inner, f.part(r, r.text))
	}
	usage := line(nil, `{"input_tokens":?,"input_tokens_details":{"cached_tokens":0},"output_tokens":?,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":?}`,
		r.tokensIn, r.tokensOut, r.tokensIn+r.tokensOut)
	return f.object(a, r, status, failure, incomplete, output, usage)
}

func (f responses) whole(a ask, r reply) (int, []byte) { return http.StatusOK, f.ended(a, r) }

func (f responses) events(a ask, r reply) [][]byte {
	var list [][]byte
	add := func(name, template string, args ...any) {
		args = append([]any{name, len(list)}, args...)
		list = append(list, event(name, line(nil, `{"type":?,"sequence_number":?,`+template+`}`, args...)))
	}
	null := []byte("null")
	begun := f.object(a, r, "in_progress", null, null, nil, null)
	add("response.created", `"response":?`, begun)
	add("response.in_progress", `"response":?`, begun)
	if r.fault != NoChoices && r.fault != PromptBlock {
		f.speak(add, a, r)
	}
	status, _, _ := f.state(r.fault)
	add("response."+status, `"response":?`, f.ended(a, r))
	return list
}

// speak adds the events of the one message.
func (f responses) speak(add func(name, template string, args ...any), a ask, r reply) {
	id := "msg_" + r.id
	kind, done := "output_text", "text"
	if r.fault == Refusal {
		kind, done = "refusal", "refusal"
	}
	add("response.output_item.added", `"output_index":0,"item":?`, f.item(r, "in_progress", nil))
	add("response.content_part.added", `"item_id":?,"output_index":0,"content_index":0,"part":?`, id, f.part(r, ""))
	for _, p := range pieces(r.text, a.seed.source()) {
		add("response."+kind+".delta", `"item_id":?,"output_index":0,"content_index":0,"delta":?,"logprobs":[]`, id, p)
	}
	add("response."+kind+".done", `"item_id":?,"output_index":0,"content_index":0,"`+done+`":?,"logprobs":[]`, id, r.text)
	add("response.content_part.done", `"item_id":?,"output_index":0,"content_index":0,"part":?`, id, f.part(r, r.text))
	add("response.output_item.done", `"output_index":0,"item":?`, f.item(r, "completed", f.part(r, r.text)))
}

func (responses) midway() []byte {
	return event("error", []byte(`{"type":"error","sequence_number":9,"code":"server_error","message":"The server had an error while processing the request.","param":null}`))
}

func (responses) fail(p problem) []byte { return openAIError(p) }
