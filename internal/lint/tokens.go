package lint

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

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
	list []string
	mask *strings.Replacer // puts nounMark in their place
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
	n := nouns{list: sorted(set)}
	longest := slices.Clone(n.list)
	slices.SortStableFunc(longest, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var pairs []string
	for _, noun := range longest {
		pairs = append(pairs, noun, " "+nounMark+" ")
	}
	n.mask = strings.NewReplacer(pairs...)
	return n
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
	if n.mask == nil {
		return flat(text)
	}
	return n.mask.Replace(flat(text))
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
// is that of the tier among the texts that hold it.
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
		tier, top, total := heaviest(own[g], allowed[g])
		if sum := own[g][uplift.Benign] + own[g][uplift.Borderline] + own[g][uplift.Harmful]; sum < often {
			continue
		}
		looked++
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

// heaviest is the tier that most texts with a word are of.
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
// in more than three times as many texts as in another.
func nounRule(in Input, n nouns) Rule {
	r := Rule{ID: "L3", Title: "nouns of requests in more than one tier", Limit: "2 tiers, ratio 1/3 to 3"}
	if len(n.list) == 0 {
		return notRun(r, "no task has a noun")
	}
	own, allowed := make([]string, len(in.Tasks)), make([]string, len(in.Tasks))
	for i, t := range in.Tasks {
		for _, f := range sent(t) {
			own[i] += flat(f.text) + "\n"
		}
		allowed[i] = flat(t.HardNegative)
	}
	least, worst := len(uplift.Tiers()), 1.0
	for _, noun := range n.list {
		count := map[uplift.Tier]int{}
		for i, t := range in.Tasks {
			if strings.Contains(own[i], noun) {
				count[t.Tier]++
			}
			if strings.Contains(allowed[i], noun) {
				count[uplift.Benign]++
			}
		}
		tiers, ratio := spread(count)
		least, worst = min(least, tiers), max(worst, ratio)
		if tiers < 2 || ratio > 3 {
			r.Offenders = append(r.Offenders, Offender{Field: "noun", Text: fmt.Sprintf("%q: %d benign, %d borderline, %d harmful",
				noun, count[uplift.Benign], count[uplift.Borderline], count[uplift.Harmful])})
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
