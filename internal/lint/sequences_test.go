package lint

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// frequencies are those of amino acids in proteins, in per mille (Swiss-Prot).
var frequencies = map[byte]int{'A': 83, 'Q': 39, 'L': 97, 'S': 66, 'R': 55, 'E': 67, 'K': 58, 'T': 54, 'N': 41, 'G': 71,
	'M': 24, 'W': 11, 'D': 55, 'H': 23, 'F': 39, 'Y': 29, 'C': 14, 'I': 59, 'P': 47, 'V': 69}

// randomChain draws a sequence without a meaning.
func randomChain(rng *rand.Rand, length int) string {
	b := make([]byte, 0, length)
	for len(b) < length {
		u := rng.IntN(1001)
		for i := range len(aminoLetters) {
			if u -= frequencies[aminoLetters[i]]; u < 0 {
				b = append(b, aminoLetters[i])
				break
			}
		}
	}
	return string(b)
}

// How well the spelling of words is told from random chains of letters: the
// figures of doc/benchmark.md.
func TestWordlike(t *testing.T) {
	var word, unlikeWord int
	for w := range english() {
		if len(w) >= aminoAcids && only(strings.ToUpper(w), aminoLetters) {
			word++
			unlikeWord += int(one(unlike(w)))
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		length int
		least  float64
	}{{12, 0.99}, {20, 0.999}, {40, 1}} {
		found := 0
		const n = 10000
		for range n {
			found += int(one(unlike(randomChain(rng, c.length))))
		}
		t.Logf("%d of %d chains of %d are unlike words", found, n, c.length)
		if float64(found) < c.least*n {
			t.Errorf("%d of %d chains of %d are unlike words, want %v", found, n, c.length, c.least)
		}
	}
	t.Logf("%d of %d words are unlike words", unlikeWord, word)
	if float64(unlikeWord) > 0.04*float64(word) {
		t.Errorf("%d of %d words are unlike words, want at most 4 %%", unlikeWord, word)
	}
}
