package store_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/store"
)

// What was asked is the cell and the whole item, without what was answered.
func TestAsked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	created, err := store.Create(ctx, path, store.Meta{Study: "s"})
	must(t, err)
	must(t, created.Close())
	s := quick(t, path)
	cell := uplift.Cell{Model: "m", Condition: "c", Task: "t", Attack: uplift.Direct, Replicate: 2}
	item := uplift.Item{Task: "t", Attack: uplift.Direct, Family: "f", Split: "dev", Tier: uplift.Benign, Turns: []string{"first", "second"}}
	must(t, s.PutResponse(ctx, uplift.Response{Cell: cell, Item: item, Text: "x", Draft: "y", Outcome: uplift.Answered, Call: "d"}))
	var got []uplift.Response
	for r, err := range s.Asked(ctx) {
		must(t, err)
		got = append(got, r)
	}
	if diff := cmp.Diff(got, []uplift.Response{{Cell: cell, Item: item, Outcome: uplift.Answered}}); diff != "" {
		t.Error("-got +want", diff)
	}
}
