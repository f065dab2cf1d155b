package store_test

import (
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/store"
)

// edition is what a store says after so many imports, each of which replaces
// all that the one before said, and adds a response.
type edition struct {
	s    *store.Store
	rows int // of the first edition, less one; each in one of two tasks
	n    int
}

func (e *edition) response(i int) uplift.Response {
	n := strconv.Itoa(e.n)
	return uplift.Response{Cell: uplift.Cell{Model: "m", Condition: "c", Task: "t" + strconv.Itoa(i%2), Attack: "a", Replicate: i},
		Item: uplift.Item{Family: "f" + n, Turns: []string{n}, Tier: uplift.Tiers()[e.n%3]}, Text: n, Draft: n, Detail: n,
		Outcome: []uplift.Outcome{uplift.Answered, uplift.Truncated}[e.n%2], Decision: &uplift.Decision{Action: uplift.Allow, Policy: n}}
}

func (e *edition) next(t *testing.T) {
	t.Helper()
	e.n++
	var rows []any
	for i := range e.rows + e.n {
		rows = append(rows, e.response(i), human("x", float64(e.n)))
	}
	mustAdd(t, e.s, store.Options{Supersede: true}, rows...)
}

// newEditions gives a store with one edition and, to read it, another one on
// the same file, between the steps of whose reads act is called.
func newEditions(t *testing.T, rows int, act func(e *edition, step string)) (*edition, *store.Store) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "study.db")
	e := &edition{s: mustCreate(t, path), rows: rows}
	t.Cleanup(func() { e.s.Close() })
	e.next(t)
	ro, err := store.Open(ctx, path, store.ReadOnly)
	must(t, err)
	t.Cleanup(func() { ro.Close() })
	store.Between(ro, func(step string) { act(e, step) })
	return e, ro
}

// same wants all labels and responses to be of one edition.
func (e edition) same(t *testing.T, labels []uplift.Label, texts []uplift.Response) {
	t.Helper()
	if len(labels) == 0 {
		t.Fatal("there are no labels")
	}
	e.n = int(labels[0].Value)
	for name, n := range map[string]int{"labels": len(labels), "responses": len(texts)} {
		if want := e.rows + e.n; n != want && (name == "labels" || texts != nil) {
			t.Errorf("edition %d: got %d %s, want %d", e.n, n, name, want)
		}
	}
	for _, l := range labels {
		r := e.response(l.Replicate)
		want := uplift.Label{Cell: r.Cell, Family: r.Item.Family, Tier: r.Item.Tier, Outcome: r.Outcome, Scale: "x", Value: float64(e.n), Grader: uplift.Human}
		if l != want {
			t.Fatalf("edition %d: got label %+v, want %+v", e.n, l, want)
		}
	}
	for _, r := range texts {
		want := e.response(r.Replicate)
		want.Item.Task, want.Item.Attack = want.Task, want.Attack
		equal(t, "edition "+strconv.Itoa(e.n), r, want)
		if t.Failed() {
			return
		}
	}
}

// momentRows are more than one window of Texts.
const momentRows = 40

// TestOneMoment imports between any two steps of a read: a few times, so that
// two connections agree in the end, and always, so that they never do.
func TestOneMoment(t *testing.T) {
	for _, step := range []string{"version", "one pinned", "both pinned", "counted", "labels loaded", "loaded", ""} {
		for _, times := range []int{1, 3, 1000} {
			if less > 1 && (times == 3 || times == 1 && step != "one pinned") {
				continue
			}
			t.Run(step+" "+strconv.Itoa(times), func(t *testing.T) {
				seen := 0
				e, ro := newEditions(t, momentRows, func(e *edition, at string) {
					if at == step || step == "" {
						if seen++; seen <= times {
							e.next(t)
						}
					}
				})
				e.same(t, all(t, ro.Labels(ctx)), nil)
				n, err := ro.Snapshot(ctx)
				must(t, err)
				defer n.Close()
				e.same(t, all(t, n.Labels(ctx)), all(t, n.Texts(ctx)))
				all(t, ro.Texts(ctx))
				if seen == 0 {
					t.Error("the step was never taken")
				}
			})
		}
	}
}

// TestOneMomentWalk imports while responses are walked, more than one window of them.
func TestOneMomentWalk(t *testing.T) {
	e, ro := newEditions(t, 260, func(*edition, string) {})
	before := all(t, ro.Responses(ctx))
	var got, gotTexts []uplift.Response
	for r, err := range ro.Responses(ctx) {
		must(t, err)
		if len(got) == 0 {
			e.next(t)
		}
		got = append(got, r)
	}
	equal(t, "responses", got, before)
	if equal(t, "the next ones", len(all(t, ro.Responses(ctx))), len(before)+1); t.Failed() {
		return
	}
	texts := all(t, ro.Texts(ctx))
	for r, err := range ro.Texts(ctx) {
		must(t, err)
		if len(gotTexts)%100 == 0 {
			e.next(t)
		}
		gotTexts = append(gotTexts, r)
	}
	equal(t, "texts", gotTexts, texts)
}

// TestRatedMeanwhile: rows that are opened, rated and even closed between the
// steps of Labels are not in it, nor is it damaged by names that it lacks.
func TestRatedMeanwhile(t *testing.T) {
	for _, step := range []string{"both pinned", "counted", "labels loaded"} {
		for _, freeze := range []bool{false, true} {
			t.Run(step, func(t *testing.T) {
				n := 0
				e, ro := newEditions(t, momentRows, func(e *edition, at string) {
					if at != step {
						return
					}
					n++
					row := "r" + strconv.Itoa(n)
					must(t, e.s.PutRows(ctx, map[string][]string{row: {e.response(0).ID()}}))
					must(t, e.s.PutRatings(ctx, rate(row, "rater "+row, day, value("scale "+row, 1))))
					if freeze {
						must(t, e.s.Freeze(ctx))
					}
				})
				e.same(t, all(t, ro.Labels(ctx)), nil)
				if n == 0 {
					t.Fatal("the step was never taken")
				}
				must(t, e.s.Freeze(ctx))
				later := all(t, e.s.Labels(ctx))
				if !slices.ContainsFunc(later, func(l uplift.Label) bool { return l.Grader == "rater:rater r1" }) {
					t.Error("the rating is not there afterwards")
				}
			})
		}
	}
}

// TestManyReaders: readers that each hold a view do not wait for one another,
// however many they are, nor does a reader inside the walk of another.
func TestManyReaders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	filled(t, path, 20)
	s, err := store.Open(ctx, path, store.ReadOnly)
	must(t, err)
	defer s.Close()
	const readers = 24
	held, ended := make(chan bool, readers), make(chan bool, readers)
	let := make(chan bool)
	for range readers {
		go func() {
			n := 0
			for range s.Texts(ctx) {
				if n++; n == 1 {
					held <- true
					<-let
					n += len(all(t, s.Labels(ctx))) - 20
				}
			}
			ended <- n == 20
		}()
	}
	wait := func(c chan bool) bool {
		select {
		case ok := <-c:
			return ok
		case <-time.After(20 * time.Second):
			t.Fatal("the readers wait for one another")
			return false
		}
	}
	for range readers {
		wait(held)
	}
	close(let)
	for range readers {
		if !wait(ended) {
			t.Error("a reader missed some")
		}
	}
}
