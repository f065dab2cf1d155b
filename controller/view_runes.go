package controller

import (
	_ "embed"
	"slices"
	"unicode/utf8"
)

// runeTable says what each rune is in a view. It is made by
// TestRuneTable from the Unicode data of Go and golang.org/x/text (NFKD, case
// folding, classes) and from Unicode's list of confusable characters, as
// github.com/mtibben/confusables holds it (Unicode 13.0, © Unicode, Inc.,
// under the Unicode licence; the module itself is under a BSD licence). A
// policy's decisions thereby hang on this file and not on a version of Go.
//
// Little-endian 16-bit numbers: for each 64 runes the number of their block,
// then the blocks, 64 offsets into the rest, then the entries.
//
//go:embed view_runes.bin
var runeTable string

//go:generate go test -count=1 -run ^TestRuneTable$ -write-runes .

const (
	blockRunes = 64
	blocksAt   = 2 * (utf8.MaxRune + 1) / blockRunes
)

// role is what a rune does in a view.
type role uint8

const (
	roleSpace     role = iota // one space, with its neighbours of this kind
	roleLetter                // stands as its plain form
	roleIdeograph             // a word of its own, as in scripts without spaces
	roleMark                  // belongs to the letter before
	roleUnseen                // leaves nothing
	roleBarrier               // U+001F
	roleSpelt                 // stands as the several runes of its plain form
	roleSyllable              // of Hangul: stands as its two or three letters
)

// The syllables of Hangul follow each other by first letter, vowel and last
// letter, which is none in one case of 28 (the Unicode Standard, 3.12).
const (
	hangulFirst  = 0xac00
	hangulLast   = 0xd7a3
	hangulVowels = 21
	hangulEnds   = 28
)

// entry is what the table says of a rune: four bytes, then plain, then look.
type entry struct {
	role  role
	order uint8  // of a mark among marks, its canonical combining class
	plain string // what stands in the view; empty: the rune itself
	look  string // the ASCII letters that it looks like; none for ASCII itself
}

func lookUp(r rune) entry {
	e := entriesFrom(r)
	look := 4 + int(e[2])
	return entry{role(e[0]), e[1], e[4:look], e[look : look+int(e[3])]}
}

// roleIn is the role alone.
func roleIn(r rune) role { return role(entriesFrom(r)[0]) }

// entriesFrom is the table from the entry of a rune on.
func entriesFrom(r rune) string {
	return runeEntries[runeCells[int(runeBlocks[r/blockRunes])*blockRunes+int(r%blockRunes)]:]
}

// The table's parts, read once.
var runeBlocks, runeCells, runeEntries = func() (blocks, cells []uint16, entries string) {
	numbers := func(from, to int) []uint16 {
		out := make([]uint16, 0, (to-from)/2)
		for i := from; i < to; i += 2 {
			out = append(out, uint16(runeTable[i])|uint16(runeTable[i+1])<<8)
		}
		return out
	}
	blocks = numbers(0, blocksAt)
	end := blocksAt + 2*blockRunes*(int(slices.Max(blocks))+1) // the highest is the last
	return blocks, numbers(blocksAt, end), runeTable[end:]
}()
