package gemini_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/gemini"
)

func told(code int, status, message, details string) string {
	return fmt.Sprintf("{\n  \"error\": {\n    \"code\": %d,\n    \"message\": %q,\n    \"status\": %q%s\n  }\n}\n", code, message, status, details)
}

const (
	again  = `,"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"46s"}]`
	minute = `,"details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel","quotaValue":"15"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"12.5s"}]`
	day    = `,"details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier","quotaValue":"50"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"12s"}]`
	none   = `,"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}]`
)

var failures = map[string]struct {
	answer
	kind model.Kind
	says string // in the error
	not  string // not in it
	wait time.Duration
}{
	"429":               {answer: answer{status: 429, body: told(429, "RESOURCE_EXHAUSTED", "Quota exceeded.", again)}, kind: model.RateLimit, says: "status 429: RESOURCE_EXHAUSTED: Quota exceeded.", wait: 46 * time.Second},
	"429 in words":      {answer: answer{status: 429, body: told(429, "RESOURCE_EXHAUSTED", "Quota exceeded for metric: x, limit: 15, model: y\nPlease retry in 46.25s.", "")}, kind: model.RateLimit, wait: 46250 * time.Millisecond},
	"429 of a minute":   {answer: answer{status: 429, body: told(429, "RESOURCE_EXHAUSTED", "Quota exceeded.", minute)}, kind: model.RateLimit, wait: 12500 * time.Millisecond},
	"429 of a day":      {answer: answer{status: 429, body: told(429, "RESOURCE_EXHAUSTED", "Quota exceeded.", day)}, kind: model.NoQuota},
	"429 with none":     {answer: answer{status: 429, body: told(429, "RESOURCE_EXHAUSTED", "Quota exceeded for metric: x, limit: 0, model: y\nPlease retry in 46s.", again)}, kind: model.NoQuota},
	"400":               {answer: answer{status: 400, body: told(400, "INVALID_ARGUMENT", "Bad field.", "")}, kind: model.Rejected, says: "INVALID_ARGUMENT: Bad field."},
	"400 of a key":      {answer: answer{status: 400, body: told(400, "INVALID_ARGUMENT", "API key not valid: "+secret, none)}, kind: model.Denied, says: "[secret]"},
	"401":               {answer: answer{status: 401, body: told(401, "UNAUTHENTICATED", "No.", "")}, kind: model.Denied},
	"403":               {answer: answer{status: 403, body: told(403, "PERMISSION_DENIED", "No.", "")}, kind: model.Denied},
	"404":               {answer: answer{status: 404, body: told(404, "NOT_FOUND", "models/gemini-x", "")}, kind: model.Rejected},
	"499":               {answer: answer{status: 499, body: told(499, "CANCELLED", "Gone.", "")}, kind: model.Rejected},
	"500":               {answer: answer{status: 500, body: told(500, "INTERNAL", "Oops.", "")}, kind: model.Server},
	"502 of a proxy":    {answer: answer{status: 502, body: "<html>Xxxxx</html>"}, kind: model.Server, says: "Bad Gateway", not: "Xxxxx"},
	"503":               {answer: answer{status: 503, body: told(503, "UNAVAILABLE", "Overloaded.", "")}, kind: model.Overloaded},
	"504":               {answer: answer{status: 504, body: told(504, "DEADLINE_EXCEEDED", "Slow.", "")}, kind: model.Server},
	"529":               {answer: answer{status: 529}, kind: model.Overloaded},
	"redirect":          {answer: answer{status: 307, header: map[string]string{"Location": "/v1/elsewhere"}}, kind: model.Rejected},
	"reset in the body": {answer: answer{body: `{"candidates":[{"content":{"parts":[{"text":"Xxxxx`, cut: true}, kind: model.Transport, not: "Xxxxx"},
	"broken JSON":       {answer: answer{body: `{"candidates":[{"content":{"parts":[{"text":"Xxxxx`}, kind: model.Malformed, says: "at byte", not: "Xxxxx"},
	"text":              {answer: answer{body: `Xxxxx yyyyy`}, kind: model.Malformed, not: "Xxxxx"},
	"empty":             {answer: answer{}, kind: model.Malformed, says: "empty"},
	"null":              {answer: answer{body: `null`}, kind: model.Malformed},
	"a list":            {answer: answer{body: `[{"candidates":[]}]`}, kind: model.Malformed},
	"no candidates":     {answer: answer{body: `{"candidates":[],"usageMetadata":{"promptTokenCount":3}}`}, kind: model.Malformed},
	"empty feedback":    {answer: answer{body: `{"promptFeedback":{"safetyRatings":[]}}`}, kind: model.Malformed},
	"candidates object": {answer: answer{body: `{"candidates":{"text":"Xxxxx"}}`}, kind: model.Malformed, not: "Xxxxx"}, // the client panics
	"candidates words":  {answer: answer{body: `{"candidates":["Xxxxx"]}`}, kind: model.Malformed, not: "Xxxxx"},
	"content a word":    {answer: answer{body: `{"candidates":[{"content":"Xxxxx","finishReason":"STOP"}]}`}, kind: model.Malformed, not: "Xxxxx"},
	"no finishReason":   {answer: answer{body: `{"candidates":[{"content":{"parts":[{"text":"Xxxxx"}]}}]}`}, kind: model.Malformed, not: "Xxxxx"},
	"error as 200":      {answer: answer{body: told(503, "UNAVAILABLE", "Overloaded.", "")}, kind: model.Overloaded},
}

