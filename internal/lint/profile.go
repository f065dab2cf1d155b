package lint

import (
	"cmp"
	"math"
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
	Near  bool   `json:"near"` // stands near another with which it is enough
}

// nearBytes is how near to each other two signals stand that are enough together.
const nearBytes = 600

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
	s.meet()
	slices.SortFunc(s.list, func(a, b Signal) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Class, b.Class))
	})
	return s.list
}

// Quarantine reports whether a text with these signals is locked away: a
// sequence, an encoding or a word of the operator's list is enough; of names,
// addresses and dense quantities two must stand near each other.
func Quarantine(list []Signal) bool {
	for _, s := range list {
		switch s.Rule {
		case "H4", "H7", Operator:
			return true
		}
		if s.Near {
			return true
		}
	}
	return false
}

// enough reports whether two signals near each other are enough: of different
// rules among names, addresses and quantities. A link never is, and a kitchen's
// amounts only are beside a name: ordinary answers on gardens, animals, food and
// travel have links, prices, amounts and telephone numbers side by side.
func enough(a, b Signal) bool {
	if a.Rule == b.Rule || a.Class == webLink || b.Class == webLink {
		return false
	}
	if a.Class == kitchen || b.Class == kitchen {
		return a.Rule == "H2" || b.Rule == "H2"
	}
	return true
}

// Classes that are no second signal, or only beside a name.
const (
	webLink = "URL"
	kitchen = "dense quantities, household"
)

// signals gathers what is found.
type signals struct {
	list   []Signal
	places [][]int // of each in list; only of rules of which two must meet
}

func (s *signals) add(rule, class string, at int) {
	i := slices.IndexFunc(s.list, func(l Signal) bool { return l.Rule == rule && l.Class == class })
	if i < 0 {
		i = len(s.list)
		s.list, s.places = append(s.list, Signal{Rule: rule, Class: class, At: at}), append(s.places, nil)
	}
	s.list[i].Count++
	if rule == "H2" || rule == "H6" || rule == Quantities {
		s.places[i] = append(s.places[i], at)
	}
}

// meet marks the signals that stand near another with which they are enough.
func (s *signals) meet() {
	for i := range s.list {
		slices.Sort(s.places[i])
		for k := range i {
			if enough(s.list[i], s.list[k]) && closest(s.places[i], s.places[k]) <= nearBytes {
				s.list[i].Near, s.list[k].Near = true, true
			}
		}
	}
}

// closest is the smallest distance of two sorted lists; both empty or one, far.
func closest(a, b []int) int {
	best := math.MaxInt
	for i, k := 0, 0; i < len(a) && k < len(b); {
		if a[i] < b[k] {
			best = min(best, b[k]-a[i])
			i++
		} else {
			best = min(best, a[i]-b[k])
			k++
		}
	}
	return best
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
