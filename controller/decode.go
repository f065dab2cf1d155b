package controller

import (
	"strings"
	"unicode/utf8"
)

const (
	maxDepth = 3  // encodings inside encodings that are undone
	minRun   = 16 // bytes of an encoded run that is looked at: 12 bytes of base64, 8 of hex
	minLong  = 8  // bytes that a run in hex must say
)

// decode adds the texts that encoded runs say, from layer first on, level by
// level, so that nothing inside a run costs the runs beside it. All together they are at most six
// times as long as the original.
func (s *scratch) decode(first int) {
	budget := len(s.decoded) + 6*len(s.src) + minRun
	for i := first; i < len(s.v.layers); i++ {
		if s.v.layers[i].depth == maxDepth {
			continue
		}
		s.unescape(i, budget)
		if s.v.layers[i].hides {
			s.narrow(i, budget)
			s.tags(i, budget)
		}
		s.runs(i, budget, inBase64, (*scratch).base64)
		s.runs(i, budget, inHex, (*scratch).hex)
		s.joints(i, budget)
	}
}

// deeper adds the layer of s.decoded[start:], whose bytes stand in layer l as
// the edits from first on say.
func (s *scratch) deeper(l, start, first int) {
	end := len(s.decoded)
	for i, c := range s.decoded[start:end] {
		if c == turnBreak { // a barrier is not for others to set
			s.decoded[start+i] = ' '
		}
	}
	s.layer(layer{src: s.decoded[start:end:end], parent: l, depth: s.v.layers[l].depth + 1, edits: span{first, len(s.v.edits)}})
	s.alike(len(s.v.parts) - 1)
}

// The bytes of the two encodings that come in runs.
const (
	inBase64 = 1 << iota
	inHex
)

var runByte = func() (t [256]uint8) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'f', 'A' <= c && c <= 'F', '0' <= c && c <= '9':
			t[c] = inBase64 | inHex
		case c == 'x', c == 'X':
			t[c] = inBase64 | inHex
		case 'g' <= c && c <= 'z', 'G' <= c && c <= 'Z', c == '+', c == '/', c == '_':
			t[c] = inBase64
		case strings.IndexByte(" \t\n\r,:;.|\\'\"$#", byte(c)) >= 0:
			t[c] = inHex
		case c == '-':
			t[c] = inBase64 | inHex
		}
	}
	return t
}()

// runs calls read for each run of at least minRun bytes of a kind in layer l.
// It looks at the last byte of where a run could be first, so that it passes
// ordinary text in long steps (as Boyer and Moore do, 1977).
func (s *scratch) runs(l, budget int, kind uint8, read func(s *scratch, l, start, end int) int) {
	src := s.v.layers[l].src
	for start := 0; start+minRun <= len(src); {
		k := start + minRun - 1
		for k >= start && runByte[src[k]]&kind != 0 {
			k--
		}
		if k >= start {
			start = k + 1
			continue
		}
		end := start + minRun
		for end < len(src) && runByte[src[end]]&kind != 0 {
			end++
		}
		if len(s.decoded)+end-start > budget {
			return
		}
		start = read(s, l, start, end)
	}
}

// base64 undoes the run from start to end, and the lines that go on with it. It
// returns where to look on. A run may begin with letters that are no part of
// it: of four ways to cut it the one that gives most text counts.
func (s *scratch) base64(l, start, end int) int {
	src := s.v.layers[l].src
	for { // another line, which may be indented or quoted
		next := end
		for next < len(src) && (src[next] == '\r' || src[next] == '\n' || next > end && (src[next] == ' ' || src[next] == '\t' || src[next] == '>')) {
			next++
		}
		stop := next
		for stop < len(src) && runByte[src[stop]]&inBase64 != 0 {
			stop++
		}
		whole := stop-next >= minRun || stop == len(src) || src[stop] == '=' || src[stop] == '\n' || src[stop] == '\r' || src[stop] == ' '
		if next == end || stop == next || !whole {
			break
		}
		end = stop
	}
	best, share := 0, 0.0
	before := len(s.decoded)
	for cut := range 4 {
		s.decoded = appendBase64(s.decoded[:before], src[start+cut:end])
		if p := plausible(s.decoded[before:]); p > share {
			best, share = cut, p
		}
	}
	s.decoded = s.decoded[:before]
	for end < len(src) && src[end] == '=' {
		end++
	}
	if share >= enough {
		s.decoded = appendBase64(s.decoded, src[start+best:end])
		s.whole(l, before, start, end)
	}
	return end
}

