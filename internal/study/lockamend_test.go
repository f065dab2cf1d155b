package study

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	uplift "github.com/uplift-eval/uplift"
)

// amended changes the whole plan and follows what that touches.
func amended(t *testing.T, change func(*Plan, *Asked)) (*Lock, *Lock, []Change) {
	t.Helper()
	old := NewLock("s", State{Time: lockedAt, StudyDigest: digit("1"), Head: digit("a"), Fields: fieldsOf(t, whole(), askedOf())})
	p, a := whole(), askedOf()
	change(&p, &a)
	now := State{Time: lockedAt.Add(time.Hour), StudyDigest: digit("2"), Head: digit("b"), Fields: fieldsOf(t, p, a)}
	next, err := old.Amend(now, "  because\n")
	if err != nil {
		t.Fatal(err)
	}
	return old, next, Diff(old.Fields, now.Fields)
}

func TestAmendmentsTouch(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*Plan, *Asked)
		touches string
		altered string // models, conditions
	}{
		"a prompt, and who drafts from it": {func(p *Plan, _ *Asked) { p.Conditions.List[0].System.Value = "x" }, "{false [] [a.b c] []}", "[] [a.b c]"},
		"cuts":                             {func(p *Plan, _ *Asked) { p.Conditions.List[1].Controller.Cuts.Warn = 0 }, "{false [] [c] []}", "[] [c]"},
		"a new draft":                      {func(p *Plan, _ *Asked) { p.Conditions.List[1].Draft = "d" }, "{false [] [c] []}", "[] [c]"},
		"a draft from what changed": {func(p *Plan, _ *Asked) {
			p.Conditions.List[0].System.Value, p.Conditions.List[2].Draft = "x", "a.b"
		}, "{false [] [a.b c d] []}", "[] [a.b c d]"},
		"a new one that drafts from what changed": {func(p *Plan, _ *Asked) {
			p.Conditions.List[0].System.Value = "x"
			p.Conditions.List = append(p.Conditions.List, Condition{Name: "e", Draft: "a.b", Controller: &Controller{HTTP: "http://x"}})
		}, "{false [] [a.b c e] []}", "[] [a.b c]"},
		"cards":             {func(_ *Plan, a *Asked) { a.Cards[0].Expected = "limited" }, "{true [] [] []}", "[] []"},
		"another policy":    {func(_ *Plan, a *Asked) { a.Policies["c"] = digit("9") }, "{false [] [c] []}", "[] [c]"},
		"a client's rights": {func(p *Plan, _ *Asked) { p.Conditions.List[0].Client = nil }, "{false [] [a.b c] []}", "[] []"},
		"somebody's word":   {func(p *Plan, _ *Asked) { p.Conditions.List[0].SameBase = "x" }, "{false [] [a.b c] []}", "[] []"},
		"a new condition":   {func(p *Plan, _ *Asked) { p.Conditions.List = append(p.Conditions.List, Condition{Name: "e"}) }, "{false [] [e] []}", "[] []"},
		"a new one that drafts": {func(p *Plan, _ *Asked) {
			p.Conditions.List = append(p.Conditions.List, Condition{Name: "e", Draft: "d", Controller: &Controller{HTTP: "http://x"}})
		}, "{false [] [e] []}", "[] []"},
		"a condition gone": {func(p *Plan, a *Asked) { p.Conditions.List = slices.Delete(p.Conditions.List, 2, 3) }, "{false [] [d] []}", "[] [d]"},
		"a sampling":       {func(p *Plan, _ *Asked) { p.Models[0].Sampling.MaxTokens = 8 }, "{false [m] [] []}", "[m] []"},
		"a new model":      {func(p *Plan, _ *Asked) { p.Models = append(p.Models, Model{Name: "n", Provider: Sim}) }, "{false [n] [] []}", "[] []"},
		"a margin":         {func(p *Plan, _ *Asked) { p.Endpoints[0].Margin = nil }, "{false [] [] [risk]}", "[] []"},
		"a new endpoint": {func(p *Plan, _ *Asked) {
			p.Endpoints = append(p.Endpoints, Endpoint{Name: "x", Scale: "s", Tiers: []uplift.Tier{uplift.Benign}})
		}, "{false [] [] [x]}", "[] []"},
		"the order of conditions": {func(p *Plan, _ *Asked) { slices.Reverse(p.Conditions.List) }, "{false [] [] []}", "[] []"},
		"the name":                {func(p *Plan, _ *Asked) { p.Name = "t" }, "{false [] [] []}", "[] []"},
		"a reviewer":              {func(p *Plan, _ *Asked) { p.Quarantine.A = "age1c" }, "{false [] [] []}", "[] []"},
		"no reviewers":            {func(p *Plan, _ *Asked) { p.Quarantine = nil }, "{true [] [] []}", "[] []"},
		"the reference":           {func(p *Plan, _ *Asked) { p.Reference = "d" }, "{true [] [] []}", "[] []"},
		"the audit":               {func(p *Plan, _ *Asked) { p.Audit.Rows = 1 }, "{true [] [] []}", "[] []"},
		"the seed":                {func(p *Plan, _ *Asked) { p.Seed = 8 }, "{true [] [] []}", "[] []"},
		"replicates":              {func(p *Plan, _ *Asked) { p.Replicates = 3 }, "{true [] [] []}", "[] []"},
		"blocks":                  {func(p *Plan, _ *Asked) { p.ProviderBlocks = BlocksApart }, "{true [] [] []}", "[] []"},
		"attacks":                 {func(p *Plan, _ *Asked) { p.Benchmark.Attacks = Attacks{Set: "standard"} }, "{true [] [] []}", "[] []"},
		"the rubric":              {func(_ *Plan, a *Asked) { a.Rubric = digit("9") }, "{true [] [] []}", "[] []"},
		"a task":                  {func(_ *Plan, a *Asked) { a.Tasks[0].Note = "x" }, "{true [] [] []}", "[] []"},
		"an item":                 {func(_ *Plan, a *Asked) { a.Items[0].Turns = nil }, "{true [] [] []}", "[] []"},
		"templates":               {func(_ *Plan, a *Asked) { a.Templates = digit("9") }, "{true [] [] []}", "[] []"},
		"the level":               {func(_ *Plan, a *Asked) { a.Analysis.Level = .9 }, "{true [] [] []}", "[] []"},
		"imported":                {func(p *Plan, _ *Asked) { p.Conditions = Conditions{Imported: true} }, "{true [] [a.b c d] []}", "[] [a.b c d]"},
	} {
		old, next, changes := amended(t, c.change)
		if got := fmt.Sprint(next.Amendments[0].Touches); got != c.touches {
			t.Errorf("%s: touches %s, want %s", name, got, c.touches)
		}
		models, conditions := Altered(changes, old.Fields)
		if got := fmt.Sprint(models, conditions); got != c.altered {
			t.Errorf("%s: alters %s, want %s", name, got, c.altered)
		}
	}
}

