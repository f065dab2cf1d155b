package controller

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// unbroken adds the original without the breaks between its turns: a run that
// is encoded may begin in one turn and end in the next.
func (s *scratch) unbroken() bool {
	if bytes.IndexByte(s.src, turnBreak) < 0 {
		return false
	}
	w := escapeReader{src: s.src, out: s.decoded, edits: s.v.edits, begin: len(s.decoded)}
	first := len(s.v.edits)
	for i := 0; i < len(s.src); i++ {
		if s.src[i] != turnBreak {
			continue
		}
		start, end := i, i+1
		for start > w.done && s.src[start-1] == '\n' {
			start--
		}
		for end < len(s.src) && s.src[end] == '\n' {
			end++
		}
		w.place(start, end-start)
		i = end - 1
	}
	w.plain(len(s.src))
	s.decoded, s.v.edits = w.out, w.edits
	end := len(s.decoded)
	s.layer(layer{src: s.decoded[w.begin:end:end], parent: 0, edits: span{first, len(s.v.edits)}})
	s.alike(len(s.v.parts) - 1)
	return true
}

// fullWidth reports whether a rune is an ASCII character in full width.
func fullWidth(r rune) bool { return 0xff01 <= r && r <= 0xff5e }

// narrow adds layer l without what is not seen, and with full-width forms as
// the ASCII that they stand for, where that makes an encoded run or an escape.
func (s *scratch) narrow(l, budget int) {
	src := s.v.layers[l].src
	if len(s.decoded)+len(src) > budget {
		return
	}
	w := escapeReader{src: src, out: s.decoded, edits: s.v.edits, begin: len(s.decoded)}
	first := len(s.v.edits)
	for i := 0; i < len(src); {
		if src[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(src[i:])
		switch {
		case fullWidth(r):
			w.place(i, size)
			w.out = append(w.out, byte(r-0xff01+'!'))
		case roleIn(r) == roleUnseen && !unicode.IsMark(r):
			w.place(i, size)
		}
		i += size
	}
	if len(w.edits) == first {
		return
	}
	w.plain(len(src))
	s.decoded, s.v.edits = w.out, w.edits
	if text := w.out[w.begin:]; !escaped(text) && !longRun(text) {
		s.decoded, s.v.edits = s.decoded[:w.begin], s.v.edits[:first]
		return
	}
	s.deeper(l, w.begin, first)
}

// longRun reports whether a text holds a run that could be encoded.
func longRun(src []byte) bool {
	n := 0
	for _, c := range src {
		if n++; runByte[c] == 0 {
			n = 0
		}
		if n == minRun {
			return true
		}
	}
	return false
}

const (
	firstTag = 0xe0020 // stands for a space, the next for "!", and so on
	lastTag  = 0xe007e
	minTags  = 6 // fewer are the name of a flag
)

// tags adds what the tag characters of layer l say: letters that nobody sees,
// and some models read.
func (s *scratch) tags(l, budget int) {
	src := s.v.layers[l].src
	if !bytes.Contains(src, []byte("\xf3\xa0")) {
		return
	}
	w := escapeReader{src: src, out: s.decoded, edits: s.v.edits, begin: len(s.decoded)}
	first := len(s.v.edits)
	gap := false
	for i := 0; i < len(src) && len(w.out) < budget; {
		r, size := utf8.DecodeRune(src[i:])
		if firstTag <= r && r <= lastTag {
			at := len(w.out)
			if gap && at > w.begin {
				w.edits, w.out = append(w.edits, edit{at - w.begin, span{i, i + size}, false}), append(w.out, ' ')
				at++
			}
			w.edits, w.out = append(w.edits, edit{at - w.begin, span{i, i + size}, false}), append(w.out, byte(r-firstTag+' '))
			gap = false
		}
		gap = gap || unicode.IsSpace(r)
		i += size
	}
	if len(w.out)-w.begin < minTags {
		s.v.edits = w.edits[:first]
		return
	}
	s.decoded, s.v.edits = w.out, w.edits
	s.deeper(l, w.begin, first)
}
