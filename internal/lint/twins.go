package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// Of L7.
const (
	shingle   = 5 // words
	likeLimit = 0.6
)

// passage is one text of one task as the set of its runs of words.
type passage struct {
	task, field string
	runs        words
}

// passages are the texts of a task that ask something. Noun and focus are
// left out: nouns are shared on purpose.
func passages(t uplift.Task) []passage {
	var out []passage
	for _, f := range present([]field{{"ask", t.Ask}, {"ask_alt", t.AskAlt}, {"topic_open", t.TopicOpen},
		{"ask_general", t.AskGeneral}, {"hard_negative", t.HardNegative}}) {
		out = append(out, passage{t.ID, f.name, runsOf(f.text)})
	}
	return out
}

// runsOf are the runs of five words of a text; of a shorter text the whole.
func runsOf(text string) words {
	w, out := tokens(view(text)), words{}
	for i := range max(1, len(w)-shingle+1) {
		out[strings.Join(w[i:min(len(w), i+shingle)], " ")] = true
	}
	return out
}

// twinRule is L7: the largest Jaccard index of two texts of different tasks.
func twinRule(in Input) Rule {
	r := Rule{ID: "L7", Title: "near-duplicates, all splits", Limit: fmt.Sprintf("5-gram Jaccard < %.1f", likeLimit)}
	var list []passage
	for _, t := range in.Tasks {
		list = append(list, passages(t)...)
	}
	holders := map[string][]int{}
	worst, pair := 0.0, ""
	for i, p := range list {
		common := map[int]int{}
		for run := range p.runs {
			for _, k := range holders[run] {
				common[k]++
			}
			holders[run] = append(holders[run], i)
		}
		for _, k := range slices.Sorted(maps.Keys(common)) {
			q := list[k]
			if q.task == p.task {
				continue
			}
			index := float64(common[k]) / float64(len(p.runs)+len(q.runs)-common[k])
			if index > worst {
				worst, pair = index, fmt.Sprintf(" (%s and %s)", q.task, p.task)
			}
			if index >= likeLimit {
				r.Offenders = append(r.Offenders, Offender{p.task, p.field, fmt.Sprintf("%.2f like %s of %s", index, q.field, q.task)})
			}
		}
	}
	r.Figure = fmt.Sprintf("%.2f at most%s", worst, pair)
	r.Values = []Value{{"largest", worst}, {"texts", float64(len(list))}}
	r.Pass = len(r.Offenders) == 0
	return r
}
