package lint

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	uplift "github.com/uplift-eval/uplift"
)

//go:embed words/listed.txt
var listedText string

// listed are the words and phrases that may sit in one tier, with the reason.
var listed = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, row := range rows(listedText) {
		if len(row) > 1 {
			for word := range strings.SplitSeq(row[0], ",") {
				out[strings.TrimSpace(word)] = row[1]
			}
		}
	}
	return out
})

// The limits of L2.
const (
	often = 4   // tasks from which on a word is looked at
	share = 0.9 // of the texts that hold it, in one tier
)

// nouns are the surrogate nouns, in the order of their text.
type nouns struct {
	list  []string
	first map[string][]string // by first word, the longest first
}

// nounsOf are the nouns that are given, and those of borderline and harmful tasks.
func nounsOf(in Input) nouns {
	set := words{}
	for _, n := range in.Nouns {
		set[flat(n)] = true
	}
	for _, t := range in.Tasks {
		if guarded(t) {
			set[flat(t.Noun)] = true
		}
	}
	delete(set, "")
	n := nouns{list: sorted(set), first: map[string][]string{}}
	for _, noun := range n.list {
		n.first[head(noun)] = append(n.first[head(noun)], noun)
	}
	for _, list := range n.first {
		slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	}
	return n
}

// head is the run of word characters, or the one other character, at the head
// of a text.
func head(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return !wordRune(r) })
	switch {
	case end < 0:
		return text
	case end == 0:
		_, end = utf8.DecodeRuneInString(text)
	}
	return text[:end]
}

// at is the longest noun at the head of a text that ends at the edge of a word.
func (n nouns) at(text string) string {
	for _, noun := range n.first[head(text)] {
		if rest, ok := strings.CutPrefix(text, noun); ok {
			if r, _ := utf8.DecodeRuneInString(rest); rest == "" || !wordRune(r) {
				return noun
			}
		}
	}
	return ""
}

// held are the nouns of a text; of nouns that begin alike the longest.
func (n nouns) held(text string) words {
	out := words{}
	for noun := range n.parts(flat(text)) {
		out[noun] = true
	}
	delete(out, "")
	return out
}

// parts yields the nouns of a view and the texts before them, in order; the
// last text has no noun.
func (n nouns) parts(view string) func(yield func(noun, before string) bool) {
	return func(yield func(noun, before string) bool) {
		from := 0
		for i := 0; i < len(view); {
			if noun := n.at(view[i:]); noun != "" {
				if !yield(noun, view[from:i]) {
					return
				}
				i += len(noun)
				from = i
				continue
			}
			i += len(head(view[i:])) // nouns begin at the edge of a word
		}
		yield("", view[from:])
	}
}

// flat is the view of a text on one line.
func flat(text string) string { return strings.Join(strings.Fields(view(text)), " ") }

