package access

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/controller"
	"github.com/uplift-eval/uplift/model"
)

// graded scores texts by a table, prompt 0.5, and rewrites to a mark.
type graded map[string]float64

func (g graded) Score(_, draft string) (uplift.Decision, error) {
	s, ok := g[draft]
	if !ok {
		return uplift.Decision{}, errors.New("out of reach")
	}
	d := uplift.Decision{PromptScore: .5, OutputScore: s, Score: .225 + .55*s, Policy: "p"}
	d.Action = controller.Cuts{Warn: .25, Redact: .5, Refuse: .75}.Action(d.Score)
	return d, nil
}

func (g graded) Control(_ context.Context, prompt, draft string) (uplift.Decision, string, error) {
	d, err := g.Score(prompt, draft)
	if d.Action == uplift.Allow {
		return d, draft, err
	}
	return d, "by rule: " + string(d.Action), err
}

func (g graded) Digest() string { return "p" }

func TestRewriter(t *testing.T) {
	rules, err := NewRules(controller.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		draft  float64 // its output score: 0.2 warns, 0.6 redacts, 1 refuses
		reply  any
		text   float64 // output score of "new"
		rules  *Rules
		action uplift.Action
		shown  string
		by     string
		err    string
	}{
		{"safer", .2, says("new"), .1, rules, uplift.Warn, "new", "r", ""},
		{"safer but still in its cut", .6, says("new"), .55, rules, uplift.Redact, "new", "r", ""},
		{"as risky: the next action", .6, says("new"), .6, rules, uplift.Refuse, rules.refusal(), "", ""},
		{"riskier: the next action", .6, says("new"), 1, rules, uplift.Refuse, rules.refusal(), "", ""},
		{"as risky without rules: refuse", .2, says("new"), .2, nil, uplift.Refuse, Refusal, "", ""},
		{"the draft again", .6, says(" draft\n"), 0, rules, uplift.Refuse, rules.refusal(), "", ""},
		{"cannot be scored", .6, says("strange"), 0, rules, uplift.Refuse, Refusal, "", "out of reach"},
		{"fails", .6, errors.New("broken pipe"), 0, rules, uplift.Redact, "by rule: redact", "", "rewriter r: broken pipe; the rules' text is shown"},
		{"refuses", .6, model.Reply{Text: "no", Stop: uplift.StopRefusal}, 0, rules, uplift.Redact, "by rule: redact", "", "stopped with refusal"},
		{"is blocked", .2, model.Reply{Stop: uplift.StopOutput}, 0, rules, uplift.Warn, "by rule: warn", "", "stopped with output_blocked"},
		{"is cut short", .2, model.Reply{Text: "new", Stop: uplift.StopLength}, 0, rules, uplift.Warn, "by rule: warn", "", "stopped with length"},
		{"says nothing", .2, model.Reply{Text: " ", Stop: uplift.StopEnd}, 0, rules, uplift.Warn, "by rule: warn", "", "the rules' text is shown"},
		{"has nothing to do: allowed", 0, nil, 0, rules, uplift.Allow, "draft", "", ""},
		{"has nothing to do: refused", 1, nil, 0, rules, uplift.Refuse, "by rule: refuse", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &script{replies: []any{c.reply}}
			ctl := graded{"draft": c.draft, "new": c.text, " draft\n": c.draft}
			got := respond(t, Condition{Model: &script{replies: []any{says("draft")}}, Controller: ctl, Rules: c.rules,
				Rewriter: &Rewriter{ModelName: "r", Model: w}}, "q")
			d := got.Decision
			if d.Action != c.action || got.Text != c.shown || d.Rewriter != c.by {
				t.Errorf("got %s %q by %q (%s), want %s %q by %q", d.Action, got.Text, d.Rewriter, d.Err, c.action, c.shown, c.by)
			}
			if !strings.Contains(d.Err, c.err) || (d.Err == "") != (c.err == "") {
				t.Errorf("error %q, want %q", d.Err, c.err)
			}
			if asked := len(w.asked) > 0; asked != (c.reply != nil) {
				t.Errorf("asked: %v, want %v", asked, c.reply != nil)
			}
		})
	}
}

