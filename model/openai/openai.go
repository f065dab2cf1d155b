// Package openai answers how a server of OpenAI's two chat forms replies: chat
// completions, which many servers speak, and Responses.
//
// One request takes five steps:
//
//  1. host.go tells from the base URL what kind of server it is;
//  2. request.go turns a request into the SDK's, with every setting explicit;
//  3. the SDK sends it once, and model/wire notes what comes;
//  4. chat.go and responses.go read the bytes that came, as leniently as other
//     people's forms need, whole or as a stream;
//  5. failure.go tells a block, which is a reply, from a failure.
//
// What is sent differs by the kind of server:
//
//	                     api.openai.com           Azure                    any other
//	key                  authorization: Bearer    api-key                  authorization: Bearer
//	token limit (chat)   max_completion_tokens    max_completion_tokens    max_tokens
//	n (chat)             1                        1                        1
//	store                false                    false with Responses     false with Responses
//	service_tier         default                  -                        -
//	truncation           disabled (Responses)     -                        -
//
// OpenAI's own reasoning models refuse max_tokens, and other servers know
// nothing else; none of them gets both. A service tier that is not named is
// chosen by the project's settings, which no study pins: so it is named, but only
// to the server that knows the field. Responses takes no seed: a request with
// one is not sent.
//
// A reply's stop is read from finish_reason, or from status and
// incomplete_details. stop ends a reply, and so does a reason that is missing; length
// is a token limit; content_filter blocks the output and keeps the part that came. A
// reason that is not known, or asks for a tool that nobody offered, stands in Reason
// as it came, and its text counts as cut off, since nobody knows that it is whole;
// without any text it is a failure. A text in the field for refusals is a refusal,
// whatever the reason says, but for a filter. Errors that name a policy or a filter
// (status 400, 403 or 422, or inside a reply) are blocks of the prompt, or of the
// output when text had begun.
package openai

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/wire"
)

// The forms that a server speaks.
const (
	Chat      = "chat"      // chat completions
	Responses = "responses" // Responses
)

// Timeout is the default of one request.
const Timeout = 10 * time.Minute

// Config says which model is asked, and where. Nothing comes from the
// environment.
type Config struct {
	Model   string
	API     string            // Chat or Responses; empty for Chat
	BaseURL string            // empty for DefaultBaseURL; a query goes along with every request
	Key     string            // empty for a server that wants none
	Headers map[string]string // sent beside the usual ones
	HTTP    http.RoundTripper // nil for one of its own that knows no proxy
	Now     func() time.Time
	Timeout time.Duration // of one request, until the body is whole; 0 for [Timeout]
}

// Model is one model at one endpoint. It is safe for concurrent use.
type Model struct {
	name, api string
	host      host
	line      wire.Line
	chat      sdk.ChatCompletionService
	responses responses.ResponseService
}

var _ model.Streamer = (*Model)(nil)

// New checks a configuration. It sends nothing.
func New(c Config) (*Model, error) {
	switch {
	case c.Model == "":
		return nil, errors.New("openai: model: is missing (want the server's name of the model)")
	case c.API == "":
		c.API = Chat
	case c.API != Chat && c.API != Responses:
		return nil, fmt.Errorf("openai: API: unknown value %q (want %s or %s)", c.API, Chat, Responses)
	}
	if c.Now == nil {
		return nil, errors.New("openai: clock: is missing")
	}
	base, query, err := parseBase(c.BaseURL)
	if err != nil {
		return nil, err
	}
	m := &Model{name: c.Model, api: c.API, host: hostOf(base), line: wire.Line{
		Where: "openai " + c.Model, Timeout: cmp.Or(c.Timeout, Timeout),
		Secrets: wire.Secrets(c.Key, c.Headers),
	}}
	// The services, unlike the SDK's client, read nothing from the environment.
	opts := m.options(c, base, query)
	m.chat, m.responses = sdk.NewChatCompletionService(opts...), responses.NewResponseService(opts...)
	return m, nil
}

