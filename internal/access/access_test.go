package access

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/controller"
	"github.com/uplift-eval/uplift/model"
)

// script is a model that gives its replies in turn and keeps what it was asked.
type script struct {
	replies []any // model.Reply or error
	asked   []model.Request
}

func (s *script) Generate(_ context.Context, req model.Request) (model.Reply, error) {
	req.Messages = append([]uplift.Message(nil), req.Messages...)
	s.asked = append(s.asked, req)
	next := s.replies[0]
	s.replies = s.replies[1:]
	if err, ok := next.(error); ok {
		return model.Reply{}, err
	}
	return next.(model.Reply), nil
}

func says(text string) model.Reply { return model.Reply{Text: text, Stop: uplift.StopEnd} }

// decides is a controller from a function.
type decides func(prompt, draft string) (uplift.Decision, string, error)

func (d decides) Control(_ context.Context, prompt, draft string) (uplift.Decision, string, error) {
	return d(prompt, draft)
}

func acts(a uplift.Action, shown string) decides {
	return func(string, string) (uplift.Decision, string, error) { return uplift.Decision{Action: a}, shown, nil }
}

func respond(t *testing.T, c Condition, turns ...string) Result {
	t.Helper()
	got, err := c.Respond(context.Background(), Request{Turns: turns})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		name   string
		reply  any
		want   uplift.Outcome
		text   string
		detail string
	}{
		{"answer", says("a"), uplift.Answered, "a", ""},
		{"token limit", model.Reply{Text: "a", Stop: uplift.StopLength}, uplift.Truncated, "a", ""},
		{"refusal", model.Reply{Text: "no", Stop: uplift.StopRefusal}, uplift.ProviderRefusal, "no", ""},
		{"refusal without text", model.Reply{Stop: uplift.StopRefusal}, uplift.ProviderRefusal, "", ""},
		{"prompt blocked", model.Reply{Stop: uplift.StopPrompt}, uplift.PromptBlocked, "", ""},
		{"output blocked", model.Reply{Stop: uplift.StopOutput}, uplift.OutputBlocked, "", ""},
		{"an empty answer is an error", says(""), uplift.Failed, "", "reply is empty"},
		{"no stop is an error", model.Reply{Text: "a"}, uplift.Failed, "", `unknown reason ""`},
		{"an error is an error", errors.New("broken pipe"), uplift.Failed, "", "broken pipe"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := respond(t, Condition{Name: "c", Model: &script{replies: []any{c.reply}}}, "q")
			if got.Outcome != c.want || got.Text != c.text || !strings.Contains(got.Detail, c.detail) || (got.Detail == "") != (c.detail == "") {
				t.Errorf("got %q %q %q, want %q %q %q", got.Outcome, got.Text, got.Detail, c.want, c.text, c.detail)
			}
			if got.Decision != nil || got.Draft != "" {
				t.Errorf("a decision without a controller: %+v, %q", got.Decision, got.Draft)
			}
		})
	}
}

