package controller

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// minSpelt is how many letters, each apart from the next by the same single
// character, are taken for a word that was spaced out. Shorter runs are, where
// a text holds such a one. Nothing can tell where one word ends and the next
// begins if the words stand no further apart than the letters.
const minSpelt = 4

// unescape adds layer l as it reads when percent encodings, \x and \u escapes,
// numbered character references and spaced-out letters are undone, if it holds
// any. All else stays where it is, so that a cue may be escaped in part.
func (s *scratch) unescape(l, budget int) {
	src := s.v.layers[l].src
	own := s.v.parts[s.v.layers[l].part]
	apart := spacedOut(s.v.text[own.start:own.end], s.v.layers[l].wide)
	if !apart && !escaped(src) || len(s.decoded)+len(src) > budget {
		return
	}
	w := escapeReader{src: src, out: s.decoded, edits: s.v.edits, begin: len(s.decoded)}
	first := len(s.v.edits)
	w.read(apart)
	if len(w.edits) == first {
		return
	}
	w.plain(len(src))
	s.decoded, s.v.edits = w.out, w.edits
	s.deeper(l, w.begin, first)
}

// escapeReader writes a text without its escapes.
type escapeReader struct {
	src   []byte
	out   []byte
	edits []edit
	begin int // of the text in out
	done  int // up to where src is written
}

func (w *escapeReader) read(apart bool) {
	long := false
	if apart {
		long = w.longestSpelt() >= minSpelt
	}
	for i := 0; i < len(w.src); {
		var size int
		switch w.src[i] {
		case '%':
			size = w.percent(i)
		case '\\':
			size = w.backslash(i)
		case '&':
			size = w.reference(i)
		default:
			if long {
				size = w.spelt(i)
			}
		}
		i += max(size, 1)
	}
}

// plain takes the text up to i over as it is.
func (w *escapeReader) plain(i int) {
	if w.done < i {
		w.edits = append(w.edits, edit{len(w.out) - w.begin, span{w.done, i}, true})
		w.out = append(w.out, w.src[w.done:i]...)
		w.done = i
	}
}

// place notes that what is written next stands for size bytes at i.
func (w *escapeReader) place(i, size int) {
	w.plain(i)
	w.edits = append(w.edits, edit{len(w.out) - w.begin, span{i, i + size}, false})
	w.done = i + size
}

// percent undoes %74 at i. It returns how many bytes it took, as the others do.
func (w *escapeReader) percent(i int) int {
	n, ok := w.digits(i+1, 2, 2)
	if !ok {
		return 0
	}
	w.place(i, 3)
	w.out = append(w.out, byte(n))
	return 3
}

// backslash undoes \x74, \u0074, \u{74} and the escapes of white space.
func (w *escapeReader) backslash(i int) int {
	if i+1 == len(w.src) {
		return 0
	}
	switch w.src[i+1] {
	case 'n', 'r', 't':
		w.place(i, 2)
		w.out = append(w.out, ' ')
		return 2
	case 'x':
		if n, ok := w.digits(i+2, 2, 2); ok {
			w.place(i, 4)
			w.out = append(w.out, byte(n))
			return 4
		}
	case 'u':
		n, size := w.sixteen(i)
		if size == 0 {
			return 0
		}
		if utf16.IsSurrogate(n) {
			if low, more := w.sixteen(i + size); more > 0 {
				n, size = utf16.DecodeRune(n, low), size+more
			}
		}
		w.place(i, size)
		w.out = utf8.AppendRune(w.out, n)
		return size
	}
	return 0
}

// sixteen reads \u0074 or \u{74} at i.
func (w *escapeReader) sixteen(i int) (rune, int) {
	if i+2 >= len(w.src) || w.src[i] != '\\' || w.src[i+1] != 'u' {
		return 0, 0
	}
	if w.src[i+2] != '{' {
		n, ok := w.digits(i+2, 4, 4)
		if !ok {
			return 0, 0
		}
		return n, 6
	}
	end := bytes.IndexByte(w.src[i:min(len(w.src), i+12)], '}')
	if end < 0 {
		return 0, 0
	}
	n, ok := w.digits(i+3, end-3, 8)
	if !ok {
		return 0, 0
	}
	return n, end + 1
}

// digits reads size hexadecimal digits at i.
func (w *escapeReader) digits(i, size, most int) (rune, bool) {
	if size < 1 || size > most || i+size > len(w.src) {
		return 0, false
	}
	n := rune(0)
	for _, c := range w.src[i : i+size] {
		if hexDigit[c] == 16 {
			return 0, false
		}
		n = n<<4 | rune(hexDigit[c])
	}
	return n, true
}

// reference undoes &#116; and &#x74;, and &shy; and the like that leave nothing.
func (w *escapeReader) reference(i int) int {
	end := bytes.IndexByte(w.src[i:min(len(w.src), i+12)], ';')
	if end < 2 {
		return 0
	}
	name := w.src[i+1 : i+end]
	switch string(name) {
	case "shy", "zwnj", "zwj":
		w.place(i, end+1)
		w.out = append(w.out, 1) // a control character, which is not seen
		return end + 1
	case "nbsp", "amp", "lt", "gt", "quot", "apos":
		w.place(i, end+1)
		w.out = append(w.out, ' ')
		return end + 1
	}
	if name[0] != '#' || len(name) < 2 {
		return 0
	}
	n, ok := decimal(name[1:])
	if name[1]|0x20 == 'x' {
		n, ok = w.digits(i+3, end-3, 8)
	}
	if !ok {
		return 0
	}
	w.place(i, end+1)
	w.out = utf8.AppendRune(w.out, n)
	return end + 1
}

