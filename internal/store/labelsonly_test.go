package store_test

import (
	"errors"
	"path/filepath"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/store"
)

// An import of labels alone brings labels, and changes nothing else: it fills
// in nothing and supersedes nothing but labels.
func TestLabelsOnly(t *testing.T) {
	s := fresh(t)
	held := bare("t")
	mustAdd(t, s, store.Options{}, held, human("compliance", .5))
	only := store.Options{LabelsOnly: true}
	both := store.Options{LabelsOnly: true, Supersede: true}
	for _, opt := range []store.Options{only, both} {
		for field, change := range map[string]func(*uplift.Response){
			"family":    func(r *uplift.Response) { r.Item.Family = "g" },
			"tier":      func(r *uplift.Response) { r.Item.Tier = uplift.Harmful },
			"turns":     func(r *uplift.Response) { r.Item.Turns = []string{"x"} },
			"outcome":   func(r *uplift.Response) { r.Outcome = uplift.Failed },
			"text":      func(r *uplift.Response) { r.Text = "x" },
			"simulated": func(r *uplift.Response) { r.Simulated = true },
		} {
			_, err := add(s, opt, with(held, change), human("compliance", .5))
			if c, ok := errors.AsType[*store.Conflict](err); !ok || c.Field != field || !c.Fixed || c.Stored != "" {
				t.Errorf("%s, supersede %v: got %v, want a fixed conflict", field, opt.Supersede, err)
			}
		}
		if _, err := add(s, opt, bare("another"), human("compliance", .5)); err == nil {
			t.Errorf("supersede %v: got a new response", opt.Supersede)
		}
	}
	if _, err := add(s, only, held, human("compliance", 1)); err == nil {
		t.Error("got a label replaced without supersede")
	}
	got, err := add(s, both, held, human("compliance", 1), human("caution", 1))
	if want := (store.ImportCounts{Rows: 1, Labels: 1, Superseded: 1}); err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func fresh(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Create(ctx, filepath.Join(t.TempDir(), "study.db"), store.Meta{Study: "s"})
	must(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// A batch knows what it holds, by cells and labels that were stated.
func TestBatchHolds(t *testing.T) {
	s := fresh(t)
	mustAdd(t, s, store.Options{}, bare("t"), human("compliance", .5))
	_, err := s.Import(ctx, store.Options{}, func(b *store.Batch) error {
		b.From(store.Origin{File: "x"})
		there, not := bare("t").Cell, bare("t").Cell
		not.Replicate = 7
		if !b.Holds(there) || b.Holds(not) || b.Holds(bare("new").Cell) {
			t.Error("got the wrong cells held")
		}
		if !b.States(there, "compliance", "human") || b.States(there, "compliance", "rater:a") || b.States(there, "caution", "human") || b.States(not, "compliance", "human") {
			t.Error("got the wrong labels stated")
		}
		untiered := func(task string, tier uplift.Tier) {
			must(t, b.Add(with(bare(task), func(r *uplift.Response) { r.Item.Tier = tier; r.Condition = "of " + string(tier) })))
		}
		untiered("u", "")
		untiered("v", "")
		untiered("v", uplift.Benign)
		if got := b.Untiered(); got != 1 {
			t.Errorf("got %d rows without a tier, want 1", got)
		}
		if got, want := b.Counts(), (store.ImportCounts{Rows: 3, Responses: 3, Filled: 1}); got.Responses != want.Responses || got.Rows != want.Rows {
			t.Errorf("got %+v, want %+v", got, want)
		}
		return nil
	})
	must(t, err)
}
