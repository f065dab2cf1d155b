package controller

import (
	"bytes"
	"encoding/binary"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mtibben/confusables"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/runenames"
)

var writeRunes = flag.Bool("write-runes", false, "write view_runes.bin anew")

// The committed table is what the data give. Another version of Unicode than
// the one it was made with gives another table; that is a change of every
// policy's decisions, and made on purpose only.
func TestRuneTable(t *testing.T) {
	const made = "15.0.0"
	if unicode.Version != made {
		t.Skipf("this Go knows Unicode %s, and the table is made with %s", unicode.Version, made)
	}
	data := packed()
	if *writeRunes {
		if err := os.WriteFile("view_runes.bin", data, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(data, []byte(runeTable)) {
		t.Errorf("view_runes.bin is not what the data give: run go generate")
	}
}

// packed is the file: see runeTable.
func packed() []byte {
	var index, cells, entries []byte
	blocks, known := map[string]int{}, map[string]int{}
	for base := rune(0); base <= unicode.MaxRune; base += blockRunes {
		var block []byte
		for r := base; r < base+blockRunes; r++ {
			e := entryOf(r)
			text := string([]byte{byte(e.role), e.order, byte(len(e.plain)), byte(len(e.look))}) + e.plain + e.look
			at, ok := known[text]
			if !ok {
				at = len(entries)
				known[text] = at
				entries = append(entries, text...)
			}
			if at > 0xffff {
				panic("the entries do not fit into 16 bits")
			}
			block = binary.LittleEndian.AppendUint16(block, uint16(at))
		}
		at, ok := blocks[string(block)]
		if !ok {
			at = len(blocks)
			blocks[string(block)] = at
			cells = append(cells, block...)
		}
		index = binary.LittleEndian.AppendUint16(index, uint16(at))
	}
	return slices.Concat(index, cells, entries)
}

// entryOf says what a rune is in a view.
func entryOf(r rune) entry {
	if hangulFirst <= r && r <= hangulLast {
		return entry{role: roleSyllable}
	}
	plain := folded(string(r))
	if 0x249c <= r && r < 0x249c+26 { // a letter in brackets
		plain = string('a' + r - 0x249c)
	}
	e := entry{role: roleSpelt, plain: plain, look: lookOf(r, plain)}
	switch first, size := utf8.DecodeRuneInString(plain); {
	case plain == "":
		return entry{role: roleUnseen}
	case size == len(plain):
		e.role = roleOf(first)
	}
	switch e.role {
	case roleSpace, roleBarrier:
		return entry{role: e.role}
	case roleMark:
		e.order = norm.NFKD.PropertiesString(plain).CCC()
	}
	if plain == string(r) {
		e.plain = ""
	}
	return e
}

func roleOf(r rune) role {
	switch {
	case r == turnBreak:
		return roleBarrier
	case unicode.IsSpace(r), r == '\u2800': // the empty pattern of Braille
		return roleSpace
	case unicode.Is(unicode.Cf, r), unicode.IsControl(r),
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), unicode.Is(unicode.Variation_Selector, r),
		r == '\u0640': // the Arabic lengthening stroke
		return roleUnseen
	case unicode.IsMark(r):
		if over(r) {
			return roleUnseen
		}
		return roleMark
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && unicode.In(r, unicode.L, unicode.Nl), r == '\u30fc':
		return roleIdeograph
	case unicode.Is(unicode.Lm, r) && punctuation(confusables.Skeleton(string(r))):
		return roleSpace // a letter by class, an apostrophe or dash to the eye
	case unicode.IsLetter(r), unicode.IsNumber(r), circled(r) != 0:
		return roleLetter
	}
	return roleSpace
}

// over reports whether a mark is an accent, a stroke or a vowel sign that
// readers do without. The voicing marks of kana are not, nor those of scripts
// whose marks are letters.
func over(r rune) bool {
	return r != '\u3099' && r != '\u309a' && unicode.In(r, unicode.Mn, unicode.Me) &&
		unicode.In(r, unicode.Inherited, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Arabic, unicode.Hebrew, unicode.Syriac)
}

func punctuation(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf || unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0
}

// folded is NFKD, case folding, ASCII digits and the loss of what is unseen,
// until nothing changes. It is decomposed, so that a rune's form hangs on no
// neighbour.
func folded(s string) string {
	for {
		next := norm.NFKD.String(cases.Fold().String(bare(norm.NFKD.String(s))))
		next = strings.Map(func(r rune) rune {
			switch {
			case roleOf(r) == roleUnseen:
				return -1
			case unicode.Is(unicode.Nd, r):
				return digit(r)
			case circled(r) != 0:
				return circled(r)
			}
			return unicode.ToLower(r) // folding makes some Cherokee letters capitals
		}, next)
		if next == s {
			return s
		}
		s = next
	}
}

// digit is the ASCII digit of a decimal digit: they come in tens, in order.
func digit(r rune) rune {
	n := rune(0)
	for n < 9 && unicode.Is(unicode.Nd, r-n-1) {
		n++
	}
	if r >= 0x1d7ce && r <= 0x1d7ff { // five sets without a gap
		n = (r - 0x1d7ce) % 10
	}
	return '0' + n
}

// circled is the letter in a dark circle or square, or of a flag: letters to
// the eye that have no compatibility form.
func circled(r rune) rune {
	for _, first := range []rune{0x1f150, 0x1f170, 0x1f1e6} {
		if first <= r && r < first+26 {
			return 'a' + r - first
		}
	}
	return 0
}

// lookOf is the ASCII letters that a letter looks like, if its plain form is
// not ASCII itself.
func lookOf(r rune, plain string) string {
	if r < utf8.RuneSelf || strings.IndexFunc(plain, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return ""
	}
	if k := roleOf(r); k != roleLetter {
		return ""
	}
	if ascii := asciiLetters(string(r), false); ascii != "" {
		return ascii
	}
	for _, s := range []string{string(r), plain} {
		if ascii := asciiLetters(bare(confusables.Skeleton(bare(norm.NFKD.String(s)))), unicode.IsUpper(r)); ascii != "" {
			return ascii
		}
	}
	if unicode.Is(unicode.Cyrillic, r) { // small letters of the form of capitals
		return asciiLetters(bare(confusables.Skeleton(strings.ToUpper(plain))), true)
	}
	return ""
}

// bare is a text without accents and strokes.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if roleOf(r) == roleUnseen {
			return -1
		}
		return r
	}, s)
}

// asciiLetters reads a skeleton. Unicode's prototypes say l for a capital I,
// and rn for m; a small capital is the letter that its name tells.
func asciiLetters(skeleton string, capital bool) string {
	switch {
	case skeleton == "l" && capital:
		return "i"
	case skeleton == "rn":
		return "m"
	}
	var b strings.Builder
	for _, r := range skeleton {
		if name, ok := strings.CutPrefix(runenames.Name(r), "LATIN LETTER SMALL CAPITAL "); ok && len(name) == 1 {
			r = rune(name[0])
		}
		if r |= 0x20; r < 'a' || r > 'z' {
			return ""
		}
		b.WriteRune(r)
	}
	return b.String()
}
