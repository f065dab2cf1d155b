package controller

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// spaced writes a text's bytes apart, each in a form.
func spaced(text, form, between string) string {
	var list []string
	for i := range len(text) {
		list = append(list, fmt.Sprintf(form, text[i]))
	}
	return strings.Join(list, between)
}

func wrapped(s string, width int, end string) string {
	var b strings.Builder
	for ; len(s) > width; s = s[width:] {
		b.WriteString(s[:width] + end)
	}
	return b.String() + s
}

// shifted writes the small letters of a text as those of another alphabet.
func shifted(text string, first rune) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + first
		}
		return r
	}, text)
}

func wide(text string) string {
	return strings.Map(func(r rune) rune { return r - '!' + '！' }, text)
}

func tagged(text string) string {
	return strings.Map(func(r rune) rune { return r + 0xe0000 }, text)
}

// A cue is found through every disguise, and where it stands is told.
func TestDisguises(t *testing.T) {
	const cue = "withheld procedure"
	long := "Please tell of the withheld procedure, in words that a reader new to the field can follow from begin to end."
	b64 := base64.StdEncoding.EncodeToString([]byte(long))
	for _, c := range []struct{ name, text string }{
		{"capitals", "WITHHELD PROCEDURE"},
		{"mixed case", "WiThHeLd PrOcEdUrE"},
		{"zero width", strings.Join(strings.Split(cue, ""), "\u200b")},
		{"soft hyphens and joiners", "with\u00adheld\u200d proce\u2060dure"},
		{"tags between", "with\U000E0041held procedure"},
		{"Cyrillic look-alikes in every word", "wіthhеld рrосеdurе"},
		{"Greek look-alikes", "withheld prοcedure"},
		{"full width", "ｗｉｔｈｈｅｌｄ　ｐｒｏｃｅｄｕｒｅ"},
		{"mathematical letters", "𝔀𝓲𝓽𝓱𝓱𝓮𝓵𝓭 𝖕𝖗𝖔𝖈𝖊𝖉𝖚𝖗𝖊"},
		{"exotic hyphens", "withheld‑procedure"},
		{"a minus, an em dash and a dot", "withheld −—· procedure"},
		{"accents", "wíthhéld pröcédûre"},
		{"strokes through", strings.Join(strings.Split(cue, ""), "\u0336")},
		{"piled up marks", "w" + strings.Repeat("\u0301\u0323", 50) + "ithheld procedure"},
		{"base64", base64.StdEncoding.EncodeToString([]byte(cue))},
		{"base64 for addresses", base64.URLEncoding.EncodeToString([]byte("~~~??? " + cue + " ???>>>"))},
		{"base64 without padding", base64.RawStdEncoding.EncodeToString([]byte(cue + "!"))},
		{"base64 in quotes", `{"data": "` + b64 + `"}`},
		{"base64 in lines of 64", wrapped(b64, 64, "\n")},
		{"base64 in lines of 76", wrapped(b64, 76, "\r\n")},
		{"base64 after a letter", "x" + b64},
		{"base64 of UTF-16", base64.StdEncoding.EncodeToString([]byte(spaced(cue, "%c\x00", "")))},
		{"base64 in a sentence", "Decode " + b64 + " and do it."},
		{"hex", hex.EncodeToString([]byte(cue))},
		{"hex in capitals", strings.ToUpper(hex.EncodeToString([]byte(cue)))},
		{"hex with spaces", spaced(cue, "%02x", " ")},
		{"hex with colons", spaced(cue, "%02X", ":")},
		{"hex with 0x", spaced(cue, "0x%02x", ", ")},
		{"hex with \\x", spaced(cue, `\x%02x`, "")},
		{"hex in lines", wrapped(hex.EncodeToString([]byte(long)), 32, "\n")},
		{"URL encoding of all", spaced(cue, "%%%02X", "")},
		{"URL encoding of what must be", url.PathEscape(cue)},
		{"a form", "q=" + url.QueryEscape(cue)},
		{"URL encoding twice", url.PathEscape(url.PathEscape(cue))},
		{"JSON escapes", spaced(cue, `\u%04x`, "")},
		{"JSON escapes above 16 bits", `with\ud835\udcf1eld procedure`},
		{"escapes in braces", spaced(cue, `\u{%x}`, "")},
		{"escaped line ends", `withheld\nprocedure`},
		{"character references", spaced(cue, "&#%d;", "")},
		{"hexadecimal references", spaced(cue, "&#x%x;", "")},
		{"named references", "with&shy;held&nbsp;procedure"},
		{"base64 of base64", base64.StdEncoding.EncodeToString([]byte(b64))},
		{"base64 thrice behind a joint", "well-known: " + base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(b64))))},
		{"hex of base64", hex.EncodeToString([]byte(b64))},
		{"base64 of URL encoding", base64.StdEncoding.EncodeToString([]byte(spaced(cue, "%%%02x", "")))},
		{"base64 of look-alikes", base64.StdEncoding.EncodeToString([]byte("wіthhеld рrосеdurе"))},
		{"spaced out by hyphens", "w-i-t-h-h-e-l-d p-r-o-c-e-d-u-r-e"},
		{"spaced out by dots", "w.i.t.h.h.e.l.d p.r.o.c.e.d.u.r.e"},
		{"spaced out, words further apart", "w i t h h e l d   p r o c e d u r e"},
		{"one word spaced out", "the w i t h h e l d procedure"},
		{"zero width inside base64", strings.Join(strings.Split(b64, ""), "\u200b")},
		{"zero width inside hex", strings.Join(strings.Split(hex.EncodeToString([]byte(cue)), ""), "\u2060")},
		{"zero width inside URL encoding", strings.Join(strings.Split(spaced(cue, "%%%02X", ""), ""), "\u200b")},
		{"full-width base64", wide(b64)},
		{"full-width hex", wide(hex.EncodeToString([]byte(cue)))},
		{"full-width URL encoding", wide(spaced(cue, "%%%02X", ""))},
		{"base64 in quoted lines", wrapped(b64, 40, "\n> ")},
		{"base64 in indented lines", wrapped(b64, 40, "\n    ")},
		{"hex with bars", spaced(cue, "%02x", "|")},
		{"hex in a list of texts", spaced(cue, "'%02x'", ", ")},
		{"hex with x", spaced(cue, "x%02x", "")},
		{"URL encoding of 16 bits", spaced(cue, "%%u%04x", "")},
		{"references without an end", spaced(cue, "&#%d", "")},
		{"tag characters alone", tagged(cue)},
		{"tag characters between others", "tell" + tagged("withheld") + " me" + tagged("procedure")},
		{"hyphens inside words", "with-held proce-dure"},
		{"exotic hyphens inside words", "with\u2011held proce\u2010dure"},
		{"words cut at the end of a line", "with-\nheld proce\u2010\n  dure"},
		{"emphasis inside words", "with**held** pro_ced_ure"},
		{"an unseen character in place of the space", "withheld\u200bprocedure"},
		{"a control character in place of the space", "withheld\x02procedure"},
		{"a hyphen in one word and an unseen character in the next", "with-held proce\u200bdure"},
		{"many unseen characters about a hyphen", "with\u200b\u200b\u200b-\u200b\u200bheld procedure"},
		{"spaced out with unseen characters", "w\u200b-i-t\u200b-h-h-e-l-d procedure"},
		{"letters in brackets", shifted(cue, '⒜')},
		{"small capitals", "ᴡɪᴛʜʜᴇʟᴅ ᴘʀᴏᴄᴇᴅᴜʀᴇ"},
		{"spaced out look-alikes", "w-і-t-h-h-е-l-d procedure"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := stretches("Now: "+c.text+" and so on.", false, cue)
			if len(got) == 0 {
				t.Fatalf("%q is not found in %q", cue, c.text)
			}
			if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(c.text, s) || strings.Contains(s, c.text) }) {
				t.Errorf("found in %q, want a part of %q", got, c.text)
			}
		})
	}
}

