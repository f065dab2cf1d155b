package fakeprovider

import (
	"errors"
	"net/http"
	"net/url"
)

// anthropic is the Messages API.
type anthropic struct{}

func (anthropic) endpoint() string { return "anthropic messages" }

func (anthropic) key(h http.Header, _ url.Values) string {
	if k := h.Get("X-Api-Key"); k != "" {
		return k
	}
	return bearer(h)
}

func (anthropic) read(r *http.Request, body []byte) (ask, error) {
	var in struct {
		Model     string    `json:"model"`
		MaxTokens int       `json:"max_tokens"`
		System    words     `json:"system"`
		Messages  []message `json:"messages"`
		Stream    bool      `json:"stream"`
	}
	if err := decode(body, &in); err != nil {
		return ask{}, err
	}
	switch {
	case r.Header.Get("Anthropic-Version") == "":
		return ask{}, errors.New("anthropic-version: header is required")
	case in.MaxTokens < 1:
		return ask{}, errors.New("max_tokens: field required")
	}
	system, turns, err := spoken(in.Messages)
	if err == nil && system != "" {
		err = errors.New("messages: system stands outside of the messages")
	}
	if err != nil {
		return ask{}, err
	}
	return newAsk(in.Model, string(in.System), turns, in.MaxTokens, in.Stream)
}

// stop is the reason to stop, and its details as JSON.
func (anthropic) stop(f Fault) (reason string, details []byte) {
	null := []byte("null")
	switch f {
	case Refusal:
		return "refusal", line(nil, `{"type":"refusal","category":"general_harms","explanation":?}`, "The request was declined.")
	case PromptBlock, OutputFilter:
		return "refusal", []byte(`{"type":"refusal","category":null,"explanation":null}`)
	case TokenLimit:
		return "max_tokens", null
	case Unknown:
		return "a_reason_of_tomorrow", null
	}
	return "end_turn", null
}

func (anthropic) usage(in, out int) []byte {
	return line(nil, `{"input_tokens":?,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":?,"service_tier":"standard"}`, in, out)
}

// silent reports whether a message has no block of text.
func (anthropic) silent(r reply) bool {
	return r.text == "" || r.fault == Refusal
}

func (f anthropic) whole(a ask, r reply) (int, []byte) {
	reason, details := f.stop(r.fault)
	content := []byte("[]")
	if !f.silent(r) {
		content = line(nil, `[{"type":"text","text":?}]`, r.text)
	}
	return http.StatusOK, line(make([]byte, 0, len(r.text)+512),
		`{"id":?,"type":"message","role":"assistant","model":?,"content":?,"stop_reason":?,"stop_sequence":null,"stop_details":?,"usage":?}`,
		"msg_"+r.id, a.model, content, reason, details, f.usage(r.tokensIn, r.tokensOut))
}

func (f anthropic) events(a ask, r reply) [][]byte {
	reason, details := f.stop(r.fault)
	list := [][]byte{event("message_start", line(nil,
		`{"type":"message_start","message":{"id":?,"type":"message","role":"assistant","model":?,"content":[],"stop_reason":null,"stop_sequence":null,"usage":?}}`,
		"msg_"+r.id, a.model, f.usage(r.tokensIn, 1)))}
	if !f.silent(r) {
		list = append(list, event("content_block_start", []byte(`{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`)),
			event("ping", []byte(`{"type":"ping"}`)))
		for _, p := range pieces(r.text, a.seed.source()) {
			list = append(list, event("content_block_delta", line(nil, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":?}}`, p)))
		}
		list = append(list, event("content_block_stop", []byte(`{"type":"content_block_stop","index":0}`)))
	}
	return append(list,
		event("message_delta", line(nil, `{"type":"message_delta","delta":{"stop_reason":?,"stop_sequence":null,"stop_details":?},"usage":?}`,
			reason, details, line(nil, `{"output_tokens":?}`, r.tokensOut))),
		event("message_stop", []byte(`{"type":"message_stop"}`)))
}

func (f anthropic) midway() []byte {
	return event("error", f.fail(problem{status: 529, message: "Overloaded"}))
}

func (anthropic) fail(p problem) []byte {
	kind := map[int]string{400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 404: "not_found_error",
		405: "invalid_request_error", 413: "request_too_large", 429: "rate_limit_error", 529: "overloaded_error"}[p.status]
	if kind == "" {
		kind = "api_error"
	}
	return line(nil, `{"type":"error","error":{"type":?,"message":?,"details":?},"request_id":null}`, kind, p.message, retryInfo(p, "null"))
}
