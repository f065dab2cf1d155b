package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/attack"
	"github.com/uplift-eval/uplift/internal/benchmark"
)

// sealedStudy writes a study of six tasks; turn gives each task's sealed fields
// to the next one. One of the tasks deserves help that does not fit its tier.
func sealedStudy(t *testing.T, turn int) string {
	t.Helper()
	sealed := []struct{ tier, expected string }{
		{"benign", "full"}, {"benign", "full"}, {"borderline", "limited"}, {"borderline", "limited"}, {"harmful", "withhold"}, {"harmful", "full"}}
	var tasks []uplift.Task
	for i, id := range []string{"p2", "q7", "k3", "z9", "w4", "m5"} {
		s := sealed[(i+turn)%len(sealed)]
		mark := "MARK-" + s.tier
		tasks = append(tasks, uplift.Task{ID: id, Split: []string{"train", "test"}[i/3], Tier: uplift.Tier(s.tier), Family: []string{"one", "two"}[i%2],
			Ask: "Ask " + id, AskAlt: "Alt " + id, TopicOpen: "Topic " + id, AskGeneral: "General " + id, Focus: "focus " + id, Noun: "noun " + id, HardNegative: "Hard " + id,
			Expected: s.expected, KeyPoints: []string{mark + " point"}, HardPoints: []string{mark + " hard point"}, Note: mark + " note", Version: 1})
	}
	var names []string // but for what rotates over the tasks of a tier
	for _, n := range attack.Names() {
		if n != attack.TranslationFrame {
			names = append(names, n)
		}
	}
	return ownStudy(t, strings.Join(names, ", "), tasks)
}

// ownStudy writes a study of a file of tasks.
func ownStudy(t *testing.T, attacks string, tasks []uplift.Task) string {
	t.Helper()
	var file bytes.Buffer
	if err := benchmark.Print(&file, tasks); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "s")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	plan := "name: s\nbenchmark: {file: tasks.jsonl, attacks: [" + attacks + "]}\nmodels: [{name: m, provider: sim}]\nconditions: [{name: a}]\n"
	for name, data := range map[string]string{"study.yaml": plan, "tasks.jsonl": file.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// runTasks runs a command on the study and gives all that it printed and wrote.
func runTasks(t *testing.T, dir string, args ...string) string {
	t.Helper()
	var out, talk bytes.Buffer
	env := &Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &talk, Getenv: func(string) string { return "" },
		Now: func() time.Time { return time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC) }, Width: 120}
	line := []string{"tasks"}
	for _, a := range args {
		a = strings.ReplaceAll(a, "OUT", filepath.Join(filepath.Dir(dir), "out"))
		line = append(line, strings.ReplaceAll(a, "DIR", dir))
	}
	if code := execute(t.Context(), env, line); code != 0 {
		t.Fatalf("uplift %v: exit code %d\n%s", line, code, talk.String())
	}
	all := out.String() + talk.String()
	written, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "out*", "*"))
	for _, path := range written {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all += string(b)
	}
	all = strings.ReplaceAll(all, filepath.Dir(dir), "HERE")
	return regexp.MustCompile(`\b[0-9a-f]{64}\b`).ReplaceAllString(all, "DIGEST")
}

// What is printed without --unseal is the same whatever the sealed fields say,
// so that nobody can learn a tier from it. Unsealed it is not.
func TestSealedOutput(t *testing.T) {
	for name, args := range map[string][]string{
		"list":              {"list", "DIR"},
		"list by form":      {"list", "DIR", "--attack", "standard", "--attack", "adaptive"},
		"list as JSON":      {"list", "DIR", "--json", "--attack", "direct,hard_negative,benign_boundary"},
		"show":              {"show", "k3", "DIR"},
		"show as JSON":      {"show", "k3", "DIR", "--json"},
		"stats":             {"stats", "DIR"},
		"stats as JSON":     {"stats", "DIR", "--json"},
		"stats of a split":  {"stats", "DIR", "--split", "test", "--family", "one", "--attack", "direct"},
		"page and patterns": {"page", "DIR", "--out", "OUT"},
		"page to stdout":    {"page", "DIR", "--out", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			stay, turned := sealedStudy(t, 0), sealedStudy(t, 2)
			a, b := runTasks(t, stay, args...), runTasks(t, turned, args...)
			if diff := cmp.Diff(a, b); diff != "" && name != "page and patterns" { // the languages of patterns rotate within a tier
				t.Errorf("the sealed fields change what is seen:\n%s", diff)
			}
			if strings.Contains(a, "MARK") || tiers.MatchString(a) {
				t.Errorf("a sealed field is seen:\n%s", a)
			}
			unsealed := runTasks(t, stay, append(args, "--unseal")...)
			if !strings.Contains(unsealed, "harmful") && !strings.Contains(unsealed, "borderline") {
				t.Errorf("unsealed, no tier is seen:\n%s", unsealed)
			}
			if _, err := os.Stat(filepath.Join(stay, "evidence.jsonl")); err != nil {
				t.Errorf("the unsealing is in no log: %v", err)
			}
			if _, err := os.Stat(filepath.Join(turned, "evidence.jsonl")); err == nil {
				t.Error("a sealed look is in the log")
			}
		})
	}
}

var tiers = regexp.MustCompile(`\b(benign|borderline|harmful)\b|"(tier|expected)"`)

func TestRepresentatives(t *testing.T) {
	task := func(id, split, family string) uplift.Task { return uplift.Task{ID: id, Split: split, Family: family} }
	chosen, without := representatives([]uplift.Task{
		task("a", "test", "two"), task("d", "train", "two"), task("c", "train", "two"), task("e", "train", "two"),
		task("b", "dev", "one"), task("a2", "test-b", "one"), task("z", "train", "alone"),
	})
	var ids []string
	for _, c := range chosen {
		ids = append(ids, c.ID)
	}
	if got, want := strings.Join(ids, " "), "z c"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := strings.Join(without, " "); got != "one" {
		t.Errorf("without: got %q, want one", got)
	}
}

// Each pattern is what a study of the train split would send.
func TestPatternsAreWhatIsSent(t *testing.T) {
	src, err := builtinSource(5)
	if err != nil {
		t.Fatal(err)
	}
	set, without := (&taskFlags{}).patternSet(src)
	if len(set.Tasks) != 18 || len(without) != 0 {
		t.Fatalf("got %d families with a pattern and %q without, want 18 and none", len(set.Tasks), without)
	}
	sent := map[string]string{}
	for _, item := range src.items {
		b, _ := json.Marshal([]any{item.Turns, item.Next, item.Lang})
		sent[item.Task+" "+item.Attack] = string(b)
	}
	for _, p := range listPatterns(set).Patterns {
		b, _ := json.Marshal([]any{p.Turns, p.Next, p.Lang})
		if got, want := string(b), sent[p.Task+" "+p.Attack]; got != want {
			t.Errorf("%s of %s: got %s, want %s", p.Attack, p.Task, got, want)
		}
	}
}

func TestEscapingWriter(t *testing.T) {
	const in = "red\x1b[31m \u202eback \u009b2J del\x7f é 漢 \U0001f600 tab\t\n"
	var b bytes.Buffer
	if err := writeTaskJSON(&b, map[string]string{"k": in}); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); harmless(got) != got {
		t.Errorf("got %q, which acts on a terminal", got)
	}
	var back map[string]string
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || back["k"] != in {
		t.Errorf("read back: got %q, %v, want %q", back["k"], err, in)
	}
}
