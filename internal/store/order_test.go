package store_test

import (
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/store"
)

// testMany goes beyond every buffer and page.
func testMany(t *testing.T, open opener) {
	s, again := open(t)
	const n = 9000 / less // above a page, of labels two
	fill := func(b *store.Batch) error {
		r := bare("t")
		for i := range n {
			r.Replicate = i * 7919 % n // a permutation: 7919 is prime
			if err := b.Add(r, human("x", float64(r.Replicate)), by("rater:a", "y", 1)); err != nil {
				return err
			}
		}
		return nil
	}
	c, err := s.Import(ctx, store.Options{}, fill)
	must(t, err)
	equal(t, "counts", c, store.ImportCounts{Rows: n, Responses: n, Labels: n, Marks: n})
	must(t, s.Close())
	s = again(store.ReadWrite)
	c, err = s.Import(ctx, store.Options{}, fill)
	must(t, err)
	equal(t, "again", c, store.ImportCounts{Rows: n, Unchanged: n})
	labels := all(t, s.Labels(ctx))
	if len(labels) != 3*n {
		t.Fatalf("got %d labels, want %d", len(labels), 3*n)
	}
	for i, l := range labels {
		if l.Replicate != i/3 || i%3 == 0 && l.Value != float64(i/3) {
			t.Fatalf("label %d: got %+v", i, l)
		}
	}
}

func testOrder(t *testing.T, open opener) {
	s, _ := open(t)
	var rows []any
	var want []string
	for _, m := range []string{"B", "a", "a2"} { // by bytes: capitals first
		for _, c := range []string{"c", "d"} {
			for _, task := range []string{"t10", "t9"} {
				for _, attack := range []string{"direct", "other"} {
					for _, rep := range []int{2, 10} {
						r := uplift.Response{Cell: uplift.Cell{Model: m, Condition: c, Task: task, Attack: attack, Replicate: rep}}
						rows = append(rows, r, by("zed", "s1", 0), by("human", "s2", 0), by("a judge", "s2", 0), by("rater:q", "s1", 1))
						for _, l := range []string{"s1 human", "s1 rater:q", "s1 zed", "s2 a judge", "s2 human"} {
							want = append(want, r.Cell.String()+" "+l)
						}
					}
				}
			}
		}
	}
	for i := range rows { // responses backwards, each with its labels
		if i%5 == 0 && i < len(rows)/2 {
			j := len(rows) - 5 - i
			for k := range 5 {
				rows[i+k], rows[j+k] = rows[j+k], rows[i+k]
			}
		}
	}
	mustAdd(t, s, store.Options{}, rows...)
	var got []string
	for _, l := range all(t, s.Labels(ctx)) {
		got = append(got, l.Cell.String()+" "+l.Scale+" "+l.Grader)
	}
	equal(t, "labels", got, want)
	var cells []string
	for _, r := range all(t, s.Responses(ctx)) {
		cells = append(cells, r.Cell.String())
	}
	var wantCells []string
	for i := 0; i < len(want); i += 5 {
		wantCells = append(wantCells, strings.TrimSuffix(want[i], " s1 human"))
	}
	equal(t, "responses", cells, wantCells)
}

func testEarlyBreak(t *testing.T, open opener) {
	s, _ := open(t)
	var rows []any
	for i := range 300 {
		rows = append(rows, bare("t"+num(float64(i))), human("x", 1))
	}
	mustAdd(t, s, store.Options{}, rows...)
	for range 10 { // more than there are connections
		for range s.Labels(ctx) {
			break
		}
		for range s.Texts(ctx) {
			break
		}
		for range s.Responses(ctx) {
			break
		}
	}
	mustAdd(t, s, store.Options{}, bare("last"), human("x", 1))
	if n := len(all(t, s.Labels(ctx))); n != 301 {
		t.Errorf("got %d labels, want 301", n)
	}
}
