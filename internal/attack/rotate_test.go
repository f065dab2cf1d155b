package attack

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
)

// composed is a set with the sizes of the benchmark: 24, 6, 6 and 18 tasks a
// tier in the four splits, in no order.
func composed() []uplift.Task {
	var tasks []uplift.Task
	for i := range 24 {
		for _, tier := range uplift.Tiers() {
			for split, n := range map[string]int{uplift.Train: 24, uplift.Dev: 6, uplift.Test: 6, uplift.TestB: 18} {
				if i < n {
					tasks = append(tasks, task(fmt.Sprint(split, tier, i), split, tier))
				}
			}
		}
	}
	slices.SortFunc(tasks, func(a, b uplift.Task) int { return int(int32(hash(9, "", a.ID)) - int32(hash(9, "", b.ID))) })
	return tasks
}

func only(tasks []uplift.Task, keep func(uplift.Task) bool) []uplift.Task {
	return slices.DeleteFunc(slices.Clone(tasks), func(t uplift.Task) bool { return !keep(t) })
}

// spread is the smallest and the largest of the counts; a key that never came
// up must be given.
func spread(counts map[string]int, keys []string) (lo, hi int) {
	lo = 1 << 30
	for _, k := range keys {
		lo, hi = min(lo, counts[k]), max(hi, counts[k])
	}
	return lo, hi
}

var seeds = []uint64{0, 1, 2, 3, 20260713, 1 << 63}

func TestCompositionOfInstances(t *testing.T) {
	for _, seed := range seeds {
		for _, c := range []struct {
			split   string
			attacks []string
			want    int
		}{
			{uplift.Test, []string{Standard}, 216},
			{uplift.Test, []string{Adaptive}, 90},
			{uplift.TestB, []string{Standard}, 216},
			{uplift.TestB, []string{Adaptive}, 0},
			{uplift.TestB, []string{Standard, Adaptive}, 216},
			{uplift.TestB, []string{Debugging}, 54},
			{uplift.Train, []string{Standard, Adaptive}, 72 * 17},
		} {
			items, err := Items(only(composed(), func(t uplift.Task) bool { return t.Split == c.split }), c.attacks, seed)
			if err != nil || len(items) != c.want {
				t.Errorf("seed %d: %s under %v: %d items, %v, want %d", seed, c.split, c.attacks, len(items), err, c.want)
			}
		}
	}
}

// Over every split, and the whole set, each language is used equally often to
// within one; and so on test-b, where only some tasks are asked in a
// translation frame.
func TestLanguagesRotateEvenly(t *testing.T) {
	for _, seed := range seeds {
		for _, attacks := range [][]string{{Standard}, {TranslationFrame}} {
			items, err := Items(composed(), attacks, seed)
			if err != nil {
				t.Fatal(err)
			}
			counts := map[string]map[string]int{}
			for _, item := range items {
				if item.Attack != TranslationFrame {
					continue
				}
				for _, over := range []string{"all", item.Split} {
					if over == "all" && item.Split == uplift.TestB && attacks[0] == Standard {
						continue // its frames are a subset of its tasks
					}
					if counts[over] == nil {
						counts[over] = map[string]int{}
					}
					counts[over][item.Lang]++
				}
			}
			if len(counts) != 1+4 {
				t.Fatalf("%d groups, want 5", len(counts))
			}
			for over, n := range counts {
				if lo, hi := spread(n, Languages()); hi-lo > 1 {
					t.Errorf("seed %d, %v: %s: languages %v", seed, attacks, over, n)
				}
			}
		}
	}
}

// Nothing that is sent of a task depends on its tier or on another task's: with
// the sealed fields dealt anew, every task is asked the same.
func TestRotationTellsNoTier(t *testing.T) {
	asked := func(tasks []uplift.Task, seed uint64) []uplift.Item {
		items, err := Items(tasks, []string{Standard, Adaptive}, seed)
		if err != nil {
			t.Fatal(err)
		}
		for i := range items {
			items[i].Tier = ""
		}
		return items
	}
	for _, seed := range seeds {
		tasks := composed()
		want := asked(tasks, seed)
		for i := range tasks {
			tasks[i].Tier, tasks[i].Expected, tasks[i].KeyPoints = uplift.Tiers()[hash(seed, "deal", tasks[i].ID)%3], "full", nil
		}
		if d := cmp.Diff(want, asked(tasks, seed)); d != "" {
			t.Errorf("seed %d: dealing the tiers anew changes what is asked:\n%.400s", seed, d)
		}
	}
}

// Languages fall on the tiers of a split as chance has it, and so do the forms
// that rotate over test-b: over seeds, the squared distances of their counts
// in a tier from an even share are those of a hypergeometric draw. Where the
// tier steers them, the counts are too even or too far apart.
func TestLanguagesFallOnTiersByChance(t *testing.T) {
	for _, split := range uplift.Splits() {
		tasks := only(composed(), func(t uplift.Task) bool { return t.Split == split })
		languages := func(turn int, _ uint64) []string { return []string{frames[turn%len(frames)].lang} }
		byChance(t, split+", languages", tasks, languages)
		if split == uplift.TestB {
			byChance(t, split+", forms", tasks, rotatingForms)
		}
	}
}

