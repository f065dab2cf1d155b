package fakeprovider

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"
)

// seconds writes a wait as a number of seconds, such as 0.25.
func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// style is the fault that a plain 429 means in a form.
func style(f form) Fault {
	switch f.(type) {
	case anthropic:
		return RateLimitAnthropic
	case gemini:
		return RateLimitGemini
	}
	return RateLimitOpenAI
}

// limited is the answer to a request over a limit: headers, and the problem.
// A wait in a header named retry-after is in whole seconds, rounded up.
func (o Options) limited(f form, style Fault, h http.Header) problem {
	p := problem{status: http.StatusTooManyRequests, wait: o.Wait, message: "Rate limit reached. Please slow down."}
	whole := strconv.Itoa(int(math.Ceil(o.Wait.Seconds())))
	rate := func(what string) string {
		per := cmp.Or(o.Rate, 50)
		if what != "Requests" {
			per *= 800 // tokens of a request
		}
		return strconv.Itoa(per)
	}
	switch style {
	case RateLimitAnthropic:
		h.Set("Retry-After", whole)
		reset := o.now().Add(o.Wait).UTC().Format(time.RFC3339)
		for _, what := range []string{"Requests", "Tokens", "Input-Tokens", "Output-Tokens"} {
			h.Set("Anthropic-Ratelimit-"+what+"-Limit", rate(what))
			h.Set("Anthropic-Ratelimit-"+what+"-Remaining", "0")
			h.Set("Anthropic-Ratelimit-"+what+"-Reset", reset)
		}
	case RateLimitOpenAI:
		for _, what := range []string{"Requests", "Tokens"} {
			h.Set("X-Ratelimit-Limit-"+what, rate(what))
			h.Set("X-Ratelimit-Remaining-"+what, "0")
			h.Set("X-Ratelimit-Reset-"+what, o.Wait.String())
		}
		p.message = fmt.Sprintf("Rate limit reached for requests. Please try again in %s.", o.Wait)
	case RateLimitGemini:
		p.info = true
		p.message = fmt.Sprintf("You exceeded your current quota. Please retry in %ss.", seconds(o.Wait))
	case RateLimitWords:
		p.message = fmt.Sprintf("You exceeded your current quota. Please retry in %ss.", seconds(o.Wait))
	case RateLimitRetryAfter:
		h.Set("Retry-After", whole)
	case NoQuota:
		p.quota, p.wait = true, 0
		p.message = "You exceeded your current quota, limit: 0. Please check your plan and billing details."
		if _, ok := f.(anthropic); ok {
			p.status, p.message = http.StatusPaymentRequired, "Your credit balance is too low to access the API."
		}
	}
	return p
}
