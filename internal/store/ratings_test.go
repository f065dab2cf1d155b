package store_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/rating"
	"github.com/uplift-eval/uplift/internal/store"
)

func testAdjudication(t *testing.T, open opener) {
	for _, c := range []struct {
		name   string
		labels []any
		want   []string
	}{
		{"stated wins", []any{by("rater:a", "x", 0), by("rater:b", "x", 0), human("x", 1)},
			[]string{"t x human 1", "t x rater:a 0", "t x rater:b 0"}},
		{"one rater", []any{by("rater:a", uplift.Correctness, .25)},
			[]string{"t correctness human 0.25", "t correctness rater:a 0.25"}},
		{"a level apart: the mean", []any{by("rater:a", uplift.Correctness, .25), by("rater:b", uplift.Correctness, .5)},
			[]string{"t correctness human 0.375", "t correctness rater:a 0.25", "t correctness rater:b 0.5"}},
		{"two apart: none", []any{by("rater:a", uplift.Correctness, .25), by("rater:b", uplift.Correctness, .75)},
			[]string{"t correctness rater:a 0.25", "t correctness rater:b 0.75"}},
		{"a third: the median", []any{by("rater:a", uplift.Correctness, .25), by("rater:b", uplift.Correctness, .75), by("rater:c", uplift.Correctness, 1)},
			[]string{"t correctness human 0.75", "t correctness rater:a 0.25", "t correctness rater:b 0.75", "t correctness rater:c 1"}},
		{"imported scale: the mean", []any{by("rater:a", "compliance", 0), by("rater:b", "compliance", 1)},
			[]string{"t compliance human 0.5", "t compliance rater:a 0", "t compliance rater:b 1"}},
		{"judges do not vote", []any{by("judge", "x", 1), by("rater:b", "x", 0)},
			[]string{"t x human 0", "t x judge 1", "t x rater:b 0"}},
		{"judges alone", []any{by("judge", "x", 1)}, []string{"t x judge 1"}},
		{"scales apart", []any{by("rater:a", "y", 1), human("x", 0)}, []string{"t x human 0", "t y human 1", "t y rater:a 1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := open(t)
			mustAdd(t, s, store.Options{}, append([]any{bare("t")}, c.labels...)...)
			equal(t, "labels", short(all(t, s.Labels(ctx))), c.want)
		})
	}
}

var day = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func rate(row, rater string, day time.Time, marks ...rating.Mark) rating.Rating {
	return rating.Rating{Row: row, Rater: rater, At: day, Marks: marks}
}

func value(scale string, v float64) rating.Mark { return rating.Mark{Scale: scale, Value: v} }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func testRating(t *testing.T, open opener) {
	s, again := open(t)
	const ac, co = uplift.Actionability, uplift.Correctness
	for _, task := range []string{"t", "u", "v"} {
		must(t, s.PutResponse(ctx, with(bare(task), func(r *uplift.Response) { r.Outcome = uplift.Answered })))
	}
	rows := map[string][]string{"r1": {cell("t").ID()}, "r2": {cell("u").ID()}, "r3": {cell("u").ID()}, "r4": {cell("v").ID()}}
	must(t, s.PutRows(ctx, rows))
	must(t, s.PutRows(ctx, rows)) // again
	for _, err := range s.Labels(ctx) {
		if !errors.Is(err, store.ErrRatingOpen) {
			t.Fatalf("got error %v, want ErrRatingOpen", err)
		}
	}
	all2 := []rating.Rating{
		rate("r1", "ann", day, value(ac, .5), value(co, 1)),
		rate("r1", "bob", day, value(ac, .25), rating.Mark{Scale: co, NA: true}),
		rate("r2", "ann", day, value(ac, 1)),
		rate("r3", "ann", day.Add(time.Hour), value(ac, 0)), // the same response again: the first row counts
		rate("r4", "ann", day, rating.Mark{Scale: ac, NA: true}),
	}
	must(t, s.PutRatings(ctx, all2...))
	must(t, s.PutRatings(ctx, all2...)) // again
	must(t, s.Freeze(ctx))
	must(t, s.Freeze(ctx))
	if err := s.PutRatings(ctx, rate("r1", "cat", day, value(ac, 1))); !errors.Is(err, store.ErrFrozen) {
		t.Errorf("got error %v, want ErrFrozen", err)
	}
	want := []string{
		"t actionability human 0.375", "t actionability rater:ann 0.5", "t actionability rater:bob 0.25",
		"t correctness rater:ann 1", // one NA: a third is needed
		"u actionability human 1", "u actionability rater:ann 1",
	}
	equal(t, "labels", short(all(t, again(store.ReadOnly).Labels(ctx))), want)

	must(t, s.PutRows(ctx, map[string][]string{"r5": {cell("v").ID()}}))
	for _, err := range s.Labels(ctx) {
		if !errors.Is(err, store.ErrRatingOpen) {
			t.Fatalf("a new row: got error %v, want ErrRatingOpen", err)
		}
	}
	must(t, s.Freeze(ctx))
	equal(t, "labels", short(all(t, s.Labels(ctx))), want)
}

