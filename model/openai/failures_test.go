package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("net/http.(*persistConn).readLoop"), goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"))
}

// failure is what every failed request must give: one request, an [model.Error]
// of that kind, and the key nowhere in its text.
func failure(t *testing.T, s *server, err error) *model.Error {
	t.Helper()
	e, ok := errors.AsType[*model.Error](err)
	if !ok {
		t.Fatalf("got %v (%T), want a *model.Error", err, err)
	}
	if strings.Contains(fmt.Sprintf("%v %+v", err, errors.Unwrap(e)), secret) {
		t.Errorf("the error holds the key: %v", err)
	}
	if s != nil {
		s.one(t)
	}
	return e
}

func TestStatuses(t *testing.T) {
	told := func(kind, code, message string) string {
		return `{"error":{"message":"` + message + `","type":"` + kind + `","param":null,"code":"` + code + `"}}`
	}
	s, ms := time.Second, time.Millisecond
	for _, c := range []struct {
		name   string
		status int
		header map[string]string
		body   string
		kind   model.Kind
		rate   model.Rate
		want   string
	}{
		{"429 with limits", 429, map[string]string{"x-ratelimit-limit-requests": "60", "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s",
			"x-ratelimit-limit-tokens": "150000", "x-ratelimit-remaining-tokens": "149984", "x-ratelimit-reset-tokens": "12ms"},
			told("requests", "rate_limit_exceeded", "Slow down."), model.RateLimit,
			model.Rate{Requests: ptr(60), RequestsLeft: ptr(0), RequestsIn: ptr(360 * s), Tokens: ptr(150000), TokensLeft: ptr(149984), TokensIn: ptr(12 * ms)},
			"openai m1: status 429: requests: rate_limit_exceeded: Slow down."},
		{"429 with Retry-After", 429, map[string]string{"Retry-After": "7"}, told("tokens", "rate_limit_exceeded", "Slow down."), model.RateLimit,
			model.Rate{RetryAfter: ptr(7 * s)}, "openai m1: status 429: tokens: rate_limit_exceeded: Slow down."},
		{"429 with retry-after-ms", 429, map[string]string{"retry-after-ms": "250", "Retry-After": "7"}, told("", "429", "Slow down."), model.RateLimit,
			model.Rate{RetryAfter: ptr(250 * ms)}, "openai m1: status 429: 429: Slow down."},
		{"429 of Azure that tells nothing", 429, map[string]string{"x-ratelimit-limit-requests": "-1", "x-ratelimit-remaining-requests": "-1", "x-ratelimit-remaining-tokens": "0", "x-ratelimit-limit-tokens": "0"},
			told("", "429", "Please retry in 46s."), model.RateLimit, model.Rate{RetryAfter: ptr(46 * s)}, "openai m1: status 429: 429: Please retry in 46s."},
		{"429 that asks the client to retry", 429, map[string]string{"x-should-retry": "true"}, "", model.RateLimit, model.Rate{}, "openai m1: status 429: Too Many Requests (the body of 0 bytes says no more)"},
		{"no quota", 429, nil, told("insufficient_quota", "insufficient_quota", "You exceeded your current quota."), model.NoQuota, model.Rate{},
			"openai m1: status 429: insufficient_quota: You exceeded your current quota."},
		{"a wrong key that is repeated", 401, nil, told("invalid_request_error", "invalid_api_key", "Incorrect API key provided: "+secret+"."), model.Denied, model.Rate{},
			"openai m1: status 401: invalid_request_error: invalid_api_key: Incorrect API key provided: [secret]."},
		{"a model that is not there", 404, nil, told("invalid_request_error", "model_not_found", "The model m1 does not exist."), model.Rejected, model.Rate{},
			"openai m1: status 404: invalid_request_error: model_not_found: The model m1 does not exist."},
		{"a plain string", 400, nil, `{"error":"no such model"}`, model.Rejected, model.Rate{}, "openai m1: status 400: no such model"},
		{"408", 408, nil, "", model.Timeout, model.Rate{}, "openai m1: status 408: Request Timeout (the body of 0 bytes says no more)"},
		{"500 with a page", 500, nil, "<html>" + secret + "</html>", model.Server, model.Rate{}, "openai m1: status 500: Internal Server Error (the body of 30 bytes says no more)"},
		{"503", 503, nil, told("", "", "Overloaded."), model.Overloaded, model.Rate{}, "openai m1: status 503: Overloaded."},
		{"a policy behind a status that is none", 500, nil, told("", "bio_policy", "No."), model.Server, model.Rate{}, "openai m1: status 500: bio_policy: No."},
		{"a redirect", 307, map[string]string{"Location": "/elsewhere"}, "", model.Rejected, model.Rate{}, "openai m1: status 307: Temporary Redirect (the body of 0 bytes says no more)"},
		{"a redirect with a reply", 303, map[string]string{"Location": "/elsewhere"}, `{"choices":[{"message":{"content":"Yes."},"finish_reason":"stop"}],"status":"completed","output":[]}`,
			model.Rejected, model.Rate{}, "openai m1: status 303: See Other (the body of 100 bytes says no more)"},
	} {
		for mode, ask := range modes {
			for _, api := range []string{Chat, Responses} {
				t.Run(c.name+", "+api+", "+mode, func(t *testing.T) {
					s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
						for name, value := range c.header {
							w.Header().Set(name, value)
						}
						w.Header().Set("Set-Cookie", "id="+secret)
						w.WriteHeader(c.status)
						io.WriteString(w, c.body)
					})
					_, _, err := ask(t.Context(), made(t, s.config(api)), hello())
					e := failure(t, s, err)
					if e.Kind != c.kind || e.Error() != c.want {
						t.Errorf("got %s: %v, want %s: %s", e.Kind, e, c.kind, c.want)
					}
					if d := cmp.Diff(e.Attempt.Rate, c.rate); d != "" {
						t.Errorf("rate (-got +want):\n%s", d)
					}
					if e.Attempt.Status != c.status || string(e.Attempt.Raw) != c.body || strings.Contains(fmt.Sprint(e.Attempt.Headers), secret) {
						t.Errorf("attempt: got %+v", e.Attempt)
					}
				})
			}
		}
	}
}

