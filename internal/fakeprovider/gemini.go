package fakeprovider

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// gemini is generateContent and streamGenerateContent.
type gemini struct{ stream bool }

func (gemini) endpoint() string { return "gemini" }

func (gemini) key(h http.Header, query url.Values) string {
	if k := h.Get("X-Goog-Api-Key"); k != "" {
		return k
	}
	return query.Get("key")
}

func (f gemini) read(r *http.Request, body []byte) (ask, error) {
	type content struct {
		Role  string `json:"role"`
		Parts words  `json:"parts"`
	}
	var in struct {
		System   content   `json:"systemInstruction"`
		Contents []content `json:"contents"`
		Config   struct {
			MaxTokens int `json:"maxOutputTokens"`
		} `json:"generationConfig"`
	}
	if err := decode(body, &in); err != nil {
		return ask{}, err
	}
	if f.stream && r.URL.Query().Get("alt") != "sse" {
		return ask{}, errors.New("alt: want sse")
	}
	var turns []turn
	for i, c := range in.Contents {
		switch c.Role {
		case "user", "":
			turns = append(turns, turn{"user", string(c.Parts)})
		case "model":
			turns = append(turns, turn{"assistant", string(c.Parts)})
		default:
			return ask{}, fmt.Errorf("contents[%d].role: %q (want user or model)", i, c.Role)
		}
	}
	_, model, _ := strings.Cut(r.URL.Path, "/models/")
	model, _, _ = strings.Cut(model, ":")
	return newAsk(model, string(in.System.Parts), turns, in.Config.MaxTokens, f.stream)
}

const (
	safe   = `[{"category":"HARM_CATEGORY_HATE_SPEECH","probability":"NEGLIGIBLE"},{"category":"HARM_CATEGORY_DANGEROUS_CONTENT","probability":"NEGLIGIBLE"}]`
	unsafe = `[{"category":"HARM_CATEGORY_HATE_SPEECH","probability":"NEGLIGIBLE"},{"category":"HARM_CATEGORY_DANGEROUS_CONTENT","probability":"HIGH","blocked":true}]`
)

// finish is the reason to stop, with what the API says beside it.
func (gemini) finish(f Fault) (reason, ratings string) {
	switch f {
	case TokenLimit:
		return "MAX_TOKENS", safe
	case OutputFilter:
		return "SAFETY", unsafe
	case Unknown:
		return "A_REASON_OF_TOMORROW", safe
	}
	return "STOP", safe
}

// chunk is a reply, or a piece of one. The last says why it ended.
func (f gemini) chunk(a ask, r reply, text string, last bool) []byte {
	usage := line(nil, `{"promptTokenCount":?,"candidatesTokenCount":?,"totalTokenCount":?}`, r.tokensIn, r.tokensOut, r.tokensIn+r.tokensOut)
	if !last {
		usage = line(nil, `{"promptTokenCount":?,"totalTokenCount":?}`, r.tokensIn, r.tokensIn)
	}
	return line(make([]byte, 0, len(text)+768), `{?"usageMetadata":?,"modelVersion":?,"responseId":?}`, f.answer(r, text, last), usage, a.model, r.id)
}

// answer is the part of a chunk that speaks: candidates, or why there are none.
func (f gemini) answer(r reply, text string, last bool) []byte {
	reason, ratings := f.finish(r.fault)
	switch {
	case r.fault == PromptBlock:
		return []byte(`"promptFeedback":{"blockReason":"PROHIBITED_CONTENT","safetyRatings":` + unsafe + `},`)
	case r.fault == NoChoices:
		return nil
	case !last:
		return line(nil, `"candidates":[{"content":{"parts":[{"text":?}],"role":"model"},"index":0}],`, text)
	case r.fault == OutputFilter:
		return line(nil, `"candidates":[{"finishReason":?,"index":0,"safetyRatings":?}],`, reason, []byte(ratings))
	}
	return line(nil, `"candidates":[{"content":{"parts":[{"text":?}],"role":"model"},"finishReason":?,"index":0,"safetyRatings":?}],`, text, reason, []byte(ratings))
}

func (f gemini) whole(a ask, r reply) (int, []byte) {
	return http.StatusOK, f.chunk(a, r, r.text, true)
}

func (f gemini) events(a ask, r reply) [][]byte {
	parts := pieces(r.text, a.seed.source())
	if len(parts) == 0 || r.fault == PromptBlock || r.fault == NoChoices {
		return [][]byte{event("", f.chunk(a, r, "", true))}
	}
	var list [][]byte
	for i, p := range parts {
		last := i == len(parts)-1
		if last && r.fault == OutputFilter { // what was said before the filter stays said
			list, p = append(list, event("", f.chunk(a, r, p, false))), ""
		}
		list = append(list, event("", f.chunk(a, r, p, last)))
	}
	return list
}

func (f gemini) midway() []byte {
	return event("", f.fail(problem{status: 503, message: "The model is overloaded. Please try again later."}))
}

func (gemini) fail(p problem) []byte {
	status := map[int]string{400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 404: "NOT_FOUND", 429: "RESOURCE_EXHAUSTED",
		500: "INTERNAL", 503: "UNAVAILABLE"}[p.status]
	if status == "" {
		status = "UNKNOWN"
	}
	details := retryInfo(p, "[]")
	if p.quota {
		details = line(nil, `[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaMetric":"generate_content_free_tier_requests","quotaId":?,"quotaValue":"0"}]}]`,
			"GenerateRequestsPerDayPerProjectPerModel-FreeTier")
	}
	return line(nil, `{"error":{"code":?,"message":?,"status":?,"details":?}}`, p.status, p.message, status, details)
}

// retryInfo is the list of details that says how long to wait, or none.
func retryInfo(p problem, none string) []byte {
	if !p.info {
		return []byte(none)
	}
	return line(nil, `[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":?}]`,
		seconds(p.wait)+"s")
}
