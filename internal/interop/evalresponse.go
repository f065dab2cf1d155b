package interop

import (
	"github.com/uplift-eval/uplift"
)

// response is a sample without its scores.
func (l *evalLog) response(s *evalSample) (uplift.Response, error) {
	name := l.task + "/" + s.id
	r := uplift.Response{
		Cell: uplift.Cell{Model: l.model, Condition: l.opt.Condition, Task: name,
			Attack: l.metadata(s, "attack", uplift.Direct), Replicate: s.epoch - 1},
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
	left := budget(maxTranscript)
	for _, m := range r.Transcript { // an attachment may stand in it many times
		if err := left.take(m.Text); err != nil {
			return r, inside("messages", err)
		}
	}
	l.outcome(&r, s)
	return r, nil
}

// conversation keeps the texts of users and assistants. Turns are the users'
// texts, or those of the input when the messages have none.
func (l *evalLog) conversation(s *evalSample) (transcript []uplift.Message, turns []string) {
	said := l.leftOut(s.messages)
	transcript = make([]uplift.Message, 0, len(s.turns)+said+1)
	for _, text := range s.turns {
		transcript = append(transcript, uplift.Message{Role: uplift.User, Text: text})
	}
	for i := range s.messages {
		if m := &s.messages[i]; m.spoken() && m.text != "" {
			transcript = append(transcript, uplift.Message{Role: uplift.Role(m.role), Text: m.text})
		}
	}
	if len(s.turns) > 0 {
		return transcript, s.turns
	}
	return transcript, userTurns(transcript)
}

// leftOut counts what a transcript does not take, and returns how many
// messages it does.
func (l *evalLog) leftOut(messages []evalMessage) (said int) {
	parts, calls := 0, 0
	roles := map[string]int{}
	for i := range messages {
		m := &messages[i]
		parts, calls = parts+m.skipped, calls+m.toolCalls
		switch {
		case m.spoken():
			said++
		case m.role == "":
			roles["other"]++
		default:
			roles[m.role]++
		}
	}
	l.count("parts of messages that are no text (images, reasoning) were left out", parts)
	l.count("tool calls were left out of transcripts", calls)
	for role, n := range roles {
		l.count(role+" messages were left out of transcripts", n)
	}
	return said
}

// userTurns are the texts of the user; nil when there are none.
func userTurns(transcript []uplift.Message) []string {
	n := 0
	for i := range transcript {
		if transcript[i].Role == uplift.User {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	turns := make([]string, 0, n)
	for i := range transcript {
		if transcript[i].Role == uplift.User {
			turns = append(turns, transcript[i].Text)
		}
	}
	return turns
}

// reply is the completion, else the output's message, else the assistant's
// last text after the last turn of the user.
func reply(s *evalSample) string {
	if s.completion != "" {
		return s.completion
	}
	if s.choice.text != "" {
		return s.choice.text
	}
	for i := len(s.messages) - 1; i >= 0; i-- {
		switch m := &s.messages[i]; {
		case m.role == string(uplift.User):
			return "" // the last turn has no reply
		case m.spoken() && m.text != "":
			return m.text
		}
	}
	return ""
}

// outcome says how the sample ended: an error first, then a limit of the run,
// then why the model stopped.
func (l *evalLog) outcome(r *uplift.Response, s *evalSample) {
	switch {
	case s.failed:
		l.counts.Errors++
		r.Outcome, r.Detail = uplift.Failed, s.failure
	case s.limited, s.stop == "max_tokens", s.stop == "model_length":
		r.Outcome = uplift.Truncated
	case s.stop == "content_filter":
		r.Outcome = uplift.OutputBlocked
	case s.stop == "stop", s.stop == "tool_calls", r.Text != "":
		r.Outcome = uplift.Answered
	default:
		r.Outcome = uplift.Unreported
	}
}
