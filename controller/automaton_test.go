package controller

import (
	"fmt"
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

func FuzzAutomaton(f *testing.F) {
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
