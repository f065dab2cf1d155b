package controller

import (
	"encoding/binary"
	"unicode/utf8"
)

// minSpelt is how many letters, each apart from the next by the same single
// character, are taken for a word that was spaced out. Shorter runs are, where
// a text holds such a one. Nothing can tell where one word ends and the next
// begins if the words stand no further apart than the letters.
const minSpelt = 4

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

// spacedOut reports whether a view may hold four words of one letter in a row,
// each of one byte, or of two if it is wide. Such words take nine bytes and
// more, so that it is enough to look around every eighth byte.
func spacedOut(view []byte, wide bool) bool {
	lone := &loneLetter
	if wide {
		lone = &loneWide
	}
	for at := 0; at+8 <= len(view); at += 8 {
		spaces := spaceTops(binary.LittleEndian.Uint64(view[at:]))
		if spaces&(spaces<<16|spaces<<24) == 0 { // no two of them have one or two bytes between them
			continue
		}
		if lone[spaceBits(spaces)] &&
			single(view[max(0, at-3*minSpelt):min(len(view), at+8+3*minSpelt)]) {
			return true
		}
	}
	return false
}

// spaceTops sets the top bit of those of eight bytes that are spaces.
func spaceTops(x uint64) uint64 {
	other := x ^ ' '*ones
	return (other - ones) &^ other & tops // and a byte 0x21 after a space, which no view holds
}

// spaceBits brings the top bits of eight bytes together; the first is the lowest.
func spaceBits(tops uint64) uint8 { return uint8(tops >> 7 * 0x0102040810204080 >> 56) }

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