// whole adds a layer whose every byte stands for all of [start, end).
func (s *scratch) whole(l, before, start, end int) {
	first := len(s.v.edits)
	s.v.edits = append(s.v.edits, edit{0, span{start, end}, false})
	s.deeper(l, before, first)
}

// sixBits is the value of a base64 digit of either alphabet, or 64.
var sixBits = func() (t [256]uint8) {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for c := range t {
		t[c] = 64
	}
	for i := range len(digits) {
		t[digits[i]] = uint8(i)
	}
	t['-'], t['_'] = 62, 63
	return t
}()

func appendBase64(out, src []byte) []byte {
	bits, n := uint32(0), 0
	for _, c := range src {
		v := sixBits[c]
		if v == 64 { // a line end, or the padding
			continue
		}
		bits = bits<<6 | uint32(v)
		if n += 6; n >= 8 {
			n -= 8
			out = append(out, byte(bits>>n))
		}
	}
	return out
}

// hex undoes what stands in pairs of digits from start to end, with or without
// separators, 0x and \x.
func (s *scratch) hex(l, start, end int) int {
	src := s.v.layers[l].src
	before, from, last := len(s.decoded), start, start
	flush := func(next int) {
		if n := len(s.decoded) - before; n >= minLong && plausible(s.decoded[before:]) >= enough {
			s.whole(l, before, from, last)
		} else {
			s.decoded = s.decoded[:before]
		}
		before, from = len(s.decoded), next
	}
	for i := start; i < end; {
		switch {
		case i+1 < end && src[i+1]|0x20 == 'x' && (src[i] == '0' || src[i] == '\\'):
			i += 2
		case hexDigit[src[i]] == 16:
			i++
			if len(s.decoded) == before {
				from = i
			}
		case i+1 < end && hexDigit[src[i+1]] < 16:
			s.decoded = append(s.decoded, hexDigit[src[i]]<<4|hexDigit[src[i+1]])
			i += 2
			last = i
		default: // half a pair
			i++
			flush(i)
		}
	}
	flush(end)
	return end
}

// hexDigit is the value of a hexadecimal digit, or 16.
var hexDigit = func() (t [256]uint8) {
	for c := range t {
		switch {
		case '0' <= c && c <= '9':
			t[c] = uint8(c - '0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			t[c] = uint8(c|0x20-'a') + 10
		default:
			t[c] = 16
		}
	}
	return t
}()

// enough is the share of a decoded run that must be text. Twelve random bytes
// reach it about once in a thousand runs; what they say is then searched in vain.
const enough = 0.75

// plausible is the share of bytes that are printable or of a rune of more than
// one byte. Zero bytes, every other one in UTF-16, count neither way.
func plausible(b []byte) float64 {
	good, all := 0, 0
	for i := 0; i < len(b); {
		c := b[i]
		size := 1
		switch {
		case c == 0:
			all--
		case c >= ' ' && c < 0x7f, c == '\n', c == '\t', c == '\r':
			good++
		case c >= utf8.RuneSelf:
			if _, n := utf8.DecodeRune(b[i:]); n > 1 {
				size = n
				good += n
			}
		}
		all += size
		i += size
	}
	if all == 0 {
		return 0
	}
	return float64(good) / float64(all)
}
