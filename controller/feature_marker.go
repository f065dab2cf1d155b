package controller

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// marker is what stands at the head of a line before its text.
type marker struct {
	ordered bool
	indent  int // bytes of white space and quotation marks
	bullet  int // bytes up to the end of a bullet or heading mark, indent included
	length  int // bytes up to the text
}

// maxMarker is the longest head of a line that is looked at, in bytes.
const maxMarker = 96

// markerOf reads the head of a line: white space, marks of quotations,
// headings and bullets, and then a number in one of many styles, such as "1.",
// "(2)", "３）", "①", "第一步", "٤.", "iv)", "b)" or "Step 5:".
func markerOf(line string) marker {
	if len(line) > maxMarker {
		line = line[:maxMarker]
	}
	var m marker
	at := skip(line, 0, func(r rune) bool {
		return r == ' ' || r == '\t' || r == '>' || r == '\u3000' || unicode.Is(unicode.Cf, r)
	})
	m.indent = at
	mark := skip(line, at, func(r rune) bool { return strings.ContainsRune("#-*+•·‣▪◦–—", r) })
	if mark > at {
		if next := skip(line, mark, blank); next > mark {
			at = next
		}
	}
	m.bullet, m.length = at, at
	at = skip(line, at, func(r rune) bool { return r == '*' || r == '_' }) // emphasis
	if end := orderedEnd(line, at); end > at {
		m.ordered = true
		end = skip(line, end, func(r rune) bool { return r == '*' || r == '_' || unicode.Is(unicode.Cf, r) })
		m.length = skip(line, end, blank)
	}
	return m
}

func blank(r rune) bool { return r == ' ' || r == '\t' || r == '\u3000' || r == '\u00a0' }

// skip is the offset of the first rune from at on that is not in the set.
func skip(line string, at int, in func(rune) bool) int {
	for at < len(line) {
		r, size := utf8.DecodeRuneInString(line[at:])
		if !in(r) {
			break
		}
		at += size
	}
	return at
}

// orderedEnd is the end of the number at the head of a list item; at when there
// is none.
func orderedEnd(line string, at int) int {
	r, size := utf8.DecodeRuneInString(line[at:])
	switch {
	case r == utf8.RuneError:
		return at
	case enclosed(r):
		return at + size
	case strings.ContainsRune("([（［【〔", r):
		end := numeral(line, at+size, true)
		if close, n := utf8.DecodeRuneInString(line[end:]); end > at+size && strings.ContainsRune(")]）］】〕", close) {
			return end + n
		}
		return at
	case r == '第':
		if end := numeral(line, at+size, false); end > at+size {
			if next, n := utf8.DecodeRuneInString(line[end:]); unicode.Is(unicode.Han, next) {
				return skip(line, end+n, closing)
			}
		}
		return at
	}
	if end := numeral(line, at, true); end > at {
		next, n := utf8.DecodeRuneInString(line[end:])
		if next == '\ufe0f' || next == '\u20e3' { // a key cap
			return skip(line, end, func(r rune) bool { return r == '\ufe0f' || r == '\u20e3' })
		}
		first, _ := utf8.DecodeRuneInString(line[at:])
		dotted := !unicode.IsLetter(first) || unicode.Is(unicode.Han, first) || end-at > 1 || strings.ContainsRune("ivxIVX", first)
		if strings.ContainsRune(")）]］、", next) || dotted && strings.ContainsRune(".．:：", next) {
			if after, _ := utf8.DecodeRuneInString(line[end+n:]); !unicode.IsDigit(after) {
				return end + n
			}
		}
	}
	return named(line, at)
}

// named is the end of a number after one word: "Step 1:", "Paso 2 –", "步骤3：",
// or alone in its line.
func named(line string, at int) int {
	end := skip(line, at, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) })
	if end == at || utf8.RuneCountInString(line[at:end]) > 12 {
		return at
	}
	from := skip(line, end, blank)
	to := skip(line, from, unicode.IsDigit)
	if to == from || utf8.RuneCountInString(line[from:to]) > 2 {
		return at
	}
	dash := skip(line, to, blank)
	next, n := utf8.DecodeRuneInString(line[dash:])
	switch {
	case dash == len(line), next == '\n', next == '\r', next == '*':
		return to
	case dash == to && next == '.' || closing(next) && next != '.':
		if after, _ := utf8.DecodeRuneInString(line[dash+n:]); !unicode.IsDigit(after) {
			return dash + n
		}
	}
	return at
}

func closing(r rune) bool { return strings.ContainsRune(".:)．：）、-–—", r) }

// numeral is the end of a small number from at on: up to three digits of one
// of the scripts, Chinese numerals, and, where letters may count, Roman
// numerals and single Latin letters.
func numeral(line string, at int, letters bool) int {
	if end := skip(line, at, unicode.IsDigit); end > at {
		if utf8.RuneCountInString(line[at:end]) > 3 {
			return at
		}
		return skip(line, end, func(r rune) bool { return unicode.Is(unicode.Cf, r) })
	}
	if end := skip(line, at, chineseNumeral); end > at && utf8.RuneCountInString(line[at:end]) <= 3 {
		return end
	}
	if !letters {
		return at
	}
	if end := skip(line, at, func(r rune) bool { return strings.ContainsRune("ivxIVX", r) }); end > at && end-at <= 4 {
		return end
	}
	if at < len(line) && letter[line[at]] {
		return at + 1
	}
	return at
}

func chineseNumeral(r rune) bool {
	return r >= '〇' && strings.ContainsRune("一二三四五六七八九十〇零壹贰叁肆伍陆柒捌玖拾", r)
}

// enclosed reports whether the rune is a number in a circle or brackets.
func enclosed(r rune) bool {
	return 0x2460 <= r && r <= 0x24ff || 0x2776 <= r && r <= 0x2793 || 0x3220 <= r && r <= 0x3229 || 0x3280 <= r && r <= 0x3289
}
