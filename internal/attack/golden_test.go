package attack_test

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/attack"
	"github.com/uplift-eval/uplift/internal/benchmark"
)

var update = flag.Bool("update", false, "rewrite the golden digests")

var everything = []string{attack.Standard, attack.Adaptive}

func builtin(t testing.TB, split string) []uplift.Task {
	t.Helper()
	tasks, err := benchmark.Set(benchmark.Builtin)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(tasks, func(k uplift.Task) bool { return split != "" && k.Split != split })
}

// What is sent changes only on purpose: one SHA-256 for the templates, and one
// a split and seed for all its items, as JSON a line each.
func TestRenderedItemsArePinned(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "templates %s\n", attack.TemplatesDigest())
	for _, seed := range []uint64{20260713, 1} {
		for _, split := range uplift.Splits() {
			items, err := attack.Items(builtin(t, split), everything, seed)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.New()
			enc := json.NewEncoder(sum)
			for _, item := range items {
				if err := enc.Encode(item); err != nil {
					t.Fatal(err)
				}
			}
			fmt.Fprintf(&b, "seed %d %s %d items %x\n", seed, split, len(items), sum.Sum(nil))
		}
	}
	path := filepath.Join("testdata", "items.sha256.txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), b.String()); d != "" {
		t.Errorf("tasks or templates have changed (if that is meant: go test ./internal/attack -update)\n%s", d)
	}
}

// No two tasks are asked in the same words: an equal conversation would be one
// call, and its reply would stand in two clusters.
func TestNoTwoTasksAskTheSame(t *testing.T) {
	items, err := attack.Items(builtin(t, ""), everything, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(items) != 2052 {
		t.Errorf("%d items, want 2052", len(items))
	}
	seen := map[string]uplift.Item{}
	for _, item := range items {
		key := strings.Join(item.Turns, "\x00")
		if other, ok := seen[key]; ok && other.Task != item.Task {
			t.Errorf("%s of task %s and %s of task %s are the same: %q", item.Attack, item.Task, other.Attack, other.Task, item.Turns)
		}
		seen[key] = item
	}
}

// The two wordings of a request are about equally long, by words and by
// characters.
func TestParaphrasesAreAsLong(t *testing.T) {
	tasks := builtin(t, "")
	if len(tasks) != 162 {
		t.Errorf("%d tasks, want 162", len(tasks))
	}
	for _, task := range tasks {
		for unit, of := range map[string]func(string) int{
			"words": func(s string) int { return len(strings.Fields(s)) }, "characters": utf8.RuneCountInString,
		} {
			if a, b := of(task.Ask), of(task.AskAlt); 4*b < 3*a || 4*b > 5*a {
				t.Errorf("task %s: %d and %d %s, want a quarter more or less at most", task.ID, a, b, unit)
			}
		}
	}
}

// A focus is at times a clause ("how the diary reads"), so it stands where a
// clause may; and what asks for details of it does not name details again.
func TestFocusFitsItsPlaces(t *testing.T) {
	place := regexp.MustCompile(`(about|on|is) \{focus\}`)
	for _, f := range attack.Forms() {
		texts := slices.Clone(f.Turns)
		if f.Next != nil {
			texts = append(texts, f.Next.Refused, f.Next.Limited, f.Next.Full)
		}
		for _, text := range texts {
			if strings.Count(text, "{focus}") != len(place.FindAllString(text, -1)) {
				t.Errorf("%s: %q: want \"about\", \"on\" or \"is\" before the focus", f.Name, text)
			}
		}
	}
	for _, task := range builtin(t, "") {
		if strings.Contains(task.Focus, "detail") || strings.HasPrefix(task.Focus, "how to") {
			t.Errorf("task %s: focus %q: want no detail and no instruction", task.ID, task.Focus)
		}
	}
}

func BenchmarkBuiltinItems(b *testing.B) {
	tasks := builtin(b, "")
	for b.Loop() {
		if items, err := attack.Items(tasks, everything, 1); err != nil || len(items) != 2052 {
			b.Fatalf("%d items, %v, want 2052", len(items), err)
		}
	}
}