func TestControllerActs(t *testing.T) {
	boom := decides(func(string, string) (uplift.Decision, string, error) {
		return uplift.Decision{Action: uplift.Allow}, "draft", errors.New("out of reach")
	})
	panics := decides(func(string, string) (uplift.Decision, string, error) { panic("nil map") })
	for _, c := range []struct {
		name    string
		ctl     Controller
		onError OnError
		want    uplift.Outcome
		action  uplift.Action
		text    string
		err     string
	}{
		{"allow", acts(uplift.Allow, "draft"), "", uplift.Answered, uplift.Allow, "draft", ""},
		{"warn", acts(uplift.Warn, "n draft"), "", uplift.Answered, uplift.Warn, "n draft", ""},
		{"redact", acts(uplift.Redact, "[cut]"), "", uplift.Answered, uplift.Redact, "[cut]", ""},
		{"refuse", acts(uplift.Refuse, "no"), "", uplift.ControllerRefused, uplift.Refuse, "no", ""},
		{"an error refuses", boom, "", uplift.ControllerRefused, uplift.Refuse, Refusal, "out of reach"},
		{"an error refuses by name", boom, OnErrorRefuse, uplift.ControllerRefused, uplift.Refuse, Refusal, "out of reach"},
		{"an error allows by name only", boom, OnErrorAllow, uplift.Answered, uplift.Allow, "draft", "out of reach"},
		{"a panic refuses", panics, "", uplift.ControllerRefused, uplift.Refuse, Refusal, "panic: nil map"},
		{"the zero action refuses", acts("", "draft"), "", uplift.ControllerRefused, uplift.Refuse, Refusal, "unknown value"},
		{"an unknown action refuses", acts("pass", "draft"), "", uplift.ControllerRefused, uplift.Refuse, Refusal, "unknown value"},
		{"allowed with another text refuses", acts(uplift.Allow, "else"), "", uplift.ControllerRefused, uplift.Refuse, Refusal, "changed the draft"},
		{"redacted to nothing refuses", acts(uplift.Redact, ""), "", uplift.ControllerRefused, uplift.Refuse, Refusal, "no text to show"},
		{"redacted to a blank refuses", acts(uplift.Redact, " \n\u00a0"), "", uplift.ControllerRefused, uplift.Refuse, Refusal, "no text to show"},
		{"a blank refusal refuses in words", acts(uplift.Refuse, " "), "", uplift.ControllerRefused, uplift.Refuse, Refusal, "no text to show"},
		{"a blank warning refuses", acts(uplift.Warn, "\t"), "", uplift.ControllerRefused, uplift.Refuse, Refusal, "no text to show"},
		{"refused with the draft refuses in words", acts(uplift.Refuse, "draft"), "", uplift.ControllerRefused, uplift.Refuse, Refusal, "draft is shown unchanged"},
		{"redacted without a change refuses", acts(uplift.Redact, "draft"), "", uplift.ControllerRefused, uplift.Refuse, Refusal, "draft is shown unchanged"},
		{"warned without a note refuses", acts(uplift.Warn, "draft"), "", uplift.ControllerRefused, uplift.Refuse, Refusal, "draft is shown unchanged"},
		{"spaces are no change", acts(uplift.Redact, " draft\n"), "", uplift.ControllerRefused, uplift.Refuse, Refusal, "draft is shown unchanged"},
		{"unchanged allows by name only", acts(uplift.Refuse, "draft"), OnErrorAllow, uplift.Answered, uplift.Allow, "draft", "draft is shown unchanged"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := respond(t, Condition{Name: "c", Model: &script{replies: []any{says("draft")}}, Controller: c.ctl, OnError: c.onError}, "q")
			if got.Outcome != c.want || got.Text != c.text || got.Decision.Action != c.action || got.Draft != "draft" {
				t.Errorf("got %q %q %q, draft %q, want %q %q %q", got.Outcome, got.Text, got.Decision.Action, got.Draft, c.want, c.text, c.action)
			}
			if !strings.Contains(got.Decision.Err, c.err) || (got.Decision.Err == "") != (c.err == "") {
				t.Errorf("decision error %q, want %q", got.Decision.Err, c.err)
			}
			if last := got.Transcript[len(got.Transcript)-1]; last.Text != c.text {
				t.Errorf("the transcript ends in %q, want what was shown, %q", last.Text, c.text)
			}
		})
	}
}

// The controller's own template stands for its failure too, so that a failure
// does not look different from a refusal.
func TestFailingControllerUsesItsTemplate(t *testing.T) {
	ctl, err := controller.New(controller.Default())
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("a", 4<<20+1)
	got := respond(t, Condition{Model: &script{replies: []any{says(long)}}, Controller: ctl}, "q")
	if got.Text != ctl.Refusal() || got.Outcome != uplift.ControllerRefused || got.Decision.Err == "" {
		t.Errorf("got %q, %+v, want the policy's refusal with its error", got.Outcome, got.Decision)
	}
}

func TestHistoryHoldsWhatWasShown(t *testing.T) {
	m := &script{replies: []any{says("secret one"), says("two")}}
	var prompts []string
	ctl := decides(func(prompt, draft string) (uplift.Decision, string, error) {
		prompts = append(prompts, prompt)
		if strings.Contains(draft, "secret") {
			return uplift.Decision{Action: uplift.Redact}, "[cut]", nil
		}
		return uplift.Decision{Action: uplift.Allow}, draft, nil
	})
	got := respond(t, Condition{Name: "c", ModelName: "m", System: "s", Model: m, Controller: ctl}, "a\x1fb", "c")
	want := []uplift.Message{{Role: uplift.User, Text: "a\x1fb"}, {Role: uplift.Assistant, Text: "[cut]"},
		{Role: uplift.User, Text: "c"}, {Role: uplift.Assistant, Text: "two"}}
	if d := cmp.Diff(want, got.Transcript); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(want[:3], m.asked[1].Messages); d != "" {
		t.Errorf("the second request: %s", d)
	}
	if d := cmp.Diff([]string{"a\x1eb", "a\x1eb\n\x1f\nc"}, prompts); d != "" {
		t.Errorf("prompts: %s", d)
	}
	if want := m.asked[1].Digest("m"); got.Call != want || got.Decision.Action != uplift.Allow {
		t.Errorf("call %s, decision %v, want those of the last turn", got.Call, got.Decision.Action)
	}
}

