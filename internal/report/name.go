package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lengths in runes above which a text is cut in its middle or at its end.
const (
	longName = 64
	longText = 1200
)

// name is an untrusted name made fit to show: on one line, control and
// direction characters as their code points, cut in the middle when long.
func name(s string) string {
	if s == "" {
		return "(no name)"
	}
	return cutMiddle(clean(s), longName)
}

// text is an untrusted sentence made fit to show.
func text(s string) string {
	r := []rune(clean(s))
	if len(r) <= longText {
		return string(r)
	}
	return string(r[:longText-1]) + "…"
}

// clean spells out what a reader could not see or what would reorder the line.
func clean(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, "⟨%02X⟩", s[0])
		case hidden(r):
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		default:
			b.WriteRune(r)
		}
		s = s[size:]
	}
	return b.String()
}

// hidden reports whether r has no glyph of its own: controls, bidirectional
// marks, joiners, line and paragraph separators, private use.
func hidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) || unicode.Is(unicode.Variation_Selector, r)
}

// cutMiddle keeps the beginning and the end of a text of more than limit runes.
func cutMiddle(s string, limit int) string {
	r := []rune(s)
	if len(r) <= limit {
		return s
	}
	tail := limit / 4
	return string(r[:limit-tail-1]) + "…" + string(r[len(r)-tail:])
}
