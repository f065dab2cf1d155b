package lint

import (
	_ "embed"
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
		case counting()[stem(w)] || grammar && ordering()[stem(w)]:
			out = append(out, find{"number word", word})
		}
	}
	return out
}

// measured are numbers with a unit after them.
func measured(text string) []find {
	var out []find
	last, number := "", false
	for word, gap := range spelled(text) {
		close := strings.Trim(gap, " -\n\u00a0") == ""
		digits, rest := cutNumber(word)
		switch {
		case digits != "" && rest != "" && unit(rest):
			out = append(out, find{"number with a unit", word})
		case number && close && unit(word), number && strings.ContainsAny(gap, "°") && unit("°"+word):
			out = append(out, find{"number with a unit", last + " " + word})
		}
		last = word
		number = digits != "" && rest == "" || numberWord(strings.ToLower(word)) && !notAmount[strings.ToLower(word)]
	}
	return out
}

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
