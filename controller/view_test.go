package controller

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// What is wanted was written down by hand from the Unicode charts.
func TestViewed(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", " "},
		{"case and punctuation", "Step-by-Step, NOW!", " step by step now "},
		{"white space", "a\t\n b\u00a0\u2003c\u3000d", " a b c d "},
		{"digits", "add 5 ml", " add 5 ml "},
		{"full width", "ＳＴＥＰ　１", " step 1 "},
		{"mathematical letters", "𝐒𝐭𝑒𝕡 𝟙", " step 1 "},
		{"letters in circles", "ⓢⓣⓔⓟ 🅢🅣🅔🅟 🆂🆃🅴🅿", " step step step "},
		{"letters of flags", "\U0001F1F8\U0001F1F9\U0001F1EA\U0001F1F5", " step "},
		{"ligature and fraction", "ﬁnd ½", " find 1 2 "},
		{"sharp s", "STRAẞE straße", " strasse strasse "},
		{"zero width", "s\u200bt\u200ce\u200dp\ufeff \u2060x", " step x "},
		{"soft hyphen", "st\u00adep", " step "},
		{"bidi", "\u202est\u2066ep\u2069\u202c", " step "},
		{"tags", "st\U000E0065\U000E0070ep", " step "},
		{"variation selectors", "s\ufe0ft\U000E0101ep", " step "},
		{"fillers", "s\u115ft\u3164e\uffa0p\u034f", " step "},
		{"control characters", "s\x00t\x1be\x7fp\u0080", " step "},
		{"next line is white space", "a\u0085b", " a b "},
		{"exotic hyphens", "a‐b‑c‒d–e—f―g−h﹘i﹣j－k⸺l・m", " a b c d e f g h i j k l m "},
		{"apostrophe letters", "donʼt don’t", " don t don t "},
		{"accents", "Café naïve CAFE\u0301", " cafe naive cafe "},
		{"strokes over letters", "s\u0336t\u0337e\u20ddp\u0338", " step "},
		{"Latin words of other languages", "łatwy bjørn ısı", " latwy bjorn isi "},
		{"mixed scripts", "stеp bу ѕtер", " step by step "},
		{"capitals of mixed scripts", "SТEР ВY НELP WІTHHELD", " step by help withheld "},
		{"a letter that looks like no ASCII letter", "tоЖе", " tоже "},
		{"small capitals", "sᴛᴇᴘ", " step "},
		{"Greek in Latin", "sτορ cορy", " stop copy "},
		{"a word of one script stays", "сору нос НОС", " сору нос нос "},
		{"Russian", "Йод и ёлка", " иод и елка "},
		{"Greek", "Ο Σίσυφος", " ο σισυφοσ "},
		{"Arabic", "مُقَدِّمَة ومـــثال", " مقدمة ومثال "},
		{"digits of other scripts", "٤٢ ४२ 𝟜𝟚", " 42 42 42 "},
		{"Chinese", "请按步骤。", " 请 按 步 骤 "},
		{"Chinese and English", "按step做", " 按 step 做 "},
		{"kana with voicing", "ガ ｶﾞ か\u3099", " カ\u3099 カ\u3099 か\u3099 "},
		{"Hangul, composed or not", "각 \u1100\u1161\u11a8", " \u1100\u1161\u11a8 \u1100\u1161\u11a8 "},
		{"marks in canonical order", "ก\u0e48\u0e38 ก\u0e38\u0e48", " ก\u0e38\u0e48 ก\u0e38\u0e48 "},
		{"Devanagari keeps its marks", "किताब", " किताब "},
		{"broken bytes", "st\xffep \xc3", " st ep "},
		{"private use", "a\ue000b", " a b "},
		{"barrier", "a\x1fb\x1f\x1fc", " a \x1f b \x1f \x1f c "},
		{"barrier at the ends", "\x1fa\x1f", " \x1f a \x1f "},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := viewed(c.text); got != c.want {
				t.Errorf("view of %q: got %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestOriginal(t *testing.T) {
	for _, c := range []struct{ name, text, cue, want string }{
		{"plain", "Go step-by-step, now.", "step by step", "step-by-step"},
		{"at the ends", "step", "step", "step"},
		{"white space around", "\n\n  step \t", "step", "step"},
		{"an open end", "optimising it", "optimi*", "optimi"},
		{"marks after the last letter", "do s\u0336te\u0301p\u0336\u0323 it", "step", "s\u0336te\u0301p\u0336\u0323"},
		{"zero width inside", "a s\u200bt\u200be\u200bp a", "step", "s\u200bt\u200be\u200bp"},
		{"full width", "\u3000ｓｔｅｐ\u3000", "step", "ｓｔｅｐ"},
		{"one character for several letters", "the ﬃne ", "ffine", "ﬃne"},
		{"mixed scripts", "и ѕtер и", "step", "ѕtер"},
		{"a word that only looks so", "и сору и", "copy", "сору"},
		{"among ideographs", "请按步骤做", "步骤", "步骤"},
		{"parted ideographs", "请按步\u200b 骤做", "步骤", "步\u200b 骤"},
		{"ideograph with its mark", "あがあ", "が", "が"},
		{"after broken bytes", "\xff\xfe step \xff", "step", "step"},
		{"Hangul", "나는 각도를", "각도*", "각도"},
		{"base64", "see c3RlcCBieSBzdGVw please", "step by step", "c3RlcCBieSBzdGVw"},
		{"base64 with padding", "see d2l0aGhlbGQgc3RlcHM= please", "withheld steps", "d2l0aGhlbGQgc3RlcHM="},
		{"part of base64", "see YSBzdGVwIGJ5IHN0ZXAgYQ== please", "step by step", "YSBzdGVwIGJ5IHN0ZXAgYQ=="},
		{"percent", "go step%20by%20step now", "step by step", "step%20by%20step"},
		{"percent in part", "go ste%70 by step now", "step by step", "ste%70 by step"},
		{"spaced out", "go s-t-e-p b-y s-t-e-p now", "step by step", "s-t-e-p b-y s-t-e-p"},
		{"base64 of percent", "see c3RlcCUyMGJ5JTIwc3RlcA== ok", "step by step", "c3RlcCUyMGJ5JTIwc3RlcA=="},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := stretches(c.text, false, c.cue)
			if len(got) != 1 || got[0] != c.want {
				t.Errorf("%q in %q: got %q, want %q", c.cue, c.text, got, c.want)
			}
		})
	}
}

