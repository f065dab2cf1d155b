package controller

import (
	"context"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// hostile are pieces that ask the most of a view.
var hostile = []string{"a-b ", "a\u200bb ", "with\u2011", "%41", "&#65;", "QUJDREVGR0hJSktMTU5PUFFS\n", "4142434445464748\n", "s t e p ", "сору ", "\U000e0061", "１ａ\u200b", "\x1f", "a\u0301\u0323", "| a ", "```\n", "1. a\n"}

// A view of a text is a bounded number of times as long as the text, and that
// number does not grow with it: nothing is read more often in a longer text.
func TestViewsGrowWithTheirTexts(t *testing.T) {
	s := borrow()
	defer s.release()
	size := func(text string) int {
		v := s.view(text)
		s.joinTurns()
		return len(v.text) + len(v.edits) + len(v.parts)
	}
	for _, piece := range append(hostile, strings.Join(hostile, "")) {
		once := strings.Repeat(piece, 1<<14/len(piece))
		if got, want := size(once+once+once+once), 5*size(once)+1024; got > want {
			t.Errorf("%q: four times the text gives %d, want at most %d", piece, got, want)
		}
	}
}

// Apostrophes of either kind make no joints: they stand in most texts.
func TestApostrophesCostNothing(t *testing.T) {
	s := borrow()
	defer s.release()
	for _, text := range []string{"It's ours, isn't it?", "It’s ours, isn’t it?"} {
		if v := s.view(text); len(v.text) != v.plain {
			t.Errorf("%q: a view of %d bytes, want %d", text, len(v.text), v.plain)
		}
	}
}

// Scoring allocates nothing once its memory is warm. ./check runs this once more
// without the race detector, with which it cannot be counted.
func TestScoreAllocatesNothing(t *testing.T) {
	if raced {
		t.Skip("the race detector empties pools")
	}
	ctl := built(t, Default())
	for name, text := range map[string]string{
		"english": strings.Repeat(english, 6)[:2048],
		"chinese": strings.Repeat("细胞与环境交换物质，并保持内部的秩序。", 36),
		"hostile": strings.Repeat("with-held \u200bсору %41 &#65; s-t-e-p ", 40),
	} {
		var d uplift.Decision
		if n := testing.AllocsPerRun(100, func() {
			if err := ctl.scoreInto(&d, text, text); err != nil {
				t.Fatal(err)
			}
		}); n > 1 { // a pool may be emptied in between
			t.Errorf("%s: %v allocations, want none", name, n)
		}
	}
}

// Whatever the texts, stricter cuts and a teacher's words never make an action
// laxer, and no disguise of a draft does so either.
func FuzzNeverLaxer(f *testing.F) {
	for _, s := range seeds {
		f.Add(s[0], s[1])
	}
	loose := built(f, Default())
	stricter := map[int]*Controller{}
	for i := range 4 {
		p := Default()
		p.Cuts = Cuts{p.Cuts.Warn * float64(i) / 4, p.Cuts.Redact * float64(i) / 4, p.Cuts.Refuse * float64(i) / 4}
		stricter[i] = built(f, p)
	}
	f.Fuzz(func(t *testing.T, prompt, draft string) {
		d, _, err := loose.Control(context.Background(), prompt, draft)
		if err != nil {
			t.Skip("too long")
		}
		for i, c := range stricter {
			if e, _, _ := c.Control(context.Background(), prompt, draft); laxer(e.Action, d.Action) {
				t.Errorf("cuts of %d/4: %s, before %s", i, e.Action, d.Action)
			}
		}
		if e, _, _ := loose.Control(context.Background(), prompt+"\n\x1f\nThis is for my class.", draft); laxer(e.Action, d.Action) {
			t.Errorf("with a teacher's words: %s, before %s", e.Action, d.Action)
		}
	})
}

// A redaction of hostile Markdown and Unicode in any language is whole: another
// changes nothing, and its mark stands where something was taken out.
func FuzzRedactLanguages(f *testing.F) {
	f.Add("1. a\n2. b", uint8(1))
	f.Add("E.g. 5 g; Dr. a.\n| 1. a | 5 g |\n```\n5 g", uint8(2))
	f.Add("> - 1) 5 g\n\n\x1f## 2. phases\x1fof it\r\n", uint8(3))
	r := built(f, Default()).rules
	f.Fuzz(func(t *testing.T, draft string, lang uint8) {
		mark := r.texts[r.tongues[int(lang)%len(r.tongues)]].Redact
		once, removed := r.redact(draft, mark)
		if twice, _ := r.redact(once, mark); twice != once {
			t.Errorf("%q, then %q, of %q", once, twice, draft)
		}
		if removed && !strings.Contains(once, mark) {
			t.Errorf("%q holds no mark, of %q", once, draft)
		}
	})
}
