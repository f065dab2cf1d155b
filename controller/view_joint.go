package controller

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// A joint is what stands inside a word without a gap: a mark, such as the
// hyphen of "pro-cedure", which a view reads as a space, or a character that is
// not seen, which it leaves out. Either may be the trick: the mark that cuts a
// word, and the unseen character in place of the space between two. So words
// with joints, and those around them, are read the other way as well.
const (
	maxJoint = 4  // characters of a joint that are seen
	around   = 96 // bytes before and after a joint that are read with it: longer than a phrase
)

// mayJoin tells the bytes at which a joint may begin. Apostrophes stand in too
// many words.
var mayJoin = func() (t [256]bool) {
	for c := range t {
		t[c] = !coded[c] && c != ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\'' && c != turnBreak
	}
	return t
}()

// joints adds the words around the joints of layer l, each joint read the other
// way. Nothing in it is decoded again.
func (s *scratch) joints(l, budget int) {
	src := s.v.layers[l].src
	w := escapeReader{src: src, out: s.decoded, edits: s.v.edits, begin: len(s.decoded)}
	first := len(s.v.edits)
	for _, at := range s.joined[s.v.layers[l].joints.start:s.v.layers[l].joints.end] {
		i := int(at)
		if i < w.done {
			continue
		}
		joint, spaced := w.joint(i)
		if joint == 0 {
			continue
		}
		if len(w.out)+i-w.done > budget {
			break
		}
		w.windowTo(i, len(w.edits) == first)
		w.place(i, joint)
		if spaced {
			w.out = append(w.out, ' ')
		}
	}
	if len(w.edits) == first {
		return
	}
	w.plain(w.windowEnd(len(src)))
	s.decoded, s.v.edits = w.out, w.edits
	end := len(s.decoded)
	s.layer(layer{src: s.decoded[w.begin:end:end], parent: l, depth: maxDepth, edits: span{first, len(s.v.edits)}})
	s.alike(len(s.v.parts) - 1)
}

// joint is the size of the joint at i, and whether a space is its other reading;
// 0 when there is none. A hyphen may stand at the end of a line.
func (w *escapeReader) joint(i int) (size int, spaced bool) {
	if i == 0 || w.src[i-1] < utf8.RuneSelf && !letter[w.src[i-1]] {
		return 0, false
	}
	if w.src[i-1] >= utf8.RuneSelf {
		if before, _ := utf8.DecodeLastRune(w.src[:i]); roleIn(before) != roleLetter || formOf(before)&formLetter == 0 {
			return 0, false
		}
	}
	seen, broken := false, false
	at := i
	for n := 0; at < len(w.src); {
		c := w.src[at]
		if letter[c] && at > i {
			return at - i, !seen
		}
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			r, size = character(w.src[at:])
		}
		role := roleIn(r)
		switch {
		case role == roleLetter:
			if at == i || formOf(r)&formLetter == 0 {
				return 0, false
			}
			return at - i, !seen
		case n == maxJoint && role != roleUnseen || r == turnBreak:
			return 0, false
		case role == roleSpace && unicode.IsSpace(r):
			if broken = broken || seen && r == '\n'; !broken {
				return 0, false
			}
		case role == roleSpace:
			if broken {
				return 0, false
			}
			seen = true
		case role != roleUnseen || formOf(r)&formMark != 0:
			return 0, false
		}
		if role != roleUnseen {
			n++
		}
		at += size
	}
	return 0, false
}

// windowTo brings the words before the joint at i, behind a barrier where
// others were left out.
func (w *escapeReader) windowTo(i int, begins bool) {
	end, from := 0, i-around
	if !begins {
		end = w.windowEnd(from)
	}
	if end < from {
		if at := bytes.LastIndexByte(w.src[end:from], ' '); at >= 0 {
			if !begins {
				w.plain(end)
			}
			w.done = end + at + 1
			w.edits = append(w.edits, edit{len(w.out) - w.begin, span{w.done, w.done}, false})
			w.out = append(w.out, turnBreak)
		}
	}
	w.plain(i)
}

// windowEnd is the end of the words after the last joint, if it is before most.
func (w *escapeReader) windowEnd(most int) int {
	end := w.done + around
	if end >= most {
		return most
	}
	if at := bytes.IndexByte(w.src[end:most], ' '); at >= 0 {
		return end + at
	}
	return most
}
