package anthropic_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/anthropic"
)

func told(kind, message string) string {
	return fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q},"request_id":"req_1"}`, kind, message)
}

func coded(kind, code string) string {
	return fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":"No.","details":{"error_code":%q}},"request_id":"req_1"}`, kind, code)
}

var failures = map[string]struct {
	answer
	kind model.Kind
	says string // in the error
	not  string // not in it
	wait time.Duration
}{
	"429": {answer: answer{status: 429, body: told("rate_limit_error", "Too many tokens a minute."), header: map[string]string{"retry-after": "30"}},
		kind: model.RateLimit, says: "status 429: rate_limit_error: Too many tokens", wait: 30 * time.Second},
	"429 spent":         {answer: answer{status: 429, body: coded("rate_limit_error", "enforced_spend_limit_reached")}, kind: model.NoQuota, says: "enforced_spend_limit_reached"},
	"402":               {answer: answer{status: 402, body: told("billing_error", "Pay first.")}, kind: model.NoQuota, says: "billing_error"},
	"400 spent":         {answer: answer{status: 400, body: told("invalid_request_error", "Your credit balance is too low to access the API.")}, kind: model.NoQuota},
	"400":               {answer: answer{status: 400, body: told("invalid_request_error", "temperature: not permitted")}, kind: model.Rejected, says: "temperature: not permitted"},
	"400 on hold":       {answer: answer{status: 400, body: coded("invalid_request_error", "organization_on_hold")}, kind: model.Denied},
	"401":               {answer: answer{status: 401, body: told("authentication_error", "invalid key "+secret)}, kind: model.Denied, says: "invalid key [secret]"},
	"403":               {answer: answer{status: 403, body: told("permission_error", "No.")}, kind: model.Denied},
	"404":               {answer: answer{status: 404, body: told("not_found_error", "model: claude-x")}, kind: model.Rejected},
	"408":               {answer: answer{status: 408, body: told("timeout_error", "Slow.")}, kind: model.Timeout},
	"409":               {answer: answer{status: 409, body: told("conflict_error", "Busy.")}, kind: model.Rejected},
	"413":               {answer: answer{status: 413, body: told("request_too_large", "Long.")}, kind: model.Rejected},
	"500":               {answer: answer{status: 500, body: told("api_error", "Oops.")}, kind: model.Server},
	"502 of a proxy":    {answer: answer{status: 502, body: "<html>Xxxxx</html>", header: map[string]string{"Content-Type": "text/html"}}, kind: model.Server, says: "Bad Gateway", not: "Xxxxx"},
	"503":               {answer: answer{status: 503}, kind: model.Overloaded},
	"529":               {answer: answer{status: 529, body: told("overloaded_error", "Overloaded")}, kind: model.Overloaded, says: "overloaded_error"},
	"redirect":          {answer: answer{status: 307, header: map[string]string{"Location": "/v1/elsewhere"}}, kind: model.Rejected},
	"reset in the body": {answer: answer{body: `{"type":"message","content":[{"type":"text","text":"Xxxxx`, cut: true}, kind: model.Transport, not: "Xxxxx"},
	"broken JSON":       {answer: answer{body: `{"type":"message","content":[{"type":"text","text":"Xxxxx`}, kind: model.Malformed, says: "at byte", not: "Xxxxx"},
	"text":              {answer: answer{body: `Xxxxx yyyyy`}, kind: model.Malformed, not: "Xxxxx"},
	"plain text":        {answer: answer{body: `Xxxxx yyyyy`, header: map[string]string{"Content-Type": "text/plain"}}, kind: model.Malformed, not: "Xxxxx"},
	"empty":             {answer: answer{}, kind: model.Malformed, says: "empty"},
	"null":              {answer: answer{body: `null`}, kind: model.Malformed},
	"a list":            {answer: answer{body: `[{"text":"Xxxxx"}]`}, kind: model.Malformed, not: "Xxxxx"},
	"no content":        {answer: answer{body: `{"type":"message","stop_reason":"end_turn","text":"Xxxxx"}`}, kind: model.Malformed, not: "Xxxxx"},
	"wrong content":     {answer: answer{body: `{"type":"message","stop_reason":"end_turn","content":"Xxxxx"}`}, kind: model.Malformed, not: "Xxxxx"},
	"no stop":           {answer: answer{body: `{"type":"message","content":[{"type":"text","text":"Xxxxx"}]}`}, kind: model.Malformed, not: "Xxxxx"},
	"error as 200":      {answer: answer{body: told("overloaded_error", "Overloaded")}, kind: model.Overloaded},
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
	full := streamed([][2]string{{"text", "Xxxxx yyyyy"}}, "end_turn", "null", "null")
	half := full[:strings.Index(full, "yyyyy")]
	for name, c := range map[string]struct {
		answer
		kind model.Kind
	}{
		"error in the middle": {answer{header: events, body: full[:strings.Index(full, "event: message_delta")] + "event: error\ndata: " + told("overloaded_error", "Overloaded") + "\n\n"}, model.Overloaded},
		"reset":               {answer{header: events, body: half, cut: true}, model.Transport},
		"ends early":          {answer{header: events, body: full[:strings.Index(full, "event: message_stop")]}, model.Transport},
		"empty":               {answer{header: events}, model.Transport},
		"no JSON":             {answer{header: events, body: "event: message_start\ndata: {Xxxxx\n\n"}, model.Malformed},
		"out of place":        {answer{header: events, body: "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":3,\"delta\":{\"type\":\"text_delta\",\"text\":\"Xxxxx\"}}\n\n"}, model.Malformed},
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
	if !strings.HasPrefix(err.Error(), "anthropic claude-x: ") || len(err.Error()) > 500 {
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

var _ model.Streamer = (*anthropic.Model)(nil)
