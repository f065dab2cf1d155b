package access

import (
	"context"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// Scan says what beside the draft a controller judges. The zero value is every
// turn of the user. The operator's system prompt is never judged.
type Scan struct {
	Assistant bool // also what the user was shown before
	Last      bool // the user's last turn alone; with Assistant, the reply before it too
	Reasoning bool // what the model thought aloud is judged like the draft, and the stricter action holds
}

// prompt joins what is judged of the conversation. A break that a user wrote
// would make two turns of one, so it becomes U+001E, which no view shows.
func (s Scan) prompt(transcript []uplift.Message) string {
	if s.Last {
		transcript = transcript[lastTurn(transcript):]
	}
	var turns []string
	for _, m := range transcript {
		if m.Role == uplift.User || s.Assistant && m.Role == uplift.Assistant {
			turns = append(turns, strings.ReplaceAll(m.Text, "\u001f", "\u001e"))
		}
	}
	return strings.Join(turns, TurnBreak)
}

// lastTurn is where the last turn begins: at the reply before it, where there is one.
func lastTurn(transcript []uplift.Message) int {
	last := len(transcript) - 1
	if last > 0 && transcript[last-1].Role == uplift.Assistant {
		return last - 1
	}
	return max(last, 0)
}

// thought judges the reasoning like a draft. Where it asks for more than the
// draft did, that action is carried out on the draft.
func (c Condition) thought(ctx context.Context, prompt, draft, reasoning string, d uplift.Decision, shown string) (uplift.Decision, string, error) {
	r, err := assess(ctx, c.Controller, prompt, reasoning)
	if err != nil {
		return d, "", err
	}
	d.Score, d.OutputScore = max(d.Score, r.Score), max(d.OutputScore, r.OutputScore)
	d.Features, d.Cues = slices.Clone(d.Features), slices.Clone(d.Cues)
	for _, f := range r.Features {
		if f.Where == output {
			f.Where = reasoned
			d.Features = append(d.Features, f)
		}
	}
	for _, cue := range r.Cues {
		if cue.Where == output {
			cue.Where = reasoned
			d.Cues = append(d.Cues, cue)
		}
	}
	if strict(r.Would) > strict(d.Would) {
		d.Would = r.Would
	}
	if strict(r.Action) <= strict(d.Action) {
		return d, shown, nil
	}
	d.Action, shown, err = c.Rules.act(ctx, r.Action, prompt, draft)
	return d, shown, err
}

// Where a feature or a cue was found.
const (
	output   = "output"
	reasoned = "reasoning"
)

// strict ranks actions; none is the laxest.
func strict(a uplift.Action) int {
	return slices.Index([]uplift.Action{uplift.Allow, uplift.Warn, uplift.Redact, uplift.Refuse}, a)
}

// Judged is what a controller judged beside the draft in a conversation whose
// last message is the reply: spans of its cues count in this text.
func (s Scan) Judged(transcript []uplift.Message) string {
	if n := len(transcript); n > 0 && transcript[n-1].Role == uplift.Assistant {
		transcript = transcript[:n-1]
	}
	return s.prompt(transcript)
}