// A block leaves the user's turns side by side in what the user saw, and
// joined in what is sent, because not every provider takes two of them in a row.
func TestConversationGoesOnAfterABlock(t *testing.T) {
	m := &script{replies: []any{says("one"), model.Reply{Stop: uplift.StopOutput}, model.Reply{Stop: uplift.StopPrompt}, says("four")}}
	got := respond(t, Condition{Model: m}, "a", "b", "c", "d")
	user := func(s string) uplift.Message { return uplift.Message{Role: uplift.User, Text: s} }
	reply := func(s string) uplift.Message { return uplift.Message{Role: uplift.Assistant, Text: s} }
	if d := cmp.Diff([]uplift.Message{user("a"), reply("one"), user("b"), user("c"), user("d"), reply("four")}, got.Transcript); d != "" {
		t.Errorf("transcript: %s", d)
	}
	if d := cmp.Diff([]uplift.Message{user("a"), reply("one"), user("b\n\nc\n\nd")}, m.asked[3].Messages); d != "" {
		t.Errorf("sent: %s", d)
	}
	if got.Outcome != uplift.Answered || got.Call != m.asked[3].Digest("") {
		t.Errorf("outcome %s, call %s, want those of the last turn", got.Outcome, got.Call)
	}
}

// The controller still sees turns that a block left side by side as turns.
func TestControllerSeesTurnsAfterABlock(t *testing.T) {
	var prompts []string
	ctl := decides(func(prompt, draft string) (uplift.Decision, string, error) {
		prompts = append(prompts, prompt)
		return uplift.Decision{Action: uplift.Allow}, draft, nil
	})
	respond(t, Condition{Model: &script{replies: []any{model.Reply{Stop: uplift.StopPrompt}, says("x")}}, Controller: ctl}, "a", "b")
	if d := cmp.Diff([]string{"a" + TurnBreak + "b"}, prompts); d != "" {
		t.Error(d)
	}
}

func TestConversationEndsAtAnError(t *testing.T) {
	m := &script{replies: []any{says("one"), errors.New("broken pipe")}}
	got, err := Condition{Model: m}.Respond(context.Background(), Request{Turns: []string{"a", "b", "c"}, Next: func(Result) string {
		t.Error("Next was called after an error")
		return "d"
	}})
	if err != nil || got.Outcome != uplift.Failed || len(got.Transcript) != 3 || len(m.asked) != 2 {
		t.Errorf("got %s after %d requests, transcript %v, %v, want error after the second", got.Outcome, len(m.asked), got.Transcript, err)
	}
}

// Next is told what the user saw, and its turn is one more of the conversation.
func TestNextTurnDependsOnWhatWasShown(t *testing.T) {
	for _, c := range []struct {
		name  string
		reply model.Reply
		ctl   Controller
		want  string // text, outcome and action as Next sees them
		turns string
	}{
		{"an answer", says("draft"), nil, "draft answered ", "user assistant user assistant"},
		{"what a controller made of it", says("draft"), acts(uplift.Redact, "[cut]"), "[cut] answered redact", "user assistant user assistant"},
		{"a controller's refusal", says("draft"), acts(uplift.Refuse, "no"), "no controller_refused refuse", "user assistant user assistant"},
		{"a provider's refusal", model.Reply{Text: "no", Stop: uplift.StopRefusal}, nil, "no provider_refusal ", "user assistant user assistant"},
		{"a block without text", model.Reply{Stop: uplift.StopPrompt}, nil, " prompt_blocked ", "user user assistant"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &script{replies: []any{c.reply, says("draft")}}
			var saw []string
			got, err := Condition{Model: m, Controller: c.ctl}.Respond(context.Background(), Request{Turns: []string{"a"}, Next: func(r Result) string {
				action := uplift.Action("")
				if r.Decision != nil {
					action = r.Decision.Action
				}
				saw = append(saw, fmt.Sprintf("%s %s %s", r.Text, r.Outcome, action))
				return "after " + r.Text
			}})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff([]string{c.want}, saw); d != "" {
				t.Errorf("Next saw %s", d)
			}
			var roles []string
			for _, msg := range got.Transcript {
				roles = append(roles, string(msg.Role))
			}
			if s := strings.Join(roles, " "); s != c.turns {
				t.Errorf("transcript of %s, want %s", s, c.turns)
			}
			if sent := m.asked[1].Messages; !strings.HasSuffix(sent[len(sent)-1].Text, "after "+got.Transcript[1].Text) && c.name != "a block without text" {
				t.Errorf("sent %v", sent)
			}
		})
	}
}

