package gemini

import (
	"bytes"
	"encoding/json"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
	"github.com/uplift-eval/uplift/model/wire"
)

// answer is a body of the API, or one chunk of a stream.
type answer struct {
	Candidates     []candidate     `json:"candidates"`
	PromptFeedback json.RawMessage `json:"promptFeedback"`
	Usage          json.RawMessage `json:"usageMetadata"`
	ModelVersion   string          `json:"modelVersion"`
	ModelStatus    json.RawMessage `json:"modelStatus"`
	ResponseID     string          `json:"responseId"`
	Error          json.RawMessage `json:"error"`
}

type candidate struct {
	Content struct {
		Parts []struct {
			Text    string `json:"text"`
			Thought bool   `json:"thought"`
		} `json:"parts"`
	} `json:"content"`
	FinishReason  string          `json:"finishReason"`
	FinishMessage json.RawMessage `json:"finishMessage"`
	SafetyRatings json.RawMessage `json:"safetyRatings"`
}

// read makes a reply of what came: of one body, or of the chunks of a stream in
// their order. A later chunk's field stands for the whole; its text is added.
func (m *Model) read(seen *wire.Seen, bodies [][]byte, whole bool) (model.Reply, error) {
	var all answer
	var one candidate
	candidates := 0
	var said, thought strings.Builder
	for _, body := range bodies {
		var in answer
		if json.Unmarshal(body, &in) != nil {
			return model.Reply{}, m.line.Broken(seen, "is no reply of this API")
		}
		all.take(in)
		if len(in.Candidates) == 0 {
			continue
		}
		candidates++
		one.take(in.Candidates[0])
		for _, p := range in.Candidates[0].Content.Parts {
			if p.Thought {
				thought.WriteString(p.Text)
			} else {
				said.WriteString(p.Text)
			}
		}
	}
	r := model.Reply{Text: said.String(), Reasoning: thought.String(), Reason: one.FinishReason, Version: all.ModelVersion,
		RequestID: all.ResponseID, Attempt: seen.Attempt()}
	r.TokensIn, r.TokensOut = all.tokens()
	block := all.blockReason()
	switch {
	case len(all.Error) > 0:
		return model.Reply{}, m.line.Said(seen, wire.ParseProblem(r.Attempt.Raw))
	case candidates == 0 && block != "":
		r.Stop, r.Reason = uplift.StopPrompt, block
	case candidates == 0 && !whole && len(bodies) == 0:
		return model.Reply{}, m.line.Cut(seen, "the stream ended before it began")
	case candidates == 0:
		return model.Reply{}, m.line.Broken(seen, "has no candidates and no blockReason")
	case one.FinishReason == "" && whole:
		return model.Reply{}, m.line.Broken(seen, "has a candidate without a finishReason")
	case one.FinishReason == "":
		return model.Reply{}, m.line.Cut(seen, "the stream ended before a finishReason")
	default:
		r.Stop = stops[one.FinishReason]
	}
	r.Details = m.details(all, one)
	return m.line.Whole(seen, r, "finishReason")
}

// stops gives the known words. Any reason to block a prompt, known or not, is a
// block of the prompt when no candidate came.
//
// Left out are OTHER, those on tools and images, neither of which is asked for,
// and whatever the provider adds: none says that the model was done, so none is
// an answer that ended ([wire.Line.Whole]).
var stops = map[string]uplift.Stop{
	"STOP":                     uplift.StopEnd,
	"MAX_TOKENS":               uplift.StopLength,
	"CONTINUATION":             uplift.StopLength, // the limit of one request: a second would go on
	"SAFETY":                   uplift.StopOutput, // text may have come before these
	"RECITATION":               uplift.StopOutput,
	"LANGUAGE":                 uplift.StopOutput, // the provider stops a language that it does not offer
	"BLOCKLIST":                uplift.StopOutput,
	"PROHIBITED_CONTENT":       uplift.StopOutput,
	"SPII":                     uplift.StopOutput,
	"IMAGE_SAFETY":             uplift.StopOutput,
	"IMAGE_PROHIBITED_CONTENT": uplift.StopOutput,
	"IMAGE_RECITATION":         uplift.StopOutput,
}

func (a *answer) take(in answer) {
	set(&a.PromptFeedback, in.PromptFeedback)
	set(&a.Usage, in.Usage)
	set(&a.ModelStatus, in.ModelStatus)
	set(&a.Error, in.Error)
	if in.ModelVersion != "" {
		a.ModelVersion = in.ModelVersion
	}
	if in.ResponseID != "" {
		a.ResponseID = in.ResponseID
	}
}

func (c *candidate) take(in candidate) {
	set(&c.FinishMessage, in.FinishMessage)
	set(&c.SafetyRatings, in.SafetyRatings)
	if in.FinishReason != "" {
		c.FinishReason = in.FinishReason
	}
}

func set(to *json.RawMessage, raw json.RawMessage) {
	if len(raw) > 0 && string(raw) != "null" {
		*to = raw
	}
}

func (a answer) blockReason() string {
	var f struct {
		BlockReason string `json:"blockReason"`
	}
	_ = json.Unmarshal(a.PromptFeedback, &f) // one that cannot be read gives no reason
	return f.BlockReason
}

// tokens counts cached input as input, which the provider does too, and
// thoughts as output, which it reports apart.
func (a answer) tokens() (input, output int) {
	var u struct {
		Prompt     int `json:"promptTokenCount"`
		ToolPrompt int `json:"toolUsePromptTokenCount"`
		Candidates int `json:"candidatesTokenCount"`
		Thoughts   int `json:"thoughtsTokenCount"`
	}
	_ = json.Unmarshal(a.Usage, &u) // what cannot be read was not reported
	return model.Tokens(u.Prompt + u.ToolPrompt), model.Tokens(u.Candidates + u.Thoughts)
}

// details keeps the provider's fields on filters, the stop and the usage as they
// came, and the threshold that was asked for as safetySettings.
func (m *Model) details(a answer, c candidate) string {
	out := struct {
		FinishReason   string          `json:"finishReason,omitempty"`
		FinishMessage  json.RawMessage `json:"finishMessage,omitempty"`
		SafetyRatings  json.RawMessage `json:"safetyRatings,omitempty"`
		PromptFeedback json.RawMessage `json:"promptFeedback,omitempty"`
		Usage          json.RawMessage `json:"usageMetadata,omitempty"`
		ModelVersion   string          `json:"modelVersion,omitempty"`
		ModelStatus    json.RawMessage `json:"modelStatus,omitempty"`
		ResponseID     string          `json:"responseId,omitempty"`
		SafetySettings Safety          `json:"safetySettings"`
	}{c.FinishReason, c.FinishMessage, c.SafetyRatings, a.PromptFeedback, a.Usage, a.ModelVersion, a.ModelStatus, a.ResponseID, m.safety}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(out); err != nil { // every part was read from JSON
		panic("gemini: details of a reply: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}
