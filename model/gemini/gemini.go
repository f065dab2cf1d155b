// Package gemini answers how a model behind generateContent of the Gemini API
// replies, through the provider's own client.
//
// The client would continue a reply by a second, billed request, take its key,
// base URL and backend from the environment, and drop the body and headers of
// an error and some fields of a reply. So every such setting is pinned, the
// client sends, and what is read is the body as it crossed the wire.
package gemini

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"google.golang.org/genai"

	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/wire"
)

// BaseURL is the provider's own endpoint, and APIVersion the version asked for.
const (
	BaseURL    = "https://generativelanguage.googleapis.com/"
	APIVersion = "v1beta"
)

// Timeout is the default of one attempt.
const Timeout = 10 * time.Minute

// Safety is the threshold of the provider's own adjustable filters, in its
// words: the same one for each category of text.
type Safety string

// The thresholds. With Off the filters do not run, which is the base model with
// as little guard as the provider allows; with BlockNone they rate and do not
// block. Filters that no setting reaches stay on.
const (
	Off                 Safety = "OFF"
	BlockNone           Safety = "BLOCK_NONE"
	BlockOnlyHigh       Safety = "BLOCK_ONLY_HIGH"
	BlockMediumAndAbove Safety = "BLOCK_MEDIUM_AND_ABOVE"
	BlockLowAndAbove    Safety = "BLOCK_LOW_AND_ABOVE"
)

var thresholds = []Safety{Off, BlockNone, BlockOnlyHigh, BlockMediumAndAbove, BlockLowAndAbove}

// Config names an endpoint and a model. Model and Now are required.
type Config struct {
	Model   string
	BaseURL string            // without the version; empty for [BaseURL]
	Key     string            // empty for none
	Headers map[string]string // sent with every request
	HTTP    http.RoundTripper // nil for [wire.Transport]
	Now     func() time.Time
	Timeout time.Duration // of one attempt; 0 for [Timeout]
	Safety  Safety        // empty for [Off]
}

// Model is one model at one endpoint. It is safe for concurrent use.
type Model struct {
	name   string
	client *genai.Client
	line   wire.Line
	safety Safety
}

var _ model.Streamer = (*Model)(nil)

// noKey stands for a key where there is none: without one the client would
// look for another in the environment.
const noKey = "none"

// New makes a model. It sends nothing.
func New(c Config) (*Model, error) {
	if c.Model == "" || c.Now == nil {
		return nil, errors.New("gemini: a name of a model and a clock are needed (want both)")
	}
	c.BaseURL, c.Timeout, c.Safety = cmp.Or(c.BaseURL, BaseURL), cmp.Or(c.Timeout, Timeout), cmp.Or(c.Safety, Off)
	if err := wire.CheckURL(c.BaseURL); err != nil {
		return nil, fmt.Errorf("gemini %s: %w", c.Model, err)
	}
	if !slices.Contains(thresholds, c.Safety) {
		return nil, fmt.Errorf("gemini %s: safety: unknown value %q (want one of %v)", c.Model, c.Safety, thresholds)
	}
	headers := http.Header{}
	for name, value := range c.Headers {
		headers.Set(name, value)
	}
	client, err := genai.NewClient(context.Background(), &genai.ClientConfig{
		APIKey:     cmp.Or(c.Key, noKey),
		Backend:    genai.BackendGeminiAPI,
		HTTPClient: wire.Client(c.HTTP, c.Now),
		HTTPOptions: genai.HTTPOptions{BaseURL: c.BaseURL, APIVersion: APIVersion, Headers: headers,
			RetryOptions: nil}, // which is one attempt
	})
	if err != nil { // its text holds the whole configuration, with the key
		return nil, fmt.Errorf("gemini %s: the provider's client refuses its settings", c.Model)
	}
	return &Model{name: c.Model, client: client, safety: c.Safety,
		line: wire.Line{Where: "gemini " + c.Model, Secrets: wire.Secrets(c.Key, c.Headers), Timeout: c.Timeout}}, nil
}

// Generate asks for a reply and waits for the whole of it.
func (m *Model) Generate(ctx context.Context, req model.Request) (model.Reply, error) {
	contents, config, err := m.params(req)
	if err != nil {
		return model.Reply{}, err
	}
	watched, seen, done := m.line.Open(ctx)
	defer done()
	if err := m.ask(watched, contents, config); err != nil {
		return model.Reply{}, m.line.Failure(ctx, seen, err)
	}
	return m.read(seen, [][]byte{seen.Attempt().Raw}, true)
}

// errBody stands for a body on which the client panicked.
var errBody = errors.New("the body is none of this API")

// ask sends. The client asserts the types of what it decodes: a body in a form
// of its own would end the process, and with it a run.
func (m *Model) ask(ctx context.Context, contents []*genai.Content, config *genai.GenerateContentConfig) (err error) {
	defer func() {
		if recover() != nil {
			err = errBody
		}
	}()
	_, err = m.client.Models.GenerateContent(ctx, m.name, contents, config)
	return err
}

// Stream asks for a reply in pieces of text. What the model thinks aloud is in
// the reply and not among the pieces.
func (m *Model) Stream(ctx context.Context, req model.Request, yield func(string) bool) (model.Reply, error) {
	contents, config, err := m.params(req)
	if err != nil {
		return model.Reply{}, err
	}
	watched, seen, done := m.line.Open(ctx)
	defer done()
	left, err := m.follow(watched, contents, config, yield)
	raw := seen.Attempt().Raw
	told := toldInside(raw)
	switch {
	case left:
		return model.Reply{}, m.line.Stopped(seen)
	case ctx.Err() == nil && seen.Attempt().Status/100 == 2 && told != nil:
		return model.Reply{}, m.line.Said(seen, *told)
	case err != nil:
		return model.Reply{}, m.line.Failure(ctx, seen, err)
	}
	return m.read(seen, chunks(raw), false)
}

// follow hands on the pieces of a stream; left says that its reader had enough.
func (m *Model) follow(ctx context.Context, contents []*genai.Content, config *genai.GenerateContentConfig, yield func(string) bool) (left bool, err error) {
	inside := false // yield's own panic is not ours to hide
	defer func() {
		if p := recover(); p != nil {
			if inside {
				panic(p)
			}
			err = errBody
		}
	}()
	for part, err := range m.client.Models.GenerateContentStream(ctx, m.name, contents, config) {
		if err != nil {
			return false, err
		}
		for _, piece := range pieces(part) {
			inside = true
			more := yield(piece)
			inside = false
			if !more {
				return true, nil
			}
		}
	}
	return false, nil
}

// pieces are the texts of one part of a stream, thoughts left out.
func pieces(r *genai.GenerateContentResponse) []string {
	var out []string
	if len(r.Candidates) == 0 || r.Candidates[0] == nil || r.Candidates[0].Content == nil {
		return nil
	}
	for _, p := range r.Candidates[0].Content.Parts {
		if p != nil && p.Text != "" && !p.Thought {
			out = append(out, p.Text)
		}
	}
	return out
}

func (m *Model) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: "+format, append([]any{m.line.Where}, args...)...)
}
