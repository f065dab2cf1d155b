package analysis

import (
	"cmp"
	"slices"

	uplift "github.com/uplift-eval/uplift"
)

// The names of the parts that responses fall into, in the order in which they
// are shown.
const (
	PartHeadline    = "headline"
	PartTestB       = "test-b"
	PartAdaptive    = "adaptive"
	PartDevelopment = "development"
)

// kind is what decides the part of an item.
type kind int

const (
	kindPlain    kind = iota // of test, of no split, or of one that is not known here
	kindTestB                // of test-b, where that was not locked with the test
	kindAdaptive             // an adaptive probe, whatever its split
	kindMade                 // of train and dev, on which rules and thresholds are made
	kinds        = iota
)

// sorter tells the kind of an item. The zero value knows no adaptive probe.
type sorter struct {
	adaptive []string
	testB    bool // test-b was locked with the test
}

func (o Options) sorter() sorter { return sorter{o.Adaptive, o.Standing.TestB} }

func (s sorter) kind(split, attack string) kind {
	switch {
	case slices.Contains(s.adaptive, attack):
		return kindAdaptive
	case split == uplift.TestB && !s.testB:
		return kindTestB
	case split == uplift.Train || split == uplift.Dev:
		return kindMade
	}
	return kindPlain
}

// sort gives the kind of each item, and which part each kind makes.
func (s sorter) sort(items int, at func(i int) (split, attack string)) (of []kind, p parting) {
	of = make([]kind, items)
	locked := false
	for i := range of {
		split, attack := at(i)
		of[i] = s.kind(split, attack)
		p.there[of[i]] = true
		locked = locked || of[i] == kindPlain && (split == uplift.Test || split == uplift.TestB)
	}
	p.choose(locked)
	return of, p
}

// parting says of each kind which part it makes, and whether there is any of it.
type parting struct {
	part  [kinds]string
	there [kinds]bool
}

// choose makes the headline of what was locked and of what has no split, else
// of train and dev. It is never without items: where all could only stand apart,
// the first kind of them is it.
func (p *parting) choose(locked bool) {
	p.part = [kinds]string{PartHeadline, PartTestB, PartAdaptive, PartHeadline}
	switch {
	case locked:
		p.part[kindMade] = PartDevelopment
	case p.there[kindPlain] || p.there[kindMade]:
	case p.there[kindTestB]:
		p.part[kindTestB] = PartHeadline
	case p.there[kindAdaptive]:
		p.part[kindAdaptive] = PartHeadline
	}
}

// apart is why a kind of item stands apart, or is marked as the headline.
func (p *parting) apart(k kind) []uplift.Warning {
	switch {
	case k == kindTestB:
		return []uplift.Warning{{Code: MarkPostHoc, Text: "test-b was not locked together with test"}}
	case k == kindAdaptive:
		return []uplift.Warning{{Code: MarkPostHoc, Text: "adaptive probes are never part of the locked estimate"}}
	case k == kindMade && p.part[k] == PartDevelopment:
		return []uplift.Warning{{Code: MarkDevelopment, Text: "rules and thresholds are made on train and dev"}}
	}
	return []uplift.Warning{}
}

// Parts names the part of each item of a study.
func Parts(items []uplift.Item, opt Options) []string {
	of, p := opt.sorter().sort(len(items), func(i int) (string, string) { return items[i].Split, items[i].Attack })
	out := make([]string, len(items))
	for i, k := range of {
		out[i] = p.part[k]
	}
	return out
}

// part is one part of what was read.
type part struct {
	name   string
	apart  []uplift.Warning // why every number of it is marked
	splits []string         // of its items, in the order of a study
	*reader
}

// divide gives the parts that have items, the headline first, each as if
// nothing else had been read. Nothing may be read after it.
func (r *reader) divide() []part {
	of, p := r.sort(len(r.items.list), func(i int) (string, string) {
		return r.items.list[i].split, r.attacks.list[r.items.list[i].attack]
	})
	var parts []part
	var at [kinds]int
	for _, name := range []string{PartHeadline, PartTestB, PartAdaptive, PartDevelopment} {
		next := part{name: name, apart: []uplift.Warning{}}
		some := name == PartHeadline // which may have no items at all
		for k := range kind(kinds) {
			if p.there[k] && p.part[k] == name {
				next.apart = append(next.apart, p.apart(k)...)
				at[k], some = len(parts), true
			}
		}
		if some {
			parts = append(parts, next)
		}
	}
	places := make([]int, len(of))
	for i, k := range of {
		places[i] = at[k]
	}
	for i, own := range r.separate(places, len(parts)) {
		parts[i].reader, parts[i].splits = own, own.splitsOf()
	}
	for k, c := range r.heard {
		if p.there[k] || p.part[k] == PartHeadline {
			parts[at[k]].census.add(c)
		}
	}
	return parts
}

// splitsOf lists the splits of the items, in the order of a study, unknown ones last.
func (r *reader) splitsOf() []string {
	out := []string{}
	for _, it := range r.items.list {
		if it.split != "" && !slices.Contains(out, it.split) {
			out = append(out, it.split)
		}
	}
	rank := func(s string) int {
		if i := slices.Index(uplift.Splits(), s); i >= 0 {
			return i
		}
		return len(uplift.Splits())
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b)) })
	return out
}

// markings are the marks of a number of the part.
func (p *part) markings(opt Options, a about) []uplift.Warning { return opt.Standing.marks(p.apart, a) }
