// Package anthropic answers how a model behind the Messages API of Anthropic
// replies, through the provider's own client.
//
// What the client would take from the environment, add or decide by itself is
// pinned: its base URL, key, headers, telemetry and retries. It is asked for one
// message with text and nothing else: no tools, no thinking, no beta features,
// so that no second model can answer in the place of the first.
package anthropic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/wire"
)

// BaseURL is the provider's own endpoint.
const BaseURL = "https://api.anthropic.com/"

// Timeout is the default of one attempt: what the provider advises.
const Timeout = 10 * time.Minute

// Config names an endpoint and a model. Model and Now are required.
type Config struct {
	Model   string
	BaseURL string            // without v1/messages; empty for [BaseURL]
	Key     string            // empty for none
	Headers map[string]string // sent with every request, over the client's own
	HTTP    http.RoundTripper // nil for [wire.Transport]
	Now     func() time.Time
	Timeout time.Duration // of one attempt; 0 for [Timeout]
}

// Model is one model at one endpoint. It is safe for concurrent use.
type Model struct {
	name     string
	messages sdk.MessageService
	line     wire.Line
	own      bool // the caller's headers pin the version of the API
}

var _ model.Streamer = (*Model)(nil)

// New makes a model. It sends nothing.
func New(c Config) (*Model, error) {
	if c.Model == "" || c.Now == nil {
		return nil, errors.New("anthropic: a name of a model and a clock are needed (want both)")
	}
	c.BaseURL, c.Timeout = cmp.Or(c.BaseURL, BaseURL), cmp.Or(c.Timeout, Timeout)
	if err := wire.CheckURL(c.BaseURL); err != nil {
		return nil, fmt.Errorf("anthropic %s: %w", c.Model, err)
	}
	opts := []option.RequestOption{
		option.WithoutEnvironmentDefaults(),
		option.WithoutOpenTelemetry(),
		option.WithBaseURL(c.BaseURL),
		option.WithHTTPClient(wire.Client(c.HTTP, c.Now)),
		option.WithMaxRetries(0),
		// Without a time limit of ours the client refuses by itself what it expects
		// to last more than ten minutes, before anything is sent. The attempt's own
		// limit ends no later and so is the one that is felt.
		option.WithRequestTimeout(c.Timeout),
	}
	if c.Key != "" {
		opts = append(opts, option.WithAPIKey(c.Key))
		if c.BaseURL != BaseURL {
			// Servers that copy the API read the older of its two headers, or both.
			opts = append(opts, option.WithHeader("x-api-key", c.Key))
		}
	}
	m := &Model{name: c.Model, line: wire.Line{Where: "anthropic " + c.Model, Secrets: wire.Secrets(c.Key, c.Headers), Timeout: c.Timeout}}
	for _, name := range slices.Sorted(maps.Keys(c.Headers)) {
		opts = append(opts, option.WithHeader(name, c.Headers[name]))
		m.own = m.own || strings.EqualFold(name, versionHeader)
	}
	m.messages = sdk.NewClient(opts...).Messages
	return m, nil
}

// Generate asks for a message and waits for the whole of it.
func (m *Model) Generate(ctx context.Context, req model.Request) (model.Reply, error) {
	params, opts, err := m.params(req)
	if err != nil {
		return model.Reply{}, err
	}
	watched, seen, done := m.line.Open(ctx)
	defer done()
	message, err := m.messages.New(watched, params, opts...)
	if err != nil || message == nil || seen.Attempt().Status/100 != 2 { // nil: the body is null
		return model.Reply{}, m.line.Failure(ctx, seen, err)
	}
	return m.read(seen, message.RawJSON())
}

// Stream asks for a message in pieces of text. What the model thinks aloud is
// in the reply and not among the pieces.
func (m *Model) Stream(ctx context.Context, req model.Request, yield func(string) bool) (model.Reply, error) {
	params, opts, err := m.params(req)
	if err != nil {
		return model.Reply{}, err
	}
	watched, seen, done := m.line.Open(ctx)
	defer done()
	stream := m.messages.NewStreaming(watched, params, opts...)
	defer func() { _ = stream.Close() }()
	var message sdk.Message
	whole := false
	for stream.Next() {
		event := stream.Current()
		if err := message.Accumulate(event); err != nil {
			return model.Reply{}, m.line.Broken(seen, "has an event out of its place")
		}
		whole = whole || event.Type == "message_stop"
		if piece := event.Delta.Text; event.Type == "content_block_delta" && piece != "" && !yield(piece) {
			return model.Reply{}, m.line.Stopped(seen)
		}
	}
	err = stream.Err()
	told, isTold := errors.AsType[*sdk.Error](err)
	switch {
	case ctx.Err() == nil && isTold && told.StatusCode/100 == 2: // an event of the type error
		return model.Reply{}, m.line.Said(seen, wire.ParseProblem([]byte(told.RawJSON())))
	case err != nil || seen.Attempt().Status/100 != 2:
		return model.Reply{}, m.line.Failure(ctx, seen, err)
	case !whole:
		return model.Reply{}, m.line.Cut(seen, "the stream ended before message_stop")
	}
	return m.read(seen, message.RawJSON())
}

func (m *Model) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: "+format, append([]any{m.line.Where}, args...)...)
}
