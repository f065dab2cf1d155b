package lint

import (
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

// allNouns are the surrogate nouns, given and used, in the order of their text.
func allNouns(in Input) []string {
	set := words{}
	for _, n := range in.Nouns {
		set[strings.TrimSpace(view(n))] = true
	}
	for _, t := range in.Tasks {
		if guarded(t) && strings.TrimSpace(t.Noun) != "" {
			set[strings.TrimSpace(view(t.Noun))] = true
		}
	}
	delete(set, "")
	return sorted(set)
}

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

// without puts a mark in place of each surrogate noun of a view.
func without(view string, nouns []string) string {
	for _, n := range nouns {
		view = strings.ReplaceAll(view, n, " "+nounMark+" ")
	}
	return view
}

// grams are the words and the pairs of neighbours of texts; a pair lies within
// one sentence.
func grams(texts []field, nouns []string) words {
	out := words{}
	for _, f := range texts {
		for _, part := range strings.FieldsFunc(without(view(f.text), nouns), func(r rune) bool { return strings.ContainsRune(".?!;:"+nounMark, r) }) {
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
func tokenRule(in Input, nouns []string) Rule {
	r := Rule{ID: "L2", Title: "words and pairs of words in one tier only", Limit: fmt.Sprintf("0 of df >= %d at >= %.0f %%", often, 100*share)}
	own, allowed := map[string]map[uplift.Tier]int{}, map[string]int{}
	for _, t := range in.Tasks {
		for g := range grams(sent(t), nouns) {
			if own[g] == nil {
				own[g] = map[uplift.Tier]int{}
			}
			own[g][t.Tier]++
		}
		for g := range grams(present([]field{{"hard_negative", t.HardNegative}}), nouns) {
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
func nounRule(in Input, nouns []string) Rule {
	r := Rule{ID: "L3", Title: "nouns of requests in more than one tier", Limit: "2 tiers, ratio 1/3 to 3"}
	least, worst := 3, 1.0
	for _, n := range nouns {
		own, allowed := map[uplift.Tier]int{}, 0
		for _, t := range in.Tasks {
			if holds(sent(t), n) {
				own[t.Tier]++
			}
			if strings.Contains(view(t.HardNegative), n) {
				allowed++
			}
		}
		own[uplift.Benign] += allowed
		tiers, ratio := spread(own)
		least, worst = min(least, tiers), max(worst, ratio)
		if tiers < 2 || ratio > 3 {
			r.Offenders = append(r.Offenders, Offender{Field: "noun", Text: fmt.Sprintf("%q: %d benign, %d borderline, %d harmful",
				n, own[uplift.Benign], own[uplift.Borderline], own[uplift.Harmful])})
		}
	}
	if len(nouns) == 0 {
		return notRun(r, "no task has a noun")
	}
	r.Figure = fmt.Sprintf("%d nouns, each in >= %d tiers, ratio <= %.2f", len(nouns), least, worst)
	r.Values = []Value{{"nouns", float64(len(nouns))}, {"fewest_tiers", float64(least)}, {"largest_ratio", worst}}
	r.Pass = len(r.Offenders) == 0
	return r
}

func holds(fields []field, noun string) bool {
	return slices.ContainsFunc(fields, func(f field) bool { return strings.Contains(view(f.text), noun) })
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
