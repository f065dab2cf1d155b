package lint

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
)

//go:embed words/units.txt
var unitsText string

// units gives the dimension of a unit, as it is written and in small letters.
var units = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, row := range rows(unitsText) {
		for u := range strings.FieldsSeq(row[1]) {
			out[u] = row[0]
		}
	}
	return out
})

// numerals are digits, signs of number and words of number (H3); without
// grammar, words such as "one" and "first" pass.
func numerals(text string, grammar bool) []find {
	var out []find
	for word := range spelled(text) {
		w := strings.ToLower(word)
		switch {
		case strings.ContainsFunc(word, unicode.IsNumber):
			out = append(out, find{"digit", word})
		case counting()[stem(w)] || grammar && ordering()[stem(w)] || strings.ContainsAny(word, hanNumbers):
			out = append(out, find{"number word", word})
		}
	}
	return out
}

// hanNumbers are the numbers of Chinese and Japanese, whose words are not parted.
const hanNumbers = "〇零一二三四五六七八九十百千万億亿兩两"

// measured are numbers with a unit after them.
func measured(text string) []find {
	var out []find
	last, number, half := "", false, false
	for word, gap := range spelled(text) {
		digits, rest := cutNumber(word)
		lower := strings.ToLower(word)
		switch {
		case digits != "" && rest != "" && unit(rest):
			out = append(out, find{"number with a unit", word})
		case number && joins(gap) && unit(word), number && strings.ContainsAny(gap, "°") && unit("°"+word),
			number && digitAt(last) && joins(gap) && (word == "C" || word == "F"):
			out = append(out, find{"number with a unit", last + " " + word})
		case half && joins(gap) && (lower == "a" || lower == "an" || lower == "of" || lower == "the"):
			last += " " + word // half a litre, a quarter of a litre
			continue
		}
		last = word
		half = shares[lower]
		number = digits != "" && rest == "" || numberWord(lower) && !notAmount[lower]
	}
	return out
}

// beyondTime leaves out what is measured in days or hours: "one day".
func beyondTime(list []find) []find {
	return slices.DeleteFunc(list, func(f find) bool {
		word := f.text[strings.LastIndexByte(f.text, ' ')+1:]
		return units()[strings.ToLower(word)] == "time" && len(word) > 2
	})
}

// shares are words after which a unit has an article.
var shares = wordsOf("half quarter quarters third thirds fifth fifths tenth hundredth")

// joins reports whether what stands between a number and a word may bind them:
// blanks of any width, a hyphen, a slash, a line, a bracket.
func joins(gap string) bool {
	return !strings.ContainsFunc(gap, func(r rune) bool { return !unicode.IsSpace(r) && !strings.ContainsRune("-‐‑–/_([~≈×", r) })
}

func digitAt(word string) bool { return word != "" && word[0] >= '0' && word[0] <= '9' }

// notAmount are words of order, which count no units: "first day".
var notAmount = wordsOf("first second third fourth fifth firstly secondly thirdly once twice firsts pair pairs paired")

func unit(word string) bool {
	return units()[word] != "" || units()[strings.ToLower(word)] != ""
}

// cutNumber parts a word into its leading digits and the rest.
func cutNumber(word string) (digits, rest string) {
	i := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsDigit(r) })
	if i < 0 {
		return word, ""
	}
	return word[:i], word[i:]
}
