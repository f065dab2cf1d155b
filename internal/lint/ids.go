package lint

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	uplift "github.com/uplift-eval/uplift"
)

// Of L6: permutations, and the p below which an order is no chance. It is
// small because ids and their order are looked at in eight ways.
const (
	permutations = 3999
	orderLimit   = 0.001
)

// idRule is L6: ids are unique and of one shape; neither their order, read
// from either end, nor the order of the tasks puts tasks of one tier or
// family side by side more often than chance does; and no character of them, or
// pair of neighbours, goes with tier or split.
func idRule(in Input) Rule {
	r := Rule{ID: "L6", Title: "ids and order without a pattern", Limit: fmt.Sprintf("one shape, p >= %.3f", orderLimit)}
	seen := map[string]bool{}
	for _, t := range in.Tasks {
		if seen[t.ID] {
			r.Offenders = append(r.Offenders, Offender{t.ID, "id", "used twice"})
		}
		seen[t.ID] = true
		if len(t.ID) != len(in.Tasks[0].ID) || !plainID(t.ID) {
			r.Offenders = append(r.Offenders, Offender{t.ID, "id", fmt.Sprintf("not of the shape of %s (want equally many small letters and digits)", in.Tasks[0].ID)})
		}
	}
	lowest := 1.0
	for _, o := range orders(in.Tasks) {
		for _, l := range marks {
			p := sideBySide(o.tasks, l.of, in.Seed)
			lowest = min(lowest, p)
			if p < orderLimit {
				r.Offenders = append(r.Offenders, Offender{Field: o.name, Text: fmt.Sprintf("tasks of one %s stand together, p = %.4f", l.name, p)})
			}
		}
	}
	place := 1.0
	for _, l := range placed {
		where, p := telltale(in.Tasks, l.of, in.Seed)
		if place = min(place, p); p < orderLimit {
			r.Offenders = append(r.Offenders, Offender{Field: where, Text: fmt.Sprintf("go with the %s, p = %.4f over all places", l.name, p)})
		}
	}
	r.Figure = fmt.Sprintf("%d ids, lowest p %.4f by order, %.4f by place", len(seen), lowest, place)
	r.Values = []Value{{"ids", float64(len(seen))}, {"lowest_p", lowest}, {"lowest_p_of_characters", place}}
	r.Pass = len(r.Offenders) == 0
	return r
}

// plainID reports whether an id is of small letters and digits.
func plainID(id string) bool {
	for _, c := range id {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return id != ""
}

// order is the tasks in one order.
type order struct {
	name  string
	tasks []uplift.Task
}

func orders(tasks []uplift.Task) []order {
	by := func(key func(string) string) []uplift.Task {
		out := slices.Clone(tasks)
		slices.SortStableFunc(out, func(a, b uplift.Task) int { return cmp.Compare(key(a.ID), key(b.ID)) })
		return out
	}
	return []order{
		{"order of tasks", tasks},
		{"order of ids", by(func(id string) string { return id })},
		{"order of ids, from their ends", by(backwards)},
	}
}

func backwards(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// mark is what an order or a character may give away.
type mark struct {
	name string
	of   func(uplift.Task) string
}

var (
	tierMark   = mark{"tier", func(t uplift.Task) string { return string(t.Tier) }}
	familyMark = mark{"family", func(t uplift.Task) string { return t.Family }}
	splitMark  = mark{"split", func(t uplift.Task) string { return t.Split }}
)

// marks are those looked for in orders, placed those in characters: who knows
// a family by a character knows its tier.
var marks, placed = []mark{tierMark, familyMark}, []mark{tierMark, splitMark}

// sideBySide is the one-sided permutation p of the number of neighbours that
// share a mark.
func sideBySide(tasks []uplift.Task, of func(uplift.Task) string, seed uint64) float64 {
	list, _ := numbered(tasks, of)
	together := func() int {
		n := 0
		for i := 1; i < len(list); i++ {
			if list[i] == list[i-1] {
				n++
			}
		}
		return n
	}
	observed, atLeast := together(), 1
	rng := rand.New(rand.NewPCG(seed, 6))
	for range permutations {
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if together() >= observed {
			atLeast++
		}
	}
	return float64(atLeast) / (permutations + 1)
}
