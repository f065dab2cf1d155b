package controller

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// plainOf is the view of an ASCII byte; those from 0x80 on are not as simple.
var plainOf = func() (t [256]byte) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			t[c] = byte(c)
		case 'A' <= c && c <= 'Z':
			t[c] = byte(c) | 0x20
		case c < ' ' && !('\t' <= c && c <= '\r'), c >= 0x7f:
			t[c] = 0x80
		default:
			t[c] = ' '
		}
	}
	return t
}()

// ascii reads on from i to the first byte that is not simple.
func (r *reader) ascii(src []byte, i int) int {
	src = src[i:]
	n := len(r.out)
	out := slices.Grow(r.out, len(src))[:n+len(src)]
	word := out[n-1] != ' '
	k := 0
	for k < len(src) {
		if k+8 <= len(src) {
			if t, ok := eight(binary.LittleEndian.Uint64(src[k:]), word); ok {
				binary.LittleEndian.PutUint64(out[n:], t)
				n, k, word = n+8, k+8, t>>56 != ' '
				continue
			}
		}
		stop := min(k+8, len(src))
		n, k, word = someASCII(out, src, n, k, stop, word)
		if k < stop {
			break
		}
	}
	r.passed(out[:n], k)
	return i + k
}

// someASCII reads src[k:stop] byte by byte to out[n:], up to one that is not simple.
func someASCII(out, src []byte, n, k, stop int, word bool) (int, int, bool) {
	after := byte(0) // 1 after a letter or digit
	if word {
		after = 1
	}
	for ; k < stop; k++ {
		t := plainOf[src[k]]
		if t >= 0x80 {
			break
		}
		out[n] = t
		w := (t>>4 | t>>6) & 1 // of a digit 0x30.., of a letter 0x61..; not of a space
		n += int(w | after)
		after = w
	}
	return n, k, after == 1
}

// eight is the view of eight bytes of letters and single spaces, all at once.
// It fails for any others, and for a space after a space; word tells whether a
// letter or digit stands before.
func eight(x uint64, word bool) (uint64, bool) {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	t := x | ' '*ones
	letters := (t + (0x80-'a')*ones) &^ (t + (0x7f-'z')*ones) // top bits, right while x has none
	spaces := ^((x ^ ' '*ones) + 0x7f*ones)
	before := spaces << 8
	if !word {
		before |= 0x80
	}
	return t, x&tops == 0 && (letters|spaces)&tops == tops && spaces&before&tops == 0
}

// trackASCII is ascii with bounds.
func (r *reader) trackASCII(src []byte, i int) int {
	out, from, to := r.out, r.from, r.to
	start := i
	for ; i < len(src) && plainOf[src[i]] < 0x80; i++ {
		if t := plainOf[src[i]]; t != ' ' || out[len(out)-1] != ' ' {
			out, from, to = append(out, t), append(from, int32(i)), append(to, int32(i+1))
		}
	}
	r.from, r.to = from, to
	r.passed(out, i-start)
	return i
}

// passed ends a stretch of n simple bytes, written to out.
func (r *reader) passed(out []byte, n int) {
	r.out = out
	if n > 0 {
		r.joins, r.marks, r.orders = false, r.marks[:0], r.orders[:0]
	}
}

// plainBytes counts the letters and spaces of ASCII before the first other of
// eight bytes.
func plainBytes(x uint64) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	t := x | ' '*ones
	letters := (t + (0x80-'a')*ones) &^ (t + (0x7f-'z')*ones) // top bits, right up to the first byte outside ASCII
	spaces := ^((x ^ ' '*ones) + 0x7f*ones)
	return bits.TrailingZeros64((x|^(letters|spaces))&tops) / 8
}
