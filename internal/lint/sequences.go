package lint

import (
	"math"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// The shortest runs of letters that H4 takes for a sequence.
const (
	nucleotides = 8
	aminoAcids  = 12
)

const (
	nucleotideLetters = "ACGTU"
	aminoLetters      = "ACDEFGHIKLMNPQRSTVWY"
)

// sequences are runs of nucleotide or amino-acid letters in a task (H4),
// whatever their case, also in groups or single letters that blanks or signs part. A word of
// English, or one that is spelled like one, is none.
func sequences(text string) []find {
	var out []find
	for _, run := range letterRuns(plainly(text)) {
		switch {
		case longest(run.joined, nucleotideLetters) >= nucleotides && !run.english():
			out = append(out, find{"nucleotide letters", run.text})
		case longest(run.joined, aminoLetters) >= aminoAcids && !run.english() && unlike(strings.Join(run.groups, " ")):
			out = append(out, find{"amino-acid letters", run.text})
		}
	}
	return out
}

// plainly is a text without invisible characters and compatibility forms.
func plainly(text string) string {
	return strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(text))
}

// letterRun is a word, or neighbours of which no part is English.
type letterRun struct {
	text   string
	groups []string
	joined string // in capitals
}

// english reports whether a group is a word of English.
func (r letterRun) english() bool {
	for _, g := range r.groups {
		if known(g) && len(g) > 1 && (len(r.groups) == 1 || g != strings.ToUpper(g)) {
			return true
		}
	}
	return false
}

// letterRuns are the words of a text; neighbours that hold only letters of
// sequences and are outside English, codons in capitals, or single letters, are
// one run, whatever sign stands between them.
func letterRuns(text string) []letterRun {
	var out []letterRun
	open := byte(0)
	for word, gap := range spelled(text) {
		upper := strings.ToUpper(word)
		part := partOf(word, upper)
		if n := len(out); n > 0 && part != 0 && part == open && nearby(gap) {
			out[n-1].text += gap + word
			out[n-1].groups = append(out[n-1].groups, word)
			out[n-1].joined += upper
			continue
		}
		out = append(out, letterRun{word, []string{word}, upper})
		open = part
	}
	return out
}

// partOf tells what a word may be a part of: a run of groups (g), of single
// letters (1), or none (0).
func partOf(word, upper string) byte {
	switch {
	case len(word) == 1 && only(upper, aminoLetters+"U"):
		return '1'
	case only(upper, aminoLetters+"U") && !known(word), len(word) == 3 && word == upper && only(word, nucleotideLetters):
		return 'g'
	}
	return 0
}

// nearby reports whether words may be groups of one sequence: a blank, or a sign
// with blanks, stands between them.
func nearby(gap string) bool {
	return gap != "" && len(gap) <= 4 && !strings.ContainsFunc(gap, func(r rune) bool { return !unicode.IsSpace(r) && !strings.ContainsRune("-–,;:/|._·*", r) })
}

func only(s, letters string) bool {
	for i := range len(s) {
		if strings.IndexByte(letters, s[i]) < 0 {
			return false
		}
	}
	return s != ""
}

// longest is the length of the longest run of given letters.
func longest(s, letters string) int {
	best, n := 0, 0
	for i := range len(s) {
		if strings.IndexByte(letters, s[i]) < 0 {
			n = 0
			continue
		}
		n++
		best = max(best, n)
	}
	return best
}

// letterPairs is how English words go from letter to letter: the log
// probability of the next letter, learned from the list, less that of one of
// twenty letters drawn alike.
var letterPairs = sync.OnceValue(func() *[26][26]float64 {
	var count [26][26]float64
	for w := range english() {
		for i := 1; i < len(w); i++ {
			if a, b := w[i-1]-'a', w[i]-'a'; a < 26 && b < 26 {
				count[a][b]++
			}
		}
	}
	for a := range count {
		sum := 0.0
		for b := range count[a] {
			count[a][b]++
			sum += count[a][b]
		}
		for b := range count[a] {
			count[a][b] = math.Log(count[a][b]/sum) - math.Log(1.0/20)
		}
	}
	return &count
})

// likeness is the mean log likelihood ratio of a word's pairs of letters,
// English against letters drawn alike; 0 for a word without pairs.
func likeness(word string) float64 {
	sum, n := 0.0, 0
	last := rune(-1)
	for _, r := range word {
		r = unicode.ToLower(r)
		if r < 'a' || r > 'z' {
			last = -1
			continue
		}
		if last >= 0 {
			sum += letterPairs()[last-'a'][r-'a']
			n++
		}
		last = r
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// wordlike is the likeness from which on a word may be one. Of the list's words
// of twelve or more amino-acid letters 98 % lie above it; of random chains of
// twelve, drawn as amino acids occur in proteins, 0.5 %.
const wordlike = 0.2

// unlike reports whether a word is spelled unlike words are.
func unlike(word string) bool { return likeness(word) < wordlike }