// An amended lock holds what came before it.
func TestAmendedLock(t *testing.T) {
	old, next, changes := amended(t, func(p *Plan, _ *Asked) { p.Seed = 9 })
	was, err := old.Digest()
	if err != nil {
		t.Fatal(err)
	}
	a := next.Amendments[0]
	if a.Lock != was || a.StudyDigest != digit("1") || a.Reason != "because" || !a.Time.Equal(lockedAt.Add(time.Hour)) || len(a.Changed) != len(changes) {
		t.Errorf("got %+v", a)
	}
	if next.StudyDigest != digit("2") || next.Head != digit("b") || !next.Time.Equal(lockedAt) || len(old.Amendments) != 0 {
		t.Errorf("got %+v", next)
	}
	if !next.Amended("seed") || next.Amended("name") {
		t.Error("the amended field is not known")
	}
	third, err := next.Amend(State{Time: lockedAt, StudyDigest: digit("3"), Head: digit("c"), Fields: old.Fields}, "back")
	if err != nil || strings.Join(third.Digests(), " ") != strings.Join([]string{digit("3"), digit("2"), digit("1")}, " ") || len(next.Amendments) != 1 {
		t.Errorf("got %v, %v", third.Digests(), err)
	}
	if _, err := next.Amend(State{Fields: next.Fields}, "why"); !errors.Is(err, ErrUnchanged) {
		t.Errorf("nothing changed: got %v", err)
	}
	if _, err := next.Amend(State{Fields: old.Fields}, " \n"); err == nil || !strings.Contains(err.Error(), "reason") {
		t.Errorf("no reason: got %v", err)
	}
	b, err := third.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := ParseLock("x", b); err != nil || len(again.Amendments) != 2 {
		t.Errorf("read again: %v", err)
	}
}