func (m *Model) options(c Config, base *url.URL, query url.Values) []option.RequestOption {
	opts := []option.RequestOption{
		option.WithBaseURL(base.String()), option.WithHTTPClient(wire.Client(c.HTTP, c.Now)), option.WithMaxRetries(0),
	}
	switch {
	case c.Key == "":
	case m.host == azure:
		opts = append(opts, option.WithHeader("api-key", c.Key))
	default:
		opts = append(opts, option.WithAPIKey(c.Key))
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		for _, value := range query[name] {
			opts = append(opts, option.WithQueryAdd(name, value))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Headers)) {
		opts = append(opts, option.WithHeader(name, c.Headers[name]))
	}
	return opts
}

// Generate asks once.
func (m *Model) Generate(ctx context.Context, req model.Request) (model.Reply, error) {
	watched, seen, done := m.line.Open(ctx)
	defer done()
	var body []byte
	if err := m.send(watched, req, false, option.WithResponseBodyInto(&body)); err != nil {
		return m.failed(ctx, seen, err)
	}
	r, err := readStream(m.api, bytes.NewReader(body), all)
	return m.finish(ctx, seen, r, err)
}

// all takes every piece.
func all(string) bool { return true }

// Stream asks once and yields the text as it comes. A refusal comes in one piece.
func (m *Model) Stream(ctx context.Context, req model.Request, yield func(piece string) bool) (model.Reply, error) {
	watched, seen, done := m.line.Open(ctx)
	defer done()
	var resp *http.Response
	if err := m.send(watched, req, true, option.WithResponseBodyInto(&resp)); err != nil {
		return m.failed(ctx, seen, err)
	}
	defer resp.Body.Close()
	r, err := readStream(m.api, resp.Body, yield)
	return m.finish(ctx, seen, r, err)
}

func (m *Model) send(ctx context.Context, req model.Request, stream bool, opt option.RequestOption) error {
	if m.api == Responses {
		params, err := m.responsesRequest(req, stream)
		if err != nil {
			return err
		}
		_, err = m.responses.New(ctx, params, opt)
		return err
	}
	params, err := m.chatRequest(req, stream)
	if err != nil {
		return err
	}
	_, err = m.chat.New(ctx, params, opt)
	return err
}

// failed reads an error of the SDK: a block is a reply.
func (m *Model) failed(ctx context.Context, seen *wire.Seen, err error) (model.Reply, error) {
	if errors.Is(err, model.ErrNotSent) {
		return model.Reply{}, err
	}
	a := seen.Attempt()
	if r, ok := refused(a.Status, a.Raw); ok && ctx.Err() == nil {
		return about(r, a), nil
	}
	return model.Reply{}, m.line.Failure(ctx, seen, err)
}

// finish adds to a reply what is known of its attempt, or names a failure.
func (m *Model) finish(ctx context.Context, seen *wire.Seen, r model.Reply, err error) (model.Reply, error) {
	if err == nil {
		if a := seen.Attempt(); a.Status < 300 { // else a body that says nothing of its status, such as a redirect's
			return about(r, a), nil
		}
		err = broken("is no reply")
	}
	switch e := err.(type) {
	case left:
		return model.Reply{}, m.line.Stopped(seen)
	case cut:
		return model.Reply{}, m.line.Cut(seen, e.Error())
	case unread:
		return model.Reply{}, m.line.Unread(seen, "finish_reason", string(e))
	case told:
		return model.Reply{}, e.as(m.line.Said(seen, e.Problem))
	case broken:
		if a := seen.Attempt(); a.Status < 300 && ctx.Err() == nil {
			return model.Reply{}, m.line.Broken(seen, string(e))
		}
	}
	return model.Reply{}, m.line.Failure(ctx, seen, err)
}

// about adds what an attempt tells of its reply.
func about(r model.Reply, a model.Attempt) model.Reply {
	for _, name := range []string{"x-request-id", "apim-request-id", "x-ms-request-id", "request-id"} {
		if id := a.Headers[name]; id != "" {
			r.RequestID = id
			break
		}
	}
	r.Attempt = a
	return r
}
