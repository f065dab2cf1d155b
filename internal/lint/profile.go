package lint

import (
	"cmp"
	"slices"
)

// Profile looks through what a model wrote. Ordinary answers hold numbers,
// lists, code and other languages, so H1, H3 and H5 do not apply, and the other
// rules are narrower than in a task. The zero value has no operator's list.
type Profile struct {
	operator map[string][]label // by first word
}

// Signal is one kind of thing that was found. It holds no text, so that it may
// stand in an open record.
type Signal struct {
	Rule  string `json:"rule"`  // H2, H4, H6, H7, quantities or operator
	Class string `json:"class"` // such as "nucleotide letters"
	At    int    `json:"at"`    // offset in bytes of the first
	Count int    `json:"count"`
}

// The rules of signals that no hazard rule of tasks has.
const (
	Quantities = "quantities"
	Operator   = "operator"
)

// Check gives what a text holds, one signal a class, in the order of rules and
// classes. It takes time in proportion to the text.
func (p Profile) Check(text string) []Signal {
	s := &signals{}
	s.words(text)
	s.codes(text)
	s.addresses(text)
	s.listed(text, p.operator)
	slices.SortFunc(s.list, func(a, b Signal) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Class, b.Class))
	})
	return s.list
}

// Quarantine reports whether a text with these signals is locked away: a
// sequence, an encoding or a word of the operator's list is enough; of names,
// addresses and dense quantities two must meet.
func Quarantine(list []Signal) bool {
	kinds := words{}
	for _, s := range list {
		switch s.Rule {
		case "H4", "H7", Operator:
			return true
		}
		kinds[s.Rule] = true
	}
	return len(kinds) >= 2
}

// signals gathers what is found.
type signals struct{ list []Signal }

func (s *signals) add(rule, class string, at int) {
	for i := range s.list {
		if l := &s.list[i]; l.Rule == rule && l.Class == class {
			l.Count++
			return
		}
	}
	s.list = append(s.list, Signal{rule, class, at, 1})
}

// words walks the words of a text once and shows each to the rules that look
// at words.
func (s *signals) words(text string) {
	at := 0
	n, q, genes := names{s: s}, quantities{s: s}, words{}
	c := chain{s: s}
	for word, gap := range spelled(text) {
		at += len(gap)
		n.next(word, gap, at)
		q.next(word, gap, at)
		c.next(word, gap, at)
		if geneLike(word) {
			if genes[word] = true; len(genes) == fewGenes {
				s.add("H2", "gene-like names", at)
			}
		}
		if len(word) > 1 && !ascii(word) {
			s.disguised(word, at)
		}
		at += len(word)
	}
	n.settle(true)
	c.end()
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
