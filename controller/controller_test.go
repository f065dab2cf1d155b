package controller

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// small is a policy whose scores are exact: weights are binary fractions.
func small() Policy {
	return Policy{Name: "small", Version: 1,
		Prompt: []Cue{{"red thing", "noun", 0.5}, {"quick*", "speed", 0.25}, {"now", "speed", 0.5}},
		Output: []Cue{{"first part", "order", 0.5}, {"second part", "order", 0.25}, {"third part", "order", 0.5}},
		Cuts:   Cuts{0.25, 0.45, 0.70},
		Texts:  Texts{Warn: "NOTE", Redact: "[CUT]", Refuse: "NO"}}
}

func built(t *testing.T, p Policy) *Controller {
	t.Helper()
	c, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestControl(t *testing.T) {
	for _, c := range []struct {
		name, prompt, draft string
		sp, so, s           float64
		action              uplift.Action
		shown               string
		cues                []string
	}{
		{"nothing", "hello", "Fine.", 0, 0, 0, uplift.Allow, "Fine.", nil},
		{"below the first cut", "a red thing", "Fine.", 0.5, 0, 0.225, uplift.Allow, "Fine.", []string{"prompt:noun:red thing"}},
		{"warn", "a red thing, quickly", "Fine.", 0.75, 0, 0.3375, uplift.Warn, "NOTE\n\nFine.",
			[]string{"prompt:noun:red thing", "prompt:speed:quick*"}},
		{"redact", "Red\u00a0THING", "So it is. First part, then. Good.", 0.5, 0.5, 0.5, uplift.Redact, "So it is. [CUT] Good.",
			[]string{"prompt:noun:red thing", "output:order:first part"}},
		{"redact a run once", "red thing", "A first part. A second part! Good?\n- first part\n- fine", 0.5, 0.75, 0.6375, uplift.Redact,
			"[CUT] Good?\n[CUT]\n- fine", []string{"prompt:noun:red thing", "output:order:first part", "output:order:second part"}},
		{"refuse", "red thing now", "first part, third part", 1, 1, 1, uplift.Refuse, "NO",
			[]string{"prompt:noun:red thing", "prompt:speed:now", "output:order:first part", "output:order:third part"}},
		{"weights add up to 1 at most", "", "first part second part third part", 0, 1, 0.55, uplift.Redact, "[CUT]", nil},
		{"a cue over two sentences cannot be cut out: refuse", "red thing", "It is first. Part of it.", 0.5, 0.5, 0.5, uplift.Refuse, "NO", nil},
		{"a cue counts once", "", "first part first part", 0, 0.5, 0.275, uplift.Warn, "NOTE\n\nfirst part first part", nil},
		{"no cue inside a word", "infrared things, acquick", "the first parties", 0, 0, 0, uplift.Allow, "the first parties", nil},
		{"not across two turns", "red\n\x1f\nthing", "", 0, 0, 0, uplift.Allow, "", nil},
		{"full width, hyphen and zero width", "ＲＥＤ-th\u200bing", "", 0.5, 0, 0.225, uplift.Allow, "", nil},
		{"a control character hides nothing", "red th\x01ing", "", 0.5, 0, 0.225, uplift.Allow, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctl := built(t, small())
			d, shown, err := ctl.Control(context.Background(), c.prompt, c.draft)
			if err != nil {
				t.Fatal(err)
			}
			if d.PromptScore != c.sp || d.OutputScore != c.so || math.Abs(d.Score-c.s) > 1e-15 {
				t.Errorf("scores %v, %v, %v, want %v, %v, %v", d.PromptScore, d.OutputScore, d.Score, c.sp, c.so, c.s)
			}
			if d.Action != c.action || shown != c.shown {
				t.Errorf("%s %q, want %s %q", d.Action, shown, c.action, c.shown)
			}
			if c.cues != nil && !slices.Equal(cueNames(d.Cues), c.cues) {
				t.Errorf("cues %q, want %q", cueNames(d.Cues), c.cues)
			}
			if d.Policy != ctl.Digest() || len(d.Policy) != 64 {
				t.Errorf("policy %q, want the digest", d.Policy)
			}
		})
	}
}