func TestBodiesThatAreNoReply(t *testing.T) {
	const begun = `data: {"choices":[{"delta":{"content":"Half"}}]}` + "\n\n"
	const opened = `data: {"type":"response.output_text.delta","delta":"Half"}` + "\n\n"
	for _, c := range []struct {
		name, api, body string
		kind            model.Kind
		want            string
	}{
		{"nothing", Chat, "", model.Malformed, "status 200: the body is empty (want a reply)"},
		{"a page", Chat, "<html>Xxxxx yyyyy</html>", model.Malformed, "status 200: the body of 24 bytes is no reply of this API"},
		{"JSON that breaks off", Chat, `{"choices":[{"mess`, model.Malformed, "status 200: the body of 18 bytes is no JSON at byte 18"},
		{"JSON of something else", Chat, `{"ok":true}`, model.Malformed, "status 200: the body of 11 bytes has no choices"},
		{"choices that are none", Chat, `{"choices":"Xxxxx"}`, model.Malformed, "status 200: the body of 19 bytes has choices of an unknown form"},
		{"an empty list of choices", Chat, `{"choices":[],"usage":{"prompt_tokens":3}}`, model.Malformed, "status 200: the body of 42 bytes has no choices"},
		{"an unknown reason without text", Chat, `{"choices":[{"message":{"content":null},"finish_reason":"tired"}]}`, model.Unread, `finish_reason: unknown value "tired" and no text (want a documented one)`},
		{"a tool that nobody offered, without text", Chat, `{"choices":[{"message":{"content":null},"finish_reason":"tool_calls"}]}`, model.Unread, `finish_reason: unknown value "tool_calls" and no text (want a documented one)`},
		{"a server that broke down", Chat, `{"choices":[{"message":{"content":"Half"},"finish_reason":"abort"}]}`, model.Server, "in the reply: the server ended the reply with finish_reason abort"},
		{"an error inside", Chat, `{"error":{"code":429,"message":"Slow down."}}`, model.RateLimit, "in the reply: 429: Slow down."},
		{"an error of a choice", Chat, `{"choices":[{"error":{"code":502,"message":"Bad gateway."},"finish_reason":"error"}]}`, model.Server, "in the reply: 502: Bad gateway."},
		{"an error object", Chat, `{"object":"error","message":"Too long.","code":400}`, model.Rejected, "in the reply: 400: Too long."},
		{"a stream with an error", Chat, begun + `data: {"error":{"type":"server_error","message":"Oh."}}` + "\n\n", model.Server, "in the reply: server_error: Oh."},
		{"a stream that is cut", Chat, begun, model.Transport, "the stream ended before the reply did (50 bytes of the body came)"},
		{"a stream that is cut before it begins", Chat, `data: {"choices":[]}` + "\n\n", model.Transport, "the stream ended before the reply did (22 bytes of the body came)"},
		{"a stream with a chunk that is no JSON", Chat, begun + "data: {\"cho\n\n", model.Malformed, "status 200: the body of 63 bytes is no reply of this API"},

		{"nothing", Responses, "", model.Malformed, "status 200: the body is empty (want a reply)"},
		{"JSON of something else", Responses, `{"ok":true}`, model.Malformed, "status 200: the body of 11 bytes is no reply of this API"},
		{"an output that is none", Responses, `{"status":"completed","output":"Xxxxx"}`, model.Malformed, "status 200: the body of 39 bytes has an output of an unknown form"},
		{"a response that is not done", Responses, `{"status":"queued","output":[]}`, model.Malformed, "status 200: the body of 31 bytes is a response that did not end: its status is queued"},
		{"a status that is new to us", Responses, `{"status":"Xxxxx yyyyy","output":[]}`, model.Malformed, "status 200: the body of 36 bytes is a response that did not end: its status is unknown"},
		{"a rate limit", Responses, `{"status":"failed","error":{"code":"rate_limit_exceeded","message":"Slow down."}}`, model.RateLimit, "in the reply: rate_limit_exceeded: Slow down."},
		{"a server error", Responses, `{"status":"failed","error":{"code":"server_error","message":"Oh."}}`, model.Server, "in the reply: server_error: Oh."},
		{"a failure without a reason", Responses, `{"status":"failed","error":null}`, model.Server, "in the reply: the response failed"},
		{"residency", Responses, `{"status":"failed","error":{"code":"data_residency_mismatch","message":"Elsewhere."}}`, model.Rejected, "in the reply: data_residency_mismatch: Elsewhere."},
		{"a stream with an error event", Responses, opened + `data: {"type":"error","code":"server_error","message":"Oh.","param":null}` + "\n\n", model.Server, "in the reply: error: server_error: Oh."},
		{"a stream that is cut", Responses, opened, model.Transport, "the stream ended before the reply did (60 bytes of the body came)"},
		{"a stream with an event that is no JSON", Responses, opened + "data: [1\n\n", model.Malformed, "status 200: the body of 70 bytes is no reply of this API"},
	} {
		for mode, ask := range modes {
			t.Run(c.api+", "+c.name+", "+mode, func(t *testing.T) {
				s := serve(t, body(200, c.body))
				_, _, err := ask(t.Context(), made(t, s.config(c.api)), hello())
				e := failure(t, s, err)
				if want := "openai m1: " + c.want; e.Kind != c.kind || e.Error() != want {
					t.Errorf("got %s: %v, want %s: %s", e.Kind, e, c.kind, want)
				}
				if r, err := Read(c.api, e.Attempt); err == nil {
					t.Errorf("read again: got %+v, want an error", r)
				}
			})
		}
	}
}

