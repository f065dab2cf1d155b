package wire_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/wire"
)

func ptr[T any](v T) *T { return &v }

func TestParseRate(t *testing.T) {
	for name, c := range map[string]struct {
		header map[string]string
		want   model.Rate
	}{
		"none": {},
		"anthropic": {map[string]string{
			"anthropic-ratelimit-requests-limit": "50", "anthropic-ratelimit-requests-remaining": "49", "anthropic-ratelimit-requests-reset": "2026-03-01T12:00:02Z",
			"anthropic-ratelimit-tokens-limit": "80000", "anthropic-ratelimit-tokens-remaining": "79000", "anthropic-ratelimit-tokens-reset": "2026-03-01T13:01:00+01:00",
			"anthropic-ratelimit-input-tokens-limit": "40000", "anthropic-ratelimit-output-tokens-limit": "8000", "retry-after": "7"},
			model.Rate{Requests: ptr(50), RequestsLeft: ptr(49), RequestsIn: ptr(2 * time.Second), Tokens: ptr(80000), TokensLeft: ptr(79000), TokensIn: ptr(time.Minute), RetryAfter: ptr(7 * time.Second)}},
		"anthropic without a total": {map[string]string{"anthropic-ratelimit-input-tokens-limit": "40000", "anthropic-ratelimit-input-tokens-remaining": "0"},
			model.Rate{Tokens: ptr(40000), TokensLeft: ptr(0)}},
		"anthropic, reset passed": {map[string]string{"anthropic-ratelimit-requests-reset": "2026-03-01T11:59:00Z"}, model.Rate{RequestsIn: ptr(time.Duration(0))}},
		"openai": {map[string]string{"x-ratelimit-limit-requests": "60", "x-ratelimit-remaining-requests": "59", "x-ratelimit-reset-requests": "12ms",
			"x-ratelimit-limit-tokens": "150000", "x-ratelimit-remaining-tokens": "149984", "x-ratelimit-reset-tokens": "6m0s"},
			model.Rate{Requests: ptr(60), RequestsLeft: ptr(59), RequestsIn: ptr(12 * time.Millisecond), Tokens: ptr(150000), TokensLeft: ptr(149984), TokensIn: ptr(6 * time.Minute)}},
		"bare seconds": {map[string]string{"x-ratelimit-remaining-tokens": "3", "x-ratelimit-reset-tokens": "59.5"}, model.Rate{TokensLeft: ptr(3), TokensIn: ptr(59500 * time.Millisecond)}},
		"azure":        {header: map[string]string{"x-ratelimit-limit-requests": "-1", "x-ratelimit-remaining-requests": "0", "x-ratelimit-limit-tokens": "0", "x-ratelimit-remaining-tokens": "0"}},
		"azure, left":  {map[string]string{"x-ratelimit-limit-tokens": "5", "x-ratelimit-remaining-tokens": "-1"}, model.Rate{Tokens: ptr(5)}},
		"retry-after-ms": {map[string]string{"retry-after-ms": "1500", "retry-after": "2"},
			model.Rate{RetryAfter: ptr(1500 * time.Millisecond)}},
		"retry-after, a date":   {map[string]string{"retry-after": "Sun, 01 Mar 2026 12:00:30 GMT"}, model.Rate{RetryAfter: ptr(30 * time.Second)}},
		"retry-after, passed":   {map[string]string{"retry-after": "Sun, 01 Mar 2026 11:00:30 GMT"}, model.Rate{RetryAfter: ptr(time.Duration(0))}},
		"retry-after, fraction": {map[string]string{"retry-after": "0.25"}, model.Rate{RetryAfter: ptr(250 * time.Millisecond)}},
		"nonsense": {header: map[string]string{"retry-after": "-1", "retry-after-ms": "NaN", "x-ratelimit-reset-tokens": "-3s", "x-ratelimit-limit-requests": "many",
			"anthropic-ratelimit-requests-reset": "soon", "x-ratelimit-reset-requests": "9999999999999h"}},
		"too long": {header: map[string]string{"retry-after": "1e300", "x-ratelimit-reset-requests": "10000h"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := http.Header{}
			for k, v := range c.header {
				h.Set(k, v)
			}
			if diff := cmp.Diff(c.want, wire.ParseRate(h, epoch)); diff != "" {
				t.Errorf("rate (-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever a header says, nothing is below zero and no wait is beyond reason.
func FuzzParseRate(f *testing.F) {
	for _, s := range []string{"50", "2026-03-01T12:00:02Z", "6m0s", "-1", "Sun, 01 Mar 2026 12:00:30 GMT", "1e9", "0x1p-2", "NaN", "Inf"} {
		f.Add(s, s)
	}
	names := []string{"retry-after", "retry-after-ms", "anthropic-ratelimit-requests-reset", "anthropic-ratelimit-tokens-remaining",
		"x-ratelimit-reset-tokens", "x-ratelimit-limit-requests", "x-ratelimit-remaining-requests"}
	f.Fuzz(func(t *testing.T, a, b string) {
		h := http.Header{}
		for i, name := range names {
			h.Set(name, []string{a, b}[i%2])
		}
		r := wire.ParseRate(h, epoch)
		for _, n := range []*int{r.Requests, r.RequestsLeft, r.Tokens, r.TokensLeft} {
			if n != nil && *n < 0 {
				t.Errorf("a count of %d", *n)
			}
		}
		for _, d := range []*time.Duration{r.RequestsIn, r.TokensIn, r.RetryAfter} {
			if d != nil && *d < 0 {
				t.Errorf("a wait of %v", *d)
			}
		}
	})
}

func TestParseProblem(t *testing.T) {
	for name, c := range map[string]struct {
		body   string
		status int
		want   wire.Problem
		kind   model.Kind
	}{
		"anthropic": {`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}`, 529,
			wire.Problem{Type: "overloaded_error", Message: "Overloaded"}, model.Overloaded},
		"anthropic, a code": {`{"error":{"type":"rate_limit_error","message":"No.","details":{"error_code":"contract_spend_limit_reached"}}}`, 429,
			wire.Problem{Type: "rate_limit_error", Code: "contract_spend_limit_reached", Message: "No.", NoQuota: true}, model.NoQuota},
		"anthropic, ramp": {`{"error":{"type":"rate_limit_error","message":"No.","details":{"error_code":"ramp_limit_exceeded"}}}`, 429,
			wire.Problem{Type: "rate_limit_error", Code: "ramp_limit_exceeded", Message: "No."}, model.RateLimit},
		"openai": {`{"error":{"message":"Rate limit reached. Please try again in 20ms. Visit us.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}`, 429,
			wire.Problem{Type: "tokens", Code: "rate_limit_exceeded", Message: "Rate limit reached. Please try again in 20ms. Visit us.", RetryAfter: ptr(20 * time.Millisecond)}, model.RateLimit},
		"openai, spent": {`{"error":{"message":"Exceeded.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`, 429,
			wire.Problem{Type: "insufficient_quota", Code: "insufficient_quota", Message: "Exceeded.", NoQuota: true}, model.NoQuota},
		"openai, key": {`{"error":{"message":"Incorrect.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`, 401,
			wire.Problem{Type: "invalid_request_error", Code: "invalid_api_key", Message: "Incorrect.", Denied: true}, model.Denied},
		"azure": {`{"error":{"code":"content_filter","message":"Filtered.","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}}`, 400,
			wire.Problem{Type: "400", Message: "Filtered."}, model.Rejected},
		"google, a list": {`[{"error":{"code":503,"message":"Busy.","status":"UNAVAILABLE"}}]`, 503, wire.Problem{Type: "UNAVAILABLE", Message: "Busy."}, model.Overloaded},
		"google, no quota": {`{"error":{"code":429,"message":"No.","status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaId":"PerMinute","quotaValue":"0"}]}]}}`, 429,
			wire.Problem{Type: "RESOURCE_EXHAUSTED", Message: "No.", NoQuota: true}, model.NoQuota},
		"plain":          {`{"error":"model not found"}`, 404, wire.Problem{Message: "model not found"}, model.Rejected},
		"flat":           {`{"object":"error","message":"Too long.","type":"BadRequestError","code":400}`, 400, wire.Problem{Type: "BadRequestError", Code: "400", Message: "Too long."}, model.Rejected},
		"detail":         {`{"detail":"Not Found"}`, 404, wire.Problem{Message: "Not Found"}, model.Rejected},
		"html":           {`<html>`, 500, wire.Problem{}, model.Server},
		"inside, new":    {`{"error":{"type":"a_new_error","message":"?"}}`, 0, wire.Problem{Type: "a_new_error", Message: "?"}, model.Server},
		"inside, rate":   {`{"error":{"type":"rate_limit_error","message":"?"}}`, 0, wire.Problem{Type: "rate_limit_error", Message: "?"}, model.RateLimit},
		"inside, wrong":  {`{"error":{"type":"invalid_request_error","message":"?"}}`, 0, wire.Problem{Type: "invalid_request_error", Message: "?"}, model.Rejected},
		"a minute":       {`{"error":{"message":"try again in 1 minute"}}`, 429, wire.Problem{Message: "try again in 1 minute"}, model.RateLimit},
		"a limit of 100": {`{"error":{"message":"limit: 100, used: 0"}}`, 429, wire.Problem{Message: "limit: 100, used: 0"}, model.RateLimit},
		"a limit of 0.5": {`{"error":{"message":"limit: 0.5, used: 0"}}`, 429, wire.Problem{Message: "limit: 0.5, used: 0"}, model.RateLimit},
		"no limit, last": {`{"error":{"message":"limit: 0"}}`, 429, wire.Problem{Message: "limit: 0", NoQuota: true}, model.NoQuota},
	} {
		t.Run(name, func(t *testing.T) {
			got := wire.ParseProblem([]byte(c.body))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("problem (-want +got):\n%s", diff)
			}
			if k := got.Kind(c.status); k != c.kind {
				t.Errorf("kind %s, want %s", k, c.kind)
			}
		})
	}
}

func TestKindOfStatus(t *testing.T) {
	for status, want := range map[int]model.Kind{400: model.Rejected, 401: model.Denied, 402: model.NoQuota, 403: model.Denied, 404: model.Rejected,
		408: model.Timeout, 409: model.Rejected, 413: model.Rejected, 422: model.Rejected, 429: model.RateLimit, 499: model.Rejected,
		500: model.Server, 501: model.Server, 502: model.Server, 503: model.Overloaded, 504: model.Server, 520: model.Server, 529: model.Overloaded} {
		if got := (wire.Problem{}).Kind(status); got != want {
			t.Errorf("status %d is %s, want %s", status, got, want)
		}
	}
}

// Every body is read, and what is read of it stands in it.
func FuzzParseProblem(f *testing.F) {
	for _, s := range []string{`{"error":{"type":"x","message":"retry in 4s"}}`, `[{"error":{"status":"X","details":[{"retryDelay":"4s"}]}}]`, `{"error":"x"}`, `null`, `[null]`, `{"error":[]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		p := wire.ParseProblem(body)
		if p.RetryAfter != nil && *p.RetryAfter < 0 {
			t.Errorf("a wait of %v", *p.RetryAfter)
		}
		if !json.Valid(body) && (p.Type != "" || p.Message != "" || p.NoQuota || p.Denied) {
			t.Errorf("read %+v from what is no JSON", p)
		}
		if p.Kind(429) == "" || p.Kind(0) == "" {
			t.Error("no kind")
		}
	})
}