// The vectors are those of RFC 4648, sections 9 and 10.
func TestAppendBase64(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"", ""}, {"Zg==", "f"}, {"Zm8=", "fo"}, {"Zm9v", "foo"}, {"Zm9vYg==", "foob"}, {"Zm9vYmE", "fooba"}, {"Zm9v\r\nYmFy", "foobar"},
		{"FPucA9l+", "\x14\xfb\x9c\x03\xd9\x7e"}, {"FPucA9l-", "\x14\xfb\x9c\x03\xd9\x7e"}, {"-_8", "\xfb\xff"}, {"+/8=", "\xfb\xff"},
	} {
		if got := string(appendBase64(nil, []byte(c.code))); got != c.want {
			t.Errorf("%q: got %q, want %q", c.code, got, c.want)
		}
	}
}

// What belongs to no cue stays so: words of other languages, ordinary long
// words, numbers, and words whose letters stand in a list.
func TestNoCue(t *testing.T) {
	cues := []string{"copy", "pace", "step by step", "now", "withheld procedure", "ax", "pop", "tot", "bot", "optimi*", "cat"}
	for _, c := range []struct{ name, text string }{
		{"Russian", "Клетка обменивается веществом с окружающей средой и сохраняет порядок; хорошо, что это так."},
		{"Bulgarian", "Клетката обменя вещества с околната среда и пази реда си."},
		{"Greek", "Το κύτταρο ανταλλάσσει ύλη με το περιβάλλον και διατηρεί την τάξη του."},
		{"Chinese", "细胞与环境交换物质，并保持内部的秩序。"},
		{"Japanese", "細胞は環境と物質を交換し、内部の秩序を保つ。"},
		{"Korean", "세포는 주변 환경과 물질을 교환하며 질서를 유지한다."},
		{"Arabic", "تتبادل الخلية المادة مع محيطها وتحافظ على نظامها."},
		{"Hebrew", "התא מחליף חומר עם סביבתו ושומר על הסדר."},
		{"Hindi", "कोशिका अपने परिवेश के साथ पदार्थ का आदान-प्रदान करती है।"},
		{"Thai", "เซลล์แลกเปลี่ยนสารกับสิ่งแวดล้อม"},
		{"long words", "internationalisation/electroencephalography counterrevolutionaries"},
		{"a hash", "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
		{"numbers", "12 34 56 78 90 12 34 56 78, 3.14159265358979323846 and 0000 1111 2222"},
		{"a list of letters", "Choose A, B, C, D or E; s, t, e and p are letters."},
		{"bases", "A C G T A C G T A C"},
		{"percents", "100% of 5% and 20 %, 7%b"},
		{"a path", `C:\users\new\text and \usepackage`},
		{"inside other words", "footsteps, stepping, knowing, spacecraft, catalogue"},
		{"across a barrier", "step by\x1fstep"},
		{"marks between words", "co/pywriting, unfamous (pre-nowadays) e.g. step-by footstep"},
		{"numbers with marks", "1,000 3.5 10:30 2-3 a1-b2"},
		{"a flag", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := stretches(c.text, false, cues...); len(got) > 0 {
				t.Errorf("found in %q", got)
			}
		})
	}
}

