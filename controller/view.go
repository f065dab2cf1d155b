package controller

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// view is what cues are looked for in: NFKC, case folded, without invisible
// characters, every run of white space and punctuation one space, and a space
// at either end. Word boundaries are thereby spaces, which are part of the
// patterns: no match has to be tested for its boundaries afterwards. U+001F,
// which stands between texts that were joined, stays, and no cue spans it.
func view(text string) string {
	if ascii(text) {
		return viewASCII(text)
	}
	return viewUnicode(text)
}

func viewUnicode(text string) string {
	folded := fold(strings.ToValidUTF8(text, "\ufffd")) // normalising stops short at a broken byte
	var b strings.Builder
	b.Grow(len(folded) + 2)
	b.WriteByte(' ')
	space := true
	for _, r := range folded {
		switch {
		case word(r):
			b.WriteRune(unicode.ToLower(r)) // folding makes some Cherokee letters capitals
			space = false
		case r == turnBreak:
			if !space {
				b.WriteByte(' ')
			}
			b.WriteString("\x1f ")
			space = true
		case unicode.Is(unicode.Cf, r), unicode.IsControl(r) && !unicode.IsSpace(r):
			// Soft hyphens, zero-width, tag and control characters are not seen.
		case !space:
			b.WriteByte(' ')
			space = true
		}
	}
	if !space {
		b.WriteByte(' ')
	}
	return b.String()
}

// fold undoes compatibility forms and case. Folding may undo NFKC and the other
// way round, so it goes on until nothing changes; two passes do for all but
// rare letters.
func fold(text string) string {
	for range 8 {
		next := norm.NFKC.String(cases.Fold().String(norm.NFKC.String(text)))
		if next == text {
			break
		}
		text = next
	}
	return text
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// viewASCII is viewUnicode for a text that needs no tables.
func viewASCII(text string) string {
	out := make([]byte, 1, len(text)+2)
	out[0] = ' '
	for i := range len(text) {
		c, last := text[i], out[len(out)-1]
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			out = append(out, c)
		case 'A' <= c && c <= 'Z':
			out = append(out, c|0x20)
		case c == turnBreak:
			if last != ' ' {
				out = append(out, ' ')
			}
			out = append(out, turnBreak, ' ')
		case c < ' ' && !('\t' <= c && c <= '\r') || c == 0x7f:
		case last != ' ':
			out = append(out, ' ')
		}
	}
	if out[len(out)-1] != ' ' {
		out = append(out, ' ')
	}
	return string(out)
}

const turnBreak = '\x1f'

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// pattern is a cue's words as they stand in a view, with the spaces that bound
// them; a final "*" leaves the right bound open.
func pattern(words string) string {
	stem, open := strings.CutSuffix(strings.TrimSpace(words), "*")
	p := view(stem)
	if open {
		p = strings.TrimSuffix(p, " ")
	}
	return p
}
