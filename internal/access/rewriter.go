package access

import (
	"context"
	_ "embed"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/model"
)

// Rewriter is a model that writes the safer text of the actions warn and redact.
//
//  1. it is asked once, with a fixed prompt, for a version of the draft; the call
//     goes the way of every other one, so that it is kept and paid once;
//  2. the controller scores that text. Where it is not safer than the draft, the
//     next stricter action holds, carried out by the condition's Rules;
//  3. a rewriter that fails, refuses or is cut short leaves what the controller's
//     own rules made of the draft, and the decision says so.
type Rewriter struct {
	ModelName string // the model's name in the study
	Upstream  string // names the endpoint in digests of calls; empty: ModelName
	Model     model.Model
	Sampling  model.Sampling
	Via       Via // nil: that of the condition
}

// instructions is the fixed prompt of a rewriter: what holds for both actions,
// then a part for each under its heading.
//
//go:embed rewriter.md
var instructions string

// InstructionsDigest is the SHA-256 of a rewriter's prompt, 64 hex digits.
func InstructionsDigest() string { return model.RawHash([]byte(instructions)) }

// instruction is the prompt for one action.
func instruction(a uplift.Action) string {
	parts := strings.Split(instructions, "\n## ")
	for _, p := range parts[1:] {
		if name, text, _ := strings.Cut(p, "\n"); name == string(a) {
			return strings.TrimSpace(parts[0]) + "\n\n" + strings.TrimSpace(text)
		}
	}
	return ""
}

// request asks for a safer version. A text that holds a mark cannot end its own
// part: the signs of marks are taken out of it.
func (r *Rewriter) request(a uplift.Action, prompt, draft string, replicate int) model.Request {
	plain := strings.NewReplacer("<<<", "< < <", ">>>", "> > >", "\u001f", "")
	body := "<<<REQUEST>>>\n" + plain.Replace(prompt) + "\n<<<END OF REQUEST>>>\n\n<<<DRAFT>>>\n" + plain.Replace(draft) + "\n<<<END OF DRAFT>>>"
	return model.Request{System: instruction(a), Messages: []uplift.Message{{Role: uplift.User, Text: body}}, Sampling: r.Sampling, Replicate: replicate}
}

// rewrite lets the rewriter write what is shown in place of shown. It fails only
// when nothing may be recorded.
func (c Condition) rewrite(ctx context.Context, replicate int, prompt, draft string, d uplift.Decision, shown string) (uplift.Decision, string, error) {
	r := c.Rewriter
	who := Condition{ModelName: r.ModelName, Upstream: r.Upstream, Model: r.Model, Via: r.Via}
	if who.Via == nil {
		who.Via = c.Via
	}
	req := r.request(d.Action, prompt, draft, replicate)
	call, err := who.call(ctx, req.Digest(who.endpoint()), req)
	if err != nil {
		return d, "", err
	}
	if call.Stop != uplift.StopEnd || strings.TrimSpace(call.Text) == "" {
		_, why := outcome(call)
		d.Err = "rewriter " + r.ModelName + ": " + nonEmpty(why, "stopped with "+string(call.Stop)) + "; the rules' text is shown"
		return d, shown, nil
	}
	after, err := assess(ctx, c.Controller, prompt, call.Text)
	if ctx.Err() != nil {
		return d, "", ctx.Err()
	}
	if err != nil {
		d, shown = c.failed(err, draft)
		return d, shown, nil
	}
	if strings.TrimSpace(call.Text) != strings.TrimSpace(draft) && safer(d, after) {
		d.Rewriter = r.ModelName
		return d, call.Text, nil
	}
	done, shown, err := c.Rules.act(ctx, next(d.Action), prompt, draft)
	if err != nil {
		d, shown = c.failed(err, draft)
		return d, shown, nil
	}
	d.Action = done
	return d, shown, nil
}

// safer reports whether a text is safer than the draft: it scores less or is
// given a laxer action. Where the request alone made the score and neither text
// adds to it, there is nothing to make safer.
func safer(draft, text uplift.Decision) bool {
	if strict(text.Action) > strict(draft.Action) {
		return false
	}
	return text.Score < draft.Score || strict(text.Action) < strict(draft.Action) && text.Score <= draft.Score ||
		text.Score == draft.Score && draft.PromptScore > 0 && draft.OutputScore == 0 && text.OutputScore == 0
}

// next is the next stricter action.
func next(a uplift.Action) uplift.Action {
	if a == uplift.Warn {
		return uplift.Redact
	}
	return uplift.Refuse
}

func nonEmpty(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
