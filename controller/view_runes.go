package controller

import (
	_ "embed"
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
	block := int(runeTable[2*(r/blockRunes)]) | int(runeTable[2*(r/blockRunes)+1])<<8
	cell := blocksAt + 2*(block*blockRunes+int(r%blockRunes))
	at := entriesAt + (int(runeTable[cell]) | int(runeTable[cell+1])<<8)
	plain := at + 4
	look := plain + int(runeTable[at+2])
	return entry{role(runeTable[at]), runeTable[at+1], runeTable[plain:look], runeTable[look : look+int(runeTable[at+3])]}
}

// entriesAt is where the entries begin: after the blocks, of which the first
// that the table names is number 0 and the highest is the last.
var entriesAt = func() int {
	highest := 0
	for i := 0; i < blocksAt; i += 2 {
		highest = max(highest, int(runeTable[i])|int(runeTable[i+1])<<8)
	}
	return blocksAt + 2*blockRunes*(highest+1)
}()