func TestFailures(t *testing.T) {
	for name, c := range failures {
		t.Run(name, func(t *testing.T) {
			s, next := serve(t, c.answer)
			got, err := open(t, config(s, next)).Generate(t.Context(), ask)
			wantFailure(t, s, err, c.kind, c.answer)
			mustNotHold(t, got, err)
			if c.says != "" && !strings.Contains(err.Error(), c.says) || c.not != "" && strings.Contains(err.Error(), c.not) {
				t.Errorf("the error is %q, want %q in it and not %q", err, c.says, c.not)
			}
			e, _ := errors.AsType[*model.Error](err)
			if wait := e.Attempt.Rate.RetryAfter; c.wait != 0 && (wait == nil || *wait != c.wait) {
				t.Errorf("retry after %v, want %v", wait, c.wait)
			}
		})
	}
}

// The same statuses before a stream.
func TestStreamFailures(t *testing.T) {
	for name, c := range failures {
		if c.status < 300 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			s, next := serve(t, c.answer)
			_, pieces, err := gather(t.Context(), open(t, config(s, next)), ask)
			wantFailure(t, s, err, c.kind, c.answer)
			if pieces != "" {
				t.Errorf("pieces %q of a failure", pieces)
			}
		})
	}
	events := map[string]string{"Content-Type": "text/event-stream"}
	full := streamed([]string{"Xxxxx ", "yyyyy"}, "STOP", "")
	half := full[:strings.Index(full, "yyyyy")]
	for name, c := range map[string]struct {
		answer
		kind model.Kind
	}{
		"error as an event": {answer{header: events, body: full[:strings.LastIndex(full, "data:")] + `data: {"error":{"code":503,"message":"Overloaded.","status":"UNAVAILABLE"}}` + "\r\n\r\n"}, model.Overloaded},
		"error, bare":       {answer{header: events, body: `{"error":{"code":429,"message":"Slow down.","status":"RESOURCE_EXHAUSTED"}}` + "\n\n"}, model.RateLimit},
		"reset":             {answer{header: events, body: half, cut: true}, model.Transport},
		"ends early":        {answer{header: events, body: full[:strings.LastIndex(full, "data:")]}, model.Transport},
		"empty":             {answer{header: events}, model.Transport},
		"no JSON":           {answer{header: events, body: "data: {Xxxxx\n\n"}, model.Malformed},
		"no chunk":          {answer{header: events, body: "Xxxxx\n\n"}, model.Malformed},
		"candidates object": {answer{header: events, body: "data: {\"candidates\":{\"text\":\"Xxxxx\"}}\n\n"}, model.Malformed},
	} {
		t.Run(name, func(t *testing.T) {
			s, next := serve(t, c.answer)
			_, _, err := gather(t.Context(), open(t, config(s, next)), ask)
			wantFailure(t, s, err, c.kind, c.answer)
			if err != nil && strings.Contains(err.Error(), "Xxxxx") {
				t.Errorf("the error %q holds a piece of the reply", err)
			}
		})
	}
}

// wantFailure wants one request, its kind, and the body as far as it came.
func wantFailure(t *testing.T, s *server, err error, kind model.Kind, a answer) {
	t.Helper()
	e, ok := errors.AsType[*model.Error](err)
	if !ok || e.Kind != kind {
		t.Fatalf("got %v, want a failure of kind %s", err, kind)
	}
	status := a.status
	if status == 0 {
		status = 200
	}
	if e.Attempt.Status != status || string(e.Attempt.Raw) != a.body || !e.Attempt.At.Equal(epoch) {
		t.Errorf("attempt %d %q at %v, want %d %q", e.Attempt.Status, e.Attempt.Raw, e.Attempt.At, status, a.body)
	}
	if !strings.HasPrefix(err.Error(), "gemini gemini-x: ") || len(err.Error()) > 500 {
		t.Errorf("the error is %q", err)
	}
	if n := s.count(); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}

// A body that comes too slowly is a timeout of the attempt, not of the caller.
func TestTimeout(t *testing.T) {
	for _, way := range []string{"whole", "stream"} {
		t.Run(way, func(t *testing.T) {
			a := answer{body: `{"type":"mess`, trickle: true, header: map[string]string{}}
			if way == "stream" {
				a.header["Content-Type"] = "text/event-stream"
			}
			s, next := serve(t, a)
			c := config(s, next)
			c.Timeout = 50 * time.Millisecond
			var err error
			if way == "whole" {
				_, err = open(t, c).Generate(t.Context(), ask)
			} else {
				_, _, err = gather(t.Context(), open(t, c), ask)
			}
			wantFailure(t, s, err, model.Timeout, a)
			if errors.Is(err, context.DeadlineExceeded) {
				t.Error("the error reads as if the caller's time were over")
			}
		})
	}
}

// A caller that gives up gets its own error.
func TestCancel(t *testing.T) {
	for _, way := range []string{"whole", "stream"} {
		t.Run(way, func(t *testing.T) {
			s, next := serve(t, answer{body: `{"type":"mess`, trickle: true})
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				for s.count() == 0 {
					time.Sleep(time.Millisecond)
				}
				cancel()
			}()
			var err error
			if way == "whole" {
				_, err = open(t, config(s, next)).Generate(ctx, ask)
			} else {
				_, _, err = gather(ctx, open(t, config(s, next)), ask)
			}
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want the context's error", err)
			}
		})
	}
}

// No server at all.
func TestNoAnswer(t *testing.T) {
	s, next := serve(t, answer{})
	c := config(s, next)
	c.BaseURL = "http://127.0.0.1:1/"
	_, err := open(t, c).Generate(t.Context(), ask)
	e, ok := errors.AsType[*model.Error](err)
	if !ok || e.Kind != model.Transport || e.Attempt.Status != 0 || e.Attempt.Raw != nil {
		t.Errorf("got %v, want a failure of transport", err)
	}
}

var _ model.Streamer = (*gemini.Model)(nil)
