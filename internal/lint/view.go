package lint

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// view undoes compatibility forms (full width, ligatures) and case, and drops
// characters that nobody sees. Curly apostrophes become straight ones.
func view(text string) string {
	text = norm.NFKC.String(cases.Fold().String(norm.NFKC.String(strings.ToValidUTF8(text, "\ufffd"))))
	return strings.Map(func(r rune) rune {
		switch {
		case invisible(r):
			return -1
		case r == '’', r == 'ʼ', r == '‘':
			return '\''
		}
		return r
	}, text)
}

// invisible reports whether a character takes no room: format characters,
// fillers and joiners, and controls that are no white space.
func invisible(r rune) bool {
	switch {
	case r < 0x7f:
		return r < ' ' && !unicode.IsSpace(r)
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Variation_Selector, r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return true
	}
	return unicode.IsControl(r) && !unicode.IsSpace(r)
}

// wordRune reports whether a character can stand in a word.
func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }

// tokens are the words of a view: letters, marks and digits, with apostrophes
// inside. Hyphens part them.
func tokens(view string) []string {
	words := strings.FieldsFunc(view, func(r rune) bool { return !wordRune(r) && r != '\'' })
	out := words[:0]
	for _, w := range words {
		if w = strings.Trim(w, "'"); w != "" {
			out = append(out, w)
		}
	}
	return out
}

// leet are the letters that a digit or sign stands for.
var leet = map[rune]string{'0': "o", '1': "il", '2': "z", '3': "e", '4': "a", '5': "s", '6': "bg", '7': "t", '8': "b", '9': "g",
	'@': "a", '$': "s", '!': "i", '|': "l", '€': "e", '+': "t"}

// deleet are the readings of a text whose digits and signs stand for letters;
// a sign of two readings takes the first in one and the second in the other.
func deleet(text string) [2]string {
	var out [2]strings.Builder
	for _, r := range text {
		letters, ok := leet[r]
		if !ok {
			letters = string(r)
		}
		if out[0].WriteString(letters[:1]); !ok {
			out[0].WriteString(letters[1:])
			out[1].WriteString(letters)
			continue
		}
		out[1].WriteString(letters[len(letters)-1:])
	}
	return [2]string{out[0].String(), out[1].String()}
}

// stem drops a possessive.
func stem(word string) string {
	word = strings.TrimSuffix(word, "'s")
	return strings.TrimSuffix(word, "'")
}
