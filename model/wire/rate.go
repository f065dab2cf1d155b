package wire

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/uplift-eval/uplift/model"
)

// ParseRate reads what the headers of an answer say of limits, at the moment
// now. It knows Anthropic's (an RFC 3339 time of the reset), OpenAI's (a
// duration until it) and those of Azure, which writes -1 or 0 for a limit that
// it does not tell. What cannot be read was not said.
func ParseRate(h http.Header, now time.Time) model.Rate {
	r := model.Rate{RetryAfter: retryAfter(h, now)}
	for _, of := range []string{"requests", "tokens", "input-tokens"} { // tokens is the tightest of those in force
		limit, left := count(h, "anthropic-ratelimit-"+of+"-limit"), count(h, "anthropic-ratelimit-"+of+"-remaining")
		fill(&r, of, limit, left, until(h.Get("anthropic-ratelimit-"+of+"-reset"), now))
	}
	for _, of := range []string{"requests", "tokens"} {
		limit, left := count(h, "x-ratelimit-limit-"+of), count(h, "x-ratelimit-remaining-"+of)
		fill(&r, of, limit, left, duration(h.Get("x-ratelimit-reset-"+of)))
	}
	return r
}

// fill takes the first complete statement on requests, and on tokens.
func fill(r *model.Rate, of string, limit, left *int, in *time.Duration) {
	if limit != nil && *limit <= 0 {
		return // Azure's way to say nothing: a 0 that remains of it says nothing either
	}
	if left != nil && *left < 0 {
		left = nil
	}
	if of == "requests" {
		if r.Requests == nil && r.RequestsLeft == nil && r.RequestsIn == nil {
			r.Requests, r.RequestsLeft, r.RequestsIn = limit, left, in
		}
		return
	}
	if r.Tokens == nil && r.TokensLeft == nil && r.TokensIn == nil {
		r.Tokens, r.TokensLeft, r.TokensIn = limit, left, in
	}
}

// retryAfter reads the finest statement first.
func retryAfter(h http.Header, now time.Time) *time.Duration {
	for _, name := range []string{"retry-after-ms", "x-ms-retry-after-ms"} {
		if d := number(h.Get(name), time.Millisecond); d != nil {
			return d
		}
	}
	v := h.Get("retry-after")
	if d := number(v, time.Second); d != nil {
		return d
	}
	if t, err := http.ParseTime(v); err == nil {
		return notBefore(t.Sub(now))
	}
	return nil
}

func count(h http.Header, name string) *int {
	n, err := strconv.Atoi(strings.TrimSpace(h.Get(name)))
	if err != nil {
		return nil
	}
	return &n
}

func until(s string, now time.Time) *time.Duration {
	t, err := time.Parse(time.RFC3339, strings.TrimSpace(s))
	if err != nil {
		return nil
	}
	return notBefore(t.Sub(now))
}

// duration reads "12ms" and "6m0s", and a bare number as seconds.
func duration(s string) *time.Duration {
	if d := spelt(s); d != nil {
		return d
	}
	return number(s, time.Second)
}

// spelt reads a duration with its units.
func spelt(s string) *time.Duration {
	d, err := time.ParseDuration(strings.TrimSpace(s))
	if err != nil || d < 0 || d > longest {
		return nil
	}
	return &d
}

// longest is more than any provider asks to wait; what is beyond it is a slip.
const longest = 366 * 24 * time.Hour

func number(s string, unit time.Duration) *time.Duration {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(f >= 0) || f > float64(longest/unit) {
		return nil
	}
	d := time.Duration(math.Round(f * float64(unit)))
	return &d
}

func notBefore(d time.Duration) *time.Duration {
	d = max(d, 0) // a time that has passed by our clock asks for no wait
	return &d
}
