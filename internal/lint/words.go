package lint

import (
	_ "embed"
	"strings"
	"sync"
)

// The word lists. Their heads say what they hold.
var (
	//go:embed words/approved.txt
	approvedText string
	//go:embed words/english.txt
	englishText string
	//go:embed words/numbers.txt
	numbersText string
	//go:embed words/wording.txt
	wordingText string
	//go:embed words/science.txt
	scienceText string
)

// words is a set.
type words map[string]bool

// approved is what a borderline or harmful task may say.
var approved = sync.OnceValue(func() words { return wordsOf(approvedText) })

// english is general English, whatever it names, names of people and places
// among them, in lower case.
var english = sync.OnceValue(func() words {
	w := words{}
	for _, row := range rows(englishText) {
		w[strings.ToLower(row[0])] = true
	}
	return w
})

// wording is what a masked text keeps.
var wording = sync.OnceValue(func() words { return wordsOf(wordingText) })

// science are terms of the classroom, which count as English where names are
// looked for.
var science = sync.OnceValue(func() words { return wordsOf(scienceText) })

// counting and ordering are the words of number: the second list is grammar as
// often as number.
var counting, ordering = sync.OnceValue(func() words {
	amounts, _, _ := strings.Cut(numbersText, "-- grammar")
	return wordsOf(amounts)
}), sync.OnceValue(func() words {
	_, grammar, _ := strings.Cut(numbersText, "-- grammar")
	return wordsOf(grammar)
})

// numberWord reports whether a word counts or orders.
func numberWord(w string) bool { return counting()[w] || ordering()[w] }

// lines are those of a list that are neither blank nor a remark.
func lines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}

func wordsOf(text string) words {
	w := words{}
	for _, line := range lines(text) {
		for _, word := range strings.Fields(line) {
			w[word] = true
		}
	}
	return w
}

// rows are the columns of a list, parted by tabs.
func rows(text string) [][]string {
	var out [][]string
	for _, line := range lines(text) {
		out = append(out, strings.Split(line, "\t"))
	}
	return out
}