// An error event may be a block.
func TestErrorEventThatBlocks(t *testing.T) {
	s := serve(t, body(200, typed(`{"type":"response.output_text.delta","delta":"Half"}`, `{"type":"error","code":"bio_policy","message":"No."}`)))
	r, _, err := modes["streamed"](t.Context(), made(t, s.config(Responses)), hello())
	if err != nil || r.Stop != uplift.StopOutput || r.Text != "Half" || r.Reason != "bio_policy" {
		t.Errorf("got %+v, %v", r, err)
	}
}

// hang sends a beginning and then nothing until the client goes.
func hang(beginning string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body(200, beginning)(w, r)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
}

// breakOff sends a beginning and cuts the connection.
func breakOff(beginning string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		body(200, beginning)(w, r)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

func TestConnections(t *testing.T) {
	const beginning = `data: {"choices":[{"delta":{"content":"Half"}}]}` + "\n\n"
	for mode, ask := range modes {
		t.Run("reset in mid-body, "+mode, func(t *testing.T) {
			s := serve(t, breakOff(beginning))
			_, _, err := ask(t.Context(), made(t, s.config(Chat)), hello())
			e := failure(t, s, err)
			if e.Kind != model.Transport || string(e.Attempt.Raw) != beginning || e.Attempt.Status != 200 {
				t.Errorf("got %s: %v, %+v", e.Kind, e, e.Attempt)
			}
		})
		t.Run("reset before an answer, "+mode, func(t *testing.T) {
			s := serve(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
			_, _, err := ask(t.Context(), made(t, s.config(Chat)), hello())
			if e := failure(t, s, err); e.Kind != model.Transport || e.Attempt.Status != 0 || e.Attempt.Raw != nil {
				t.Errorf("got %s: %v, %+v", e.Kind, e, e.Attempt)
			}
		})
		t.Run("a trickle, "+mode, func(t *testing.T) {
			s := serve(t, hang(beginning))
			cfg := s.config(Chat)
			cfg.Timeout = 100 * time.Millisecond
			_, _, err := ask(t.Context(), made(t, cfg), hello())
			e := failure(t, s, err)
			if want := "openai m1: no whole answer within 100ms (50 bytes of the body came)"; e.Kind != model.Timeout || e.Error() != want {
				t.Errorf("got %s: %v, want %s", e.Kind, e, want)
			}
			if string(e.Attempt.Raw) != beginning {
				t.Errorf("got the body %q", e.Attempt.Raw)
			}
		})
		t.Run("a caller who goes, "+mode, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				cancel()
				hang(beginning)(w, r)
			})
			_, _, err := ask(ctx, made(t, s.config(Chat)), hello())
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want one that is %v", err, context.Canceled)
			}
		})
		t.Run("a caller who has gone, "+mode, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			s := serve(t, hang(beginning))
			_, _, err := ask(ctx, made(t, s.config(Chat)), hello())
			if !errors.Is(err, context.Canceled) || len(s.sent) > 0 {
				t.Errorf("got %v after %d requests, want one that is %v after none", err, len(s.sent), context.Canceled)
			}
		})
	}
	t.Run("a reader who goes", func(t *testing.T) {
		s := serve(t, hang(beginning))
		_, err := made(t, s.config(Chat)).Stream(t.Context(), hello(), func(string) bool { return false })
		if e := failure(t, s, err); e.Kind.Temporary() {
			t.Errorf("got %s, want one that is not tried again", e.Kind)
		}
	})
}

