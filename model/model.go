// Package model answers what a chat model is: one method, [Model.Generate].
//
// A provider is a package below this one; model/sim is a simulated model that
// needs no network. A request holds the operator's system prompt and the
// conversation, and nothing else: no tier, no condition, no task id.
package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	uplift "github.com/uplift-eval/uplift"
)

// Model is a chat model with a fixed identity: a provider, an endpoint and the
// id of the weights.
//
// The duties of an implementation:
//   - Generate is safe for concurrent use;
//   - it blocks until the reply is whole, and returns soon after ctx ends,
//     with an error for which errors.Is(err, ctx.Err()) holds;
//   - a refusal, a block and a token limit are replies with their Stop, not
//     errors; an error means that no reply came, or none that can be rated. The
//     Reply beside it holds at most the tokens that it took;
//   - an error is never an empty reply: with a nil error Stop is one of the
//     stops other than [uplift.StopError];
//   - it sends once: whoever calls it decides whether to send again, and does so
//     only on what an [*Error] calls temporary. A reply is never sent for again;
//   - it neither keeps nor changes the request.
type Model interface {
	Generate(ctx context.Context, req Request) (Reply, error)
}

// Streamer is a [Model] that can also deliver a reply in pieces. yield is
// called in order from one goroutine and stops the reply by returning false;
// the final Reply holds the whole text.
type Streamer interface {
	Model
	Stream(ctx context.Context, req Request, yield func(piece string) bool) (Reply, error)
}

// ErrNotSent is wrapped by an error of a model that sent nothing, such as one
// that has reached a limit: no record of the request may be kept, because
// asking again later is free and may succeed.
var ErrNotSent = errors.New("request not sent")

// Kind says how an attempt failed. The zero value is none.
type Kind string

// The kinds of failure.
const (
	Transport  Kind = "transport"  // no answer, or a body that broke off
	Timeout    Kind = "timeout"    // no answer in time, 408 among them
	RateLimit  Kind = "rate_limit" // 429
	NoQuota    Kind = "no_quota"   // 429 or 402 that waiting does not mend
	Overloaded Kind = "overloaded" // 529 or 503
	Server     Kind = "server"     // other 5xx
	Malformed  Kind = "malformed"  // a good status with a body that is none
	Unread     Kind = "unread"     // a whole reply that holds nothing to rate: paid for, and never asked for again
	Rejected   Kind = "rejected"   // other 4xx: the request itself is wrong
	Denied     Kind = "denied"     // 401 and 403: the key is
)

// Temporary reports whether sending the same request again may succeed.
func (k Kind) Temporary() bool {
	switch k {
	case Transport, Timeout, RateLimit, Overloaded, Server, Malformed:
		return true
	}
	return false
}

// Error is a failure after the request was sent. Its text holds no key and
// nothing of a model's reply.
type Error struct {
	Kind    Kind
	Attempt Attempt
	Err     error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Attempt is what one sent request tells beside its reply.
type Attempt struct {
	At      time.Time         // when it was sent
	Latency time.Duration     // until the body was whole, or the failure
	Status  int               // of HTTP; 0 when no answer came or none is spoken
	Headers map[string]string // rate limits and ids: names in lower case, no secret
	Raw     []byte            // the body as it came, whole or not; nil when there is none
	Rate    Rate
}

// RawHash is the SHA-256 of a body, 64 hex digits; empty for none.
func RawHash(raw []byte) string {
	if raw == nil {
		return ""
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// Rate is what a provider says of its limits. A nil field was not said.
type Rate struct {
	Requests, Tokens         *int           // allowed per period, as a rule a minute
	RequestsLeft, TokensLeft *int           // in this period
	RequestsIn, TokensIn     *time.Duration // until they are full again
	RetryAfter               *time.Duration // before the next request
}

// Request is one upstream request.
type Request struct {
	System    string           `json:"system,omitempty"` // the operator's prompt; empty for none
	Messages  []uplift.Message `json:"messages"`         // user and assistant turns, oldest first; the last is the user's
	Sampling  Sampling         `json:"sampling"`
	Replicate int              `json:"replicate"` // from 0: separate draws of an otherwise equal request
}

// Sampling holds the pinned settings of a model. A nil field is left to the
// provider's default.
type Sampling struct {
	Temperature *float64 `json:"temperature,omitempty" yaml:"temperature,omitempty"`
	TopP        *float64 `json:"top_p,omitempty" yaml:"top_p,omitempty"`
	MaxTokens   *int     `json:"max_tokens,omitempty" yaml:"max_tokens,omitempty"`
	Seed        *int64   `json:"seed,omitempty" yaml:"seed,omitempty"`
}

// Digest is the digest of an [uplift.Call]: SHA-256, 64 hex digits, over the
// name of the endpoint and the request. upstream names the model as the study
// pins it, so that equal requests to two endpoints differ.
func (r Request) Digest(upstream string) string {
	if r.Messages == nil {
		r.Messages = []uplift.Message{}
	}
	body, err := json.Marshal(r)
	if err != nil { // only a NaN or an infinity, which no JSON or YAML setting can hold
		panic("model: digest of a request: " + err.Error())
	}
	h := sha256.New()
	h.Write([]byte(strconv.Itoa(len(upstream)) + ":" + upstream))
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

// Reply is what a model answered.
type Reply struct {
	Text      string      // what a user of the API is shown; that of a refusal channel where there is no other
	Reasoning string      // what the model thought aloud, where the provider gives it
	Stop      uplift.Stop // never the zero value, never StopError
	Reason    string      // the provider's own word for Stop, verbatim; empty when it has none
	Details   string      // JSON: the provider's fields on refusals, filters and usage, verbatim; empty for none
	Version   string      // the model that the provider says answered
	RequestID string      // the provider's
	TokensIn  int         // all of the input; 0 when not reported
	TokensOut int         // all of the output, reasoning included
	Attempt   Attempt
}

// mostTokens is far more than any request takes.
const mostTokens = 1_000_000_000

// Tokens is a count as a provider reports it, or 0, not reported, where no
// request can have taken so many: a negative one would give money back to a
// budget, and a huge one would make sums of them overflow.
func Tokens(n int) int {
	if n < 0 || n > mostTokens {
		return 0
	}
	return n
}
