package lint

import (
	"strings"
	"unicode"
)

// names looks for names in what a model wrote (H2). Names of two words are
// looked for in English passages alone: every other language is outside the
// English list, and German has capitals everywhere.
type names struct {
	s       *signals
	title   bool   // the last word was a capitalised one outside English
	three   [3]run // the last words
	seen    int    // words
	english [passageWords]bool
	waiting []waiting
}

type run struct {
	word, gap string
	at        int
}

// waiting is a shape whose passage is not read yet.
type waiting struct {
	class    string
	at, word int
}

// Of the passage about a name.
const (
	passageWords  = 16 // the name's two among them
	ahead         = 7  // words after the name
	englishTenths = 7  // of the words beside the name that must be English
)

func (n *names) next(word, gap string, at int) {
	unknown := !english()[word] && !strings.ContainsAny(word, "0123456789") && !known(word) // a number is of any language
	n.english[n.seen%passageWords] = !unknown
	n.seen++
	n.settle(false)
	small := lower(word)
	if n.title && small && unknown && len(word) > 3 && (gap == " " || gap == "\n") {
		n.waiting = append(n.waiting, waiting{"name of two words", n.three[2].at, n.seen})
	}
	if last := n.three[2].word; small && unknown && gap == ". " && len(word) > 3 && len(last) == 1 && last[0] >= 'A' && last[0] <= 'Z' {
		n.waiting = append(n.waiting, waiting{"initial and name", n.three[2].at, n.seen})
	}
	n.title = unknown && titled(word)
	n.three = [3]run{n.three[1], n.three[2], {word, gap, at}}
	if accession(n.three[1].word, gap, word) {
		n.s.add("H2", "accession number", at)
	}
	n.registry()
}

// settle adds the shapes that stand in an English passage, once it is read; in
// a short text, when the text ends.
func (n *names) settle(end bool) {
	for len(n.waiting) > 0 && (end || n.seen >= n.waiting[0].word+ahead) {
		count, of := 0, min(n.seen, passageWords)
		for i := range of {
			if n.english[i] {
				count++
			}
		}
		if 10*count >= englishTenths*(of-2) {
			n.s.add("H2", n.waiting[0].class, n.waiting[0].at)
		}
		n.waiting = n.waiting[1:]
	}
}

// lower reports whether a word is of small letters alone.
func lower(word string) bool {
	for _, r := range word {
		if !unicode.IsLower(r) {
			return false
		}
	}
	return word != ""
}

// accession reports letters and five or more digits, joined, or by "_".
func accession(last, gap, word string) bool {
	head := strings.TrimRight(word, "0123456789")
	digits := len(word) - len(head)
	switch {
	case digits < 5 || digits > 10:
		return false
	case head == "":
		return gap == "_" && len(last) == 2 && capitals(last) && digits >= 6
	}
	return len(head) <= 4 && capitals(head)
}

func capitals(s string) bool {
	for i := range len(s) {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return s != ""
}

// registry looks for a registry number of a substance in the last three
// words: its check digit must be right, and it is no date.
func (n *names) registry() {
	a, b, c := n.three[0], n.three[1], n.three[2]
	if b.gap != "-" || c.gap != "-" || len(b.word) != 2 || len(c.word) != 1 || len(a.word) < 2 || len(a.word) > 7 {
		return
	}
	number := a.word + "-" + b.word + "-" + c.word
	if casShape.FindString(number) != number || !checkedCAS(number) {
		return
	}
	if len(a.word) == 4 && (a.word[:2] == "19" || a.word[:2] == "20") && b.word <= "12" {
		return
	}
	n.s.add("H2", "registry number", a.at)
}

// fewGenes is the number of different gene-like names that make a signal:
// ordinary text has its MP3 and HTML5.
const fewGenes = 3

// geneLike reports capitals with a number at their end, perhaps with a letter
// after it.
func geneLike(word string) bool {
	if len(word) < 4 || len(word) > 9 || !strings.ContainsAny(word, "0123456789") {
		return false
	}
	head := strings.TrimRight(word[:len(word)-1], "0123456789")
	last := word[len(word)-1]
	tail := len(word) - len(head)
	digit := last >= '0' && last <= '9'
	return len(head) >= 3 && len(head) <= 5 && capitals(head) && tail <= 4 && (digit || tail > 1 && capitals(word[len(word)-1:])) && !technical[head]
}

// technical are heads of ordinary names with numbers.
var technical = wordsOf("HTML CSS UTF SHA ISO RFC USB HTTP IEEE ASCII COVID CVE EAN DIN GPT MPEG JPEG BASE PEP IPV CTRL ANSI ECMA TOEIC FIFA NBA")
