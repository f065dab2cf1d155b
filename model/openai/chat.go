package openai

import (
	"cmp"
	"encoding/json"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// chatBody is a chat completion, or one chunk of its stream. Fields are read one
// by one, so that one of an unknown shape spoils no other.
type chatBody struct {
	Object              json.RawMessage `json:"object"`
	ID                  json.RawMessage `json:"id"`
	Model               json.RawMessage `json:"model"`
	Choices             json.RawMessage `json:"choices"`
	Usage               json.RawMessage `json:"usage"`
	Error               json.RawMessage `json:"error"`
	Moderation          json.RawMessage `json:"moderation"`
	SystemFingerprint   json.RawMessage `json:"system_fingerprint"`
	ServiceTier         json.RawMessage `json:"service_tier"`
	PromptFilterResults json.RawMessage `json:"prompt_filter_results"`
}

type chatChoice struct {
	Index                json.RawMessage `json:"index"`
	FinishReason         json.RawMessage `json:"finish_reason"`
	NativeFinishReason   json.RawMessage `json:"native_finish_reason"`
	StopReason           json.RawMessage `json:"stop_reason"`
	Message              chatMessage     `json:"message"`
	Delta                chatMessage     `json:"delta"`
	ContentFilterResults json.RawMessage `json:"content_filter_results"`
	ContentFilterResult  json.RawMessage `json:"content_filter_result"`
	ContentFilterOffsets json.RawMessage `json:"content_filter_offsets"`
	Error                json.RawMessage `json:"error"`
}

type chatMessage struct {
	Content          json.RawMessage `json:"content"`
	Refusal          json.RawMessage `json:"refusal"`
	ReasoningContent json.RawMessage `json:"reasoning_content"`
	Reasoning        json.RawMessage `json:"reasoning"`
}

// chatStops are the reasons to finish. Those below the first line are of other
// servers than the provider's own. tool_calls and function_call are left out: no
// tool is offered, and neither says that the model was done.
var chatStops = map[string]uplift.Stop{
	"stop": uplift.StopEnd, "length": uplift.StopLength, "content_filter": uplift.StopOutput,

	"eos": uplift.StopEnd, "eos_token": uplift.StopEnd, "stop_sequence": uplift.StopEnd, "end_turn": uplift.StopEnd,
	"max_tokens": uplift.StopLength, "model_length": uplift.StopLength, "sensitive": uplift.StopOutput,
}

// failures are reasons to finish with which a server says that it broke down.
var failures = map[string]bool{"error": true, "abort": true, "network_error": true, "insufficient_system_resource": true}

// chatReply gathers a reply from its body, or from the chunks of its stream.
type chatReply struct {
	text, reasoning, refusal strings.Builder
	finish                   json.RawMessage
	choices                  bool // a choice has come
	version                  string
	id                       string
	details                  fields
	prompt                   json.RawMessage // Azure's results on the prompt
	usage                    json.RawMessage
	blocked                  *model.Reply
}

// add takes a body or a chunk. piece is its text.
func (c *chatReply) add(data []byte) (piece string, err error) {
	var b chatBody
	if json.Unmarshal(data, &b) != nil {
		return "", broken("is no reply of this API")
	}
	if !said(b.Error) && word(b.Object) == "error" {
		b.Error = data
	}
	c.head(b)
	var choices []chatChoice
	if said(b.Choices) && json.Unmarshal(b.Choices, &choices) != nil {
		return "", broken("has choices of an unknown form")
	}
	if said(b.Error) {
		return "", c.fail(b.Error)
	}
	for _, one := range choices {
		if number(one.Index) != 0 {
			continue
		}
		if said(one.Error) {
			return "", c.fail(one.Error)
		}
		piece += c.choose(one)
	}
	return piece, nil
}

// fail reads an error inside a reply. A block makes the reply.
func (c *chatReply) fail(raw json.RawMessage) error {
	if r, ok := blocked(raw, &c.details); ok {
		c.blocked = &r
		return nil
	}
	return problem(raw)
}

func (c *chatReply) head(b chatBody) {
	if v := word(b.Model); v != "" {
		c.version = v
	}
	if v := word(b.ID); v != "" {
		c.id = v
	}
	c.details.add(field{"system_fingerprint", b.SystemFingerprint}, field{"service_tier", b.ServiceTier},
		field{"moderation", b.Moderation}, field{"prompt_filter_results", b.PromptFilterResults}, field{"usage", b.Usage})
	if said(b.PromptFilterResults) {
		c.prompt = b.PromptFilterResults
	}
	if said(b.Usage) {
		c.usage = b.Usage
	}
}

func (c *chatReply) choose(one chatChoice) (piece string) {
	c.choices = true
	if said(one.FinishReason) {
		c.finish = one.FinishReason
	}
	c.details.add(field{"finish_reason", one.FinishReason}, field{"native_finish_reason", one.NativeFinishReason},
		field{"stop_reason", one.StopReason}, field{"content_filter_results", one.ContentFilterResults},
		field{"content_filter_result", one.ContentFilterResult}, field{"content_filter_offsets", one.ContentFilterOffsets})
	for _, m := range []chatMessage{one.Message, one.Delta} {
		text, thought := parts(m.Content)
		piece += text
		c.reasoning.WriteString(thought)
		c.reasoning.WriteString(cmp.Or(word(m.ReasoningContent), word(m.Reasoning)))
		c.refusal.WriteString(word(m.Refusal))
	}
	c.text.WriteString(piece)
	return piece
}

// reply is the whole. partial says that a stream ended without saying so.
func (c *chatReply) reply(partial bool) (model.Reply, error) {
	if c.blocked != nil {
		return c.complete(begun(*c.blocked, c.text.String(), c.reasoning.String())), nil
	}
	finish := word(c.finish)
	switch {
	case !c.choices && filtered(c.prompt):
		return c.complete(model.Reply{Stop: uplift.StopPrompt, Details: c.details.json()}), nil
	case !c.choices && partial:
		return model.Reply{}, cut{}
	case !c.choices:
		return model.Reply{}, broken("has no choices")
	case failures[finish]:
		return model.Reply{}, problem(quoted("the server ended the reply with finish_reason " + finish))
	case partial && !said(c.finish):
		return model.Reply{}, cut{}
	}
	r := model.Reply{Text: c.text.String(), Reasoning: c.reasoning.String(), Stop: uplift.StopEnd, Reason: finish}
	if r.Reason == "" && said(c.finish) {
		r.Reason = string(c.finish) // not even a string
	}
	if stop, ok := chatStops[finish]; ok {
		r.Stop = stop
	} else if r.Reason != "" {
		if r.Text == "" && c.refusal.Len() == 0 {
			return model.Reply{}, unread(r.Reason)
		}
		r.Stop = uplift.StopLength
	}
	return c.complete(declined(r, c.refusal.String(), &c.details)), nil
}

func (c *chatReply) complete(r model.Reply) model.Reply {
	var u struct {
		In  json.RawMessage `json:"prompt_tokens"`
		Out json.RawMessage `json:"completion_tokens"`
	}
	if json.Unmarshal(c.usage, &u) == nil {
		r.TokensIn, r.TokensOut = model.Tokens(number(u.In)), model.Tokens(number(u.Out))
	}
	r.Version, r.RequestID = c.version, c.id
	return r
}

// parts reads a content: a string, or the list of parts that some servers give.
func parts(content json.RawMessage) (text, thought string) {
	if s := word(content); s != "" {
		return s, ""
	}
	var list []struct {
		Type     json.RawMessage `json:"type"`
		Text     json.RawMessage `json:"text"`
		Thinking json.RawMessage `json:"thinking"`
	}
	if json.Unmarshal(content, &list) != nil {
		return "", ""
	}
	for _, p := range list {
		switch word(p.Type) {
		case "text", "output_text":
			text += word(p.Text)
		case "thinking":
			inner, _ := parts(p.Thinking)
			thought += inner
		}
	}
	return text, thought
}

// filtered reports whether Azure's results on the prompt hold a filter that acted.
func filtered(results json.RawMessage) bool {
	var list []struct {
		Filters map[string]json.RawMessage `json:"content_filter_results"`
	}
	if json.Unmarshal(results, &list) != nil {
		return false
	}
	for _, one := range list {
		for _, raw := range one.Filters {
			var f struct{ Filtered bool }
			if json.Unmarshal(raw, &f) == nil && f.Filtered {
				return true
			}
		}
	}
	return false
}
