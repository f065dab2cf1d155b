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

const ones, tops = 0x0101010101010101, 0x8080808080808080

// ascii reads on from i to the first byte that is not simple, and notes where
// joints may stand. Eight bytes without control characters are read at once;
// of sets of them the top bit of each byte tells whether it belongs.
func (r *reader) ascii(src []byte, i int) int {
	n := len(r.out)
	out := slices.Grow(r.out, len(src)-i)[:n+len(src)-i]
	last := uint64(0) // 0x80 if a space stands before
	if out[n-1] == ' ' {
		last = 0x80
	}
	k := i
	for k+8 <= len(src) {
		x := binary.LittleEndian.Uint64(src[k : k+8])
		if (x|^(x+0x60*ones)|(x+ones))&tops != 0 { // below a space, 0x7f, or above
			stop := k + 8
			if n, k, last = r.someASCII(out, src, n, k, stop, last); k < stop {
				r.passed(out[:n], k-i)
				return k
			}
			continue
		}
		low := x | ' '*ones
		letters := (low + (0x80-'a')*ones) &^ (low + (0x7f-'z')*ones)
		digits := (x + (0x80-'0')*ones) &^ (x + (0x7f-'9')*ones)
		words := (letters | digits) & tops
		spaces := words ^ tops
		double := spaces & (spaces<<8 | last) // those after another
		last = spaces >> 56
		marks := spaces & ((x ^ ' '*ones) + 0x7f*ones) // those that were none
		full := words<<1 - words>>7                    // all bits of the bytes of words
		view := low&full | ' '*ones&^full
		binary.LittleEndian.PutUint64(out[n:n+8], view)
		n, k = n+8, k+8
		if marks|double != 0 {
			r.after(src, k-8, marks)
			n -= squeeze(out[n-8:n], view, double)
		}
	}
	n, k, _ = r.someASCII(out, src, n, k, len(src), last)
	r.passed(out[:n], k-i)
	return k
}

// someASCII reads src[k:stop] byte by byte to out[n:], up to one that is not simple.
func (r *reader) someASCII(out, src []byte, n, k, stop int, last uint64) (int, int, uint64) {
	after := byte(1 - last>>7) // 1 after a letter or digit
	for ; k < stop; k++ {
		t := plainOf[src[k]]
		if t >= 0x80 {
			break
		}
		out[n] = t
		w := (t>>4 | t>>6) & 1 // of a digit 0x30.., of a letter 0x61..; not of a space
		if w < after && mayJoin[src[k]] {
			r.joint(src, k)
		}
		n += int(w | after)
		after = w
	}
	return n, k, uint64(1-after) << 7
}

// squeeze takes the bytes of a view whose top bits are set in double out of it,
// and returns how many they are.
func squeeze(out []byte, view, double uint64) int {
	n := bits.OnesCount64(double)
	for double != 0 { // the last first, so that the others stay where they are
		top := bits.Len64(double) - 1
		low := uint64(1)<<(top&^7) - 1
		view = view&low | view>>8&^low
		double &^= 1 << top
	}
	binary.LittleEndian.PutUint64(out, view)
	return n
}

// after notes those marks among eight bytes at k that may be joints.
func (r *reader) after(src []byte, k int, marks uint64) {
	for ; marks != 0; marks &= marks - 1 {
		at := k + bits.TrailingZeros64(marks)/8
		if at > 0 && mayEnd(src[at-1]) && mayJoin[src[at]] {
			r.joint(src, at)
		}
	}
}

// joint notes that a joint may stand at a mark, unless a space follows it.
func (r *reader) joint(src []byte, at int) {
	if at > 0 && at+1 < len(src) && src[at+1] != ' ' {
		r.joints = append(r.joints, int32(at))
	}
}

// trackASCII is ascii with bounds.
func (r *reader) trackASCII(src []byte, i int) int {
	n, m, most := len(r.out), len(r.from), len(src)-i
	out := slices.Grow(r.out, most)[:n+most]
	from, to := slices.Grow(r.from, most)[:m+most], slices.Grow(r.to, most)[:m+most]
	after := out[n-1] != ' '
	start := i
	for ; i < len(src); i++ {
		t := plainOf[src[i]]
		if t >= 0x80 {
			break
		}
		out[n], from[m], to[m] = t, int32(i), int32(i+1)
		word := t != ' '
		if word || after {
			n, m = n+1, m+1
		}
		after = word
	}
	r.from, r.to = from[:m], to[:m]
	r.passed(out[:n], i-start)
	return i
}

// passed ends a stretch of n simple bytes, written to out.
func (r *reader) passed(out []byte, n int) {
	r.out = out
	if n > 0 {
		r.joins, r.marks, r.orders = false, r.marks[:0], r.orders[:0]
	}
}
