package controller

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// The table says what the functions of package unicode say.
func TestForms(t *testing.T) {
	for r := range rune(utf8.MaxRune + 1) {
		sparse := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
		for _, c := range []struct {
			name string
			bit  form
			want bool
		}{
			{"letter", formLetter, unicode.IsLetter(r)},
			{"mark", formMark, unicode.IsMark(r)},
			{"hidden", formHidden, unicode.Is(unicode.Cf, r)},
			{"number", formNumber, unicode.IsNumber(r) && !sparse && !enclosed(r)},
			{"unspaced", formUnspaced, sparse},
			{"numeral", formNumeral, r > 0x3000 && r < 0xa000 && strings.ContainsRune("〇一二三四五六七八九十零壹贰叁肆伍陆柒捌玖拾两百千半", r)},
		} {
			if got := formOf(r)&c.bit != 0; got != c.want {
				t.Errorf("%U: %s: got %v, want %v", r, c.name, got, c.want)
			}
		}
	}
}
