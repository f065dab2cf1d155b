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
// the ASCII that they stand for, where that may tell more than the layer does.
func (s *scratch) narrow(l, budget int) {
	src := s.v.layers[l].src
	if len(s.decoded)+len(src) > budget || !s.narrows(l) {
		return
	}
	w := escapeReader{src: src, out: s.decoded, edits: s.v.edits, begin: len(s.decoded)}
	first := len(s.v.edits)
	for i := 0; i < len(src); {
		c, size := narrowed(src[i:])
		switch {
		case size == 1:
		case c == nothing:
			w.place(i, size)
		case c < utf8.RuneSelf:
			w.place(i, size)
			w.out = append(w.out, c)
		}
		i += size
	}
	if len(w.edits) == first {
		return
	}
	w.plain(len(src))
	s.decoded, s.v.edits = w.out, w.edits
	s.deeper(l, w.begin, first)
}

const (
	nothing = 0xff // of a character that is not seen
	foreign = 0xfe // of one that is neither ASCII nor stands for it
)

// narrowed is the ASCII character that begins a text or that a full-width form
// there stands for, and the size in the text.
func narrowed(text []byte) (byte, int) {
	if text[0] < utf8.RuneSelf {
		return text[0], 1
	}
	r, size := character(text)
	switch {
	case fullWidth(r):
		return byte(r - 0xff01 + '!'), size
	case roleIn(r) == roleUnseen && formOf(r)&formMark == 0:
		return nothing, size
	}
	return foreign, size
}

// narrows reports whether layer l may hold, once what is not seen is gone, an
// escape or an encoded run; or, in a stretch of ASCII, spaced-out letters or a
// joint that is seen: what is not seen near it may part the words of a cue.
func (s *scratch) narrows(l int) bool {
	src := s.v.layers[l].src
	inRun, digits, either, long := 0, 0, 0, false // bytes of base64, of hex, and of both up to here
	for i := 0; i < len(src); {
		c, size := narrowed(src[i:])
		if i += size; c == nothing {
			continue
		}
		kinds := int(runByte[c])
		inRun = (inRun + 1) * (kinds & inBase64 / inBase64)
		digits = (digits + 1) * (kinds & inHex / inHex)
		if either++; kinds == 0 {
			either = 0
		}
		if inRun == minRun || digits == minRun || c == '%' || c == '\\' || c == '&' {
			return true
		}
		long = long || either == minRun
	}
	return long && s.parted(l)
}

// parted reports whether layer l may hold spaced-out letters, or holds a joint
// that is seen.
func (s *scratch) parted(l int) bool {
	x := s.v.layers[l]
	own := s.v.parts[x.part]
	w := escapeReader{src: x.src}
	for _, at := range s.joined[x.joints.start:x.joints.end] {
		if size, spaced := w.joint(int(at)); size > 0 && !spaced {
			return true
		}
	}
	return spacedOut(s.v.text[own.start:own.end], x.wide)
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
