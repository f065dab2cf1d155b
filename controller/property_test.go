package controller

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	uplift "github.com/uplift-eval/uplift"
)

// strictness is the order of the actions.
var strictness = []uplift.Action{uplift.Allow, uplift.Warn, uplift.Redact, uplift.Refuse}

func laxer(a, b uplift.Action) bool { return slices.Index(strictness, a) < slices.Index(strictness, b) }

// seeds are prompts and drafts that reach each rule.
var seeds = [][2]string{
	{"the withheld procedure", "The phases of it. Decision points in order."},
	{"A\x00b\x7f\x1f \x1f\tc\x85", "A\x00b\x7f\x1f \x1f\tc."},
	{"\xff\u0345", "ﬁ\u00ad\u1e9e"},
	{"0", "\xf3\u037a"},
	{"the sealed approach, exactly", "1. Mix 20 g flour.\n2. Then bake for 30 to 40 minutes at 180 °C.\n\n| a | 5 g |\n|---|---|\n| b | 7 min |\n"},
	{"被保留的程序", "首先，加入500克面粉。然后烤30分钟。最后，按以下顺序放好。"},
	{"", "```\nphases of it\n```\nText.\n```\n1. a\n2. b"},
	{"", "- (1) a, (2) b\n  - ① c\n> 1) d\n第一步：e"},
	{"step by step", "Step 1: a\nStep 2: b. Checks withheld. c\n\n\n3. phases of it\nend"},
	{"", "1. 1. 1. phases of it. 2. x"},
}

// Whatever the texts: the same decision twice, scores in range, spans on whole
// characters, nothing of a refused draft, and a rewritten text that scores lower.
func FuzzControl(f *testing.F) {
	for _, s := range seeds {
		f.Add(s[0], s[1])
	}
	ctl := built(f, Default())
	f.Fuzz(func(t *testing.T, prompt, draft string) {
		d, shown, err := ctl.Control(context.Background(), prompt, draft)
		if err != nil {
			t.Fatal(err)
		}
		if e, again, _ := ctl.Control(context.Background(), prompt, draft); shown != again || d.Score != e.Score || !slices.Equal(d.Cues, e.Cues) || !slices.Equal(d.Features, e.Features) {
			t.Errorf("%q, then %q", shown, again)
		}
		for _, s := range []float64{d.PromptScore, d.OutputScore, d.Score} {
			if !(s >= 0 && s <= 1) {
				t.Errorf("score %v", s)
			}
		}
		for _, x := range d.Features {
			if !(x.Value > 0 && x.Value <= 1 && x.Adds >= 0 && x.Adds <= x.Value) {
				t.Errorf("feature %+v", x)
			}
		}
		if len(d.Cues) > 2*maxCues {
			t.Errorf("%d cues", len(d.Cues))
		}
		for _, c := range d.Cues {
			text := map[string]string{"prompt": prompt, "output": draft}[c.Where]
			if c.Start < 0 || c.End <= c.Start || c.End > len(text) || !onRune(text, c.Start) || !onRune(text, c.End) {
				t.Errorf("cue %+v in %d bytes", c, len(text))
			}
		}
		before, after := ctl.rules.level(draft), ctl.rules.level(shown)
		switch d.Action {
		case uplift.Allow:
			if shown != draft {
				t.Errorf("allowed %q, shown %q", draft, shown)
			}
		case uplift.Warn, uplift.Redact:
			if strings.TrimSpace(shown) == strings.TrimSpace(draft) || after > before || before > 0 && after == before {
				t.Errorf("%s shows %q at %v, the draft %q at %v", d.Action, shown, after, draft, before)
			}
		case uplift.Refuse:
			if shown != ctl.rules.texts[ctl.rules.language(draft)].Refuse {
				t.Errorf("refused, shown %q", shown)
			}
		default:
			t.Errorf("action %q", d.Action)
		}
	})
}

// onRune reports whether a character of a text begins or the text ends at i. A
// byte that is none stands for itself.
func onRune(text string, i int) bool {
	for at := range text {
		if at == i {
			return true
		}
	}
	return i == len(text)
}

