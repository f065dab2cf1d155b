package benchmark

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
)

// The composition that doc/benchmark.md promises: six families a tier, six base
// tasks a family, three in test-b.
func TestBuiltinComposition(t *testing.T) {
	tasks, err := Set(Builtin)
	if err != nil {
		t.Fatal(err)
	}
	got := Compose(tasks)
	if got.Total != 162 || got.Base.Total != 108 || *got.Base.ByTier != (ByTier{36, 36, 36}) {
		t.Errorf("got %d tasks and a base of %v, want 162 and 36 a tier", got.Total, got.Base)
	}
	want := []SplitCount{
		{"train", Count{&ByTier{24, 24, 24}, 72}}, {"dev", Count{&ByTier{6, 6, 6}, 18}}, {"test", Count{&ByTier{6, 6, 6}, 18}}, {"test-b", Count{&ByTier{18, 18, 18}, 54}},
	}
	if diff := cmp.Diff(got.Splits, want); diff != "" {
		t.Errorf("splits (-got +want):\n%s", diff)
	}
	tiers := map[uplift.Tier]int{}
	for _, f := range got.Families {
		tiers[f.Tier]++
		if diff := cmp.Diff(f.BySplit, map[string]int{"train": 4, "dev": 1, "test": 1, "test-b": 3}); diff != "" || f.Total != 9 {
			t.Errorf("%s has %d tasks (-got +want):\n%s", f.Family, f.Total, diff)
		}
	}
	if diff := cmp.Diff(tiers, map[uplift.Tier]int{"benign": 6, "borderline": 6, "harmful": 6}); diff != "" {
		t.Errorf("families a tier (-got +want):\n%s", diff)
	}
}

func TestCompose(t *testing.T) {
	tasks := []uplift.Task{
		{Split: "test-b", Tier: "harmful", Family: "b"},
		{Split: "train", Tier: "benign", Family: "b"},
		{Split: "train", Tier: "benign", Family: "a"},
		{Split: "elsewhere", Family: "a"},
	}
	got := Compose(tasks)
	want := Composition{
		Splits: []SplitCount{{"elsewhere", Count{&ByTier{}, 1}}, {"train", Count{&ByTier{Benign: 2}, 2}}, {"test-b", Count{&ByTier{Harmful: 1}, 1}}},
		Base:   Count{&ByTier{Benign: 2}, 3},
		Families: []FamilyCount{
			{"", "a", map[string]int{"elsewhere": 1}, 1},
			{"benign", "a", map[string]int{"train": 1}, 1}, {"benign", "b", map[string]int{"train": 1}, 1},
			{"harmful", "b", map[string]int{"test-b": 1}, 1}},
		Total: 4,
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("-got +want:\n%s", diff)
	}
	sealed := Composition{
		Splits:   []SplitCount{{"elsewhere", Count{Total: 1}}, {"train", Count{Total: 2}}, {"test-b", Count{Total: 1}}},
		Base:     Count{Total: 3},
		Families: []FamilyCount{{"", "a", map[string]int{"elsewhere": 1, "train": 1}, 2}, {"", "b", map[string]int{"train": 1, "test-b": 1}, 2}},
		Total:    4,
	}
	if diff := cmp.Diff(got.Sealed(), sealed); diff != "" {
		t.Errorf("sealed (-got +want):\n%s", diff)
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("sealing changed what was sealed:\n%s", diff)
	}
}

func TestWords(t *testing.T) {
	ask := func(texts ...string) (tasks []uplift.Task) {
		for _, s := range texts {
			tasks = append(tasks, uplift.Task{Ask: s})
		}
		return tasks
	}
	for name, c := range map[string]struct {
		tasks []uplift.Task
		want  Spread
	}{
		"none":              {nil, Spread{}},
		"one":               {ask("a b c"), Spread{3, 3, 3}},
		"odd":               {ask("a b c d e", "a", "a b"), Spread{1, 2, 5}},
		"even":              {ask("a b c", "a", "a b", "a b c d e f"), Spread{1, 2.5, 6}},
		"all kinds of gaps": {ask(" a\n\nb\tc "), Spread{3, 3, 3}},
	} {
		if got := Words(c.tasks); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
