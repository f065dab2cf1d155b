package attack

import (
	"fmt"
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

// Over every split, every tier of a split, and the whole set, each language is
// used equally often to within one; and so on test-b, where only some tasks
// are asked in a translation frame.
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
				for _, over := range []string{"all", item.Split, item.Split + string(item.Tier)} {
					if over == "all" && item.Split == uplift.TestB && attacks[0] == Standard {
						continue // its frames are a subset of its tasks
					}
					if counts[over] == nil {
						counts[over] = map[string]int{}
					}
					counts[over][item.Lang]++
				}
			}
			if len(counts) != 1+4+12 {
				t.Fatalf("%d groups, want 17", len(counts))
			}
			for over, n := range counts {
				if lo, hi := spread(n, Languages()); hi-lo > 1 {
					t.Errorf("seed %d, %v: %s: languages %v", seed, attacks, over, n)
				}
			}
		}
	}
}

// A task of test-b is asked in direct, paraphrase and two further forms, which
// come up equally often to within one over the split and over a tier of it.
func TestTwoFormsRotateOverTestB(t *testing.T) {
	pairs := map[string]bool{}
	for _, seed := range seeds {
		items, err := Items(composed(), []string{Standard}, seed)
		if err != nil {
			t.Fatal(err)
		}
		own := map[string]uplift.Tier{}
		for _, task := range composed() {
			own[task.ID] = task.Tier
		}
		byTask, counts := map[string][]string{}, map[string]map[string]int{"": {}}
		for _, item := range items {
			if item.Split != uplift.TestB {
				continue
			}
			byTask[item.Task] = append(byTask[item.Task], item.Attack)
			tier := string(own[item.Task])
			if counts[tier] == nil {
				counts[tier] = map[string]int{}
			}
			counts[tier][item.Attack]++
			counts[""][item.Attack]++
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
		for tier, n := range counts {
			if lo, hi := spread(n, StandardForms()[2:]); hi-lo > 1 {
				t.Errorf("seed %d: tier %q: forms %v", seed, tier, n)
			}
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
