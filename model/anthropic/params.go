package anthropic

import (
	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// The versions of the API. The newer one takes neither temperature nor top_p,
// not even at their defaults; a request that pins one of them is sent in the
// older, which is the same otherwise for what is asked here. Which models take
// them there is the provider's to say: it answers 400 for the others, and
// nothing is left out in silence.
const (
	versionHeader       = "anthropic-version"
	version             = "2026-10-21"
	versionWithSampling = "2023-06-01"
)

// MaxTokens is the limit of a request that pins none: the API demands one.
const MaxTokens = 4096

// params are a request's, in the provider's form.
func (m *Model) params(req model.Request) (sdk.MessageNewParams, []option.RequestOption, error) {
	p := sdk.MessageNewParams{Model: sdk.Model(m.name), MaxTokens: MaxTokens}
	s := req.Sampling
	if s.Seed != nil {
		return p, nil, m.errorf("sampling: seed is no setting of this API (want it left out)")
	}
	if s.MaxTokens != nil {
		p.MaxTokens = int64(*s.MaxTokens)
	}
	if req.System != "" {
		p.System = []sdk.TextBlockParam{{Text: req.System}}
	}
	for _, t := range req.Messages {
		switch text := sdk.NewTextBlock(t.Text); t.Role {
		case uplift.User:
			p.Messages = append(p.Messages, sdk.NewUserMessage(text))
		case uplift.Assistant:
			p.Messages = append(p.Messages, sdk.NewAssistantMessage(text))
		default:
			return p, nil, m.errorf("messages: unknown role %q (want user or assistant)", t.Role)
		}
	}
	return p, m.options(s), nil
}

// options are what the provider's client has no field for.
func (m *Model) options(s model.Sampling) []option.RequestOption {
	var opts []option.RequestOption
	v := version
	if s.Temperature != nil {
		v, opts = versionWithSampling, append(opts, option.WithJSONSet("temperature", *s.Temperature))
	}
	if s.TopP != nil {
		v, opts = versionWithSampling, append(opts, option.WithJSONSet("top_p", *s.TopP))
	}
	if !m.own {
		opts = append(opts, option.WithHeader(versionHeader, v))
	}
	return opts
}
