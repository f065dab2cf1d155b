package lint

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// unapproved are the words of a text that the approved list lacks (H1), and
// those with a capital inside a sentence, which makes a name of any word.
// Hyphens part words; a possessive counts as its word.
func unapproved(text string) []find {
	var out []find
	begins := true // a sentence
	for word, gap := range spelled(text) {
		if strings.ContainsAny(gap, ".?!:\n") || strings.ContainsAny(gap, "\"“‘(") && begins {
			begins = true
		}
		plain := view(word)
		switch {
		case !approved()[plain] && !approved()[stem(plain)]:
			out = append(out, find{"unknown word", word})
		case !begins && capital(word):
			out = append(out, find{"capital inside a sentence", word})
		case utf8.RuneCountInString(word) > 1 && word == strings.ToUpper(word) && word != strings.ToLower(word):
			out = append(out, find{"capitals", word})
		}
		begins = false
	}
	return out
}

// capital reports a first capital, but not that of "I".
func capital(word string) bool {
	first, size := utf8.DecodeRuneInString(word)
	rest := word[size:]
	return unicode.IsUpper(first) && !(first == 'I' && (rest == "" || rest[0] == '\'' || strings.HasPrefix(rest, "’")))
}

// spelled yields the words of a text as they are written, each with what
// stands before it. Invisible characters stay in their words.
func spelled(text string) func(yield func(word, gap string) bool) {
	inside := func(r rune) bool {
		return wordRune(r) || r == '\'' || r == '’' || r == 'ʼ' || r >= utf8.RuneSelf && invisible(r) || unicode.IsNumber(r)
	}
	return func(yield func(word, gap string) bool) {
		from, end := -1, 0
		emit := func(to int) bool {
			word := strings.Trim(text[from:to], "'’ʼ")
			at := from + strings.Index(text[from:to], word)
			from = -1
			if word == "" {
				return true
			}
			gap := text[end:at]
			end = at + len(word)
			return yield(word, gap)
		}
		for i, r := range text {
			switch {
			case inside(r) && from < 0:
				from = i
			case !inside(r) && from >= 0:
				if !emit(i) {
					return
				}
			}
		}
		if from >= 0 {
			emit(len(text))
		}
	}
}

// known reports whether a word is general English, in its own form or without
// an ending.
func known(word string) bool {
	w := stem(strings.ToLower(norm.NFKC.String(word)))
	if english()[w] || approved()[w] || science()[w] {
		return true
	}
	for _, e := range suffixes {
		base, ok := strings.CutSuffix(w, e.cut)
		if !ok || len(base) < 3 {
			continue
		}
		for _, add := range e.add {
			if english()[base+add] || science()[base+add] {
				return true
			}
		}
	}
	return false
}

// suffixes are endings and what may stand in their place.
var suffixes = []struct {
	cut string
	add []string
}{
	{"s", []string{""}}, {"es", []string{"", "e"}}, {"ies", []string{"y"}}, {"ed", []string{"", "e"}}, {"ing", []string{"", "e"}},
	{"ly", []string{"", "le"}}, {"er", []string{"", "e"}}, {"ers", []string{"", "e"}}, {"ness", []string{""}}, {"able", []string{"", "e"}},
	{"ization", []string{"ize", "ise"}}, {"isation", []string{"ise", "ize"}}, {"ize", []string{"ise"}}, {"ise", []string{"ize"}},
	{"al", []string{"", "e"}}, {"ic", []string{"", "y"}}, {"ity", []string{"", "e"}}, {"ion", []string{"", "e"}}, {"less", []string{""}}, {"ful", []string{""}},
}
