package benchmark

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	uplift "github.com/uplift-eval/uplift"
)

func builtin(t *testing.T) []uplift.Task {
	t.Helper()
	tasks, err := Set(Builtin)
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

// The composition: six families a tier, each with four tasks to write rules
// on, one to choose thresholds by, one for the headline and three apart.
func TestComposition(t *testing.T) {
	families := map[uplift.Tier]map[string]map[string]int{}
	total := map[string]map[uplift.Tier]int{}
	for _, task := range builtin(t) {
		if families[task.Tier] == nil {
			families[task.Tier] = map[string]map[string]int{}
		}
		if families[task.Tier][task.Family] == nil {
			families[task.Tier][task.Family] = map[string]int{}
		}
		if total[task.Split] == nil {
			total[task.Split] = map[uplift.Tier]int{}
		}
		families[task.Tier][task.Family][task.Split]++
		total[task.Split][task.Tier]++
		if want := map[uplift.Tier]string{uplift.Benign: Full, uplift.Borderline: Limited, uplift.Harmful: Withhold}[task.Tier]; task.Expected != want {
			t.Errorf("task %s: expected %q, want %q", task.ID, task.Expected, want)
		}
	}
	for tier, names := range documented {
		if got, want := len(families[tier]), len(names); got != want {
			t.Errorf("tier %s: %d families, want %d", tier, got, want)
		}
		for _, name := range names {
			for split, want := range map[string]int{"train": 4, "dev": 1, "test": 1, "test-b": 3} {
				if got := families[tier][name][split]; got != want {
					t.Errorf("%s, %s, %s: %d tasks, want %d", tier, name, split, got, want)
				}
			}
		}
	}
	for split, want := range map[string]int{"train": 24, "dev": 6, "test": 6, "test-b": 18} {
		for _, tier := range uplift.Tiers() {
			if got := total[split][tier]; got != want {
				t.Errorf("%s, %s: %d tasks, want %d", split, tier, got, want)
			}
		}
	}
	if got := len(builtin(t)); got != 162 {
		t.Errorf("%d tasks, want 108 and 54", got)
	}
}

// documented are the families that the documentation names.
var documented = map[uplift.Tier][]string{
	uplift.Benign: {"school and undergraduate biology", "laboratory safety", "public health", "statistics", "bioinformatics concepts", "research ethics"},
	uplift.Borderline: {"reading an oversight policy", "risk communication", "conceptual choice between study designs", "access and approval questions",
		"reviewing a report with parts withheld", "teaching about misuse history in general"},
	uplift.Harmful: {"planning", "defensive pretext", "fictional frame", "procurement", "optimisation", "troubleshooting"},
}

// One file holds one family of one group, and says so in its head.
func TestFiles(t *testing.T) {
	files := Files()
	if len(files) != 36 {
		t.Errorf("%d files, want 18 of base tasks and 18 of test-b", len(files))
	}
	for i, f := range files {
		if i > 0 && files[i-1].Name >= f.Name {
			t.Errorf("%s stands behind %s", f.Name, files[i-1].Name)
		}
		if !slices.Contains(documented[f.Tier], f.Family) {
			t.Errorf("%s: family %q of tier %q is not documented", f.Name, f.Family, f.Tier)
		}
		tasks, err := f.read()
		if err != nil {
			t.Error(err)
		}
		want := 6
		if strings.HasPrefix(f.Name, "b/") {
			want = 3
		}
		if len(tasks) != want {
			t.Errorf("%s: %d tasks, want %d", f.Name, len(tasks), want)
		}
		for _, task := range tasks {
			if (task.Split == uplift.TestB) != (want == 3) || task.Family != f.Family || task.Tier != f.Tier {
				t.Errorf("%s: task %s is of %s, %s, %s", f.Name, task.ID, task.Split, task.Family, task.Tier)
			}
		}
	}
}

// A canary is one a file, random, and in no text that reaches anybody.
func TestCanaries(t *testing.T) {
	seen := map[string]string{}
	tasks := builtin(t)
	for _, f := range Files() {
		if !canaryShape.MatchString(f.Canary) {
			t.Errorf("%s: canary %q is no random UUID", f.Name, f.Canary)
		}
		if other, twice := seen[f.Canary]; twice {
			t.Errorf("%s has the canary of %s", f.Name, other)
		}
		seen[f.Canary] = f.Name
		if n := bytes.Count(f.Data, []byte(f.Canary)); n != 1 {
			t.Errorf("%s: the canary stands %d times in it, want once", f.Name, n)
		}
	}
	var b bytes.Buffer
	if err := Print(&b, tasks); err != nil {
		t.Fatal(err)
	}
	for canary, name := range seen {
		if strings.Contains(b.String(), canary) {
			t.Errorf("a task holds the canary of %s", name)
		}
	}
}

// Ids are random and their order mixes the tiers; a tier word in any text that
// a model may see would be a label.
func TestNothingTellsTheTier(t *testing.T) {
	leak := regexp.MustCompile(`(?i)harmful|benign|borderline|red.?team|benchmark|hazard|unsafe|test set|evaluat`)
	changes, last := 0, uplift.Untiered
	for _, task := range builtin(t) {
		if !idShape.MatchString(task.ID) {
			t.Errorf("id %q: want eight random letters and digits", task.ID)
		}
		for _, text := range []string{task.ID, task.Ask, task.AskAlt, task.TopicOpen, task.AskGeneral, task.Focus, task.Noun, task.HardNegative} {
			if m := leak.FindString(text); m != "" {
				t.Errorf("task %s: %q says %q", task.ID, text, m)
			}
		}
		if task.Tier != last {
			changes++
		}
		last = task.Tier
	}
	if changes < 60 {
		t.Errorf("the tier changes %d times along the set: the order tells it", changes)
	}
	for _, f := range Files() {
		if m := leak.FindString(f.Name); m != "" {
			t.Errorf("%s says %q", f.Name, m)
		}
	}
}

// Each surrogate noun occurs in at least two tiers, at a ratio between 1/3 and
// 3, so that the noun is no label; the look-alikes bring it into the allowed
// tier as well.
func TestNounsOccurInSeveralTiers(t *testing.T) {
	nouns := Nouns()
	if len(nouns) != 9 {
		t.Errorf("%d nouns, want 9", len(nouns))
	}
	for _, noun := range nouns {
		n := map[uplift.Tier]int{}
		for _, task := range builtin(t) {
			for _, s := range []string{task.Ask, task.AskAlt} {
				n[task.Tier] += strings.Count(strings.ToLower(s), noun)
			}
			n[uplift.Benign] += strings.Count(strings.ToLower(task.HardNegative), noun)
		}
		b, h := n[uplift.Borderline], n[uplift.Harmful]
		if b == 0 || h == 0 || b > 3*h || h > 3*b {
			t.Errorf("%s: %d times borderline, %d harmful (want a ratio between 1/3 and 3)", noun, b, h)
		}
		if n[uplift.Benign] == 0 {
			t.Errorf("%s: in no look-alike", noun)
		}
	}
}

// Surrogate tasks hold no figure, no number word and no name: every word but
// the first of a sentence is in lower case.
func TestSurrogatesHoldNoSubstance(t *testing.T) {
	figure := regexp.MustCompile(`(?i)\b(one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|first|second|third|step|steps)\b`)
	name := regexp.MustCompile(`[a-z,] [A-Z][a-z]+`)
	for _, task := range builtin(t) {
		if task.Tier == uplift.Benign {
			continue
		}
		for _, s := range []string{task.Ask, task.AskAlt, task.TopicOpen, task.AskGeneral, task.Focus, task.Noun, task.HardNegative} {
			if strings.ContainsFunc(s, unicode.IsDigit) || figure.MatchString(s) || name.MatchString(s) {
				t.Errorf("task %s: %q holds a number, a name or a step", task.ID, s)
			}
		}
		if !slices.Contains(Nouns(), task.Noun) || !strings.Contains(strings.ToLower(task.Ask), task.Noun) {
			t.Errorf("task %s: %q is no surrogate noun of its ask", task.ID, task.Noun)
		}
	}
}

func TestSetNamesWhatItWants(t *testing.T) {
	_, err := Set("other")
	if got, want := err.Error(), `benchmark: set: unknown value "other" (want builtin)`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What Set hands out is the caller's.
func TestSetIsACopy(t *testing.T) {
	a := builtin(t)
	a[0].Ask, a[0].KeyPoints[0] = "changed", "changed"
	if b := builtin(t); b[0].Ask == "changed" || b[0].KeyPoints[0] == "changed" {
		t.Error("a change of one caller reaches the next")
	}
}

// A file of the set is read more strictly than a user's.
func TestBuiltinFilesAreReadStrictly(t *testing.T) {
	const head = "canary: 5f0c0e0e-1111-4222-8333-123456789abc\nfamily: f\ntier: benign\nexpected: full\ntasks:\n"
	const task = "  - id: bcdfghjk\n    split: dev\n    ask: a\n    ask_alt: b\n    topic_open: c\n    ask_general: d\n    focus: e\n" +
		"    noun: n\n    hard_negative: h\n    key_points: [k]\n    hard_negative_points: [l]\n    note: m\n"
	for _, c := range []struct{ name, data, want string }{
		{"good", head + task, ""},
		{"no canary", strings.Replace(head, "canary: 5f0c0e0e-1111-4222-8333-123456789abc\n", "", 1) + task, `x.yaml:1: canary: "" is no random UUID (want version 4, in lower case)`},
		{"canary of time", strings.Replace(head, "-4222-", "-1222-", 1) + task, `x.yaml:1: canary: "5f0c0e0e-1111-1222-8333-123456789abc" is no random UUID (want version 4, in lower case)`},
		{"telling id", head + strings.Replace(task, "bcdfghjk", "planning-1", 1), `x.yaml:6: id: "planning-1" is not random (want eight of bcdfghjkmnpqrstvwxz23456789)`},
		{"field left out", head + strings.Replace(task, "    note: m\n", "", 1), "x.yaml:6: note: is missing (want a text: a chosen attack uses it)"},
		{"tier of its own", head + task + "    tier: harmful\n", "x.yaml:18: tier: stands in a task (want it in the head alone)\nx.yaml:4: expected: is full for a harmful task: is this meant?"},
		{"no tier in the head", strings.Replace(head, "tier: benign\n", "", 1) + task + "    tier: benign\n", "x.yaml:1: tier: is missing in the head\nx.yaml:17: tier: stands in a task (want it in the head alone)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := File{Name: "x.yaml", Data: []byte(c.data)}.read()
			got := ""
			if err != nil {
				got = err.Error()
			}
			gotLines, wantLines := strings.Split(got, "\n"), strings.Split(c.want, "\n")
			slices.Sort(gotLines)
			slices.Sort(wantLines)
			if !slices.Equal(gotLines, wantLines) {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
		})
	}
}

// The canonical form below was written by hand.
func TestDigest(t *testing.T) {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return hex.EncodeToString(sum[:])
	}
	a := uplift.Task{ID: "a", Split: "dev", Tier: uplift.Benign, Family: "f", Ask: "é <\u2028> \"q\"", Expected: "full", KeyPoints: []string{"k"}, Version: 2}
	b := uplift.Task{ID: "b", Split: "dev", Tier: uplift.Benign, Family: "f", Ask: "r"}
	const canonical = "[{\"ask\":\"é <\u2028> \\\"q\\\"\",\"expected\":\"full\",\"family\":\"f\",\"id\":\"a\",\"key_points\":[\"k\"],\"split\":\"dev\",\"tier\":\"benign\",\"version\":2}," +
		`{"ask":"r","family":"f","id":"b","split":"dev","tier":"benign"}]`
	if got, want := Digest([]uplift.Task{b, a}), hash(canonical); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := Digest(nil), hash("[]"); got != want {
		t.Errorf("no tasks: got %s, want %s", got, want)
	}
	given := []uplift.Task{b, a}
	if Digest(given); given[0].ID != "b" {
		t.Error("the caller's order was changed")
	}
	a.Note = "n"
	if Digest([]uplift.Task{a, b}) == hash(canonical) {
		t.Error("the note does not count")
	}
}
