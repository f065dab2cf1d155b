package fakeprovider

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Fault is one way in which a provider spoils or changes a reply. The zero
// value is none.
type Fault string

// The faults. Those of a limit answer with status 429 (NoQuota of the Anthropic
// form: 402); those of a reply have status 200 unless the form has another way.
const (
	RateLimit           Fault = "429"             // in the style of the API that was asked
	RateLimitAnthropic  Fault = "429-anthropic"   // retry-after, and headers whose resets are moments
	RateLimitOpenAI     Fault = "429-openai"      // headers whose resets are durations
	RateLimitGemini     Fault = "429-gemini"      // RetryInfo in the body
	RateLimitWords      Fault = "429-words"       // "Please retry in" in the message alone
	RateLimitRetryAfter Fault = "429-retry-after" // that header alone
	RateLimitBare       Fault = "429-bare"        // not a word on how long
	NoQuota             Fault = "no-quota"        // waiting does not help

	Internal    Fault = "500"
	BadGateway  Fault = "502" // an HTML page, as of a proxy
	Unavailable Fault = "503"
	Overloaded  Fault = "529"

	Reset        Fault = "reset"         // the connection is reset before an answer
	ResetBody    Fault = "reset-body"    // and in mid-body
	Cut          Fault = "cut"           // the connection ends in mid-body without a reset
	Malformed    Fault = "malformed"     // a body, or one event, that is no JSON
	Empty        Fault = "empty"         // no body
	Trickle      Fault = "trickle"       // the whole body, a few bytes at a time
	Stall        Fault = "stall"         // half a body, and then nothing until the client goes
	ErrorMidway  Fault = "error-midway"  // an error event inside a stream; 500 to a client that does not stream
	Refusal      Fault = "refusal"       // the API's refusal; words of its own where it has none
	PromptBlock  Fault = "prompt-block"  // the prompt is not let through
	OutputFilter Fault = "output-filter" // the reply is held back, or broken off
	TokenLimit   Fault = "token-limit"   // the reply ends early
	NoChoices    Fault = "no-choices"    // a reply without an answer in it
	Unknown      Fault = "unknown"       // a reason to stop that nobody knows yet
	Huge         Fault = "huge"          // far more text than was asked for
)

// Faults lists every fault, in the order in which a draw meets them.
func Faults() []Fault {
	return []Fault{RateLimit, RateLimitAnthropic, RateLimitOpenAI, RateLimitGemini, RateLimitWords,
		RateLimitRetryAfter, RateLimitBare, NoQuota, Internal, BadGateway, Unavailable, Overloaded,
		Reset, ResetBody, Cut, Malformed, Empty, Trickle, Stall, ErrorMidway, Refusal, PromptBlock,
		OutputFilter, TokenLimit, NoChoices, Unknown, Huge}
}

// ParseFault reads a fault's name.
func ParseFault(s string) (Fault, error) {
	if f := Fault(s); slices.Contains(Faults(), f) {
		return f, nil
	}
	return "", fmt.Errorf("unknown fault %q (want one of %s)", s, names())
}

func names() string {
	var all []string
	for _, f := range Faults() {
		all = append(all, string(f))
	}
	return strings.Join(all, ", ")
}

// ParseChances reads faults with their probabilities, each as "NAME=P".
func ParseChances(list []string) (map[Fault]float64, error) {
	chances, sum := map[Fault]float64{}, 0.0
	for _, s := range list {
		name, share, _ := strings.Cut(s, "=")
		f, err := ParseFault(name)
		if err != nil {
			return nil, err
		}
		p, err := strconv.ParseFloat(share, 64)
		if err != nil || !(p >= 0 && p <= 1) {
			return nil, fmt.Errorf("fault %s: %q (want NAME=P with P from 0 to 1)", name, s)
		}
		if _, twice := chances[f]; twice {
			return nil, fmt.Errorf("fault %s stands twice", name)
		}
		chances[f] = p
		sum += p
	}
	if sum > 1+1e-9 {
		return nil, fmt.Errorf("the faults' probabilities add up to %v (want 1 at most)", sum)
	}
	return chances, nil
}

// draw decides what goes wrong with the nth copy (from 1) of a request.
func (o Options) draw(request digest, n int) Fault {
	if len(o.Faults) == 0 {
		return ""
	}
	g := source(binary.LittleEndian.Uint64(request[:]) ^ o.Seed*0x9e3779b97f4a7c15 ^ uint64(n)*0xd1342543de82ef95)
	g.next()
	u := float64(g.next()>>11) / (1 << 53)
	for _, f := range Faults() {
		if u -= o.Faults[f]; u < 0 {
			return f
		}
	}
	return ""
}

// well reports whether a client that got a reply with this fault whole has what
// it paid for.
func (f Fault) well() bool {
	switch f {
	case "", Trickle, Refusal, PromptBlock, OutputFilter, TokenLimit, Unknown, Huge:
		return true
	}
	return false
}

// source is a small generator of numbers (splitmix64): fast, and good enough to
// choose sentences and faults.
type source uint64

func (s *source) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is a number from 0 to n-1.
func (s *source) below(n int) int { return int(s.next() % uint64(n)) }
