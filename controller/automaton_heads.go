package controller

import (
	"encoding/binary"
	"math/bits"
)

// heads tells what the patterns of an automaton begin with: a space and four
// bytes. The four are known by a hash, so that now and then it takes others for
// theirs. Most words of a text begin no pattern and need no move of the table.
type heads [1 << headBits]uint8

const (
	headBits = 14
	headSize = 4 // bytes after the space
)

// headsOf is nil when a pattern is shorter or begins otherwise.
func headsOf(patterns []string) *heads {
	h := new(heads)
	for _, p := range patterns {
		if len(p) < 1+headSize || p[0] != ' ' {
			return nil
		}
		h[headHash(binary.LittleEndian.Uint32([]byte(p[1:])))] = 1
	}
	return h
}

func headHash(four uint32) uint32 { return four * 0x9e3779b1 >> (32 - headBits) }

// has is 1 when a pattern may begin with four bytes, or 0.
func (h *heads) has(four uint32) uint8 { return h[headHash(four)] }

// next is the offset of the first byte, from at on, where a pattern may begin.
// It takes eight bytes in a step; close to the end of the text it gives up and
// returns where it is.
func (h *heads) next(text []byte, at int) int {
	for ; at+8+1+headSize <= len(text); at += 8 {
		ahead := text[at : at+9+headSize : at+9+headSize]
		spaces := spaceTops(binary.LittleEndian.Uint64(ahead))
		more := spaces & (spaces - 1)
		first, second := bits.TrailingZeros64(spaces)/8, bits.TrailingZeros64(more)/8 // 8: the byte after the eight
		hit := h.has(binary.LittleEndian.Uint32(ahead[first+1:])) | h.has(binary.LittleEndian.Uint32(ahead[second+1:]))
		if more &= more - 1; hit == 0 && more == 0 {
			continue
		}
		for spaces != 0 {
			first := bits.TrailingZeros64(spaces) / 8
			if h.has(binary.LittleEndian.Uint32(ahead[first+1:])) != 0 {
				return at + first
			}
			spaces &= spaces - 1
		}
	}
	return at
}

// words is scan where all patterns begin with a space: from where one may
// begin it follows the table until nothing that began is left.
func (a *automaton) words(text []byte, yield func(pattern, start, end int)) {
	lone := a.moves[a.class[' ']] // the row after a space alone
	for at := 0; at < len(text); {
		from := a.heads.next(text, at)
		row, i := uint32(0), from
		for at = len(text); i < len(text); i++ {
			row = a.moves[row+uint32(a.class[text[i]])]
			if row == 0 {
				at = i + 1
				break
			}
			if row == lone && i > from {
				at = i
				break
			}
			if row > a.quiet {
				a.ends(row, i+1, yield)
			}
		}
	}
}

// ends yields the patterns that end in a row, at the offset end.
func (a *automaton) ends(row uint32, end int, yield func(pattern, start, end int)) {
	for _, id := range a.found[int(row-a.quiet)/a.width-1] {
		yield(id, end-a.sizes[id], end)
	}
}
