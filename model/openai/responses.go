package openai

import (
	"cmp"
	"encoding/json"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// responseBody is a response.
type responseBody struct {
	ID                json.RawMessage `json:"id"`
	Object            json.RawMessage `json:"object"`
	Model             json.RawMessage `json:"model"`
	Status            json.RawMessage `json:"status"`
	Output            json.RawMessage `json:"output"`
	IncompleteDetails json.RawMessage `json:"incomplete_details"`
	Error             json.RawMessage `json:"error"`
	Usage             json.RawMessage `json:"usage"`
	ServiceTier       json.RawMessage `json:"service_tier"`
	Moderation        json.RawMessage `json:"moderation"`
	AccessPrograms    json.RawMessage `json:"access_programs"`
	ContentFilters    json.RawMessage `json:"content_filters"`       // Azure
	PromptFilters     json.RawMessage `json:"prompt_filter_results"` // the same
}

type outputItem struct {
	Type    json.RawMessage `json:"type"`
	Content json.RawMessage `json:"content"`
	Summary json.RawMessage `json:"summary"`
}

type outputPart struct {
	Type    json.RawMessage `json:"type"`
	Text    json.RawMessage `json:"text"`
	Refusal json.RawMessage `json:"refusal"`
}

// output gathers what an output says.
type output struct{ text, refusal, reasoning strings.Builder }

func (o *output) read(raw json.RawMessage) error {
	var items []outputItem
	if said(raw) && json.Unmarshal(raw, &items) != nil {
		return broken("has an output of an unknown form")
	}
	for _, item := range items {
		switch word(item.Type) {
		case "message":
			o.parts(item.Content)
		case "reasoning":
			thought := joined(item.Content)
			if thought == "" {
				thought = joined(item.Summary)
			}
			o.reasoning.WriteString(thought)
		}
	}
	return nil
}

func (o *output) parts(content json.RawMessage) {
	var list []outputPart
	if json.Unmarshal(content, &list) != nil {
		o.text.WriteString(word(content))
	}
	for _, p := range list {
		if word(p.Type) == "refusal" {
			o.refusal.WriteString(word(p.Refusal))
		} else {
			o.text.WriteString(word(p.Text))
		}
	}
}

// joined are the texts of a list of parts, each on lines of its own.
func joined(content json.RawMessage) string {
	var list []outputPart
	if json.Unmarshal(content, &list) != nil {
		return ""
	}
	var texts []string
	for _, p := range list {
		texts = append(texts, word(p.Text))
	}
	return strings.Join(texts, "\n")
}

// readResponse reads a response. streamed is the text that its stream brought,
// for servers whose last event leaves the output out.
func readResponse(data []byte, streamed *output) (model.Reply, error) {
	var b responseBody
	if json.Unmarshal(data, &b) != nil || !said(b.Output) && !said(b.Status) && !said(b.Error) {
		return model.Reply{}, broken("is no reply of this API")
	}
	var o output
	if err := o.read(b.Output); err != nil {
		return model.Reply{}, err
	}
	if streamed != nil && o.text.Len()+o.refusal.Len() == 0 {
		o.text.WriteString(streamed.text.String())
		o.refusal.WriteString(streamed.refusal.String())
	}
	details := b.fields()
	r, err := b.stop(details)
	if err != nil {
		return model.Reply{}, err
	}
	r = declined(begun(r, o.text.String(), o.reasoning.String()), o.refusal.String(), details)
	r.Version, r.RequestID = word(b.Model), word(b.ID)
	r.TokensIn, r.TokensOut = b.tokens()
	return r, nil
}

// stop reads how a response ended.
func (b responseBody) stop(details *fields) (model.Reply, error) {
	switch status := word(b.Status); status {
	case "completed", "":
		if said(b.Error) {
			return b.failed(details)
		}
		return model.Reply{Stop: uplift.StopEnd, Reason: status}, nil
	case "incomplete":
		var why struct {
			Reason json.RawMessage `json:"reason"`
		}
		_ = json.Unmarshal(b.IncompleteDetails, &why) // of an unknown form: no reason, and Details holds it
		r := model.Reply{Stop: uplift.StopLength, Reason: cmp.Or(word(why.Reason), status)}
		if r.Reason == "content_filter" {
			r.Stop = uplift.StopOutput
		}
		return r, nil
	case "failed":
		return b.failed(details)
	default: // cancelled, queued, in_progress: nothing that was asked for
		return model.Reply{}, broken("is a response that did not end: its status is " + known(status))
	}
}

// failed reads the error of a response. A block is a reply.
func (b responseBody) failed(details *fields) (model.Reply, error) {
	if r, ok := blocked(b.Error, details); ok {
		return r, nil
	}
	if !said(b.Error) {
		return model.Reply{}, problem(quoted("the response failed"))
	}
	return model.Reply{}, problem(b.Error)
}

// known is a status that an error may repeat.
func known(status string) string {
	switch status {
	case "cancelled", "queued", "in_progress":
		return status
	}
	return "unknown"
}

func (b responseBody) fields() *fields {
	f := new(fields)
	f.add(field{"status", b.Status}, field{"incomplete_details", b.IncompleteDetails}, field{"error", b.Error},
		field{"service_tier", b.ServiceTier}, field{"moderation", b.Moderation}, field{"access_programs", b.AccessPrograms},
		field{"content_filters", b.ContentFilters}, field{"prompt_filter_results", b.PromptFilters}, field{"usage", b.Usage})
	return f
}

func (b responseBody) tokens() (in, out int) {
	var u struct {
		In  json.RawMessage `json:"input_tokens"`
		Out json.RawMessage `json:"output_tokens"`
	}
	if json.Unmarshal(b.Usage, &u) != nil {
		return 0, 0
	}
	return model.Tokens(number(u.In)), model.Tokens(number(u.Out))
}
