package quarantine

import (
	"encoding/base64"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestShow(t *testing.T) {
	p := Payload{Of: "call 00ff", Parts: map[string]string{
		Text:      "two\nlines\x1b[31m\u202eback\ta\\b\r",
		Reasoning: "\nraw, 3 bytes\n| no\u200b header",
		Raw:       base64.StdEncoding.EncodeToString([]byte("{\xff}")),
	}}
	var b strings.Builder
	if err := p.Show(&b); err != nil {
		t.Fatal(err)
	}
	want := `of call 00ff

text, 26 bytes
| two
| lines\u001b[31m\u202eback\u0009a\\b\u000d

reasoning, 28 bytes
| 
| raw, 3 bytes
| | no\u200b header

raw, 3 bytes
| {\xff}
`
	if d := cmp.Diff(b.String(), want); d != "" {
		t.Error(d)
	}
}

// Whatever stands in a part, what is shown prints, is UTF-8, and no line of it
// passes for one of Show's own.
func FuzzShow(f *testing.F) {
	f.Add("text\n\ntext, 3 bytes\n")
	f.Add("\x1b]0;title\x07\u2028\U000e0041\xed\xa0\x80")
	f.Fuzz(func(t *testing.T, text string) {
		var b strings.Builder
		p := Payload{Of: "call " + text, Parts: map[string]string{Text: text, Raw: base64.StdEncoding.EncodeToString([]byte(text))}}
		if err := p.Show(&b); err != nil {
			t.Fatal(err)
		}
		if !utf8.ValidString(b.String()) {
			t.Error("is not UTF-8")
		}
		own := 0
		for line := range strings.Lines(b.String()) {
			line = strings.TrimSuffix(line, "\n")
			if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
				t.Errorf("%q does not print", line)
			}
			if !strings.HasPrefix(line, "| ") {
				own++
			}
		}
		if own != 5 { // of, and a blank and a head for each part
			t.Errorf("%d lines of its own, want 5", own)
		}
	})
}
