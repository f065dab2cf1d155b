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
		{"corrections", testCorrections},
		{"rating errors", testRatingErrors},
		{"calls", testCalls},
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
	equal(t, "meta", m, store.Meta{Study: "s", Digest: "d", Created: time.Unix(1, 0).UTC(), Schema: 1})
}

// full states every field.
func full() uplift.Response {
	return uplift.Response{
		Cell: uplift.Cell{Model: "m", Condition: "c", Task: "t", Attack: "a", Replicate: 3},
		Item: uplift.Item{Task: "t", Attack: "a", Family: "f", Split: "dev", Tier: uplift.Harmful, Turns: []string{"first <b>\n", "第二"}},
		Transcript: []uplift.Message{{Role: uplift.User, Text: "first <b>\n"}, {Role: uplift.Assistant, Text: "a\x00b 'quoted'"},
			{Role: uplift.User, Text: "第二"}, {Role: uplift.Assistant, Text: "shown"}},
		Text: "shown", Draft: "draft", Outcome: uplift.ControllerRefused, Call: "digest", Detail: "why", Simulated: true,
		Decision: &uplift.Decision{PromptScore: .25, OutputScore: .5, Score: .3875, Action: uplift.Refuse, Cues: []string{"x"}, Policy: "p"},
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

// testMany goes beyond every buffer and page.
func testMany(t *testing.T, open opener) {
	s, again := open(t)
	const n = 9000
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
	for i := range 600 {
		rows = append(rows, bare("t"+num(float64(i))), human("x", 1))
	}
	mustAdd(t, s, store.Options{}, rows...)
	for range 20 { // more than there are connections
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
	if n := len(all(t, s.Labels(ctx))); n != 601 {
		t.Errorf("got %d labels, want 601", n)
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