// stretches are the parts of a text in which cues are found.
func stretches(text string, joined bool, cues ...string) []string {
	var patterns []string
	for _, c := range cues {
		patterns = append(patterns, pattern(c))
	}
	s := borrow()
	defer s.release()
	s.view(text)
	if joined {
		s.joinTurns()
	}
	var out []string
	for _, m := range s.matches(newAutomaton(patterns)) {
		out = append(out, text[m.start:m.end])
	}
	return out
}

func TestJoinTurns(t *testing.T) {
	for _, c := range []struct {
		name, text    string
		apart, joined string // what is found
	}{
		{"between words", "go step by\n\x1f\nstep now", "", "step by\n\x1f\nstep"},
		{"inside a word", "go step by st\n\x1f\nep now", "", "step by st\n\x1f\nep"},
		{"over three turns", "step\x1fby\x1fstep", "", "step\x1fby\x1fstep"},
		{"an empty turn between", "step by\x1f \x1fstep", "", "step by\x1f \x1fstep"},
		{"within a turn, once", "a\x1fstep by step\x1fb", "step by step", "step by step"},
		{"look-alikes", "ѕtер bу\x1fѕtер", "", "ѕtер bу\x1fѕtер"},
		{"breaks at the ends", "\x1fstep by step\x1f", "step by step", "step by step"},
		{"nothing but breaks", "\x1f\x1f", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			apart := strings.Join(stretches(c.text, false, "step by step"), "|")
			joined := strings.Join(stretches(c.text, true, "step by step"), "|")
			if apart != c.apart || joined != c.joined {
				t.Errorf("%q: got %q, and joined %q, want %q and %q", c.text, apart, joined, c.apart, c.joined)
			}
		})
	}
}

