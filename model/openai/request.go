package openai

import (
	"fmt"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// notSent is the error of a request that cannot be sent as it is meant.
func (m *Model) notSent(format string, args ...any) error {
	return fmt.Errorf("%s: %s: %w", m.line.Where, fmt.Sprintf(format, args...), model.ErrNotSent)
}

func (m *Model) chatRequest(req model.Request, stream bool) (p sdk.ChatCompletionNewParams, err error) {
	p.Model, p.N = m.name, sdk.Int(1)
	if req.System != "" {
		p.Messages = append(p.Messages, sdk.SystemMessage(req.System))
	}
	for _, msg := range req.Messages {
		switch msg.Role {
		case uplift.User:
			p.Messages = append(p.Messages, sdk.UserMessage(msg.Text))
		case uplift.Assistant:
			p.Messages = append(p.Messages, sdk.AssistantMessage(msg.Text))
		default:
			return p, m.notSent("a message of the role %q (want user or assistant)", msg.Role)
		}
	}
	p.Temperature, p.TopP, p.Seed = optional(req.Sampling.Temperature), optional(req.Sampling.TopP), optional(req.Sampling.Seed)
	if limit := whole(req.Sampling.MaxTokens); m.host == compatible {
		p.MaxTokens = limit
	} else {
		p.MaxCompletionTokens = limit
	}
	if m.host == official {
		p.ServiceTier, p.Store = sdk.ChatCompletionNewParamsServiceTierDefault, sdk.Bool(false)
	}
	if stream {
		p.StreamOptions.IncludeUsage = sdk.Bool(true)
		p.SetExtraFields(map[string]any{"stream": true})
	}
	return p, nil
}

func (m *Model) responsesRequest(req model.Request, stream bool) (p responses.ResponseNewParams, err error) {
	if req.Sampling.Seed != nil {
		return p, m.notSent("Responses takes no seed (want the API %s, or no seed)", Chat)
	}
	p.Model, p.Store = m.name, sdk.Bool(false)
	if req.System != "" {
		p.Instructions = sdk.String(req.System)
	}
	for _, msg := range req.Messages {
		role := responses.EasyInputMessageRoleUser
		switch msg.Role {
		case uplift.User:
		case uplift.Assistant:
			role = responses.EasyInputMessageRoleAssistant
		default:
			return p, m.notSent("a message of the role %q (want user or assistant)", msg.Role)
		}
		p.Input.OfInputItemList = append(p.Input.OfInputItemList, responses.ResponseInputItemParamOfMessage(msg.Text, role))
	}
	p.Temperature, p.TopP, p.MaxOutputTokens = optional(req.Sampling.Temperature), optional(req.Sampling.TopP), whole(req.Sampling.MaxTokens)
	if m.host == official {
		p.ServiceTier, p.Truncation = responses.ResponseNewParamsServiceTierDefault, responses.ResponseNewParamsTruncationDisabled
	}
	if stream {
		p.SetExtraFields(map[string]any{"stream": true})
	}
	return p, nil
}

func optional[T comparable](v *T) param.Opt[T] {
	if v == nil {
		return param.Opt[T]{}
	}
	return param.NewOpt(*v)
}

func whole(v *int) param.Opt[int64] {
	if v == nil {
		return param.Opt[int64]{}
	}
	return param.NewOpt(int64(*v))
}
