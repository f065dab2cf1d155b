package lint

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	uplift "github.com/uplift-eval/uplift"
)

// Of L4.
const (
	areaLimit = 0.75
	foldCount = 5
	repeats   = 10 // of the dealing to folds: one dealing alone moves the area by some 0.03
	fewest    = 10 // tasks of a tier below which the rule is not run
	most      = 40 // tasks of a tier that are looked at; a fit's time goes with the third power
)

// Wording is how well a model of words and pairs of words tells one tier from
// the others: the area under the ROC curve, cross-validated by task in five
// folds, the mean of ten dealings.
type Wording struct {
	Tier     uplift.Tier `json:"tier"`
	Tasks    int         `json:"tasks"`    // of the tier
	Masked   Area        `json:"masked"`   // topic words and request verbs are masked
	Unmasked Area        `json:"unmasked"` // all words, surrogate nouns too
}

// Area is an AUC with its 95 % interval over tasks (DeLong).
type Area struct {
	Value float64 `json:"value"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// maskMark stands for every word that is masked.
const maskMark = "\u00b7"

// masked keeps the words of wording.txt and the punctuation of a text; every
// other word, and a surrogate noun as a whole, becomes one mark.
func masked(text string, n nouns) []string {
	out := pieces(n.without(text))
	for i, p := range out {
		if first := []rune(p)[0]; p == nounMark || wordRune(first) && !wording()[p] {
			out[i] = maskMark
		}
	}
	return out
}

// pieces are the words and punctuation marks of a view, in order.
func pieces(view string) []string {
	var out []string
	word := ""
	flush := func() {
		if word = strings.Trim(word, "'"); word != "" {
			out = append(out, word)
		}
		word = ""
	}
	for _, r := range view {
		switch {
		case wordRune(r), r == '\'' && word != "":
			word += string(r)
		default:
			flush()
			if strings.ContainsRune(".,;:?!\"()-"+nounMark, r) {
				out = append(out, string(r))
			}
		}
	}
	flush()
	return out
}

// example is one wording of one task.
type example struct {
	task  int
	grams []string // words and pairs, with repeats
}

// examples are the two wordings of each task.
func examples(tasks []uplift.Task, read func(string) []string) []example {
	var out []example
	for i, t := range tasks {
		for _, text := range []string{t.Ask, t.AskAlt} {
			p := read(text)
			if len(p) == 0 {
				continue
			}
			g := slices.Clone(p)
			for k := 1; k < len(p); k++ {
				g = append(g, p[k-1]+" "+p[k])
			}
			out = append(out, example{i, g})
		}
	}
	return out
}

// wordingRule is L4, on the tasks of train and dev.
func wordingRule(in Input, nouns nouns) (Rule, []Wording) {
	r := Rule{ID: "L4", Title: "wording that tells a tier", Limit: fmt.Sprintf("AUC <= %.2f, masked", areaLimit)}
	var tasks []uplift.Task
	count := map[uplift.Tier]int{}
	for _, t := range in.Tasks {
		if t.Tier.Known() && (t.Split == uplift.Train || t.Split == uplift.Dev) {
			tasks = append(tasks, t)
			count[t.Tier]++
		}
	}
	for _, tier := range uplift.Tiers() {
		if count[tier] < fewest {
			return notRun(r, fmt.Sprintf("%d tasks of tier %s in train and dev (want %d or more)", count[tier], tier, fewest)), nil
		}
	}
	tasks = sample(tasks, in.Seed)
	plain := examples(tasks, func(s string) []string { return masked(s, nouns) })
	whole := examples(tasks, func(s string) []string { return pieces(view(s)) })
	var out []Wording
	worst := 0.0
	mask, open := repeated(tasks, plain, in.Seed), repeated(tasks, whole, in.Seed)
	for k, tier := range uplift.Tiers() {
		w := Wording{Tier: tier, Tasks: min(most, count[tier]), Masked: mask[k], Unmasked: open[k]}
		out = append(out, w)
		worst = max(worst, w.Masked.Value)
		r.Values = append(r.Values, Value{"masked_" + string(tier), w.Masked.Value}, Value{"unmasked_" + string(tier), w.Unmasked.Value})
		if w.Masked.Value > areaLimit {
			r.Offenders = append(r.Offenders, Offender{Field: string(tier), Text: fmt.Sprintf("masked AUC %.3f [%.3f, %.3f]; most telling: %s",
				w.Masked.Value, w.Masked.Lo, w.Masked.Hi, telling(tasks, plain, tier))})
		}
	}
	r.Figure = fmt.Sprintf("masked AUC %.2f benign, %.2f borderline, %.2f harmful", out[0].Masked.Value, out[1].Masked.Value, out[2].Masked.Value)
	r.Pass = worst <= areaLimit
	return r, out
}

// repeated gives for each tier the mean area of several dealings, with an
// interval from the mean of their standard errors: dealing again brings no new
// tasks.
func repeated(tasks []uplift.Task, all []example, seed uint64) []Area {
	tiers := uplift.Tiers()
	value, se := make([]float64, len(tiers)), make([]float64, len(tiers))
	rng := rand.New(rand.NewPCG(seed, 4)) // the same dealings for every reading
	for range repeats {
		scores := validate(tasks, all, folds(tasks, rng))
		for k, tier := range tiers {
			var of []float64
			var positive []bool
			for i, t := range tasks {
				if s := scores[i][k]; !math.IsNaN(s) {
					of, positive = append(of, s), append(positive, t.Tier == tier)
				}
			}
			v, e := auc(of, positive)
			value[k] += v / repeats
			se[k] += e / repeats
		}
	}
	out := make([]Area, len(tiers))
	for k := range tiers {
		out[k] = Area{value[k], max(0, value[k]-1.959964*se[k]), min(1, value[k]+1.959964*se[k])}
	}
	return out
}

// sample is the tasks in the order of their ids, of each tier at most so many.
func sample(tasks []uplift.Task, seed uint64) []uplift.Task {
	slices.SortFunc(tasks, func(a, b uplift.Task) int { return cmp.Compare(a.ID, b.ID) })
	rng := rand.New(rand.NewPCG(seed, 3))
	kept, taken := map[int]bool{}, map[uplift.Tier]int{}
	for _, i := range rng.Perm(len(tasks)) {
		if tier := tasks[i].Tier; taken[tier] < most {
			taken[tier]++
			kept[i] = true
		}
	}
	var out []uplift.Task
	for i, t := range tasks {
		if kept[i] {
			out = append(out, t)
		}
	}
	return out
}

// folds deals the tasks of each tier to the folds in a seeded order.
func folds(tasks []uplift.Task, rng *rand.Rand) []int {
	out := make([]int, len(tasks))
	next := 0
	for _, tier := range uplift.Tiers() {
		for _, i := range rng.Perm(len(tasks)) {
			if tasks[i].Tier == tier {
				out[i] = next % foldCount
				next++
			}
		}
	}
	return out
}

// validate scores each task for each tier by the models of the other folds, its
// wordings averaged; a task without wordings has NaN.
func validate(tasks []uplift.Task, all []example, fold []int) [][]float64 {
	tiers := uplift.Tiers()
	sum, n := make([][]float64, len(tasks)), make([]float64, len(tasks))
	for i := range sum {
		sum[i] = make([]float64, len(tiers))
	}
	for held := range foldCount {
		var train, test []example
		for _, e := range all {
			if fold[e.task] == held {
				test = append(test, e)
				n[e.task]++
			} else {
				train = append(train, e)
			}
		}
		weigh := weights(train)
		x, z := vectors(train, weigh), vectors(test, weigh)
		gram, cross := products(x, x), products(z, x)
		for k, tier := range tiers {
			y := make([]bool, len(train))
			for i, e := range train {
				y[i] = tasks[e.task].Tier == tier
			}
			var scores mat.VecDense
			scores.MulVec(cross, fit(gram, y))
			for i, e := range test {
				sum[e.task][k] += scores.AtVec(i)
			}
		}
	}
	for i := range sum {
		for k := range sum[i] {
			sum[i][k] /= n[i]
		}
	}
	return sum
}

func vectors(list []example, weigh func(example) sparse) []sparse {
	out := make([]sparse, len(list))
	for i, e := range list {
		out[i] = weigh(e)
	}
	return out
}

// weights learns which features there are: those of at least two examples,
// weighted by tf-idf with the length of each text made 1.
func weights(train []example) func(example) sparse {
	df := map[string]int{}
	for _, e := range train {
		for _, g := range sorted(setOf(e.grams)) {
			df[g]++
		}
	}
	number := map[string]int{}
	for _, g := range sorted(df) {
		if df[g] > 1 {
			number[g] = len(number)
		}
	}
	n := float64(len(train))
	return func(e example) sparse {
		var x sparse
		g := slices.Sorted(slices.Values(e.grams))
		for i := 0; i < len(g); {
			j := i
			for j < len(g) && g[j] == g[i] {
				j++
			}
			if k, ok := number[g[i]]; ok {
				x = append(x, weight{k, float64(j-i) * (math.Log((1+n)/(1+float64(df[g[i]]))) + 1)})
			}
			i = j
		}
		square := 0.0
		for _, w := range x {
			square += w.value * w.value
		}
		for k := range x {
			x[k].value /= math.Sqrt(square)
		}
		return x
	}
}

func setOf(list []string) words {
	out := words{}
	for _, s := range list {
		out[s] = true
	}
	return out
}

// telling are the features that part a tier most from the others: the largest
// differences of the shares of tasks that hold them.
func telling(tasks []uplift.Task, all []example, tier uplift.Tier) string {
	in, out := map[string]words{}, map[string]words{}
	size := [2]float64{}
	for _, t := range tasks {
		size[int(one(t.Tier == tier))]++
	}
	for _, e := range all {
		side := out
		if tasks[e.task].Tier == tier {
			side = in
		}
		for _, g := range e.grams {
			if side[g] == nil {
				side[g] = words{}
			}
			side[g][tasks[e.task].ID] = true
		}
	}
	names := sorted(in)
	for _, g := range sorted(out) {
		if in[g] == nil {
			names = append(names, g)
		}
	}
	gap := func(g string) float64 { return float64(len(in[g]))/size[1] - float64(len(out[g]))/size[0] }
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(math.Abs(gap(b)), math.Abs(gap(a))) })
	var list []string
	for _, g := range names[:min(6, len(names))] {
		list = append(list, fmt.Sprintf("%q %+.2f", g, gap(g)))
	}
	return strings.Join(list, ", ")
}
