package lint

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	update  = flag.Bool("update", false, "write what is generated")
	fromDir = flag.String("wordnet", "", "directory of WordNet 3.0: make words/english.txt anew")
	fromSet = flag.String("dict", "", "word lists, joined by commas: make words/english.txt anew")
)

// sources are what words/english.txt is made of, by SHA-256: the small lists of
// SCOWL (Debian's wamerican-small and wbritish-small) and the database of
// WordNet 3.0 (Debian's wordnet-base).
const sources = "words/sources.txt"

// digests reads files and gives a line of digest and name for each.
func digests(t *testing.T, paths []string) string {
	var b strings.Builder
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), filepath.Base(path))
	}
	return b.String()
}

// TestEnglish makes words/english.txt when it is given its sources, which must
// be those that are pinned; otherwise it holds the file to the digest that it
// had when it was made.
func TestEnglish(t *testing.T) {
	pinned, err := os.ReadFile(sources)
	if err != nil {
		t.Fatal(err)
	}
	if *fromDir == "" || *fromSet == "" {
		if want := fmt.Sprintf("%x  english.txt\n", sha256.Sum256([]byte(englishText))); !strings.HasSuffix(string(pinned), want) {
			t.Errorf("%s does not end with %q: make words/english.txt anew from its sources (-wordnet and -dict name them)", sources, want)
		}
		return
	}
	paths := strings.Split(*fromSet, ",")
	for _, name := range wordnetFiles {
		paths = append(paths, filepath.Join(*fromDir, name))
	}
	if got := digests(t, paths); !strings.Contains(string(pinned), got) {
		t.Fatalf("the sources are\n%swant those of %s", got, sources)
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
	head, _, _ := strings.Cut(string(pinned), "\n\n")
	all := fmt.Sprintf("%s\n\n%s%x  english.txt\n", head, digests(t, paths), sha256.Sum256(b.Bytes()))
	for name, data := range map[string][]byte{"words/english.txt": b.Bytes(), sources: []byte(all)} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const englishHead = `# General English: the small word lists of SCOWL, British and American, without possessives. The second column is the
# category of a word's most frequent meaning in WordNet 3.0, or what says more: a group of things, a topic, "of." and what
# an adjective or a rare verb is derived from, or any word of an illness, a weapon or a drug, "rare." and what a rare word may mean, "name" for a word that is written with a capital, "-" for a word that
# WordNet does not hold. Both licences stand in LICENCES.txt. Made by TestEnglish.
`