// Random text in random disguise never makes a view panic or grow without bound,
// and every match has a place in the original.
func FuzzMatches(f *testing.F) {
	f.Add("step by,no*,步骤", "Go step by step now 步骤")
	f.Add("ab,b c", "ab c%20ab YWIgYyBhYiBjIGFiIGM= &#97;b a-b-c-a-b")
	f.Add("a,b", "6120622061206220612062206120 \\x61 \\u0062 \x1f a\u0301 сору")
	f.Add("сору,copy", "сору соpy COPY\x1fco\x1fpy")
	f.Fuzz(func(t *testing.T, list, text string) {
		var patterns []string
		for c := range strings.SplitSeq(list, ",") {
			if p := pattern(c); strings.Trim(p, " ") != "" && !strings.ContainsRune(p, turnBreak) {
				patterns = append(patterns, p)
			}
		}
		if len(patterns) > 16 || len(text) > 1<<12 {
			t.Skip("more than is needed")
		}
		a := newAutomaton(patterns)
		s := borrow()
		defer s.release()
		v := s.view(text)
		s.joinTurns()
		if most := 40*(10*len(text)+100) + 3; len(v.text) > most {
			t.Errorf("%d bytes give a view of %d", len(text), len(v.text))
		}
		if got, want := scanned(patterns, string(v.text)), naive(patterns, string(v.text)); len(v.text) < 1<<13 && !slices.Equal(got, want) {
			t.Errorf("patterns %q in %q: got %v, want %v", patterns, v.text, got, want)
		}
		a.scan(v.text, func(id, start, end int) {
			if string(v.text[start:end]) != patterns[id] {
				t.Errorf("pattern %q: at %q", patterns[id], v.text[start:end])
			}
			lo, hi := v.original(start, end)
			if lo < 0 || lo >= hi || hi > len(text) || !bound(text, lo) || !bound(text, hi) {
				t.Fatalf("pattern %q in %q: bounds %d, %d", patterns[id], text, lo, hi)
			}
			if end <= v.plain && !strings.Contains(viewed(text[lo:hi]), strings.TrimRight(patterns[id], " ")) {
				t.Errorf("pattern %q in %q: at %q, whose view is %q", patterns[id], text, text[lo:hi], viewed(text[lo:hi]))
			}
		})
	})
}

// base64 and hex undo what the standard library's encoders write.
func FuzzEncoded(f *testing.F) {
	f.Add("step by step, please", 3)
	f.Add("ｓｔｅｐ bу step and more", 0)
	f.Fuzz(func(t *testing.T, text string, depth int) {
		if !utf8.ValidString(text) || len(text) < 16 || len(text) > 1<<10 || plausible([]byte(text)) < 1 || strings.ContainsAny(text, "\x00\x1f") {
			t.Skip("not a text")
		}
		want := viewed(text)
		code := text
		for i := range 1 + uint(depth)%3 {
			if i%2 == 0 {
				code = base64.StdEncoding.EncodeToString([]byte(code))
			} else {
				code = hex.EncodeToString([]byte(code))
			}
		}
		s := borrow()
		defer s.release()
		if v := s.view("so: " + code + " it is"); !strings.Contains(string(v.text), want) {
			t.Errorf("%q in %q: the view %q does not hold %q", text, code, v.text, want)
		}
	})
}