func TestActionFailsClosed(t *testing.T) {
	c := Cuts{0.25, 0.45, 0.70}
	for _, x := range []struct {
		s    float64
		want uplift.Action
	}{
		{0, uplift.Allow}, {math.Nextafter(0.25, 0), uplift.Allow}, {0.25, uplift.Warn}, {0.45, uplift.Redact},
		{0.70, uplift.Refuse}, {1, uplift.Refuse}, {math.NaN(), uplift.Refuse}, {math.Inf(1), uplift.Refuse},
	} {
		if got := c.action(x.s); got != x.want {
			t.Errorf("score %v: %s, want %s", x.s, got, x.want)
		}
	}
	if got := (Cuts{}).action(0); got != uplift.Refuse {
		t.Errorf("zero cuts: %s, want refuse", got)
	}
}

func TestTooLongIsAnError(t *testing.T) {
	ctl := built(t, small())
	long := strings.Repeat("a", maxText+1)
	for _, c := range []struct{ name, prompt, draft, want string }{
		{"prompt", long, "x", "controller: prompt: 4194305 bytes (want at most 4194304)"},
		{"draft", "x", long, "controller: draft: 4194305 bytes (want at most 4194304)"},
	} {
		d, shown, err := ctl.Control(context.Background(), c.prompt, c.draft)
		if err == nil || err.Error() != c.want || shown != "" || d.Action != "" {
			t.Errorf("%s: %v, %q, %v, want no action, nothing shown and %q", c.name, d.Action, shown, err, c.want)
		}
	}
}

// More cues in prompt or draft never make an action laxer.
func TestMoreCuesAreNeverLaxer(t *testing.T) {
	ctl := built(t, Default())
	order := []uplift.Action{uplift.Allow, uplift.Warn, uplift.Redact, uplift.Refuse}
	for _, p := range append([]Cue{{Words: "hello"}}, ctl.policy.Prompt...) {
		last := -1
		draft := "An answer."
		for _, o := range ctl.policy.Output {
			d, _, err := ctl.Control(context.Background(), p.Words, draft)
			if err != nil {
				t.Fatal(err)
			}
			at := slices.Index(order, d.Action)
			if at < last {
				t.Errorf("prompt %q, draft %q: %s, laxer than with fewer cues", p.Words, draft, d.Action)
			}
			last = at
			draft += " Here is " + o.Words + "."
		}
	}
}

func FuzzSentences(f *testing.F) {
	f.Add("One. Two! (Three?) \"Four.\" Five 1.5 e.g. six\n\n- a\n- b。c")
	f.Add("...")
	f.Fuzz(func(t *testing.T, text string) {
		if got := strings.Join(sentences(text), ""); got != text {
			t.Errorf("joined %q, want %q", got, text)
		}
	})
}

// Whatever the texts: the view is stable, the action is one of the four, and
// nothing of a refused draft is shown.
func FuzzControl(f *testing.F) {
	f.Add("the withheld procedure", "The phases of it. Decision points in order.")
	f.Add("A\x00b\x7f\x1f \x1f\tc\x85", "A\x00b\x7f\x1f \x1f\tc.")
	f.Add("\xff\u0345", "ﬁ\u00ad\u1e9e")
	f.Add("0", "\xf3\u037a")
	ctl, err := New(Default())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, prompt, draft string) {
		if v := viewed(draft); viewed(v) != v {
			t.Errorf("view of %q: %q, and again %q", draft, v, viewed(v))
		}
		d, shown, err := ctl.Control(context.Background(), prompt, draft)
		if err != nil {
			t.Fatal(err)
		}
		e, again, _ := ctl.Control(context.Background(), prompt, draft)
		if shown != again || d.Score != e.Score {
			t.Errorf("%q, then %q", shown, again)
		}
		switch d.Action {
		case uplift.Allow:
			if shown != draft {
				t.Errorf("allowed %q, shown %q", draft, shown)
			}
		case uplift.Warn, uplift.Redact:
		case uplift.Refuse:
			if shown != ctl.Refusal() {
				t.Errorf("refused, shown %q", shown)
			}
		default:
			t.Errorf("action %q", d.Action)
		}
	})
}

func cueNames(cues []uplift.Cue) []string {
	var names []string
	for _, c := range cues {
		names = append(names, c.Where+":"+c.Class+":"+c.Words)
	}
	return names
}