// FuzzRead: no body panics, a reply has a stop that is one, and Details is JSON.
func FuzzRead(f *testing.F) {
	f.Add(200, `{"choices":[{"message":{"content":"a","refusal":"b"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}`)
	f.Add(200, `{"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"a"}]}]}`)
	f.Add(200, "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n")
	f.Add(200, "event: error\ndata: {\"code\":\"bio_policy\"}\n\n")
	f.Add(400, `{"error":{"code":"content_filter","innererror":{}}}`)
	f.Add(200, `{"choices":[],"prompt_filter_results":[{"content_filter_results":{"a":{"filtered":true}}}]}`)
	f.Fuzz(func(t *testing.T, status int, raw string) {
		for _, api := range []string{Chat, Responses} {
			a := model.Attempt{Status: status, Raw: []byte(raw)}
			r, err := Read(api, a)
			if err != nil {
				if r.Stop != "" {
					t.Errorf("an error with the stop %q", r.Stop)
				}
				continue
			}
			switch r.Stop {
			case uplift.StopEnd, uplift.StopLength, uplift.StopRefusal, uplift.StopPrompt, uplift.StopOutput:
			default:
				t.Errorf("stop %q", r.Stop)
			}
			if r.Details != "" {
				canonical(t, r.Details)
			}
			if again, err := Read(api, a); err != nil || !cmp.Equal(again, r) {
				t.Errorf("read again: got %+v, %v, want %+v", again, err, r)
			}
		}
	})
}