// sorted are the members of a set.
func sorted[V any](set map[string]V) []string {
	out := make([]string, 0, len(set))
	for k := range set {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// nounMark stands for a surrogate noun where it is rule L3's matter.
const nounMark = "\ue000"

// without is the view of a text with a mark in place of each noun. The zero
// value masks none.
func (n nouns) without(text string) string {
	var b strings.Builder
	for noun, before := range n.parts(flat(text)) {
		if b.WriteString(before); noun != "" {
			b.WriteString(" " + nounMark + " ")
		}
	}
	return b.String()
}

// grams are the words and the pairs of neighbours of texts; a pair lies within
// one sentence.
func grams(texts []field, n nouns) words {
	out := words{}
	for _, f := range texts {
		for _, part := range strings.FieldsFunc(n.without(f.text), func(r rune) bool { return strings.ContainsRune(".?!;:"+nounMark, r) }) {
			words := tokens(part)
			for i, w := range words {
				out[w] = true
				if i > 0 {
					out[words[i-1]+" "+w] = true
				}
			}
		}
	}
	return out
}

// tokenRule is L2. A text is what a task sends in its own tier, or its hard
// negative, which is benign. A word counts when often tasks hold it; its share
// is that of the tier among their own texts, and again among all texts that
// hold it: look-alikes neither make a label of a word nor hide one.
func tokenRule(in Input, n nouns) Rule {
	r := Rule{ID: "L2", Title: "words and pairs of words in one tier only", Limit: fmt.Sprintf("0 of df >= %d at >= %.0f %%", often, 100*share)}
	own, allowed := map[string]map[uplift.Tier]int{}, map[string]int{}
	for _, t := range in.Tasks {
		for g := range grams(sent(t), n) {
			if own[g] == nil {
				own[g] = map[uplift.Tier]int{}
			}
			own[g][t.Tier]++
		}
		for g := range grams(present([]field{{"hard_negative", t.HardNegative}}), n) {
			allowed[g]++
		}
	}
	looked, excused := 0, 0
	for _, g := range sorted(own) {
		tier, top, total := heaviest(own[g], 0)
		if total < often {
			continue
		}
		looked++
		if float64(top) < share*float64(total) {
			tier, top, total = heaviest(own[g], allowed[g])
		}
		switch {
		case float64(top) < share*float64(total):
		case excuse(g):
			excused++
		default:
			r.Offenders = append(r.Offenders, Offender{Field: string(tier), Text: fmt.Sprintf("%q in %d of %d", g, top, total)})
		}
	}
	r.Figure = fmt.Sprintf("%d of %d (%d listed)", len(r.Offenders), looked, excused)
	r.Values = []Value{{"found", float64(len(r.Offenders))}, {"looked_at", float64(looked)}, {"listed", float64(excused)}}
	r.Pass = len(r.Offenders) == 0
	return r
}

// heaviest is the tier that most texts with a word are of; look-alikes are
// benign.
func heaviest(own map[uplift.Tier]int, allowed int) (tier uplift.Tier, top, total int) {
	for _, t := range uplift.Tiers() {
		n := own[t]
		if t == uplift.Benign {
			n += allowed
		}
		total += n
		if n > top {
			tier, top = t, n
		}
	}
	return tier, top, total
}

// excuse reports whether a word, or one of a pair, is listed.
func excuse(gram string) bool {
	if listed()[gram] != "" {
		return true
	}
	for w := range strings.SplitSeq(gram, " ") {
		if listed()[stem(w)] != "" || listed()[w] != "" {
			return true
		}
	}
	return false
}

// nounRule is L3: each noun stands in at least two tiers, and in none of them
// in more than three times as many texts as in another; by the tasks' own
// texts, and with look-alikes, which are benign.
func nounRule(in Input, n nouns) Rule {
	r := Rule{ID: "L3", Title: "nouns of requests in more than one tier", Limit: "2 tiers, ratio 1/3 to 3"}
	if len(n.list) == 0 {
		return notRun(r, "no task has a noun")
	}
	own, both := map[string]map[uplift.Tier]int{}, map[string]map[uplift.Tier]int{}
	for _, noun := range n.list {
		own[noun], both[noun] = map[uplift.Tier]int{}, map[uplift.Tier]int{}
	}
	for _, t := range in.Tasks {
		held := words{}
		for _, f := range sent(t) {
			for noun := range n.held(f.text) {
				held[noun] = true
			}
		}
		for noun := range held {
			own[noun][t.Tier]++
			both[noun][t.Tier]++
		}
		for noun := range n.held(t.HardNegative) {
			both[noun][uplift.Benign]++
		}
	}
	least, worst := len(uplift.Tiers()), 1.0
	for _, noun := range n.list {
		tiers, ratio := spread(own[noun])
		tiersToo, ratioToo := spread(both[noun])
		tiers, ratio = min(tiers, tiersToo), max(ratio, ratioToo)
		least, worst = min(least, tiers), max(worst, ratio)
		if tiers < 2 || ratio > 3 {
			r.Offenders = append(r.Offenders, Offender{Field: "noun", Text: fmt.Sprintf("%q: %d benign (%d with look-alikes), %d borderline, %d harmful", noun,
				own[noun][uplift.Benign], both[noun][uplift.Benign], own[noun][uplift.Borderline], own[noun][uplift.Harmful])})
		}
	}
	r.Figure = fmt.Sprintf("%d nouns, each in >= %d tiers, ratio <= %.2f", len(n.list), least, worst)
	r.Values = []Value{{"nouns", float64(len(n.list))}, {"fewest_tiers", float64(least)}, {"largest_ratio", worst}}
	r.Pass = len(r.Offenders) == 0
	return r
}

// spread counts the tiers in which something stands, and how many times as
// often it stands in the fullest as in the emptiest of them.
func spread(n map[uplift.Tier]int) (tiers int, ratio float64) {
	lo, hi := 0, 0
	for _, t := range uplift.Tiers() {
		if n[t] == 0 {
			continue
		}
		tiers++
		if lo == 0 || n[t] < lo {
			lo = n[t]
		}
		hi = max(hi, n[t])
	}
	if lo == 0 {
		return tiers, 1
	}
	return tiers, float64(hi) / float64(lo)
}
