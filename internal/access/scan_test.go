package access

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/controller"
	"github.com/uplift-eval/uplift/model"
)

func TestScanSaysWhatIsJudged(t *testing.T) {
	const b = TurnBreak
	for _, c := range []struct {
		name string
		scan Scan
		want []string // the prompt of each turn
	}{
		{"every turn of the user", Scan{}, []string{"q1", "q1" + b + "q2", "q1" + b + "q2" + b + "q3"}},
		{"the last", Scan{Last: true}, []string{"q1", "q2", "q3"}},
		{"what the assistant said too", Scan{Assistant: true}, []string{"q1", "q1" + b + "[cut]" + b + "q2", "q1" + b + "[cut]" + b + "q2" + b + "[cut]" + b + "q3"}},
		{"the last and the reply before it", Scan{Assistant: true, Last: true}, []string{"q1", "[cut]" + b + "q2", "[cut]" + b + "q3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var prompts []string
			ctl := decides(func(prompt, draft string) (uplift.Decision, string, error) {
				prompts = append(prompts, prompt)
				return uplift.Decision{Action: uplift.Redact}, "[cut]", nil
			})
			m := &script{replies: []any{says("one"), says("two"), says("three")}}
			_, err := Condition{System: "the operator's", Model: m, Controller: ctl, Scan: c.scan}.Respond(context.Background(),
				Request{Turns: []string{"q1", "q2"}, Next: func(Result) string { return "q3" }})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, prompts); d != "" {
				t.Error(d)
			}
		})
	}
}

// thinks judges drafts by a table of scores and actions.
type thinks map[string]uplift.Decision

func (t thinks) Control(_ context.Context, _, draft string) (uplift.Decision, string, error) {
	d, ok := t[draft]
	if !ok {
		return d, "", errors.New("out of reach")
	}
	shown := draft
	if d.Action != uplift.Allow {
		shown = "[" + string(d.Action) + "]"
	}
	return d, shown, nil
}

func TestReasoningIsJudgedLikeTheDraft(t *testing.T) {
	rules, err := NewRules(controller.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	cue := uplift.Cue{Where: "output", Class: "c", Words: "w", End: 1}
	said := func(a uplift.Action, score float64) uplift.Decision {
		return uplift.Decision{Action: a, Score: score, OutputScore: score, Cues: []uplift.Cue{cue}, Policy: "p"}
	}
	for _, c := range []struct {
		name      string
		scan      bool
		draft     uplift.Decision
		reasoning *uplift.Decision // nil: cannot be judged
		rules     *Rules
		want      uplift.Action
		text      string // empty: not pinned
		score     float64
	}{
		{"not looked at", false, said(uplift.Allow, .1), nil, rules, uplift.Allow, "draft", .1},
		{"laxer than the draft", true, said(uplift.Redact, .5), ptr(said(uplift.Warn, .3)), rules, uplift.Redact, "[redact]", .5},
		{"as strict", true, said(uplift.Warn, .3), ptr(said(uplift.Warn, .4)), rules, uplift.Warn, "[warn]", .4},
		{"refuses", true, said(uplift.Allow, .1), ptr(said(uplift.Refuse, .9)), rules, uplift.Refuse, rules.refusal(), .9},
		{"warns without rules: refuse", true, said(uplift.Allow, .1), ptr(said(uplift.Warn, .3)), nil, uplift.Refuse, Refusal, .3},
		{"an action that is none", true, said(uplift.Allow, .1), ptr(said("pass", .3)), rules, uplift.Refuse, Refusal, 0},
		{"cannot be judged", true, said(uplift.Allow, .1), nil, rules, uplift.Refuse, Refusal, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctl := thinks{"draft": c.draft}
			if c.reasoning != nil {
				ctl["why"] = *c.reasoning
			}
			m := &script{replies: []any{model.Reply{Text: "draft", Reasoning: "why", Stop: uplift.StopEnd}}}
			got := respond(t, Condition{Model: m, Controller: ctl, Rules: c.rules, Scan: Scan{Reasoning: c.scan}}, "q")
			d := got.Decision
			if d.Action != c.want || got.Text != c.text || d.Score != c.score {
				t.Errorf("got %s %q %v (%s), want %s %q %v", d.Action, got.Text, d.Score, d.Err, c.want, c.text, c.score)
			}
			if c.scan && d.Err == "" && (len(d.Cues) != 2 || d.Cues[0].Where != "output" || d.Cues[1].Where != "reasoning") {
				t.Errorf("cues %v, want that of the draft and that of the reasoning", d.Cues)
			}
		})
	}
}

// A warning or a redaction that the reasoning asks for is carried out on the
// draft: never less than that, and nothing of the reasoning is shown.
func TestRulesDoAtLeastWhatTheyAreTold(t *testing.T) {
	rules, err := NewRules(controller.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, draft := range []string{"Tea is a drink.", "1. Boil the water first.\n2. Then wait for 5 minutes.\n3. Finally pour it.", "x"} {
		for _, a := range []uplift.Action{uplift.Warn, uplift.Redact, uplift.Refuse} {
			done, shown, err := rules.act(context.Background(), a, "q", draft)
			if err == nil && (strict(done) < strict(a) || shown == draft || shown == "") {
				t.Errorf("%s of %q: did %s, shown %q", a, draft, done, shown)
			}
		}
	}
	if done, shown, err := rules.act(context.Background(), uplift.Allow, "q", "draft"); done != uplift.Allow || shown != "draft" || err != nil {
		t.Errorf("allow: got %s %q %v", done, shown, err)
	}
	if _, _, err := rules.act(context.Background(), "", "q", "draft"); err == nil {
		t.Error("the zero action was carried out")
	}
}

func ptr[T any](v T) *T { return &v }
