package lint

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

var (
	update  = flag.Bool("update", false, "write what is generated")
	fromDir = flag.String("wordnet", "", "directory of WordNet 3.0: make words/english.txt anew")
	fromSet = flag.String("dict", "", "word lists, joined by commas: make words/english.txt anew")
)

// TestEnglish makes words/english.txt when it is given its sources: the small
// lists of SCOWL and WordNet. It is done once; the file is kept.
func TestEnglish(t *testing.T) {
	if *fromDir == "" || *fromSet == "" {
		t.Skip("-wordnet and -dict name the sources")
	}
	w, err := readWordNet(*fromDir)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, path := range strings.Split(*fromSet, ",") {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		words = append(words, strings.Fields(string(data))...)
	}
	slices.Sort(words)
	var b bytes.Buffer
	b.WriteString(englishHead)
	for _, word := range slices.Compact(words) {
		if strings.HasSuffix(word, "'s") {
			continue
		}
		kind := "name"
		if word == strings.ToLower(word) {
			kind = w.kind(word)
		}
		fmt.Fprintf(&b, "%s\t%s\n", word, kind)
	}
	if err := os.WriteFile("words/english.txt", b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

const englishHead = `# General English: the small word lists of SCOWL, British and American, without possessives. The second column is the
# category of a word's most frequent meaning in WordNet 3.0, or what says more: a group of things, a topic, "of." and what
# an adjective or a rare verb is derived from, "rare." and what a rare word may mean, "name" for a word that is written with a capital, "-" for a word that
# WordNet does not hold. Both licences stand in LICENCES.txt. Made by TestEnglish.
`
