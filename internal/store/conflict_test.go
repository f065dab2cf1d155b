package store_test

import (
	"errors"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/store"
)

// testConflicts: what conflicts within a file, with an earlier file, and with a
// file that another Store has imported. Nothing is kept, so the stores serve
// every case.
func testConflicts(t *testing.T, open opener) {
	stored := []any{full(), human("compliance", .5), by("rater:a", "compliance", .5)}
	empty, _ := open(t)
	held, _ := open(t)
	mustAdd(t, held, store.Options{}, stored...)
	closed, again := open(t)
	mustAdd(t, closed, store.Options{}, stored...)
	closed.Close()
	reopened := again(store.ReadWrite)
	for _, c := range []struct {
		name, field string
		row         []any
	}{
		{"family", "family", []any{with(full(), func(r *uplift.Response) { r.Item.Family = "g" })}},
		{"split", "split", []any{with(full(), func(r *uplift.Response) { r.Item.Split = "test" })}},
		{"tier", "tier", []any{with(full(), func(r *uplift.Response) { r.Item.Tier = uplift.Benign })}},
		{"turns", "turns", []any{with(full(), func(r *uplift.Response) { r.Item.Turns = []string{"x"} })}},
		{"another response of the item", "tier", []any{with(full(), func(r *uplift.Response) { r.Condition = "d"; r.Item.Tier = uplift.Benign })}},
		{"outcome", "outcome", []any{with(full(), func(r *uplift.Response) { r.Outcome = uplift.Answered })}},
		{"text", "text", []any{with(full(), func(r *uplift.Response) { r.Text = "Shown" })}},
		{"draft", "draft", []any{with(full(), func(r *uplift.Response) { r.Draft = "x" })}},
		{"transcript", "transcript", []any{with(full(), func(r *uplift.Response) { r.Transcript = r.Transcript[:1] })}},
		{"decision", "decision", []any{with(full(), func(r *uplift.Response) { r.Decision = &uplift.Decision{Action: uplift.Allow} })}},
		{"call", "call", []any{with(full(), func(r *uplift.Response) { r.Call = "x" })}},
		{"error", "error", []any{with(full(), func(r *uplift.Response) { r.Detail = "x" })}},
		{"human label", "compliance by human", []any{full(), human("compliance", 1)}},
		{"mark", "compliance by rater:a", []any{full(), by("rater:a", "compliance", 1)}},
		{"two values in one row", "new by human", []any{full(), human("new", 1), human("new", 0)}},
	} {
		for where, load := range map[string]func() (store.ImportCounts, error){
			"same file": func() (store.ImportCounts, error) {
				return add(empty, store.Options{}, append(stored[:3:3], c.row...)...)
			},
			"later file":   func() (store.ImportCounts, error) { return add(held, store.Options{}, c.row...) },
			"opened again": func() (store.ImportCounts, error) { return add(reopened, store.Options{}, c.row...) },
		} {
			_, err := load()
			conflict, ok := errors.AsType[*store.Conflict](err)
			if !ok {
				t.Errorf("%s, %s: got error %v, want a conflict", c.name, where, err)
				continue
			}
			if conflict.Field != c.field {
				t.Errorf("%s, %s: got field %q, want %q", c.name, where, conflict.Field, c.field)
			}
			if strings.Contains(err.Error(), "shown") {
				t.Errorf("%s, %s: the message quotes a text: %v", c.name, where, err)
			}
		}
	}
	for _, s := range []*store.Store{held, reopened} {
		equal(t, "what is stored", all(t, s.Texts(ctx)), []uplift.Response{full()})
	}
}

func testFilling(t *testing.T, open opener) {
	s, again := open(t)
	empty := uplift.Response{Cell: full().Cell}
	mustAdd(t, s, store.Options{}, empty, human("compliance", 1))
	got := all(t, s.Texts(ctx))
	empty.Outcome, empty.Item = uplift.Unreported, uplift.Item{Task: "t", Attack: "a"}
	equal(t, "stated as empty", got, []uplift.Response{empty})

	s.Close()
	s = again(store.ReadWrite)
	c := mustAdd(t, s, store.Options{}, full())
	equal(t, "counts", c, store.ImportCounts{Rows: 1, Filled: 2})
	equal(t, "filled", all(t, s.Texts(ctx)), []uplift.Response{full()})

	c = mustAdd(t, s, store.Options{}, uplift.Response{Cell: full().Cell, Outcome: uplift.Unreported}, human("compliance", 1))
	equal(t, "an empty row after it", c, store.ImportCounts{Rows: 1, Unchanged: 1})
	equal(t, "still filled", all(t, again(store.ReadOnly).Texts(ctx)), []uplift.Response{full()})
}