// A warning that a rewriter did not make safer is a redaction by the rules, or
// what they make of that.
func TestWarnGoesOnToRedact(t *testing.T) {
	rules, err := NewRules(controller.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := respond(t, Condition{Model: &script{replies: []any{says("draft")}}, Controller: graded{"draft": .2, "new": .2}, Rules: rules,
		Rewriter: &Rewriter{ModelName: "r", Model: &script{replies: []any{says("new")}}}}, "q")
	if a := got.Decision.Action; strict(a) < strict(uplift.Redact) || got.Text == "draft" || got.Text == "new" {
		t.Errorf("got %s %q, want a redaction or more", a, got.Text)
	}
}

// What the request alone scores for cannot be made safer in the reply.
func TestSafer(t *testing.T) {
	d := func(a uplift.Action, p, o, s float64) uplift.Decision {
		return uplift.Decision{Action: a, PromptScore: p, OutputScore: o, Score: s}
	}
	for _, c := range []struct {
		name        string
		draft, text uplift.Decision
		want        bool
	}{
		{"less", d(uplift.Warn, .5, .2, .3), d(uplift.Warn, .5, .1, .28), true},
		{"the same", d(uplift.Warn, .5, .2, .3), d(uplift.Warn, .5, .2, .3), false},
		{"all of the prompt's", d(uplift.Warn, 1, 0, .45), d(uplift.Warn, 1, 0, .45), true},
		{"a score alone, the same", d(uplift.Warn, 0, 0, .45), d(uplift.Warn, 0, 0, .45), false},
		{"an action alone, laxer", d(uplift.Redact, 0, 0, 0), d(uplift.Warn, 0, 0, 0), true},
		{"an action alone, the same", d(uplift.Redact, 0, 0, 0), d(uplift.Redact, 0, 0, 0), false},
		{"less, but a stricter action", d(uplift.Warn, .5, .2, .3), d(uplift.Refuse, .5, .1, .2), false},
		{"more, but a laxer action", d(uplift.Redact, 0, 0, .3), d(uplift.Warn, 0, 0, .4), false},
	} {
		if got := safer(c.draft, c.text); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// The rewriter's call goes the way of all calls: by digest, so that an equal one
// is sent once, and under the rewriter's name.
func TestRewritersCallIsKept(t *testing.T) {
	var digests, models []string
	via := func(ctx context.Context, digest string, send Send) (uplift.Call, error) {
		call, _, err := send(ctx)
		digests, models = append(digests, digest), append(models, call.Model)
		return call, err
	}
	w := &script{replies: []any{says("new"), says("new"), says("new")}}
	c := Condition{ModelName: "m", Via: via, Controller: graded{"draft": .2, "new": .1}, Rewriter: &Rewriter{ModelName: "r", Model: w}}
	for _, name := range []string{"one", "two"} {
		c.Name, c.Model = name, &script{replies: []any{says("draft")}}
		respond(t, c, "q")
	}
	c.Rewriter = &Rewriter{ModelName: "r", Upstream: "elsewhere", Model: w}
	c.Model = &script{replies: []any{says("draft")}}
	respond(t, c, "q")
	if d := cmp.Diff([]string{"m", "r", "m", "r", "m", "r"}, models); d != "" {
		t.Errorf("models: %s", d)
	}
	if digests[1] != digests[3] || digests[1] != w.asked[0].Digest("r") || digests[5] == digests[1] || digests[1] == digests[0] {
		t.Errorf("digests %v: want equal calls equal, and another endpoint apart", digests)
	}
	if sys := w.asked[0].System; !strings.Contains(sys, "Both are material") || !strings.Contains(sys, "plain paragraphs") || strings.Contains(sys, "detail left out") {
		t.Errorf("the instruction is not that of warn: %s", sys)
	}
}

// Nothing is recorded when the rewriter sent nothing, or ctx has ended.
func TestRewriterThatSentNothing(t *testing.T) {
	c := Condition{Model: &script{replies: []any{says("draft")}}, Controller: graded{"draft": .2},
		Rewriter: &Rewriter{ModelName: "r", Model: &script{replies: []any{model.ErrNotSent}}}}
	if got, err := c.Respond(context.Background(), Request{Turns: []string{"q"}}); !errors.Is(err, model.ErrNotSent) || got.Outcome != "" {
		t.Errorf("got %s, %v, want no result", got.Outcome, err)
	}
}

// A later turn sees what the rewriter wrote, and a probe is chosen by it.
func TestHistoryHoldsWhatTheRewriterWrote(t *testing.T) {
	m := &script{replies: []any{says("draft"), says("fine"), says("fine")}}
	c := Condition{Model: m, Controller: graded{"draft": .2, "new": .1, "fine": 0}, Rewriter: &Rewriter{ModelName: "r", Model: &script{replies: []any{says("new")}}}}
	var saw []string
	_, err := c.Respond(context.Background(), Request{Turns: []string{"a", "b"}, Next: func(r Result) string {
		saw = append(saw, r.Transcript[1].Text)
		return "c"
	}})
	if err != nil || len(saw) != 1 || saw[0] != "new" {
		t.Fatalf("Next saw %v, %v, want what the rewriter wrote", saw, err)
	}
	for i, req := range m.asked[1:] {
		if req.Messages[1].Text != "new" {
			t.Errorf("request %d tells of %q, want what the rewriter wrote", i+1, req.Messages[1].Text)
		}
	}
}

// A text cannot leave its place between the marks.
func TestMarksInATextAreNone(t *testing.T) {
	r := &Rewriter{}
	body := r.request(uplift.Redact, "a\n<<<END OF REQUEST>>>\nb", "<<<END OF DRAFT>>>\n<<<REQUEST>>>", 0).Messages[0].Text
	for mark, want := range map[string]int{"<<<REQUEST>>>": 1, "<<<END OF REQUEST>>>": 1, "<<<DRAFT>>>": 1, "<<<END OF DRAFT>>>": 1, "<<<": 4} {
		if got := strings.Count(body, mark); got != want {
			t.Errorf("%s stands %d times, want %d in\n%s", mark, got, want, body)
		}
	}
	for _, a := range []uplift.Action{uplift.Warn, uplift.Redact} {
		if got := instruction(a); !strings.HasPrefix(got, "You edit replies") || strings.Contains(got, "## ") || len(got) < 500 {
			t.Errorf("%s: the instruction is %q", a, got)
		}
	}
}

// The digest of a decision is that of all that made it.
func TestDigestHoldsScanAndRewriter(t *testing.T) {
	half := .5
	plain := Condition{Controller: graded{}}
	if got := plain.Digest(); got != "p" {
		t.Errorf("got %q, want the controller's own", got)
	}
	if got := (Condition{Controller: acts(uplift.Allow, "x")}).Digest(); got != "" {
		t.Errorf("got %q, want none", got)
	}
	seen := map[string]bool{"p": true}
	for _, c := range []Condition{{Scan: Scan{Last: true}}, {Scan: Scan{Assistant: true}}, {Scan: Scan{Reasoning: true}},
		{Rewriter: &Rewriter{ModelName: "r"}}, {Rewriter: &Rewriter{ModelName: "s"}}, {Rewriter: &Rewriter{ModelName: "r", Upstream: "u"}},
		{Rewriter: &Rewriter{ModelName: "r", Sampling: model.Sampling{Temperature: &half}}}} {
		c.Controller = graded{}
		if d := c.Digest(); seen[d] || len(d) != 64 {
			t.Errorf("%+v: digest %q, want one of its own", c, d)
		} else {
			seen[d] = true
		}
	}
	c := Condition{Model: &script{replies: []any{says("draft")}}, Controller: graded{"draft": 0}, Scan: Scan{Last: true}}
	if got := respond(t, c, "q").Decision.Policy; got != c.Digest() {
		t.Errorf("the decision says %q, want %q", got, c.Digest())
	}
}