// A redaction is whole: another changes nothing, and no risky sentence of the
// draft is longer in it than it was.
func FuzzRedact(f *testing.F) {
	for _, s := range seeds {
		f.Add(s[1])
	}
	ctl := built(f, Default())
	mark := Default().Texts["en"].Redact
	f.Fuzz(func(t *testing.T, draft string) {
		once, removed := ctl.rules.redact(draft, mark)
		if twice, again := ctl.rules.redact(once, mark); twice != once || again {
			t.Errorf("%q, then %q, of %q", once, twice, draft)
		}
		if removed != (once != draft) {
			t.Errorf("removed %v: %q of %q", removed, once, draft)
		}
		if got, want := riskyBytes(ctl.rules, once), riskyBytes(ctl.rules, draft); got > want {
			t.Errorf("%d risky bytes in %q, %d in %q", got, once, want, draft)
		}
		if strings.Join(blockTexts(draft), "") != draft {
			t.Errorf("blocks %q of %q", blockTexts(draft), draft)
		}
	})
}

// riskyBytes is how much of a text stands in risky sentences.
func riskyBytes(r *rules, text string) int {
	n := 0
	for line := range strings.SplitAfterSeq(text, "\n") {
		for _, s := range sentences(line) {
			if r.specific(s) {
				n += len(s)
			}
		}
	}
	return n
}

func blockTexts(draft string) []string {
	var out []string
	for _, b := range blocksOf(draft) {
		out = append(out, b.text)
	}
	return out
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

// parts are pieces of prompts and drafts from which rapid builds texts.
func parts(p Policy, where string) []string {
	out := []string{"hello", " ", ". ", "\n", "1. ", "2) ", "- ", "5 g", "第一步", "20 分钟", "| a | 3 min |\n", "```\n", "\u200b", "é", "然后", "Then, ", "\xff"}
	for _, c := range p.Cues {
		if c.on(where) {
			for _, w := range c.Words {
				out = append(out, strings.TrimSuffix(w, "*"))
			}
		}
	}
	return out
}

func text(t *rapid.T, from []string, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(from), 0, 12).Draw(t, label), " ")
}

// Stricter cuts never make an action laxer, and neither does more evidence in
// the prompt, least of all that the asker teaches.
func TestNeverLaxer(t *testing.T) {
	p := Default()
	prompts, drafts := parts(p, "prompt"), parts(p, "output")
	framings := p.Words("prompt", "educational")
	loose := built(t, p)
	rapid.Check(t, func(t *rapid.T) {
		prompt, draft := text(t, prompts, "prompt"), text(t, drafts, "draft")
		d, _, err := loose.Control(context.Background(), prompt, draft)
		if err != nil {
			t.Fatal(err)
		}
		strict := p
		strict.Cuts.Warn = rapid.Float64Range(0, p.Cuts.Warn).Draw(t, "warn")
		strict.Cuts.Redact = rapid.Float64Range(strict.Cuts.Warn, p.Cuts.Redact).Draw(t, "redact")
		strict.Cuts.Refuse = rapid.Float64Range(strict.Cuts.Redact, p.Cuts.Refuse).Draw(t, "refuse")
		ctl, err := New(strict)
		if err != nil {
			t.Fatal(err)
		}
		if e, _, _ := ctl.Control(context.Background(), prompt, draft); laxer(e.Action, d.Action) {
			t.Errorf("%s with stricter cuts, %s before", e.Action, d.Action)
		}
		framing := "This is " + strings.TrimSuffix(rapid.SampledFrom(framings).Draw(t, "framing"), "*") + ". "
		more := rapid.SampledFrom(prompts).Draw(t, "more")
		for _, longer := range []string{framing + prompt, prompt + ". " + framing, prompt + "\n" + more} {
			e, _, err := loose.Control(context.Background(), longer, draft)
			if err != nil || laxer(e.Action, d.Action) || e.PromptScore < d.PromptScore {
				t.Errorf("%s, %v with %q, %s, %v without, %v", e.Action, e.PromptScore, longer, d.Action, d.PromptScore, err)
			}
		}
	})
}

// A feature's value never falls when a text goes on.
func TestFeaturesAreMonotone(t *testing.T) {
	p := Default()
	drafts := parts(p, "output")
	ctl := built(t, p)
	values := func(d uplift.Decision) map[string]float64 {
		out := map[string]float64{}
		for _, f := range d.Features {
			out[f.Name] = f.Value
		}
		return out
	}
	rapid.Check(t, func(t *rapid.T) {
		draft := strings.ToValidUTF8(text(t, drafts, "draft"), "")
		more := strings.ToValidUTF8(text(t, drafts, "more"), "")
		a, _ := ctl.Score("", draft)
		b, _ := ctl.Score("", draft+"\n"+more)
		for name, v := range values(a) {
			if w := values(b)[name]; w < v {
				t.Errorf("%s: %v in %q, %v in the longer text", name, v, draft, w)
			}
		}
	})
}
