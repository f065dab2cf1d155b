package store_test

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/store"
)

func num(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func nan() float64 { return math.NaN() }

func testCalls(t *testing.T, open opener) {
	s, again := open(t)
	if _, found, err := s.Call(ctx, "none"); found || err != nil {
		t.Errorf("got %v, %v, want no call", found, err)
	}
	failed := uplift.Call{Digest: "d", Attempts: 3, Stop: uplift.StopError, Err: "503"}
	good := wholeCall()
	other := good
	other.Text = "paid for again"
	for i, c := range []struct{ put, want uplift.Call }{
		{failed, failed}, {failed, failed}, // the same again
		{good, good},  // a failure is superseded
		{other, good}, // anything else stays
		{failed, good},
	} {
		if err := s.PutCall(ctx, c.put); err != nil {
			t.Fatal(err)
		}
		got, found, err := again(store.ReadOnly).Call(ctx, "d")
		if !found || err != nil {
			t.Fatal(i, found, err)
		}
		equal(t, "call "+strconv.Itoa(i), got, c.want)
	}
	if err := s.PutCall(ctx, uplift.Call{Digest: "x"}); err == nil {
		t.Error("a call without a stop was taken")
	}
}

func testPutResponse(t *testing.T, open opener) {
	s, again := open(t)
	failed := with(full(), func(r *uplift.Response) {
		r.Outcome, r.Text, r.Draft, r.Transcript, r.Decision, r.Detail = uplift.Failed, "", "", nil, nil, "503"
	})
	answer := with(full(), func(r *uplift.Response) { r.Outcome, r.Detail, r.Text, r.Decision = uplift.Answered, "", "", nil })
	other := with(answer, func(r *uplift.Response) { r.Text = "again" })
	for i, c := range []struct{ put, want uplift.Response }{
		{failed, failed}, {failed, failed},
		{with(failed, func(r *uplift.Response) { r.Detail, r.Text = "429", "half" }), with(failed, func(r *uplift.Response) { r.Detail, r.Text = "429", "half" })},
		{answer, answer}, // what the failure said is gone
		{other, answer}, {failed, answer},
	} {
		if err := s.PutResponse(ctx, c.put); err != nil {
			t.Fatal(err)
		}
		if i == 3 { // what is in memory and what is in the file agree
			s.Close()
			s = again(store.ReadWrite)
		}
		equal(t, "response "+strconv.Itoa(i), all(t, s.Texts(ctx)), []uplift.Response{c.want})
		done, err := s.Done(ctx)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "done "+strconv.Itoa(i), done, map[string]uplift.Outcome{full().ID(): c.want.Outcome})
	}
	c := mustAdd(t, s, store.Options{}, answer)
	equal(t, "importing the same", c, store.ImportCounts{Rows: 1, Unchanged: 1})
	c = mustAdd(t, s, store.Options{}, with(answer, func(r *uplift.Response) { r.Text = "late" }))
	equal(t, "a text where the failure's was taken back", c, store.ImportCounts{Rows: 1, Filled: 1})

	wrong := with(full(), func(r *uplift.Response) { r.Condition, r.Item.Tier = "other", uplift.Benign })
	_, isConflict := errors.AsType[*store.Conflict](s.PutResponse(ctx, wrong))
	if !isConflict {
		t.Error("an item with another tier was taken")
	}
	if err := s.PutResponse(ctx, with(full(), func(r *uplift.Response) { r.Outcome = "" })); err == nil || !strings.Contains(err.Error(), "outcome: missing") {
		t.Errorf("got error %v, want a missing outcome", err)
	}
}

// testCallers puts from 64 goroutines; each put is found by another store as
// soon as it has returned, a bad one spoils no other, and an import goes on beside.
func testCallers(t *testing.T, open opener) {
	s, again := open(t)
	other := again(store.ReadOnly)
	const each = 6
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Go(func() {
			for i := range each {
				digest := strconv.Itoa(g*each + i)
				r := with(full(), func(r *uplift.Response) { r.Condition, r.Replicate = "c"+strconv.Itoa(g%3), g*each+i })
				if err := s.PutCall(ctx, uplift.Call{Digest: digest, Attempts: 1, Stop: uplift.StopEnd}); err != nil {
					t.Error(err)
				}
				if _, found, err := other.Call(ctx, digest); !found || err != nil {
					t.Errorf("call %s: %v, %v: not durable on return", digest, found, err)
				}
				if err := s.PutResponse(ctx, r); err != nil {
					t.Error(err)
				}
				bad := with(r, func(r *uplift.Response) { r.Replicate += 10_000; r.Item.Tier = uplift.Benign })
				if _, ok := errors.AsType[*store.Conflict](s.PutResponse(ctx, bad)); !ok {
					t.Error("a conflicting item was taken")
				}
			}
		})
	}
	wg.Go(func() {
		for range 5 {
			if _, err := add(s, store.Options{}, bare("imported"), human("x", 1)); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Wait()
	done, err := other.Done(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(done) != 64*each+1 {
		t.Errorf("got %d cells, want %d", len(done), 64*each+1)
	}
}

// testReaders reads while imports go on: a reader sees all of an import or none.
func testReaders(t *testing.T, open opener) {
	s, again := open(t)
	ro := again(store.ReadOnly)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				n := 0
				for _, err := range ro.Labels(ctx) {
					if err != nil {
						t.Error(err)
						return
					}
					n++
				}
				if n%50 != 0 {
					t.Errorf("got %d labels, want a multiple of 50", n)
				}
			}
		})
	}
	for i := range 10 {
		var rows []any
		for j := range 50 {
			rows = append(rows, bare(strconv.Itoa(i*50+j)), human("x", 1))
		}
		mustAdd(t, s, store.Options{}, rows...)
	}
	close(stop)
	wg.Wait()
}