// Marks beyond the eighth are not kept, so that each costs at most the moving
// of seven, however many are piled up.
func TestMarksAreBounded(t *testing.T) {
	got := viewed("ก" + strings.Repeat("\u0e48\u0e38", 1000) + "ข")
	want := " ก" + strings.Repeat("\u0e38", 4) + strings.Repeat("\u0e48", 4) + " ข "
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := viewed("a"+strings.Repeat("\u0301", 1000)+"b"), " ab "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzView holds that a view is stable; that it is the same for texts that
// Unicode calls equivalent; that the paths for ASCII give what the table says;
// and that bounds fit.
func FuzzView(f *testing.F) {
	for _, s := range []string{
		"Step-by-Step", "ѕtер ｂｙ сору", "か\u3099か \u3099ガ각", "ก\u0e48\u0e38", "\xff\u0345ﬁ\u00ad\u1e9e", "a\x1f\x1f b\x00",
		"with-held, pro\u200bce--dure: e\u200b-\u2011f a\u0301-b é-é 12-a x.y-\n z abcdefgh-i abcdefg-h",
		"ⅷ㌀ﷺ½", "І\u0301ø\u0338", "a\u0e38b", "步\x01\u3099", "\u0e38", "a \u093c\u0301",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := viewed(text)
		if again := viewed(got); again != got {
			t.Errorf("view of %q: %q, and again %q", text, got, again)
		}
		if slow := byTable(text); slow != got {
			t.Errorf("view of %q: %q, and by the table alone %q", text, got, slow)
		}
		if utf8.ValidString(text) && !manyMarks(text) {
			for _, same := range []string{norm.NFC.String(text), norm.NFD.String(text)} {
				if other := viewed(same); other != got {
					t.Errorf("view of %q: %q, but of its equal %q: %q", text, got, same, other)
				}
			}
		}
		checkBounds(t, text)
		checkJoints(t, text)
	})
}

// checkJoints holds that no joint is passed over by the way in which they are
// found: it tries every character.
func checkJoints(t *testing.T, text string) {
	s := borrow()
	defer s.release()
	s.own(text)
	w := escapeReader{src: s.src}
	for i, r := range text {
		if size, _ := w.joint(i); size == 0 || r == '\'' || r == '\u2019' || i+1 < len(text) && r < utf8.RuneSelf && text[i+1] == ' ' {
			continue
		}
		if !slices.Contains(s.joined, int32(i)) {
			t.Errorf("%q: the joint at %d is not among %v", text, i, s.joined)
		}
	}
}

// manyMarks reports whether a letter has more marks than are seen.
func manyMarks(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return norm.NFKD.PropertiesString(string(r)).CCC() > 0 }) >= 0 &&
		utf8.RuneCountInString(norm.NFKD.String(text)) > maxMarks
}

// byTable is viewed without what is quicker for ASCII.
func byTable(text string) string {
	var r reader
	r.put(' ')
	for i, size := 0, 0; i < len(text); i += size {
		var c rune
		c, size = utf8.DecodeRuneInString(text[i:])
		if e := lookUp(c); c < utf8.RuneSelf && e.role == roleLetter {
			if e.plain == "" {
				e.plain = string(c)
			}
			r.letter(c, e)
			r.marks, r.orders, r.joins = r.marks[:0], r.orders[:0], false
		} else {
			r.step(c)
		}
	}
	r.finish()
	r.space()
	return string(r.out)
}

func checkBounds(t *testing.T, text string) {
	s := borrow()
	defer s.release()
	v := s.view(text)
	s.joinTurns()
	for at, c := range v.text {
		if c <= ' ' {
			continue
		}
		start, end := v.original(at, at+1)
		if start < 0 || start > end || end > len(text) || !bound(text, start) || !bound(text, end) || text != "" && c > ' ' && start == end {
			t.Fatalf("%q: byte %d of the view %q: bounds %d, %d", text, at, v.text, start, end)
		}
	}
	l := v.layers[0]
	own := string(v.text[:v.plain])
	v.bounds(0)
	if replayed := string(v.source.out); l.bounds < 0 && replayed != "" && len(v.layers) == 1 && replayed != own {
		t.Fatalf("%q: view %q, with bounds %q", text, own, replayed)
	}
}

// bound reports whether a rune of the text, or a broken byte, begins at i, or the text ends.
func bound(text string, i int) bool {
	for at := 0; at < len(text); {
		if at == i {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return i == len(text)
}
