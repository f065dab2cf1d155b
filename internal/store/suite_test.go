package store_test

import (
	"context"
	"errors"
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/store"
)

func TestMain(m *testing.M) {
	if helper() {
		return
	}
	goleak.VerifyTestMain(m)
}

// opener makes a new, empty store, and gives what opens it again.
type opener func(t *testing.T) (s *store.Store, again func(store.Mode) *store.Store)

func TestSQLite(t *testing.T) {
	suite(t, func(t *testing.T) (*store.Store, func(store.Mode) *store.Store) {
		path := filepath.Join(t.TempDir(), "study.db")
		s := mustCreate(t, path)
		t.Cleanup(func() { s.Close() })
		return s, func(m store.Mode) *store.Store {
			t.Helper()
			s, err := store.Open(context.Background(), path, m)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			return s
		}
	})
}

// suite is what every database behind a store must do.
func suite(t *testing.T, open opener) {
	for _, c := range []struct {
		name string
		test func(*testing.T, opener)
	}{
		{"meta", testMeta},
		{"round trip", testRoundTrip},
		{"an answer shown as drafted", testSame},
		{"twice", testTwice},
		{"conflicts", testConflicts},
		{"filling in", testFilling},
		{"superseding", testSuperseding},
		{"contradiction", testContradiction},
		{"unusable rows", testUnusable},
		{"all or nothing", testAllOrNothing},
		{"a panic in fill", testPanic},
		{"long texts", testLongTexts},
		{"many", testMany},
		{"order", testOrder},
		{"early break", testEarlyBreak},
		{"cancelled", testCancelled},
		{"adjudication", testAdjudication},
		{"rating", testRating},
		{"open rows", testOpenRows},
		{"corrections", testCorrections},
		{"rating errors", testRatingErrors},
		{"one text, several responses", testOneText},
		{"further responses of a row", testFurther},
		{"calls", testCalls},
		{"attempts", testAttempts},
		{"odd attempts", testOddAttempts},
		{"attempts of a held call", testLatePaid},
		{"spent", testSpent},
		{"withheld", testWithheld},
		{"release", testRelease},
		{"responses of a run", testPutResponse},
		{"64 callers", testCallers},
		{"readers beside a writer", testReaders},
		{"origins", testOrigins},
		{"read only", testReadOnly},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open) })
	}
}

var ctx = context.Background()

func cell(task string) uplift.Cell {
	return uplift.Cell{Model: "m", Condition: "c", Task: task, Attack: uplift.Direct}
}

// bare is a response that states nothing but its cell.
func bare(task string) uplift.Response { return uplift.Response{Cell: cell(task)} }

func with(r uplift.Response, change func(*uplift.Response)) uplift.Response {
	change(&r)
	return r
}

func human(scale string, v float64) uplift.Label {
	return uplift.Label{Scale: scale, Value: v, Grader: uplift.Human}
}

func by(grader, scale string, v float64) uplift.Label {
	return uplift.Label{Scale: scale, Value: v, Grader: grader}
}

// add imports rows given one after the other: a response, then its labels.
func add(s *store.Store, opt store.Options, rows ...any) (store.ImportCounts, error) {
	return s.Import(ctx, opt, func(b *store.Batch) error {
		b.From(store.Origin{File: "rows.csv", SHA256: "ab", Format: "csv"})
		for i := 0; i < len(rows); {
			r := rows[i].(uplift.Response)
			var labels []uplift.Label
			for i++; i < len(rows); i++ {
				l, ok := rows[i].(uplift.Label)
				if !ok {
					break
				}
				labels = append(labels, l)
			}
			if err := b.Add(r, labels...); err != nil {
				return err
			}
		}
		return nil
	})
}

