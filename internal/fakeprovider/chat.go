package fakeprovider

import (
	"net/http"
	"net/url"
	"strings"
)

// chat is OpenAI's chat completions, and Azure's path to them.
type chat struct{ azure bool }

func (f chat) endpoint() string {
	if f.azure {
		return "azure chat"
	}
	return "openai chat"
}

func (f chat) key(h http.Header, _ url.Values) string {
	if k := h.Get("Api-Key"); f.azure && k != "" {
		return k
	}
	return bearer(h)
}

func (f chat) read(r *http.Request, body []byte) (ask, error) {
	var in struct {
		Model     string    `json:"model"`
		Messages  []message `json:"messages"`
		Stream    bool      `json:"stream"`
		MaxTokens int       `json:"max_tokens"`
		MaxNew    int       `json:"max_completion_tokens"`
		Options   struct {
			Usage bool `json:"include_usage"`
		} `json:"stream_options"`
	}
	if err := decode(body, &in); err != nil {
		return ask{}, err
	}
	if _, rest, ok := strings.Cut(r.URL.Path, "/deployments/"); ok && in.Model == "" {
		in.Model, _, _ = strings.Cut(rest, "/")
	}
	system, turns, err := spoken(in.Messages)
	if err != nil {
		return ask{}, err
	}
	a, err := newAsk(in.Model, system, turns, max(in.MaxTokens, in.MaxNew), in.Stream)
	a.usage = in.Options.Usage
	return a, err
}

func (chat) finish(f Fault) string {
	switch f {
	case TokenLimit:
		return "length"
	case OutputFilter:
		return "content_filter"
	case Unknown:
		return "a_reason_of_tomorrow"
	}
	return "stop"
}

func (chat) usage(r reply) []byte {
	return line(nil, `{"prompt_tokens":?,"completion_tokens":?,"total_tokens":?}`, r.tokensIn, r.tokensOut, r.tokensIn+r.tokensOut)
}

// What Azure's filters say.
const (
	clean    = `{"hate":{"filtered":false,"severity":"safe"},"jailbreak":{"filtered":false,"detected":false},"self_harm":{"filtered":false,"severity":"safe"},"sexual":{"filtered":false,"severity":"safe"},"violence":{"filtered":false,"severity":"safe"}}`
	filtered = `{"hate":{"filtered":false,"severity":"safe"},"jailbreak":{"filtered":false,"detected":false},"self_harm":{"filtered":false,"severity":"safe"},"sexual":{"filtered":false,"severity":"safe"},"violence":{"filtered":true,"severity":"medium"}}`
)

func (f chat) filters(r reply) (prompt, choice []byte) {
	if !f.azure {
		return nil, nil
	}
	verdict := clean
	if r.fault == OutputFilter {
		verdict = filtered
	}
	return []byte(`,"prompt_filter_results":[{"prompt_index":0,"content_filter_results":` + clean + `}]`),
		[]byte(`,"content_filter_results":` + verdict)
}

func (f chat) whole(a ask, r reply) (int, []byte) {
	if r.fault == PromptBlock {
		return http.StatusBadRequest, f.blocked()
	}
	prompt, choice := f.filters(r)
	said := line(nil, `"content":?,"refusal":null`, r.text)
	if r.fault == Refusal {
		said = line(nil, `"content":null,"refusal":?`, r.text)
	}
	choices := line(nil, `{"index":0,"message":{"role":"assistant",?,"annotations":[]},"logprobs":null,"finish_reason":??}`, said, f.finish(r.fault), choice)
	if r.fault == NoChoices {
		choices = nil
	}
	return http.StatusOK, line(make([]byte, 0, len(r.text)+1024),
		`{"id":?,"object":"chat.completion","created":1767225600,"model":?,"choices":[?],"usage":?,"service_tier":"default","system_fingerprint":"fp_fake"?}`,
		"chatcmpl-"+r.id, a.model, choices, f.usage(r), prompt)
}

// blocked is the error of a prompt that is not let through.
func (f chat) blocked() []byte {
	if f.azure {
		return []byte(`{"error":{"message":"The response was filtered due to the prompt triggering the content management policy.","type":null,"param":"prompt","code":"content_filter","status":400,` +
			`"innererror":{"code":"ResponsibleAIPolicyViolation","content_filter_result":` + filtered + `}}}`)
	}
	return line(nil, `{"error":{"message":?,"type":"invalid_request_error","param":null,"code":"invalid_prompt"}}`, "Invalid prompt: it was flagged by the usage policy.")
}

func (f chat) events(a ask, r reply) [][]byte {
	prompt, choice := f.filters(r)
	chunk := func(choices, usage, more []byte) []byte {
		return event("", line(nil, `{"id":?,"object":"chat.completion.chunk","created":1767225600,"model":?,"choices":[?]??}`,
			"chatcmpl-"+r.id, a.model, choices, usage, more))
	}
	var list [][]byte
	if f.azure { // the verdict on the prompt comes in a chunk without choices
		list = append(list, chunk(nil, nil, prompt))
	}
	if r.fault != NoChoices {
		field := "content"
		if r.fault == Refusal {
			field = "refusal"
		}
		list = append(list, chunk([]byte(`{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}`), nil, nil))
		for _, p := range pieces(r.text, a.seed.source()) {
			list = append(list, chunk(line(nil, `{"index":0,"delta":{?:?},"logprobs":null,"finish_reason":null?}`, field, p, choice), nil, nil))
		}
		list = append(list, chunk(line(nil, `{"index":0,"delta":{},"logprobs":null,"finish_reason":?}`, f.finish(r.fault)), nil, nil))
	}
	if a.usage {
		list = append(list, chunk(nil, line(nil, `,"usage":?`, f.usage(r)), nil))
	}
	return append(list, event("", []byte("[DONE]")))
}

func (f chat) midway() []byte {
	return event("", f.fail(problem{status: 500, message: "The server had an error while processing the request."}))
}

func (chat) fail(p problem) []byte { return openAIError(p) }

// openAIError is the error body of both of OpenAI's forms.
func openAIError(p problem) []byte {
	kind, code := "server_error", []byte("null")
	switch {
	case p.quota:
		kind, code = "insufficient_quota", []byte(`"insufficient_quota"`)
	case p.status == http.StatusTooManyRequests:
		kind, code = "tokens", []byte(`"rate_limit_exceeded"`)
	case p.status == http.StatusUnauthorized:
		kind, code = "invalid_request_error", []byte(`"invalid_api_key"`)
	case p.status < 500:
		kind = "invalid_request_error"
	}
	return line(nil, `{"error":{"message":?,"type":?,"param":null,"code":?,"details":?}}`, p.message, kind, code, retryInfo(p, "[]"))
}