// Every turn of a replicate is that replicate's, the one that Next chose too.
func TestEveryTurnIsOfTheReplicate(t *testing.T) {
	m := &script{replies: []any{says("one"), says("two"), says("three")}}
	_, err := Condition{Model: m}.Respond(context.Background(), Request{Turns: []string{"a", "b"}, Replicate: 4, Next: func(Result) string { return "c" }})
	if err != nil {
		t.Fatal(err)
	}
	for i, req := range m.asked {
		if req.Replicate != 4 {
			t.Errorf("turn %d is asked as replicate %d, want 4", i, req.Replicate)
		}
	}
	if len(m.asked) != 3 {
		t.Errorf("%d turns, want 3", len(m.asked))
	}
}

// A controller judges every text of a model before a user sees it: that of a
// provider's refusal and of a reply that was cut short as well.
func TestControllerJudgesEveryText(t *testing.T) {
	for _, c := range []struct {
		stop    uplift.Stop
		action  uplift.Action
		outcome uplift.Outcome
	}{
		{uplift.StopEnd, uplift.Redact, uplift.Answered}, {uplift.StopLength, uplift.Redact, uplift.Truncated},
		{uplift.StopRefusal, uplift.Redact, uplift.ProviderRefusal}, {uplift.StopRefusal, uplift.Refuse, uplift.ControllerRefused},
		{uplift.StopOutput, uplift.Redact, uplift.OutputBlocked}, {uplift.StopPrompt, uplift.Redact, uplift.PromptBlocked},
	} {
		got := respond(t, Condition{Model: &script{replies: []any{model.Reply{Text: "draft", Stop: c.stop}}}, Controller: acts(c.action, "[cut]")}, "q")
		if got.Text != "[cut]" || got.Draft != "draft" || got.Decision == nil || got.Decision.Action != c.action || got.Outcome != c.outcome {
			t.Errorf("%s under %s: shown %q of draft %q, %+v, outcome %s, want [cut] and %s", c.stop, c.action, got.Text, got.Draft, got.Decision, got.Outcome, c.outcome)
		}
	}
}

func TestNoNextTurn(t *testing.T) {
	m := &script{replies: []any{says("one")}}
	got, err := Condition{Model: m}.Respond(context.Background(), Request{Turns: []string{"a"}, Next: func(Result) string { return "" }})
	if err != nil || len(got.Transcript) != 2 || got.Text != "one" {
		t.Errorf("got %v, %v, want no further turn", got, err)
	}
}

func TestRespondFailsOnlyWhenNothingMayBeRecorded(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	late := decides(func(string, string) (uplift.Decision, string, error) {
		return uplift.Decision{}, "", context.Canceled
	})
	for _, c := range []struct {
		name string
		ctx  context.Context
		cond Condition
		req  Request
		want string
	}{
		{"nothing was sent", context.Background(), Condition{Model: &script{replies: []any{model.ErrNotSent}}}, Request{Turns: []string{"q"}}, "request not sent"},
		{"ctx ended in the model", cancelled, Condition{Model: &script{replies: []any{context.Canceled}}}, Request{Turns: []string{"q"}}, "context canceled"},
		{"ctx ended in the controller", cancelled, Condition{Model: &script{replies: []any{says("a")}}, Controller: late}, Request{Turns: []string{"q"}}, "context canceled"},
		{"no model", context.Background(), Condition{Name: "c"}, Request{Turns: []string{"q"}}, "condition c: no model"},
		{"no turn", context.Background(), Condition{Name: "c", Model: &script{}}, Request{}, "condition c: no turn to ask (want at least one)"},
		{"on_error", context.Background(), Condition{Name: "c", Model: &script{}, OnError: "alow"}, Request{Turns: []string{"q"}}, `condition c: on_error: unknown value "alow" (want refuse or allow)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.cond.Respond(c.ctx, c.req)
			if err == nil || err.Error() != c.want || got.Outcome != "" {
				t.Errorf("got %q, %v, want no result and %q", got.Outcome, err, c.want)
			}
		})
	}
}

// A condition that controls another one's drafts makes equal requests.
func TestDraftsAreSharedByDigest(t *testing.T) {
	a := respond(t, Condition{Name: "helpful", ModelName: "m", System: "s", Model: &script{replies: []any{says("x")}}}, "q")
	b := respond(t, Condition{Name: "guarded", ModelName: "m", System: "s", Model: &script{replies: []any{says("x")}}, Controller: acts(uplift.Refuse, "no")}, "q")
	c := respond(t, Condition{Name: "vendor", ModelName: "m", Upstream: "other", System: "s", Model: &script{replies: []any{says("x")}}}, "q")
	if a.Call != b.Call || a.Call == c.Call || len(a.Call) != 64 {
		t.Errorf("calls %s, %s, %s: want the first two equal, the third another", a.Call, b.Call, c.Call)
	}
}
