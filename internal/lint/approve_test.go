package lint

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

//go:generate go test -count=1 -run ^TestApproved$ -update .

// leftOut are the kinds of english.txt whose words are not approved: organisms,
// substances and what pertains to them, parts of the body, food, illness,
// weapons, drugs, units, numbers, equipment, processes of nature, terms of the
// life sciences, rare words that may mean one of these, names, and what WordNet does not know. So no list of hazards
// is needed: they are nouns of these kinds, or no general English at all.
var leftOut = regexp.MustCompile(`^(noun\.(animal|plant|body|substance|food|process)|of\..*|topic\..*|rare\..*|illness|weapon|drug|unit|number|equipment|name|-)$`)

// shape is that of an approved word.
var shape = regexp.MustCompile(`^(a|i|\pL[\pL']+)$`)

// approve makes the approved list: general English without the kinds of leftOut
// and the words of handling, the words of the closed classes, and the glossary;
// none of them a number.
func approve(english, handling, wording, glossary string) []byte {
	keep := words{}
	heads := wordsOf(handling)
	for _, row := range rows(english) {
		if !leftOut.MatchString(row[1]) && !begins(row[0], heads) {
			keep[row[0]] = true
		}
	}
	for _, list := range []string{wording, glossary} {
		for w := range wordsOf(list) {
			for part := range strings.SplitSeq(w, "-") {
				keep[part] = true
			}
		}
	}
	var out []string
	for w := range keep {
		if shape.MatchString(w) && !numberWord(w) {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Generated from english.txt less handling.txt, wording.txt and glossary.txt (go generate). %d words. Licences: LICENCES.txt.\n", len(out))
	for _, w := range out {
		b.WriteString(w + "\n")
	}
	return b.Bytes()
}

// begins reports whether a word has one of the heads.
func begins(word string, heads words) bool {
	for head := range heads {
		if strings.HasPrefix(word, head) {
			return true
		}
	}
	return false
}

// TestApproved holds the approved list to its sources.
func TestApproved(t *testing.T) {
	glossary, err := os.ReadFile("words/glossary.txt")
	if err != nil {
		t.Fatal(err)
	}
	handling, err := os.ReadFile("words/handling.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := approve(englishText, string(handling), wordingText, string(glossary))
	if *update {
		if err := os.WriteFile("words/approved.txt", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if approvedText != string(want) {
		t.Error("words/approved.txt is not what its sources make: run go generate")
	}
}
