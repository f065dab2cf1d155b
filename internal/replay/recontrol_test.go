package replay

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/model"
)

func TestRecontrol(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*shelf)
		ctl    access.Controller
		want   string // state, why, text changed
		now    string // text and action
	}{
		{"the same controller", func(*shelf) {}, cuts{"shown:"}, "same  false", "shown: plain redact"},
		{"another one", func(*shelf) {}, cuts{"cut:"}, "changed  true", "cut: plain redact"},
		{"none", func(*shelf) {}, nil, "changed  true", "plain words "},
		{"another action of the same text", func(s *shelf) { s.responses[1].Decision.Action = uplift.Warn }, cuts{"shown:"}, "changed  false", "shown: plain redact"},
		{"another outcome of the same text", func(s *shelf) { s.responses[1].Outcome = uplift.ControllerRefused }, cuts{"shown:"}, "changed  false", "shown: plain redact"},
		{"a withheld response", func(s *shelf) { s.responses[1].Withheld = "w" }, cuts{"cut:"}, "unusable " + isWithheld + " false", ""},
		{"a withheld call", func(s *shelf) { s.each(func(c *uplift.Call, _ []uplift.Attempt) { c.Withheld = "w" }) }, cuts{"cut:"}, "unusable " + isWithheld + " false", ""},
		{"an error", func(s *shelf) { s.responses[1].Outcome = uplift.Failed }, cuts{"cut:"}, "unusable " + itFailed + " false", ""},
		{"imported", func(s *shelf) { s.responses[1].Call = "" }, cuts{"cut:"}, "unusable " + isImported + " false", ""},
		{"not planned", func(s *shelf) { s.responses[1].Task = "gone" }, cuts{"cut:"}, "unusable " + noCell + " false", ""},
		{"the split test", func(s *shelf) { s.responses[1].Item.Split = uplift.Test }, cuts{"cut:"}, "unusable " + otherSplit + " false", ""},
		{"the second locked split", func(s *shelf) { s.responses[1].Item.Split = uplift.TestB }, cuts{"cut:"}, "unusable " + otherSplit + " false", ""},
		{"the split dev", func(s *shelf) { s.responses[1].Item.Split = uplift.Dev }, cuts{"cut:"}, "changed  true", "cut: plain redact"},
		{"no call", func(s *shelf) { s.calls = nil }, cuts{"cut:"}, "needs_calls " + noCall + " false", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := ran()
			c.change(s)
			spec := studyOf(remote{Transport{}})
			spec.Conditions[1].Controller = c.ctl
			var got []Recontrolled
			for r, err := range Recontrol(t.Context(), spec.Conditions[1:], spec.Items, 1, s) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, r)
			}
			if len(got) != 1 {
				t.Fatalf("%d cells, want that of the changed condition", len(got))
			}
			if d := cmp.Diff(c.want, says(got[0])); d != "" {
				t.Error(d)
			}
			now := ""
			if n := got[0].Now; n != nil {
				now = n.Text + " " + string(n.Action())
			}
			if d := cmp.Diff(c.now, now); d != "" {
				t.Error(d)
			}
			if got[0].Why == otherSplit && got[0].Was != (Shown{}) {
				t.Error("what a locked split holds is shown")
			}
		})
	}
}

func says(r Recontrolled) string {
	changed := "false"
	if r.TextChanged {
		changed = "true"
	}
	return string(r.State) + " " + r.Why + " " + changed
}

// A conversation goes on under a changed controller as long as the turns before
// are shown as they were; else its next turn is another request, which is kept
// only where another cell was asked the same.
func TestRecontrolOfTurns(t *testing.T) {
	talks := func(shown string) (first, second string) {
		one := model.Request{Messages: []uplift.Message{{Role: uplift.User, Text: "a"}}}
		two := model.Request{Messages: append(talk("a", shown), uplift.Message{Role: uplift.User, Text: "b"})}
		return one.Digest("m"), two.Digest("m")
	}
	first, plain := talks("old: one")
	_, other := talks("new: one")
	for _, c := range []struct {
		name string
		ctl  access.Controller
		held []string
		want string
	}{
		{"shown as before", cuts{"old:"}, []string{first, plain}, "same  false"},
		{"shown otherwise", cuts{"new:"}, []string{first, plain}, "needs_calls " + otherAsk + " false"},
		{"as another cell was asked", cuts{"new:"}, []string{first, plain, other}, "changed  true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &shelf{calls: map[string]uplift.Call{}}
			for _, d := range c.held {
				text := "two words"
				if d == first {
					text = "one word"
				}
				s.calls[d] = uplift.Call{Digest: d, Text: text, Stop: uplift.StopEnd}
			}
			s.responses = []uplift.Response{{Cell: uplift.Cell{Model: "m", Condition: "cut", Task: "t", Attack: "direct"}, Outcome: uplift.Answered, Call: plain,
				Text: "old: two", Draft: "two words", Decision: &uplift.Decision{Action: uplift.Redact}, Transcript: append(talk("a", "old: one"), talk("b", "old: two")...)}}
			spec := studyOf(remote{Transport{}})
			spec.Items[0].Turns = []string{"a", "b"}
			spec.Conditions[1].Controller = c.ctl
			for r, err := range Recontrol(t.Context(), spec.Conditions[1:], spec.Items, 1, s) {
				if err != nil || says(r) != c.want {
					t.Errorf("got %q, %v, want %q", says(r), err, c.want)
				}
				if r.Now != nil && !strings.HasSuffix(r.Now.Text, " two") {
					t.Errorf("it shows %q, want the second turn's", r.Now.Text)
				}
			}
		})
	}
}
