package interop

import (
	"encoding/json"
	"fmt"

	"github.com/uplift-eval/uplift"
)

// response is a sample without its scores.
func (l *evalLog) response(id string, s *evalSample) (uplift.Response, error) {
	name := l.task + "/" + id
	r := uplift.Response{
		Cell: uplift.Cell{Model: l.model, Condition: l.opt.Condition, Task: name,
			Attack: l.metadata(s, "attack", uplift.Direct), Replicate: s.Epoch - 1},
		Item: uplift.Item{Task: name, Family: l.metadata(s, "family", l.task),
			Split: l.metadata(s, "split", "")},
	}
	r.Item.Attack = r.Attack
	tier, err := l.tier(s)
	if err != nil {
		return r, err
	}
	r.Item.Tier = tier
	r.Transcript, r.Item.Turns = l.conversation(s)
	r.Text = reply(s)
	if n := len(r.Transcript); r.Text != "" && (n == 0 || r.Transcript[n-1].Role != uplift.Assistant) {
		r.Transcript = append(r.Transcript, uplift.Message{Role: uplift.Assistant, Text: r.Text})
	}
	l.outcome(&r, s)
	return r, nil
}

// metadata is a metadata key's string; anything else is passed over.
func (l *evalLog) metadata(s *evalSample, key, fallback string) string {
	raw := s.Metadata.all[key]
	if !given(raw) {
		return fallback
	}
	var text string
	if json.Unmarshal(raw, &text) != nil || text == "" || len(text) > maxName {
		l.count(fmt.Sprintf("metadata %s is no name and was passed over", key), 1)
		return fallback
	}
	return text
}

func (l *evalLog) tier(s *evalSample) (uplift.Tier, error) {
	raw := s.Metadata.all[l.opt.TierFrom]
	if l.opt.TierFrom == "" || !given(raw) {
		if l.opt.Tier == uplift.Untiered {
			l.counts.Untiered++
		}
		return l.opt.Tier, nil
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	tier, err := uplift.ParseTier(text)
	if err != nil {
		return tier, &badRecord{field: "metadata." + l.opt.TierFrom, text: err.Error()}
	}
	return tier, nil
}

// conversation keeps the texts of users and assistants. Turns are the users'
// texts, or those of the input when the messages have none.
func (l *evalLog) conversation(s *evalSample) (transcript []uplift.Message, turns []string) {
	for _, m := range s.Messages.all {
		l.count("parts of messages that are no text (images, reasoning) were left out", m.Content.Skipped)
		l.count("tool calls were left out of transcripts", int(m.ToolCalls))
		switch role := uplift.Role(m.Role); role {
		case uplift.User, uplift.Assistant:
			if m.Content.Text == "" {
				continue
			}
			transcript = append(transcript, uplift.Message{Role: role, Text: m.Content.Text})
			if role == uplift.User {
				turns = append(turns, m.Content.Text)
			}
		default:
			l.count(fmt.Sprintf("%s messages were left out of transcripts", clip(m.Role)), 1)
		}
	}
	if len(turns) == 0 {
		turns = inputTurns(s)
		var asked []uplift.Message
		for _, text := range turns {
			asked = append(asked, uplift.Message{Role: uplift.User, Text: text})
		}
		transcript = append(asked, transcript...)
	}
	return transcript, turns
}

// inputTurns are the user's texts of an input, which is a string or messages.
func inputTurns(s *evalSample) []string {
	var text string
	if json.Unmarshal(s.Input, &text) == nil {
		if text == "" {
			return nil
		}
		return []string{s.attached(text)}
	}
	var messages bounded[[]evalMessage]
	if json.Unmarshal(s.Input, &messages) != nil {
		return nil
	}
	var turns []string
	for _, m := range messages.all {
		if m.Role == string(uplift.User) && m.Content.Text != "" {
			turns = append(turns, s.attached(m.Content.Text))
		}
	}
	return turns
}

// reply is the completion, else the output's message, else the assistant's
// last text after the last turn of the user.
func reply(s *evalSample) string {
	if s.Output.Completion != "" {
		return s.Output.Completion
	}
	if c := s.Output.Choices.all; len(c) > 0 && c[0].Message.Content.Text != "" {
		return c[0].Message.Content.Text
	}
	for i := len(s.Messages.all) - 1; i >= 0; i-- {
		switch m := s.Messages.all[i]; {
		case m.Role == string(uplift.User):
			return "" // the last turn has no reply
		case m.Role == string(uplift.Assistant) && m.Content.Text != "":
			return m.Content.Text
		}
	}
	return ""
}

// outcome says how the sample ended: an error first, then a limit of the run,
// then why the model stopped.
func (l *evalLog) outcome(r *uplift.Response, s *evalSample) {
	stop := ""
	if len(s.Output.Choices.all) > 0 {
		stop = s.Output.Choices.all[0].StopReason
	}
	switch {
	case given(s.Error):
		l.counts.Errors++
		r.Outcome, r.Detail = uplift.Failed, errorText(s.Error)
	case given(s.Limit), stop == "max_tokens", stop == "model_length":
		r.Outcome = uplift.Truncated
	case stop == "content_filter":
		r.Outcome = uplift.OutputBlocked
	case stop == "stop", stop == "tool_calls", r.Text != "":
		r.Outcome = uplift.Answered
	default:
		r.Outcome = uplift.Unreported
	}
}

// errorText is an error's message; a summary writes the message alone.
func errorText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var e struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(raw, &e) == nil && e.Message != "" {
		return e.Message
	}
	return "the log gives no message"
}
