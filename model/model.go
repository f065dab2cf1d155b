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
//     errors; an error means that no reply came;
//   - an error is never an empty reply: with a nil error Stop is one of the
//     stops other than [uplift.StopError];
//   - it retries transport failures itself and says in Reply.Attempts how
//     often it sent; an error carries the count as an [*Error];
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

// Error is a failure after the request was sent.
type Error struct {
	Attempts int // requests sent, at least 1
	Err      error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

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
	Text      string
	Stop      uplift.Stop // never the zero value, never StopError
	TokensIn  int         // 0 when not reported
	TokensOut int
	RawHash   string // SHA-256 of the provider's body, 64 hex digits; empty when there is none
	Attempts  int    // requests sent; 0 counts as 1
}