func mustAdd(t *testing.T, s *store.Store, opt store.Options, rows ...any) store.ImportCounts {
	t.Helper()
	c, err := add(s, opt, rows...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func all[T any](t *testing.T, seq iter.Seq2[T, error]) []T {
	t.Helper()
	var list []T
	for v, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// short writes labels as "task scale grader value".
func short(labels []uplift.Label) []string {
	var list []string
	for _, l := range labels {
		list = append(list, strings.Join([]string{l.Task, l.Scale, l.Grader, num(l.Value)}, " "))
	}
	return list
}

func testMeta(t *testing.T, open opener) {
	_, again := open(t)
	m, err := again(store.ReadOnly).Meta(ctx)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "meta", m, store.Meta{Study: "s", Digest: "d", Created: time.Unix(1, 0).UTC(), Schema: 2})
}

// full states every field.
func full() uplift.Response {
	return uplift.Response{
		Cell: uplift.Cell{Model: "m", Condition: "c", Task: "t", Attack: "a", Replicate: 3},
		Item: uplift.Item{Task: "t", Attack: "a", Family: "f", Split: "dev", Tier: uplift.Harmful, Turns: []string{"first <b>\n", "第二"}},
		Transcript: []uplift.Message{{Role: uplift.User, Text: "first <b>\n"}, {Role: uplift.Assistant, Text: "a\x00b 'quoted'"},
			{Role: uplift.User, Text: "第二"}, {Role: uplift.Assistant, Text: "shown"}},
		Text: "shown", Draft: "draft", Outcome: uplift.ControllerRefused, Call: "digest", Detail: "why", Simulated: true,
		Decision: &uplift.Decision{PromptScore: .25, OutputScore: .5, Score: .3875, Action: uplift.Refuse, Cues: []uplift.Cue{{Where: "prompt", Class: "c", Words: "x", Start: 1, End: 2}}, Policy: "p"},
	}
}

func testRoundTrip(t *testing.T, open opener) {
	for _, way := range []string{"import", "put"} {
		t.Run(way, func(t *testing.T) {
			s, again := open(t)
			want := full()
			if way == "put" {
				if err := s.PutResponse(ctx, want); err != nil {
					t.Fatal(err)
				}
			} else {
				c := mustAdd(t, s, store.Options{}, want)
				equal(t, "counts", c, store.ImportCounts{Rows: 1, Responses: 1})
			}
			s = again(store.ReadOnly)
			equal(t, "texts", all(t, s.Texts(ctx)), []uplift.Response{want})
			want.Text, want.Draft, want.Transcript, want.Item.Turns = "", "", nil, nil
			equal(t, "responses", all(t, s.Responses(ctx)), []uplift.Response{want})
		})
	}
}

// testSame: a text that is its draft, and a transcript that ends with it, are
// given back whole, also when the draft alone is stated anew.
func testSame(t *testing.T, open opener) {
	s, again := open(t)
	want := with(full(), func(r *uplift.Response) { r.Draft = r.Text })
	must(t, s.PutResponse(ctx, want))
	equal(t, "as put", all(t, again(store.ReadOnly).Texts(ctx)), []uplift.Response{want})
	mustAdd(t, s, store.Options{Supersede: true}, with(full(), func(r *uplift.Response) { r.Text, r.Draft, r.Transcript = "", "another", nil }))
	want.Draft = "another"
	equal(t, "another draft", all(t, again(store.ReadOnly).Texts(ctx)), []uplift.Response{want})
	equal(t, "again", mustAdd(t, again(store.ReadWrite), store.Options{}, want), store.ImportCounts{Rows: 1, Unchanged: 1})
}

// testTwice also takes the second import from another Store, which has to
// load what the first keeps in memory.
func testTwice(t *testing.T, open opener) {
	s, again := open(t)
	rows := []any{full(), human("compliance", .5), by("rater:b", "compliance", 1), by("judge", "compliance", 0),
		bare("u"), human("compliance", 1), bare("v")}
	first := mustAdd(t, s, store.Options{}, rows...)
	equal(t, "first", first, store.ImportCounts{Rows: 3, Responses: 3, Labels: 3, Marks: 1})
	labels := all(t, s.Labels(ctx))
	for _, name := range []string{"same store", "opened again"} {
		second := mustAdd(t, s, store.Options{}, rows...)
		equal(t, name, second, store.ImportCounts{Rows: 3, Unchanged: 3})
		equal(t, name+": labels", all(t, s.Labels(ctx)), labels)
		s.Close()
		s = again(store.ReadWrite)
	}
}

func testAllOrNothing(t *testing.T, open opener) {
	s, again := open(t)
	mustAdd(t, s, store.Options{}, bare("a"), human("x", 1))
	before := all(t, s.Labels(ctx))
	stop := errors.New("row 900: bad")
	_, err := s.Import(ctx, store.Options{Supersede: true}, func(b *store.Batch) error {
		b.From(store.Origin{File: "f"})
		for i := range 900 { // more than one flush
			if err := b.Add(bare("b"+num(float64(i))), human("y", 1)); err != nil {
				return err
			}
		}
		if err := b.Add(bare("a"), human("x", 0)); err != nil {
			return err
		}
		return stop
	})
	if !errors.Is(err, stop) {
		t.Fatalf("got error %v, want the one of fill", err)
	}
	equal(t, "labels", all(t, s.Labels(ctx)), before)

	// A row that is refused is left out; the others stay.
	c, err := s.Import(ctx, store.Options{}, func(b *store.Batch) error {
		if err := b.Add(with(bare("a"), func(r *uplift.Response) { r.Item.Family = "f" }), human("z", 1), human("x", 0)); err == nil {
			t.Error("a conflict was taken")
		}
		return b.Add(bare("d"), human("x", 1))
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "counts", c, store.ImportCounts{Rows: 1, Responses: 1, Labels: 1})
	s.Close()
	got := all(t, again(store.ReadOnly).Labels(ctx))
	equal(t, "after a refused row", short(got), []string{"a x human 1", "d x human 1"})
	equal(t, "its item", got[0].Family, "")
}

func testPanic(t *testing.T, open opener) {
	s, _ := open(t)
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		s.Import(ctx, store.Options{}, func(b *store.Batch) error {
			b.Add(bare("a"), human("x", 1))
			panic("reader")
		})
	}()
	c := mustAdd(t, s, store.Options{}, bare("b"), human("x", 1))
	equal(t, "counts", c, store.ImportCounts{Rows: 1, Responses: 1, Labels: 1})
	equal(t, "labels", short(all(t, s.Labels(ctx))), []string{"b x human 1"})
}

func testLongTexts(t *testing.T, open opener) {
	s, again := open(t)
	var rows []any
	var want []string
	for i := range 35 {
		size := 1<<10 + i
		if i%17 == 0 {
			size = 1<<20 + i
		}
		text := strings.Repeat(string(rune('a'+i%26)), size)
		want = append(want, text)
		rows = append(rows, with(bare("t"+string(rune('A'+i))), func(r *uplift.Response) { r.Text = text }))
	}
	mustAdd(t, s, store.Options{}, rows...)
	c := mustAdd(t, again(store.ReadWrite), store.Options{}, rows...)
	equal(t, "again", c, store.ImportCounts{Rows: 35, Unchanged: 35})
	i := 0
	for r, err := range s.Texts(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		if r.Text != want[i] {
			t.Errorf("%s: got %d bytes, want %d", r.Task, len(r.Text), len(want[i]))
		}
		i++
	}
}

func testCancelled(t *testing.T, open opener) {
	s, _ := open(t)
	mustAdd(t, s, store.Options{}, bare("a"), human("x", 1))
	stopped, stop := context.WithCancel(ctx)
	_, err := s.Import(stopped, store.Options{}, func(b *store.Batch) error {
		for i := range 5000 {
			if i == 2000 {
				stop()
			}
			if err := b.Add(bare("b"+num(float64(i))), human("x", 1)); err != nil {
				return err
			}
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("import: got error %v, want cancelled", err)
	}
	for _, err := range s.Labels(stopped) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("labels: got error %v, want cancelled", err)
		}
	}
	if err := s.PutResponse(stopped, full()); !errors.Is(err, context.Canceled) {
		t.Errorf("put: got error %v, want cancelled", err)
	}
	mustAdd(t, s, store.Options{}, bare("c"), human("x", 1))
	equal(t, "labels", short(all(t, s.Labels(ctx))), []string{"a x human 1", "c x human 1"})
}

func testOrigins(t *testing.T, open opener) {
	s, again := open(t)
	at := time.Date(2026, 3, 4, 5, 6, 7, 8, time.FixedZone("", 3600))
	_, err := s.Import(ctx, store.Options{At: at}, func(b *store.Batch) error {
		b.From(store.Origin{File: "one.csv", SHA256: "11", Format: "csv"})
		err := b.Add(bare("a"), human("x", 1))
		b.From(store.Origin{File: "two.eval", SHA256: "22", Format: "inspect"})
		return errors.Join(err, b.Add(bare("a"), human("x", 1)), b.Add(bare("b")))
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := again(store.ReadOnly).Origins(ctx)
	if err != nil {
		t.Fatal(err)
	}
	opt := store.Options{At: at.UTC()}
	equal(t, "origins", got, []store.Imported{
		{Origin: store.Origin{File: "one.csv", SHA256: "11", Format: "csv"}, Options: opt, ImportCounts: store.ImportCounts{Rows: 1, Responses: 1, Labels: 1}},
		{Origin: store.Origin{File: "two.eval", SHA256: "22", Format: "inspect"}, Options: opt, ImportCounts: store.ImportCounts{Rows: 2, Responses: 1, Unchanged: 1}},
	})
}

func testReadOnly(t *testing.T, open opener) {
	s, again := open(t)
	mustAdd(t, s, store.Options{}, bare("a"), human("x", 1))
	ro := again(store.ReadOnly) // beside the writer
	equal(t, "labels", short(all(t, ro.Labels(ctx))), []string{"a x human 1"})
	_, importErr := add(ro, store.Options{}, bare("b"))
	for name, err := range map[string]error{"import": importErr, "put": ro.PutResponse(ctx, full()),
		"freeze": ro.Freeze(ctx), "call": ro.PutCall(ctx, uplift.Call{Digest: "d", Stop: uplift.StopEnd})} {
		if !errors.Is(err, store.ErrReadOnly) {
			t.Errorf("%s: got error %v, want ErrReadOnly", name, err)
		}
	}
	mustAdd(t, s, store.Options{}, bare("b"), human("x", 0))
	equal(t, "what came later", short(all(t, ro.Labels(ctx))), []string{"a x human 1", "b x human 0"})
	s.Close()
	equal(t, "after the writer", short(all(t, ro.Labels(ctx))), []string{"a x human 1", "b x human 0"})
	if err := ro.Check(ctx); err != nil {
		t.Error(err)
	}
}