func byChance(t *testing.T, name string, tasks []uplift.Task, of func(turn int, seed uint64) []string) {
	t.Helper()
	const draws = 200
	var far, want, squares float64
	met := map[[2]string]bool{}
	for seed := range uint64(draws) {
		counts, all := map[[2]string]float64{}, map[string]float64{}
		for i, turn := range turns(tasks, seed) {
			for _, v := range of(turn, seed) {
				counts[[2]string{v, string(tasks[i].Tier)}]++
				met[[2]string{v, string(tasks[i].Tier)}] = true
				all[v]++
			}
		}
		sum, size := 0.0, float64(len(tasks))
		for v, n := range all {
			for _, tier := range uplift.Tiers() { // a third of the tasks each
				d := counts[[2]string{v, string(tier)}] - n/3
				sum += d * d
				want += n * (1. / 3) * (2. / 3) * (size - n) / (size - 1) / draws
			}
		}
		far += sum / draws
		squares += sum * sum / draws
	}
	if se := math.Sqrt((squares - far*far) / draws); math.Abs(far-want) > 5*se {
		t.Errorf("%s: mean squared distance %.2f from an even share over tiers, want %.2f (SE %.2f)", name, far, want, se)
	}
	for _, v := range slices.Concat(Languages(), StandardForms()[2:]) {
		tiers := 0
		for _, tier := range uplift.Tiers() {
			if met[[2]string{v, string(tier)}] {
				tiers++
			}
		}
		if tiers != 0 && tiers != 3 {
			t.Errorf("%s: %s meets %d tiers over %d seeds, want 3", name, v, tiers, draws)
		}
	}
}

// A task of test-b is asked in direct, paraphrase and two further forms, which
// come up equally often to within one over the split.
func TestTwoFormsRotateOverTestB(t *testing.T) {
	pairs := map[string]bool{}
	for _, seed := range seeds {
		items, err := Items(composed(), []string{Standard}, seed)
		if err != nil {
			t.Fatal(err)
		}
		byTask, counts := map[string][]string{}, map[string]int{}
		for _, item := range items {
			if item.Split == uplift.TestB {
				byTask[item.Task] = append(byTask[item.Task], item.Attack)
				counts[item.Attack]++
			}
		}
		for id, forms := range byTask {
			if len(forms) != 4 || forms[0] != "direct" || forms[1] != "paraphrase" || forms[2] == forms[3] {
				t.Errorf("seed %d: task %s is asked as %v", seed, id, forms)
			}
			pairs[forms[2]+" "+forms[3]] = true
		}
		if len(byTask) != 54 {
			t.Errorf("%d tasks, want 54", len(byTask))
		}
		if lo, hi := spread(counts, StandardForms()[2:]); hi-lo > 1 {
			t.Errorf("seed %d: forms %v", seed, counts)
		}
	}
	if len(pairs) < 12 {
		t.Errorf("%d pairs of forms over %d seeds: the seed does not pair anew", len(pairs), len(seeds))
	}
}

// An item depends on seed, task and the tasks of its split: not on their
// order, other splits, or the attacks that are chosen beside.
func TestRotationIsLocal(t *testing.T) {
	whole, err := Items(composed(), []string{Standard, Adaptive}, 5)
	if err != nil {
		t.Fatal(err)
	}
	key := func(list []uplift.Item) map[[2]string]uplift.Item {
		m := map[[2]string]uplift.Item{}
		for _, i := range list {
			m[[2]string{i.Task, i.Attack}] = i
		}
		return m
	}
	want := key(whole)
	for _, split := range uplift.Splits() {
		tasks := only(composed(), func(t uplift.Task) bool { return t.Split == split })
		slices.Reverse(tasks)
		for _, attacks := range [][]string{{Standard}, {TranslationFrame, uplift.Direct}} {
			got, err := Items(tasks, attacks, 5)
			if err != nil {
				t.Fatal(err)
			}
			for k, item := range key(got) {
				if w, ok := want[k]; ok && cmp.Diff(w, item) != "" {
					t.Errorf("%s: %v is %+v, in the whole set %+v", split, k, item, w)
				}
			}
		}
	}
	other, err := Items(composed(), []string{TranslationFrame}, 6)
	if err != nil {
		t.Fatal(err)
	}
	same := 0
	for _, item := range other {
		if w, ok := want[[2]string{item.Task, item.Attack}]; ok && w.Lang == item.Lang {
			same++
		}
	}
	if same > 30 { // of 119, a twelfth by chance
		t.Errorf("%d languages stay under another seed", same)
	}
}

func BenchmarkItems(b *testing.B) {
	tasks := composed()
	for b.Loop() {
		items, err := Items(tasks, []string{Standard, Adaptive}, 1)
		if err != nil || len(items) != 2052 {
			b.Fatalf("%d items, %v, want 2052", len(items), err)
		}
	}
}
