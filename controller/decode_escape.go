package controller

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

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

// percent undoes %74 and %u0074 at i. It returns how many bytes it took, as the others do.
func (w *escapeReader) percent(i int) int {
	if i+1 < len(w.src) && w.src[i+1] == 'u' {
		n, ok := w.digits(i+2, 4, 4)
		if !ok {
			return 0
		}
		w.place(i, 6)
		w.out = utf8.AppendRune(w.out, n)
		return 6
	}
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
	if n, size := w.unclosed(i); size > 0 && end != size {
		w.place(i, size)
		w.out = utf8.AppendRune(w.out, n)
		return size
	}
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

// unclosed reads &#116 at i, up to what is no digit, as browsers do.
func (w *escapeReader) unclosed(i int) (rune, int) {
	if i+2 >= len(w.src) || w.src[i+1] != '#' {
		return 0, 0
	}
	end := i + 2
	for end < len(w.src) && '0' <= w.src[end] && w.src[end] <= '9' {
		end++
	}
	n, ok := decimal(w.src[i+2 : end])
	if !ok || end == i+2 {
		return 0, 0
	}
	return n, end - i
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
			case mark == '%' && (c == 'u' || hexDigit[c] < 16) && hexDigit[rest[1]] < 16,
				mark == '\\' && (c == 'x' || c == 'u' || c == 'n' || c == 'r' || c == 't'),
				mark == '&' && (c == '#' || 'a' <= c && c <= 'z'):
				return true
			}
		}
	}
	return false
}