// decimal reads a number of at most eight digits.
func decimal(text []byte) (rune, bool) {
	n := rune(0)
	for _, c := range text {
		if c < '0' || c > '9' || len(text) > 8 {
			return 0, false
		}
		n = 10*n + rune(c-'0')
	}
	return n, true
}

// spelt joins the letters of a spaced-out word that begins at i.
func (w *escapeReader) spelt(i int) int {
	n, size := w.letters(i)
	if n < 2 {
		return 0
	}
	first, end := i, i+size
	_, sep := utf8.DecodeRune(w.src[i+w.letter(i):])
	for at := i; ; {
		k := w.letter(at)
		w.place(first, at+k-first)
		w.out = append(w.out, w.src[at:at+k]...)
		first, at = at+k, at+k+sep
		if at >= end {
			return size
		}
	}
}

// letters counts the single letters from i on that the same character parts,
// and the bytes they take with it.
func (w *escapeReader) letters(i int) (n, size int) {
	k := w.letter(i)
	if k == 0 || i > 0 && w.inWord(i) {
		return 0, 0
	}
	by, sep := utf8.DecodeRune(w.src[i+k:])
	if sep == 0 || by < utf8.RuneSelf && plainOf[by] != ' ' || by >= utf8.RuneSelf && roleIn(by) != roleSpace {
		return 1, k
	}
	at := i + k
	for n = 1; at < len(w.src); n++ {
		r, _ := utf8.DecodeRune(w.src[at:])
		k := 0
		if r == by {
			k = w.letter(at + sep)
		}
		if k == 0 {
			return n, at - i
		}
		at += sep + k
	}
	return n, at - i
}

// letter is the size of a letter at i that no other letter or digit follows, or 0.
func (w *escapeReader) letter(i int) int {
	if i >= len(w.src) {
		return 0
	}
	r, size := utf8.DecodeRune(w.src[i:])
	if !inside(r) || '0' <= r && r <= '9' {
		return 0
	}
	if next, n := utf8.DecodeRune(w.src[i+size:]); n > 0 && inside(next) {
		return 0
	}
	return size
}

// inWord reports whether a letter or digit stands before i.
func (w *escapeReader) inWord(i int) bool {
	r, _ := utf8.DecodeLastRune(w.src[:i])
	return inside(r)
}

// inside tells letters and digits from what stands between words.
func inside(r rune) bool {
	if r < utf8.RuneSelf {
		return plainOf[r] < 0x80 && plainOf[r] != ' '
	}
	return roleIn(r) == roleLetter
}

// longestSpelt is the number of letters in the longest spaced-out word.
func (w *escapeReader) longestSpelt() int {
	most := 0
	for i := 0; i < len(w.src); {
		n, size := w.letters(i)
		most = max(most, n)
		i += max(size, 1)
	}
	return most
}

// escaped reports whether a text may hold an escape.
func escaped(src []byte) bool {
	for _, mark := range []byte{'%', '\\', '&'} {
		for rest := src; ; {
			i := bytes.IndexByte(rest, mark)
			if i < 0 || i+2 >= len(rest) {
				break
			}
			rest = rest[i+1:]
			switch c := rest[0]; {
			case mark == '%' && hexDigit[c] < 16 && hexDigit[rest[1]] < 16,
				mark == '\\' && (c == 'x' || c == 'u' || c == 'n' || c == 'r' || c == 't'),
				mark == '&' && (c == '#' || 'a' <= c && c <= 'z'):
				return true
			}
		}
	}
	return false
}

// spacedOut reports whether a view may hold four words of one letter in a row,
// each of one byte, or of two if it is wide. Such words take nine bytes and
// more, so that it is enough to look around every eighth byte.
func spacedOut(view []byte, wide bool) bool {
	lone := &loneLetter
	if wide {
		lone = &loneWide
	}
	for at := 0; at+8 <= len(view); at += 8 {
		if lone[spaceBits(binary.LittleEndian.Uint64(view[at:]))] &&
			single(view[max(0, at-3*minSpelt):min(len(view), at+8+3*minSpelt)]) {
			return true
		}
	}
	return false
}

// spaceBits tells which of eight bytes are spaces; the first is the lowest bit.
func spaceBits(x uint64) uint8 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	other := x ^ ' '*ones
	spaces := (other - ones) &^ other & tops // and a byte 0x21 after a space, which no view holds
	return uint8(spaces >> 7 * 0x0102040810204080 >> 56)
}

// loneLetter and loneWide tell whether the fourth of eight bytes, of which the
// spaces are known, may stand in the first eight bytes of four spaced-out
// letters of one byte, or in eight in the middle of four of one or two.
var loneLetter, loneWide = func() (letter, wide [256]bool) {
	for bits := range letter {
		at := func(i int) bool { return bits>>(3+i)&1 == 1 }
		letter[bits] = at(0) && at(2) && (at(4) || at(-2)) || at(-1) && at(1) && (at(3) || at(-3))
		wide[bits] = letter[bits] || at(0) && at(-3) && at(3) || at(-2) && at(1) && at(4) || at(-1) && at(2)
	}
	return letter, wide
}()

// single reports whether a piece of a view holds four words of one letter in a
// row, of one or two bytes each.
func single(view []byte) bool {
	run, size := 0, -1 // of a word whose begin is not in the piece nothing is known
	for _, c := range view {
		switch {
		case c != ' ':
			if size >= 0 && (c < utf8.RuneSelf || c >= 0xc0) {
				size += 1 + int(c>>5&c>>6&c>>7) // of three bytes or more: none of these scripts
			}
			continue
		case size == 1:
			run++
		default:
			run = 0
		}
		if size = 0; run == minSpelt {
			return true
		}
	}
	return false
}
