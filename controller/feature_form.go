package controller

import (
	"strings"
	"unicode"
)

// form is what Go's Unicode tables say of a rune, as bits.
type form uint8

const (
	formLetter   form = 1 << iota
	formMark          // of any kind
	formHidden        // a format character: class Cf
	formNumber        // of a number in figures; those in circles and of scripts without spaces are not
	formUnspaced      // a script without spaces
	formNumeral       // a Chinese numeral, as in quantities
)

// The runes that the table of forms holds: all up to the end of the second
// plane, and those of tags and variation selectors.
const (
	formsEnd  = 0x20000
	tagsBegin = 0xe0000
	tagsEnd   = 0xe0200
)

func formOf(r rune) form {
	switch {
	case uint32(r) < formsEnd:
		return forms[r]
	case tagsBegin <= r && r < tagsEnd:
		return forms[formsEnd+r-tagsBegin]
	}
	return slowForm(r)
}

// slowForm asks the tables one by one.
func slowForm(r rune) form {
	var f form
	for _, x := range formTables {
		if unicode.Is(x.table, r) {
			f |= x.form
		}
	}
	return f.whole(r)
}

// whole settles what hangs on more than one table.
func (f form) whole(r rune) form {
	if f&formNumber != 0 && (enclosed(r) || f&formUnspaced != 0) {
		f &^= formNumber
	}
	if strings.ContainsRune(numerals, r) {
		f |= formNumeral
	}
	return f
}

var formTables = []struct {
	table *unicode.RangeTable
	form  form
}{
	{unicode.L, formLetter}, {unicode.M, formMark}, {unicode.Cf, formHidden}, {unicode.N, formNumber},
	{unicode.Han, formUnspaced}, {unicode.Hiragana, formUnspaced}, {unicode.Katakana, formUnspaced}, {unicode.Thai, formUnspaced},
	{unicode.Lao, formUnspaced}, {unicode.Khmer, formUnspaced}, {unicode.Myanmar, formUnspaced},
}

var forms = func() *[formsEnd + tagsEnd - tagsBegin]form {
	t := new([formsEnd + tagsEnd - tagsBegin]form)
	set := func(lo, hi, stride rune, f form) {
		for r := lo; r <= hi; r += stride {
			switch {
			case r < formsEnd:
				t[r] |= f
			case tagsBegin <= r && r < tagsEnd:
				t[formsEnd+r-tagsBegin] |= f
			}
		}
	}
	for _, x := range formTables {
		for _, r := range x.table.R16 {
			set(rune(r.Lo), rune(r.Hi), rune(r.Stride), x.form)
		}
		for _, r := range x.table.R32 {
			if rune(r.Lo) < formsEnd || tagsBegin <= rune(r.Lo) && rune(r.Lo) < tagsEnd {
				set(rune(r.Lo), min(rune(r.Hi), tagsEnd), rune(r.Stride), x.form)
			}
		}
	}
	for r := range rune(formsEnd) {
		if t[r]&formNumber != 0 {
			t[r] = t[r].whole(r)
		}
	}
	for _, r := range numerals {
		t[r] = t[r].whole(r)
	}
	return t
}()

// numerals are those that count a quantity in Chinese.
const numerals = "〇一二三四五六七八九十零壹贰叁肆伍陆柒捌玖拾两百千半"
