package run

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/uplift-eval/uplift/model"
)

// Wait says why a model is not asked faster at the moment.
type Wait struct {
	Model   string  `json:"model"`
	Why     string  `json:"why"`     // retry_after, window, requests, tokens, again, budget, disk or silent
	Seconds float64 `json:"seconds"` // until it goes on; of silent: since the last answer; 0: not known
	Text    string  `json:"text"`    // for people
}

// The reasons for a wait.
const (
	waitAsked    = "retry_after" // the provider asked to
	waitWindow   = "window"      // the provider's limit is used up, and is of a fixed window
	waitRequests = "requests"    // a limit of requests
	waitTokens   = "tokens"      // a limit of tokens
	waitAgain    = "again"       // requests that failed are sent again after a pause
	waitBudget   = "budget"      // what is in the air could take all the money
	waitDisk     = "disk"        // replies are not durable yet
	waitSilent   = "silent"      // requests are in the air, and no answer comes
)

// quiet is how long no answer may come before that is said.
const quiet = 10 * time.Second

// waits are the reasons of one endpoint, the one that holds most first.
func (e *endpoint) waits(now time.Time) []Wait {
	p := e.pace
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.why != nil {
		return nil // a reason of its own, which stands in Halts
	}
	var out []Wait
	say := func(why string, d time.Duration, format string, args ...any) {
		out = append(out, Wait{e.model, why, max(d.Seconds(), 0), fmt.Sprintf(format, args...)})
	}
	if p.waiting > 0 {
		if why, until := p.held(now, p.waiting); until.After(now) {
			d := until.Sub(now)
			say(why, d, "waits %s: %s", short(d), p.because(why))
		}
	}
	if n := e.poor.Load(); n > 0 {
		say(waitBudget, 0, "held back: budget (%s for the cost of what is in the air)", several(int(n), "request waits", "requests wait"))
	}
	if len(e.open) == cap(e.open) && p.flying < p.window && p.waiting == 0 {
		say(waitDisk, 0, "held back: replies wait for the disk")
	}
	if n := len(p.resting); n > 0 && p.flying == 0 && p.waiting == 0 { // nothing else is left to do
		d := p.next().Sub(now)
		say(waitAgain, d, "sends %s again, the next in %s, after %s", several(n, "request", "requests"), short(d), p.failure)
	}
	if d := now.Sub(p.heard); p.flying > 0 && d >= quiet {
		say(waitSilent, d, "no answer for %s, with %s in the air", short(d), several(p.flying, "request", "requests"))
	}
	return out
}

// because is why a request is held back, in words.
func (p *pacer) because(why string) string {
	switch why {
	case waitAsked:
		return "asked to (retry-after)"
	case waitWindow:
		return "the provider's limit is used up"
	case waitTokens:
		return p.tokens.words("tokens")
	}
	return p.requests.words("requests")
}

// words are a limit for people.
func (a *allowance) words(of string) string {
	who := "provider"
	if a.own {
		who = "study"
	}
	if w := a.wall; w.size > 0 {
		return fmt.Sprintf("the %s allows %s", who, often(w.rate, of))
	}
	return fmt.Sprintf("the %s allows %s a minute", who, several(a.minute.limit, strings.TrimSuffix(of, "s"), of))
}

// often writes a rate a second by the shortest span of time in which there are
// ten of them.
func often(rate float64, of string) string {
	for _, span := range []struct {
		seconds float64
		name    string
	}{{60, "a minute"}, {60 * 60, "an hour"}} {
		if n := rate * span.seconds; n >= 10 {
			return fmt.Sprintf("%.0f %s %s", n, of, span.name)
		}
	}
	return fmt.Sprintf("%.0f %s a day", rate*24*60*60, of)
}

// short writes a time in whole seconds, rounded up, and long ones in minutes.
func short(d time.Duration) string {
	if d < time.Minute {
		return strconv.Itoa(max(int(math.Ceil(d.Seconds())), 1)) + " s"
	}
	return strconv.Itoa(int(math.Ceil(d.Minutes()))) + " min"
}

func several(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// failed are the words for a failure after which a request is sent again.
func failed(k model.Kind) string {
	switch k {
	case model.RateLimit:
		return "a rate limit"
	case model.Overloaded:
		return "an overload"
	case model.Server:
		return "an error of the server"
	case model.Malformed:
		return "an answer that is none"
	case model.Timeout:
		return "no answer in time"
	}
	return "a broken connection"
}
