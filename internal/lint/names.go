package lint

import (
	"regexp"
	"strings"
	"unicode"
)

var (
	casShape       = regexp.MustCompile(`\b([1-9]\d{1,6})-(\d{2})-(\d)\b`)
	accessionShape = regexp.MustCompile(`\b(?:[A-Z]{1,2}_?\d{5,9}(?:\.\d{1,2})?|[A-Z]{3,4}\d{5,10}|[OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d[A-Z][A-Z0-9]{2}\d)\b`)
	geneShape      = regexp.MustCompile(`\b(?:[A-Z]{2,6}\d{1,4}[A-Z]{0,2}|[A-Z]{2,6}-(?:\d{1,3}|alpha|beta|gamma|[αβγ])|[a-z]{3}[A-Z]\d{0,2}|[a-z]{3}[A-Z]-?\d{1,3}|p\d{2,3})\b`)
	initialShape   = regexp.MustCompile(`\b[A-Z]\. ?([a-z]{4,})\b`)
)

// nameShapes are the shapes of names in a task (H2): two neighbours outside
// the English lists, an initial with such a word, registry numbers of
// substances, accession numbers, names like those of genes.
func nameShapes(text string) []find {
	var out []find
	add := func(class string, list []string) {
		for _, s := range list {
			out = append(out, find{class, s})
		}
	}
	out = append(out, binomials(text)...)
	for _, m := range initialShape.FindAllStringSubmatch(text, -1) {
		if !known(m[1]) {
			out = append(out, find{"initial and name", m[0]})
		}
	}
	if strings.ContainsAny(text, "0123456789") {
		add("registry number", casShape.FindAllString(text, -1))
		add("accession number", accessionShape.FindAllString(text, -1))
	}
	for _, s := range geneShape.FindAllString(text, -1) {
		if !known(s) {
			out = append(out, find{"gene-like name", s})
		}
	}
	return out
}

// binomials are two unknown words side by side, in any case, and a single
// capital, no word itself, and an unknown small word.
func binomials(text string) []find {
	var out []find
	last, unknown := "", false
	for word, gap := range spelled(text) {
		strange := len(word) > 2 && letters(word) && !known(word)
		switch {
		case !strange || !beside(gap):
		case unknown:
			out = append(out, find{"name of two words", last + " " + word})
		case len(last) == 1 && last != "A" && last != "I" && last[0] >= 'A' && last[0] <= 'Z' && len(word) > 3 && word == strings.ToLower(word):
			out = append(out, find{"initial and name", last + " " + word})
		}
		last, unknown = word, strange
	}
	return out
}

// beside reports whether words are neighbours: nothing but blanks, a hyphen, or
// signs of italics and quotation stands between them.
func beside(gap string) bool {
	return !strings.ContainsFunc(gap, func(r rune) bool { return !unicode.IsSpace(r) && !strings.ContainsRune("-‐‑*_\"'“”‘’`", r) })
}

// titled reports a capital and at least two small letters after it.
func titled(word string) bool {
	return len(word) > 2 && letters(word) && capital(word) && word[1:] == strings.ToLower(word[1:])
}

func letters(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !wordRune(r) || '0' <= r && r <= '9' })
}

// checkedCAS reports whether the check digit of a registry number is right:
// the digits before it, weighted 1, 2, 3 from their end, modulo 10.
func checkedCAS(number string) bool {
	sum, weight := 0, 1
	for i := len(number) - 2; i >= 0; i-- {
		if c := number[i]; c != '-' {
			sum += weight * int(c-'0')
			weight++
		}
	}
	return sum%10 == int(number[len(number)-1]-'0')
}
