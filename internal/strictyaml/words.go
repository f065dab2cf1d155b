package strictyaml

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Or writes names as "a, b or c".
func Or(names []string) string {
	n := len(names)
	if n < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
}

// Wanted says what stands in place of an unknown word: the name that it most
// likely meant, or all of them.
func Wanted(word string, names []string) string {
	same := func(name string) bool { return strings.EqualFold(word, name) }
	if i := slices.IndexFunc(names, same); i >= 0 {
		return "did you mean " + names[i] + "?"
	}
	if near, ok := closest(word, names); ok {
		return "did you mean " + near + "?"
	}
	return "want " + Or(names)
}

// closest is the name that a mistyped word most likely meant, if any: at most
// two edits away, and fewer than half its letters.
func closest(word string, names []string) (string, bool) {
	best, fewest := "", 3
	for _, name := range names {
		if n := edits(word, name); n < fewest && 2*n < len(name) {
			best, fewest = name, n
		}
	}
	return best, best != ""
}

// edits counts the insertions, deletions, replacements and swaps of neighbours
// that lead from a to b (optimal string alignment), for short words.
func edits(a, b string) int {
	const most = 64
	if len(a) > most || len(b) > most {
		return most
	}
	var d [most + 1][most + 1]int
	for i := range len(a) + 1 {
		for j := range len(b) + 1 {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j], d[i][j-1], d[i-1][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// Quote shows a short piece of a value.
func Quote(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "..."
	}
	return strconv.Quote(strings.ToValidUTF8(s, "\ufffd"))
}