// testOpenRows: a row can be rated from when it is put until it is frozen.
func testOpenRows(t *testing.T, open opener) {
	s, again := open(t)
	ro := again(store.ReadOnly)
	rows := func(names ...string) map[string][]string {
		m := map[string][]string{}
		for _, name := range names {
			m[name] = []string{cell("t").ID()}
		}
		return m
	}
	openRows := func(when string, want ...string) {
		t.Helper()
		for _, s := range []*store.Store{s, ro} {
			got, err := s.OpenRows(ctx)
			must(t, err)
			equal(t, when, got, want)
		}
	}
	mustAdd(t, s, store.Options{}, bare("t"))
	openRows("at first")
	must(t, s.PutRows(ctx, rows("b", "a", "c")))
	openRows("put", "a", "b", "c")
	must(t, s.PutRatings(ctx, rate("b", "ann", day, value("x", 1))))
	openRows("rated", "a", "b", "c")
	must(t, s.Freeze(ctx))
	openRows("frozen")
	must(t, s.PutRows(ctx, rows("b", "0", "d")))
	openRows("with new rows", "0", "d")
	must(t, s.PutRatings(ctx, rate("0", "ann", day, value("x", 1))))
	for range 3 {
		must(t, s.Freeze(ctx))
		openRows("frozen again")
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := s.OpenRows(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want cancelled", err)
	}
}

func testCorrections(t *testing.T, open opener) {
	s, _ := open(t)
	const ac, co = uplift.Actionability, uplift.Correctness
	mustAdd(t, s, store.Options{}, bare("t"), by("rater:ann", ac, 1), by("rater:bob", ac, .25))
	must(t, s.PutRows(ctx, map[string][]string{"r1": {cell("t").ID()}}))
	must(t, s.PutRatings(ctx, rate("r1", "ann", day.Add(2*time.Hour), value(ac, .25))))
	must(t, s.PutRatings(ctx, rate("r1", "ann", day.Add(time.Hour), value(ac, .75), value(co, .5)))) // arrives late
	must(t, s.Freeze(ctx))
	equal(t, "labels", short(all(t, s.Labels(ctx))), []string{
		"t actionability human 0.25", "t actionability rater:ann 0.25", "t actionability rater:bob 0.25",
		"t correctness human 0.5", "t correctness rater:ann 0.5"})
}

func testRatingErrors(t *testing.T, open opener) {
	s, _ := open(t)
	other := with(bare("t"), func(r *uplift.Response) { r.Condition, r.Text = "other", "another text" })
	mustAdd(t, s, store.Options{}, bare("t"), bare("u"), other)
	must(t, s.PutRows(ctx, map[string][]string{"r1": {cell("t").ID()}}))
	for _, c := range []struct {
		want string
		err  error
	}{
		{"row r2: there is no response nobody", s.PutRows(ctx, map[string][]string{"r2": {"nobody"}})},
		{"row r1: response " + cell("u").ID() + ": it is of another item", s.PutRows(ctx, map[string][]string{"r1": {cell("u").ID()}, "r9": {cell("u").ID()}})},
		{"row r2: it shows no response", s.PutRows(ctx, map[string][]string{"r2": nil})},
		{"row r2: response " + other.ID() + ": it has another text", s.PutRows(ctx, map[string][]string{"r2": {cell("t").ID(), other.ID()}})},
		{"row r9: there is no such row", s.PutRatings(ctx, rate("r1", "a", day, value("x", 1)), rate("r9", "a", day))},
		{"row r1: rater: missing", s.PutRatings(ctx, rate("r1", "", day))},
		{"caution: 2 (want 0 to 1)", s.PutRatings(ctx, rate("r1", "a", day, value(uplift.Caution, 2)))},
		{"scale: \"x\" (want each scale once)", s.PutRatings(ctx, rate("r1", "a", day, value("x", 1), value("x", 1)))},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("got error %v, want %q in it", c.err, c.want)
		}
	}
	must(t, s.Freeze(ctx))
	equal(t, "labels", len(all(t, s.Labels(ctx))), 0)
}