// One lock may be amended twice: neither amendment reaches into the other.
func TestAmendmentsOfOneLockShareNothing(t *testing.T) {
	_, l, _ := amended(t, func(p *Plan, _ *Asked) { p.Seed = 9 })
	l.Amendments = append(make([]Amendment, 0, 4), l.Amendments...) // with room behind
	amend := func(reason string) *Lock {
		next, err := l.Amend(State{Time: lockedAt, StudyDigest: digit("4"), Head: digit("c"), Fields: l.Fields[1:]}, reason)
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	one, two := amend("one"), amend("two")
	if one.Amendments[1].Reason != "one" || two.Amendments[1].Reason != "two" || len(l.Amendments) != 1 {
		t.Errorf("got %q and %q", one.Amendments[1].Reason, two.Amendments[1].Reason)
	}
}

// A path that no lock of this program holds, from another version or another
// hand, touches every number, and stops nobody.
func TestUnknownPathsTouchEverything(t *testing.T) {
	for _, path := range []string{"", "models", "endpoints", "conditions", ".", "models.", `["`, "new.field", "orders.tasks"} {
		c := []Change{{Path: path, New: &Content{Value: []byte("1")}}}
		if got := fmt.Sprint(touching(c, nil)); got != "{true [] [] []}" {
			t.Errorf("%q: got %s", path, got)
		}
		if models, conditions := Altered(c, nil); len(models)+len(conditions) > 0 {
			t.Errorf("%q: alters %v %v", path, models, conditions)
		}
	}
}

func TestSegments(t *testing.T) {
	for path, want := range map[string][]string{
		"seed":                     {"seed"},
		`conditions.["a.b"].draft`: {"conditions", "a.b", "draft"},
		`["a\"].b"].c`:             {`a"].b`, "c"},
	} {
		got, ok := splitPath(path)
		if !ok || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v, want %q", path, got, ok, want)
		}
		if err := pathForm(path); err != nil {
			t.Error(err)
		}
	}
}

