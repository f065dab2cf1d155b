package anthropic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/wire"
)

// message is a message as the provider writes it, of which nothing is read that
// a reply does not hold.
type message struct {
	Type    string `json:"type"`
	ID      string `json:"id"`
	Model   string `json:"model"`
	Content []struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		Thinking string `json:"thinking"`
	} `json:"content"`
	StopReason   string          `json:"stop_reason"`
	StopSequence json.RawMessage `json:"stop_sequence"`
	StopDetails  json.RawMessage `json:"stop_details"`
	Usage        json.RawMessage `json:"usage"`
}

// read makes a reply of a message that was answered whole.
func (m *Model) read(seen *wire.Seen, raw string) (model.Reply, error) {
	var in message
	if err := json.Unmarshal([]byte(raw), &in); err != nil {
		return model.Reply{}, m.line.Broken(seen, "is no message of this API")
	}
	switch {
	case in.Type == "error":
		return model.Reply{}, m.line.Said(seen, wire.ParseProblem([]byte(raw)))
	case in.Type != "message" || in.Content == nil || in.StopReason == "":
		return model.Reply{}, m.line.Broken(seen, "is no message with content and a stop_reason")
	}
	r := model.Reply{Reason: in.StopReason, Version: in.Model, Details: in.details(),
		RequestID: cmp.Or(seen.Header("request-id"), in.ID), Attempt: seen.Attempt()}
	r.Text, r.Reasoning = in.texts()
	r.TokensIn, r.TokensOut = in.tokens()
	r.Stop = stops[in.StopReason]
	return m.line.Whole(seen, r, "stop_reason")
}

// stops gives the known words. Those that are left out, tool_use and pause_turn
// (no tool is offered) and whatever the provider adds, do not say that the
// model was done, so they are never an answer that ended ([wire.Line.Whole]).
var stops = map[string]uplift.Stop{
	"end_turn":                      uplift.StopEnd,
	"stop_sequence":                 uplift.StopEnd,
	"max_tokens":                    uplift.StopLength,
	"model_context_window_exceeded": uplift.StopLength,
	"refusal":                       uplift.StopRefusal, // text may have come before it
}

// texts joins the blocks of text as they are, because a citation splits one
// text in two. Blocks of thought are apart; a block of another type is in the
// body alone.
func (in message) texts() (text, reasoning string) {
	var said, thought strings.Builder
	for _, block := range in.Content {
		switch block.Type {
		case "text":
			said.WriteString(block.Text)
		case "thinking":
			if thought.Len() > 0 && block.Thinking != "" {
				thought.WriteString("\n\n")
			}
			thought.WriteString(block.Thinking)
		}
	}
	return said.String(), thought.String()
}

// tokens counts what was read from a cache and written to one as input: the
// provider's input_tokens is the rest.
func (in message) tokens() (input, output int) {
	var u struct {
		Input    int `json:"input_tokens"`
		Read     int `json:"cache_read_input_tokens"`
		Creation int `json:"cache_creation_input_tokens"`
		Output   int `json:"output_tokens"`
	}
	_ = json.Unmarshal(in.Usage, &u) // what cannot be read was not reported
	return model.Tokens(u.Input + u.Read + u.Creation), model.Tokens(u.Output)
}

// details keeps the provider's fields on the stop and the usage as they came. A
// null is left out: a stream omits what a whole message writes as null.
func (in message) details() string {
	out := struct {
		ID           string          `json:"id,omitempty"`
		Model        string          `json:"model,omitempty"`
		StopReason   string          `json:"stop_reason"`
		StopSequence json.RawMessage `json:"stop_sequence,omitempty"`
		StopDetails  json.RawMessage `json:"stop_details,omitempty"`
		Usage        json.RawMessage `json:"usage,omitempty"`
	}{in.ID, in.Model, in.StopReason, present(in.StopSequence), present(in.StopDetails), present(in.Usage)}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(out); err != nil { // every part was read from JSON
		panic("anthropic: details of a message: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func present(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}
