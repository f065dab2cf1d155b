package lint

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// ReadOperator makes the profile with an operator's own list, one word or
// phrase a line; a final "*" lets the last word go on, "#" begins a remark. The
// list is private: neither errors nor signals repeat it.
func ReadOperator(name string, data []byte) (Profile, error) {
	p := Profile{operator: map[string][]label{}}
	if !utf8.Valid(data) {
		return Profile{}, fmt.Errorf("%s: is not UTF-8", name)
	}
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		if line == "" || line[0] == '#' {
			continue
		}
		text, open := strings.CutSuffix(line, "*")
		l := newLabel(tokens(view(text)), open)
		if len(l.words) == 0 {
			return Profile{}, fmt.Errorf("%s:%d: holds no word (want a word or phrase, or # before a remark)", name, number)
		}
		key := operatorKey(l.words[0])
		p.operator[key] = append(p.operator[key], l)
	}
	if len(p.operator) == 0 {
		return Profile{}, fmt.Errorf("%s: is empty (want a word or phrase a line)", name)
	}
	return p, nil
}

// operatorKey is the head of a word, by which phrases are found that may go on.
func operatorKey(word string) string {
	for i := range word {
		if i >= 3 {
			return word[:i]
		}
	}
	return word
}

// The size of the pieces in which a text is read for an operator's list, and
// how far each reaches into the next.
const (
	pieceBytes   = 1 << 16
	overlapBytes = 1 << 10
)

// listed looks for words of an operator's list in every spelling that L1 knows.
func (s *signals) listed(text string, list map[string][]label) {
	if len(list) == 0 {
		return
	}
	for at := 0; at < len(text); at += pieceBytes {
		piece := text[at:min(len(text), at+pieceBytes+overlapBytes)]
		for _, spelling := range spellings(piece) {
			for i, w := range spelling.words {
				for _, l := range near(list, w) {
					if l.at(spelling.words[i:]) && (!spelling.joined || w == l.words[0] && len(l.words) == 1) {
						s.add(Operator, Operator, at)
					}
				}
			}
		}
	}
}

// near are the phrases whose first word begins as a word does. A first word of
// fewer letters than a key may go on, too.
func near(list map[string][]label, word string) []label {
	key := operatorKey(word)
	out := list[key]
	for i := range key {
		if i > 0 {
			for _, l := range list[key[:i]] {
				if l.open && len(l.words) == 1 || len(l.words) > 1 {
					out = append(out[:len(out):len(out)], l)
				}
			}
		}
	}
	return out
}
