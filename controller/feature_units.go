package controller

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// unitTable knows the units of a policy by their names in lower case.
type unitTable struct {
	byName map[string][]saying // what is said in place of a number with it; never empty
	han    int                 // runes of the longest name in a script without spaces
	off    bool                // quantities are not looked for
}

func newUnitTable(units []Unit, off bool) *unitTable {
	t := &unitTable{byName: map[string][]saying{}, off: off}
	for _, u := range units {
		for _, w := range u.Words {
			w = strings.ToLower(w)
			t.byName[w] = append(t.byName[w], saying{u.Lang, u.Say})
			if r, _ := utf8.DecodeRuneInString(w); unspaced(r) {
				t.han = max(t.han, utf8.RuneCountInString(w))
			}
		}
	}
	return t
}

// saying is a general amount in a language.
type saying struct{ lang, say string }

// unit is a unit that was found; end is 0 when there is none.
type unit struct {
	end  int
	says []saying
}

// in is what is said in a language: symbols such as "g" belong to many.
func (u unit) in(lang string) string {
	for _, s := range u.says {
		if s.lang == lang {
			return s.say
		}
	}
	return u.says[0].say
}

// after finds the unit of the number that ends at end: with one space or
// hyphen between them, or none.
func (t *unitTable) after(text string, end int) unit {
	if t.off {
		return unit{}
	}
	at := end
	if r, size := utf8.DecodeRuneInString(text[at:]); blank(r) || r == '-' {
		at += size
	}
	r, _ := utf8.DecodeRuneInString(text[at:])
	switch {
	case at == len(text):
		return unit{}
	case unspaced(r):
		return t.longest(text, at)
	case letter[text[at]]:
		return t.named(text, at)
	case unicode.IsLetter(r):
		return t.named(text, at)
	}
	stop := skip(text, at, func(r rune) bool { return strings.ContainsRune("°℃℉%‰", r) })
	if stop == at {
		return unit{}
	}
	if u := t.lookup(text, at, skip(text, stop, unicode.IsLetter)); u.end > 0 {
		return u
	}
	return t.lookup(text, at, stop)
}

// named is the unit that is spelt at the offset.
func (t *unitTable) named(text string, at int) unit {
	stop := skip(text, at, unicode.IsLetter)
	if stop-at > maxUnit {
		return unit{}
	}
	return t.lookup(text, at, stop)
}

// maxUnit is the longest name of a unit in bytes.
const maxUnit = 40

func (t *unitTable) lookup(text string, at, stop int) unit {
	var name [maxUnit]byte
	if stop-at > maxUnit {
		return unit{}
	}
	low := name[:0]
	for _, r := range text[at:stop] {
		if len(low)+utf8.UTFMax > maxUnit {
			return unit{}
		}
		low = utf8.AppendRune(low, unicode.ToLower(r))
	}
	if says, ok := t.byName[string(low)]; ok {
		return unit{stop, says}
	}
	return unit{}
}

// longest is the longest unit at the offset in a script without spaces.
func (t *unitTable) longest(text string, at int) unit {
	var best unit
	stop := at
	for range t.han {
		r, size := utf8.DecodeRuneInString(text[stop:])
		if !unspaced(r) {
			break
		}
		stop += size
		if u := t.lookup(text, at, stop); u.end > 0 {
			best = u
		}
	}
	return best
}

// counted finds the unit of a number that begins at i in Chinese numerals. One
// alone is a word of everyday speech rather than a quantity.
func (t *unitTable) counted(text string, i int) unit {
	if r, _ := utf8.DecodeRuneInString(text[i:]); t.off || !quantityNumeral(r) {
		return unit{}
	}
	if before, _ := utf8.DecodeLastRuneInString(text[:i]); quantityNumeral(before) || before == '第' {
		return unit{}
	}
	end := skip(text, i, quantityNumeral)
	if text[i:end] == "一" {
		return unit{}
	}
	return t.longest(text, end)
}

func quantityNumeral(r rune) bool { return formOf(r)&formNumeral != 0 }