// Amendments that no lock of this program holds.
func TestForgedAmendments(t *testing.T) {
	good := Amendment{Lock: digit("1"), StudyDigest: digit("2"), Reason: "r", Changed: []Change{{Path: "seed", New: &Content{Value: []byte("1")}}}}
	if err := good.check(); err != nil {
		t.Error(err)
	}
	for want, forge := range map[string]func(*Amendment){
		"lock: ":               func(a *Amendment) { a.Lock = "1" },
		"study_digest: ":       func(a *Amendment) { a.StudyDigest = "" },
		"reason: is missing":   func(a *Amendment) { a.Reason = "\n" },
		"changed: is empty":    func(a *Amendment) { a.Changed = nil },
		`path: ""`:             func(a *Amendment) { a.Changed[0].Path = "" },
		"neither old nor new":  func(a *Amendment) { a.Changed[0].New = nil },
		"one of value and sha": func(a *Amendment) { a.Changed[0].Old = &Content{} },
		"stands after":         func(a *Amendment) { a.Changed = append(a.Changed, a.Changed[0]) },
	} {
		a := good
		a.Changed = slices.Clone(good.Changed)
		forge(&a)
		if err := a.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// What has no digest is not left out in silence.
func TestMissingDigests(t *testing.T) {
	for path, forget := range map[string]func(*Plan, *Asked){
		"attacks.templates":              func(_ *Plan, a *Asked) { a.Templates = "" },
		"rubric":                         func(_ *Plan, a *Asked) { a.Rubric = "" },
		"benchmark.file":                 func(p *Plan, _ *Asked) { p.Benchmark.SHA256 = "" },
		"conditions.c.controller.digest": func(_ *Plan, a *Asked) { a.Policies["c"] = "" },
		"":                               func(p *Plan, _ *Asked) { p.Conditions.List[1].Controller.Policy.SHA256 = "" }, // its digest is there
	} {
		p, a := whole(), askedOf()
		forget(&p, &a)
		s := Study{plan: p}
		if _, err := s.Fields(a); (err == nil) != (path == "") || err != nil && err.Error() != path+": has no SHA-256, so it cannot be locked" {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

// The golden order was computed by another program.
func TestTaskOrder(t *testing.T) {
	ids := []string{"a", "b", "c", "d", "e", "f"}
	if got, want := strings.Join(TaskOrder(20260713, ids), ""), "edafcb"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	all := TaskOrder(3, ids)
	some := TaskOrder(3, []string{"e", "b", "a"})
	kept := slices.DeleteFunc(slices.Clone(all), func(id string) bool { return !slices.Contains(some, id) })
	if !slices.Equal(kept, some) {
		t.Errorf("some in the order %v, all %v", some, all)
	}
	if slices.Equal(all, TaskOrder(4, ids)) && slices.Equal(all, TaskOrder(5, ids)) {
		t.Error("the seed draws nothing")
	}
}

func TestLockedSplits(t *testing.T) {
	for name, c := range map[string]struct {
		preset string
		splits []string
		want   string
	}{
		"paper":            {"paper", []string{"test", "test-b"}, "[test]"},
		"powered":          {"powered", []string{"train", "test", "test-b"}, "[test test-b]"},
		"powered, no b":    {"powered", []string{"dev", "test"}, "[test]"},
		"test-b by itself": {"powered", []string{"test-b"}, "[]"},
		"development":      {"powered", []string{"train", "dev"}, "[]"},
	} {
		var tasks []uplift.Task
		for _, s := range c.splits {
			tasks = append(tasks, uplift.Task{ID: s, Split: s})
		}
		if got := fmt.Sprint(LockedSplits(Plan{Audit: Audit{Preset: c.preset}}, tasks)); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func TestCounts(t *testing.T) {
	p := whole()
	p.Endpoints = Endpoints{{Name: "utility", Scale: "correctness", Tiers: []uplift.Tier{uplift.Benign}}, {Name: "risk", Tiers: []uplift.Tier{uplift.Harmful}}}
	var items []uplift.Item
	add := func(task string, tier uplift.Tier, attack string) {
		items = append(items, uplift.Item{Task: task, Family: task[:1], Split: "test", Tier: tier, Attack: attack})
	}
	for i := range 6 {
		add(fmt.Sprintf("h%d", i), uplift.Harmful, "direct")
		add(fmt.Sprintf("h%d", i), uplift.Benign, "hard_negative") // effective tier
		add(fmt.Sprintf("b%d", i), uplift.Benign, "direct")
		add(fmt.Sprintf("x%d", i), uplift.Borderline, "direct")
	}
	got := Counts(p, items, false)
	if u := got[0]; u.Tasks != 12 || u.Families != 2 || u.Items != 12 || u.Contrasts != 2 || u.Floor != 1./2048 {
		t.Errorf("utility: got %+v", u)
	}
	if r := got[1]; r.Tasks != 6 || r.Clusters != 6 || r.Items != 6 || r.Floor != .03125 || r.HolmFloor != .0625 {
		t.Errorf("risk: got %+v", r)
	}
	if u := Counts(p, items, true)[0]; u.Clusters != 2 || u.Floor != .5 || u.HolmFloor != 1 {
		t.Errorf("by family: got %+v", u)
	}
	if r := Counts(p, nil, false)[1]; r.Floor != 1 || r.HolmFloor != 1 {
		t.Errorf("no items: got %+v", r)
	}
}
