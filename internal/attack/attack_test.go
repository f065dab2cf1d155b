package attack

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
)

var tasks = []uplift.Task{
	{ID: "a", Tier: uplift.Harmful, Family: "f", Split: "train", Ask: "q", AskAlt: "p", HardNegative: "n", Expected: "withhold"},
	{ID: "b", Tier: uplift.Borderline, Family: "g", Ask: "Q", AskAlt: "P", HardNegative: "N", Expected: "limited", KeyPoints: []string{"k"}},
}

func TestItems(t *testing.T) {
	got, err := Items(tasks, []string{Standard}, 1)
	if err != nil {
		t.Fatal(err)
	}
	item := func(task, attack, family, split string, tier uplift.Tier, turn string) uplift.Item {
		return uplift.Item{Task: task, Attack: attack, Family: family, Split: split, Tier: tier, Turns: []string{turn}}
	}
	want := []uplift.Item{
		item("a", "direct", "f", "train", uplift.Harmful, "q"),
		item("a", "paraphrase", "f", "train", uplift.Harmful, "p"),
		item("a", "hard_negative", "f", "train", uplift.Benign, "n"),
		item("b", "direct", "g", "", uplift.Borderline, "Q"),
		item("b", "paraphrase", "g", "", uplift.Borderline, "P"),
		item("b", "hard_negative", "g", "", uplift.Benign, "N"),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestItemsReportsEveryProblem(t *testing.T) {
	_, err := Items([]uplift.Task{{ID: "a", Ask: "q"}, {ID: "b", Ask: " "}}, []string{"direct", "paraphrase"}, 1)
	for _, want := range []string{"attack paraphrase: task a: no ask_alt", "attack direct: task b: no ask", "attack paraphrase: task b: no ask_alt"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q in it", err, want)
		}
	}
}

func TestExpand(t *testing.T) {
	for _, c := range []struct {
		name  string
		names []string
		want  string
	}{
		{"unknown", []string{"direkt"}, `attack: unknown value "direkt" (want direct, paraphrase, hard_negative or standard)`},
		{"twice", []string{"direct", "direct"}, "attack: direct: named twice"},
		{"twice through standard", []string{"standard", "direct"}, "attack: direct: named twice"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Expand(c.names); err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestExpected(t *testing.T) {
	if help, points := Expected(tasks[1], Paraphrase); help != "limited" || len(points) != 1 {
		t.Errorf("paraphrase: %q %v, want limited with the task's key points", help, points)
	}
	if help, points := Expected(tasks[0], HardNegative); help != "full" || points != nil {
		t.Errorf("hard_negative: %q %v, want full without key points", help, points)
	}
}
