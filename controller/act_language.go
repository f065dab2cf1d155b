package controller

import (
	"slices"
	"strings"
	"unicode"
)

// functionWords are short words that stand in most sentences of a language and
// seldom in those of the others.
var functionWords = map[string][]string{
	"en": {"the", "and", "is", "are", "with", "that", "this", "it", "to", "for", "you"},
	"es": {"el", "los", "las", "que", "una", "con", "por", "para", "del", "es", "se"},
	"fr": {"le", "les", "des", "une", "est", "dans", "pour", "avec", "qui", "sur", "vous"},
	"de": {"der", "die", "das", "und", "ist", "nicht", "mit", "ein", "eine", "von", "auf"},
}

// maxSample is how much of a draft is looked at for its language, in words.
const maxSample = 400

// language is that of the texts which fit a draft: Chinese where most letters
// are Han and none is Kana, else that whose function words are the most, else
// the fallback.
func (r *rules) language(draft string) string {
	han, kana, other := 0, 0, 0
	for _, c := range draft {
		switch {
		case unicode.Is(unicode.Han, c):
			han++
		case unicode.In(c, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.IsLetter(c):
			other++
		}
	}
	if han > 0 && kana == 0 && 4*han >= other { // a Han character stands for about a word of four letters
		return r.known("zh")
	}
	counts := map[string]int{}
	n := 0
	for word := range strings.FieldsFuncSeq(draft, func(c rune) bool { return !unicode.IsLetter(c) }) {
		if n++; n > maxSample {
			break
		}
		word = strings.ToLower(word)
		for lang, words := range functionWords {
			if slices.Contains(words, word) {
				counts[lang]++
			}
		}
	}
	best := fallback
	for _, lang := range r.tongues {
		if counts[lang] > counts[best] {
			best = lang
		}
	}
	return best
}

func (r *rules) known(lang string) string {
	if _, ok := r.texts[lang]; ok {
		return lang
	}
	return fallback
}
