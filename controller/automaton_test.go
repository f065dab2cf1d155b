package controller

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// naive finds the same by looking at every offset for every pattern.
func naive(patterns []string, text string) []string {
	var out []string
	for end := 1; end <= len(text); end++ {
		for id, p := range patterns {
			if strings.HasSuffix(text[:end], p) {
				out = append(out, fmt.Sprint(id, "@", end))
			}
		}
	}
	slices.Sort(out)
	return out
}

func scanned(patterns []string, text string) []string {
	var out []string
	newAutomaton(patterns).scan([]byte(text), func(id, _, end int) { out = append(out, fmt.Sprint(id, "@", end)) })
	slices.Sort(out)
	return out
}

func TestAutomaton(t *testing.T) {
	for _, c := range []struct {
		name, text string
		patterns   []string
		want       []string
	}{
		{"none", "abc", nil, nil},
		{"overlapping", "ushers", []string{"he", "she", "his", "hers"}, []string{"0@4", "1@4", "3@6"}},
		{"a word inside another", " filtering ", []string{" filter", " filtering "}, []string{"0@7", "1@11"}},
		{"shared bounds", " a a ", []string{" a "}, []string{"0@3", "0@5"}},
		{"the same twice", "aa", []string{"a", "a"}, []string{"0@1", "0@2", "1@1", "1@2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := scanned(c.patterns, c.text); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// Long texts are read at four places at once: what ends near a seam is found,
// and once.
func TestAutomatonOverSeams(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	patterns := []string{" ab ", "abba", " b a b a b a b a b a ", "aaaaa", "b", " ab"}
	for _, size := range []int{511, 512, 513, 1023, 8191, 8192, 9001} {
		text := make([]byte, size)
		for i := range text {
			text[i] = "ab  a"[random.IntN(5)]
		}
		if got, want := scanned(patterns, string(text)), naive(patterns, string(text)); !slices.Equal(got, want) {
			t.Errorf("%d bytes: %d places, want %d", size, len(got), len(want))
		}
	}
	ends := 0
	newAutomaton(patterns).scan([]byte(strings.Repeat("ab ", 3000)), func(_, start, end int) {
		if start >= end || end < ends {
			t.Fatalf("a match from %d to %d after one that ends at %d", start, end, ends)
		}
		ends = end
	})
}

// Where every pattern begins with a space, most words are passed over without
// the table: nothing is lost, wherever a word stands among eight bytes.
func TestAutomatonPassesWords(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	patterns := []string{" abab", " abab ", " ab ab ", " ba a b ", " ab b", " bbbb abab "}
	for size := range 300 {
		text := make([]byte, size)
		for i := range text {
			text[i] = "ab ab!"[random.IntN(6)]
		}
		if got, want := scanned(patterns, string(text)), naive(patterns, string(text)); !slices.Equal(got, want) {
			t.Fatalf("%q: got %v, want %v", text, got, want)
		}
	}
}

func FuzzAutomaton(f *testing.F) {
	f.Add(" with a, with held, a b ", "so with a b with heldwith a")
	f.Add("he,she,his,hers", "ushers")
	f.Add("aab,ab,b,aaab", "aaaabab")
	f.Add("é,\xff", "caf\xc3\xa9\xff")
	f.Fuzz(func(t *testing.T, list, text string) {
		patterns := slices.DeleteFunc(strings.Split(list, ","), func(p string) bool { return p == "" })
		used := map[byte]bool{}
		for i := range len(list) {
			used[list[i]] = true
		}
		if len(used) > 250 || len(text) > 4096 || len(patterns) > 64 {
			t.Skip("more than a policy holds")
		}
		if got, want := scanned(patterns, text), naive(patterns, text); !slices.Equal(got, want) {
			t.Errorf("patterns %q in %q: got %v, want %v", patterns, text, got, want)
		}
	})
}