func testSuperseding(t *testing.T, open opener) {
	s, again := open(t)
	mustAdd(t, s, store.Options{}, full(), human("compliance", .5), by("rater:a", "x", .5))
	want := full()
	want.Item.Family, want.Item.Turns, want.Outcome, want.Text, want.Decision = "g", []string{"one"}, uplift.Answered, "new", nil
	stated := want
	stated.Call = "" // states nothing, so the call stays
	c := mustAdd(t, s, store.Options{Supersede: true}, stated, human("compliance", 1), by("rater:a", "x", 0))
	equal(t, "counts", c, store.ImportCounts{Rows: 1, Superseded: 4})
	want.Decision = full().Decision
	for range 2 {
		equal(t, "texts", all(t, s.Texts(ctx)), []uplift.Response{want})
		equal(t, "labels", short(all(t, s.Labels(ctx))), []string{"t compliance human 1", "t x human 0", "t x rater:a 0"})
		s.Close()
		s = again(store.ReadWrite)
	}
	mustAdd(t, s, store.Options{Supersede: true}, full(), human("compliance", .25))
	mustAdd(t, s, store.Options{}, full(), human("compliance", .25))
	equal(t, "back", all(t, s.Texts(ctx)), []uplift.Response{full()})
}

// testContradiction: a file that says two things is never right, while two
// files of one import come one after the other.
func testContradiction(t *testing.T, open opener) {
	s, _ := open(t)
	for _, c := range []struct {
		name  string
		later []any
	}{
		{"label", []any{full(), human("compliance", 1)}},
		{"tier", []any{with(full(), func(r *uplift.Response) { r.Item.Tier = uplift.Benign })}},
		{"text", []any{with(full(), func(r *uplift.Response) { r.Text = "x" })}},
	} {
		_, err := add(s, store.Options{Supersede: true}, append([]any{full(), human("compliance", .5)}, c.later...)...)
		if _, ok := errors.AsType[*store.Conflict](err); !ok {
			t.Errorf("%s: got error %v, want a conflict", c.name, err)
		}
	}
	_, err := s.Import(ctx, store.Options{Supersede: true}, func(b *store.Batch) error {
		b.From(store.Origin{File: "1"})
		err := b.Add(full(), human("compliance", .5))
		b.From(store.Origin{File: "2"})
		return errors.Join(err, b.Add(full(), human("compliance", 1)))
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "labels", short(all(t, s.Labels(ctx))), []string{"t compliance human 1"})
}

func testUnusable(t *testing.T, open opener) {
	s, _ := open(t)
	for _, c := range []struct {
		name, want string
		row        []any
	}{
		{"no model", "model: missing", []any{with(full(), func(r *uplift.Response) { r.Model = "" })}},
		{"no condition", "condition: missing", []any{with(full(), func(r *uplift.Response) { r.Condition = "" })}},
		{"no attack", "attack: missing", []any{with(full(), func(r *uplift.Response) { r.Attack, r.Item.Attack = "", "" })}},
		{"replicate", "replicate: -1 (want 0 or more)", []any{with(full(), func(r *uplift.Response) { r.Replicate = -1 })}},
		{"other item", `task: the item says "x", the cell "t"`, []any{with(full(), func(r *uplift.Response) { r.Item.Task = "x" })}},
		{"tier", `tier: unknown value "bengin" (want benign, borderline or harmful)`, []any{with(full(), func(r *uplift.Response) { r.Item.Tier = "bengin" })}},
		{"outcome", `outcome: unknown value "ok"`, []any{with(full(), func(r *uplift.Response) { r.Outcome = "ok" })}},
		{"scale", "scale: missing", []any{full(), human("", 1)}},
		{"grader", "grader: missing", []any{full(), by("rater:", "x", 1)}},
		{"not a number", "x: NaN (want a finite number)", []any{full(), human("x", nan())}},
		{"above the rubric", "correctness: 4 (want 0 to 1)", []any{full(), human(uplift.Correctness, 4)}},
	} {
		_, err := add(s, store.Options{}, c.row...)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got error %v, want %s", c.name, err, c.want)
		}
	}
	if n := len(all(t, s.Responses(ctx))); n != 0 {
		t.Errorf("got %d responses, want none", n)
	}
	mustAdd(t, s, store.Options{}, full(), human("own", 4))
}
