package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/rating"
	"github.com/uplift-eval/uplift/internal/store"
)

// filled makes a closed store with n responses, each with a text and a label.
func filled(t *testing.T, path string, n int) {
	t.Helper()
	s := mustCreate(t, path)
	var rows []any
	for i := range n {
		r := with(bare("t"+strconv.Itoa(i)), func(r *uplift.Response) { r.Text = strings.Repeat(strconv.Itoa(i), 300) })
		rows = append(rows, r, human("x", float64(i)))
	}
	mustAdd(t, s, store.Options{}, rows...)
	must(t, s.Close())
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	return data
}

// beside lists a directory, to see that nothing is left in it.
func beside(t *testing.T, path string) []string {
	t.Helper()
	list, err := os.ReadDir(filepath.Dir(path))
	must(t, err)
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// refused opens in both modes and wants an error that names the path, and a
// file that is as it was.
func refused(t *testing.T, path string, want error, says string) {
	t.Helper()
	before := read(t, path)
	names := beside(t, path)
	for name, mode := range map[string]store.Mode{"for writing": store.ReadWrite, "for reading": store.ReadOnly} {
		s, err := store.Open(ctx, path, mode)
		if err == nil {
			s.Close()
		}
		if !errors.Is(err, want) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got error %v, want %v with the path and %q", name, err, want, says)
		}
		if !bytes.Equal(read(t, path), before) {
			t.Errorf("%s: the file has changed", name)
		}
		equal(t, name+": files", beside(t, path), names)
	}
}

func TestUnfit(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	for _, mode := range []store.Mode{store.ReadWrite, store.ReadOnly} {
		if _, err := store.Open(ctx, path("none.db"), mode); !errors.Is(err, store.ErrMissing) {
			t.Errorf("missing: got error %v", err)
		}
		if _, err := store.Open(ctx, dir, mode); !errors.Is(err, store.ErrForeign) || !strings.Contains(err.Error(), "it is a directory") {
			t.Errorf("directory: got error %v", err)
		}
	}
	if _, err := store.Create(ctx, path("none/study.db"), store.Meta{}); !errors.Is(err, store.ErrMissing) {
		t.Errorf("create without a directory: got error %v", err)
	}
	equal(t, "nothing was made", beside(t, path("none.db")), []string(nil))

	must(t, os.WriteFile(path("text.db"), []byte("name,value\n"), 0o644))
	refused(t, path("text.db"), store.ErrForeign, "no SQLite file")
	if _, err := store.Create(ctx, path("text.db"), store.Meta{}); !errors.Is(err, store.ErrExists) {
		t.Errorf("create over a file: got error %v", err)
	}
	other, err := sql.Open("sqlite", path("other.db"))
	must(t, err)
	_, err = other.Exec(`CREATE TABLE names (id)`)
	must(t, errors.Join(err, other.Close()))
	refused(t, path("other.db"), store.ErrForeign, "another program's")

	filled(t, path("newer.db"), 3)
	raw(t, path("newer.db"), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)`)
	refused(t, path("newer.db"), store.ErrNewer, "its tables are version 99, this program knows up to 2")
}

// raw changes a file behind the store's back.
func raw(t *testing.T, path, query string) error {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	_, err = db.Exec(query)
	return err
}

func TestCutOff(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	filled(t, path, 400)
	whole := read(t, path)
	for _, size := range []int{0, 1, 15, 16, 60, 99, 100, 512, 4096, len(whole) / 3, len(whole) / 2 / 4096 * 4096, len(whole) - 4096, len(whole) - 1} {
		t.Run(strconv.Itoa(size), func(t *testing.T) {
			must(t, os.WriteFile(path, whole[:size], 0o644))
			refused(t, path, store.ErrCorrupt, "restore it from a copy")
		})
	}
	must(t, os.WriteFile(path, whole, 0o644))
	s, err := store.Open(ctx, path, store.ReadOnly)
	must(t, err)
	defer s.Close()
	must(t, s.Check(ctx))
}

// TestScrambled damages pages of a file whose size is right.
func TestScrambled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	filled(t, path, 400)
	whole := read(t, path)
	scrambled := bytes.Clone(whole)
	for i := len(whole) / 2; i < len(whole)-4096; i++ {
		scrambled[i] = byte(i * 7)
	}
	must(t, os.WriteFile(path, scrambled, 0o644))
	refused(t, path, store.ErrCorrupt, "restore it from a copy")

	large := filepath.Join(t.TempDir(), "large.db") // not looked through when it is opened
	filled(t, large, 4500)
	whole = read(t, large)
	for i := len(whole) / 8; i < len(whole)-4096; i++ {
		whole[i] = byte(i * 7)
	}
	must(t, os.WriteFile(large, whole, 0o644))
	for _, mode := range []store.Mode{store.ReadOnly, store.ReadWrite} {
		s, err := store.Open(ctx, large, mode)
		if err == nil {
			defer s.Close()
			for _, rerr := range s.Texts(ctx) {
				err = rerr
			}
			if cerr := s.Check(ctx); !errors.Is(cerr, store.ErrCorrupt) {
				t.Errorf("check: got error %v, want ErrCorrupt", cerr)
			}
		}
		if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), large) {
			t.Errorf("got error %v, want ErrCorrupt with the path", err)
		}
	}
}

// TestRemoved: rows that somebody removed are missed, whether or not others
// still refer to them.
func TestRemoved(t *testing.T) {
	for name, query := range map[string]string{
		"referred to": `DROP TRIGGER responses_no_delete; DELETE FROM responses WHERE id = 7`,
		"with all that refers to it": `DROP TRIGGER responses_no_delete; DROP TRIGGER labels_no_delete; DROP TRIGGER texts_no_delete;
			DELETE FROM labels WHERE response IN (7, 20); DELETE FROM texts WHERE response IN (7, 20); DELETE FROM responses WHERE id = 7`,
	} {
		path := filepath.Join(t.TempDir(), "study.db")
		filled(t, path, 20)
		must(t, raw(t, path, query))
		s := quick(t, path)
		if err := s.Check(ctx); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: check: got error %v, want ErrCorrupt", name, err)
		}
		for _, err := range s.Labels(ctx) {
			if !errors.Is(err, store.ErrCorrupt) {
				t.Errorf("%s: labels: got error %v, want ErrCorrupt", name, err)
			}
		}
		if _, err := add(s, store.Options{}, bare("t1")); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("%s: import: got error %v, want ErrCorrupt", name, err)
		}
	}
}

// TestCreateAtOnce: of many that create the same store one does.
func TestCreateAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	made := make(chan error, 8)
	for range cap(made) {
		go func() {
			s, err := store.Create(ctx, path, store.Meta{Study: "s"})
			if err == nil {
				err = s.Close()
			}
			made <- err
		}()
	}
	won := 0
	for range cap(made) {
		if err := <-made; err == nil {
			won++
		} else if !errors.Is(err, store.ErrExists) {
			t.Errorf("got error %v, want ErrExists", err)
		}
	}
	if won != 1 {
		t.Errorf("%d created it, want 1", won)
	}
	equal(t, "files", beside(t, path), []string{"study.db"})
}

// TestCompact: a row that says only how a cell ended, and a label, takes no
// further statement; a rating that is given twice is kept once, as is a freeze.
func TestCompact(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	s := mustCreate(t, path)
	mustAdd(t, s, store.Options{}, with(bare("t"), func(r *uplift.Response) { r.Outcome, r.Simulated = uplift.Answered, true }), human("x", 1))
	must(t, s.PutRows(ctx, map[string][]string{"r": {cell("t").ID()}}))
	for range 2 {
		must(t, s.PutRatings(ctx, rate("r", "a", day, value("x", 1), rating.Mark{Scale: "y", NA: true})))
	}
	must(t, s.PutRatings(ctx, rate("r", "a", day, value("x", 1), value("y", 0))))
	for range 3 {
		must(t, s.Freeze(ctx))
	}
	must(t, s.Close())
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	for table, want := range map[string]int{"response_details": 0, "texts": 0, "item_details": 0, "responses": 1, "labels": 1, "ratings": 2, "marks": 4, "freezes": 1} {
		n := -1
		must(t, db.QueryRow(`SELECT count(*) FROM `+table).Scan(&n))
		if n != want {
			t.Errorf("%s: got %d rows, want %d", table, n, want)
		}
	}
}

// TestOnce: what is shown as it was drafted stands in the file once.
func TestOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	s := mustCreate(t, path)
	must(t, s.PutResponse(ctx, with(full(), func(r *uplift.Response) {
		r.Text, r.Draft = "a rare word", "a rare word"
		r.Transcript = []uplift.Message{{Role: uplift.User, Text: "u"}, {Role: uplift.Assistant, Text: r.Text}}
	})))
	must(t, s.Close())
	if n := bytes.Count(read(t, path), []byte("a rare word")); n != 1 {
		t.Errorf("it stands there %d times, want once", n)
	}
}

func TestAppendOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	s := mustCreate(t, path)
	must(t, s.PutResponse(ctx, full()))
	must(t, s.PutCall(ctx, uplift.Call{Digest: "d", Attempts: 1, Stop: uplift.StopEnd}, wholeAttempt(1)))
	must(t, s.PutWithheld(ctx, uplift.Withheld{ID: "w", Of: "call d", SHA256: abcHash, At: sentAt, Sealed: []byte("x")}))
	must(t, s.Release(ctx, "w", nil, sentAt, two))
	mustAdd(t, s, store.Options{}, full(), human("x", 1))
	must(t, s.PutRows(ctx, map[string][]string{"r": {full().ID()}}))
	must(t, s.PutRatings(ctx, rate("r", "a", day, value("x", 1))))
	must(t, s.Freeze(ctx))
	must(t, s.Close())
	for _, table := range []string{"meta", "names", "imports", "import_counts", "arms", "measures", "items", "item_details",
		"responses", "response_details", "texts", "labels", "calls", "rating_rows", "row_responses", "ratings", "marks", "freezes",
		"attempts", "bodies", "withheld", "sealed", "releases"} {
		column := map[string]string{"names": "name", "import_counts": "labels", "imports": "file", "meta": "study", "labels": "value",
			"calls": "text", "marks": "value", "arms": "model", "measures": "scale", "items": "task", "responses": "outcome",
			"texts": "text", "item_details": "family", "response_details": "outcome", "rating_rows": "name", "row_responses": "response", "ratings": "note", "freezes": "rating_row",
			"attempts": "n", "bodies": "zstd", "withheld": "of", "sealed": "bytes", "releases": "at"}[table]
		for _, q := range []string{`DELETE FROM ` + table, `UPDATE ` + table + ` SET ` + column + ` = ` + column} {
			if err := raw(t, path, q); err == nil || !strings.Contains(err.Error(), "append-only") {
				t.Errorf("%s: got error %v, want it refused", q, err)
			}
		}
	}
}

func TestDiskFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	filled(t, path, 20)
	before := read(t, path)
	s, err := store.OpenWithin(ctx, path, time.Second, len(before)/4096+20)
	must(t, err)
	labels := all(t, s.Labels(ctx))
	_, err = s.Import(ctx, store.Options{}, func(b *store.Batch) error { return addMany(b, "more", 3000) })
	if !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), path) {
		t.Errorf("import: got error %v, want ErrFull with the path", err)
	}
	big := with(full(), func(r *uplift.Response) { r.Text = strings.Repeat("x", 1<<20) })
	if err := s.PutResponse(ctx, big); !errors.Is(err, store.ErrFull) {
		t.Errorf("put: got error %v, want ErrFull", err)
	}
	equal(t, "labels", all(t, s.Labels(ctx)), labels)
	mustAdd(t, s, store.Options{}, bare("small"), human("x", 1)) // it goes on working
	must(t, s.Check(ctx))
	must(t, s.Close())
}

func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	filled(t, path, 20)
	p := startHelper(t, "hold", path)
	p.line(t)
	s := quick(t, path)
	if _, err := add(s, store.Options{}, bare("a")); !errors.Is(err, store.ErrLocked) || !strings.Contains(err.Error(), path) {
		t.Errorf("import: got error %v, want ErrLocked with the path", err)
	}
	if err := s.PutResponse(ctx, full()); !errors.Is(err, store.ErrLocked) {
		t.Errorf("put: got error %v, want ErrLocked", err)
	}
	if n := len(all(t, s.Labels(ctx))); n != 20 {
		t.Errorf("reading beside it: got %d labels, want 20", n)
	}
	p.in.Close() // it commits
	must(t, p.Wait())
	mustAdd(t, s, store.Options{}, bare("a"), human("x", 1))
	if n := len(all(t, s.Labels(ctx))); n != 721 {
		t.Errorf("got %d labels, want 721", n)
	}
}

func TestTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	must(t, mustCreate(t, path).Close())
	a, b := startHelper(t, "import", path), startHelper(t, "import", path)
	for _, p := range []*process{a, b} {
		for p.out.Scan() {
			t.Log(p.out.Text())
		}
		if err := p.Wait(); err != nil && p.ProcessState.ExitCode() != 3 {
			t.Errorf("got %v, want success or a locked store", err)
		}
	}
	s := quick(t, path)
	if n := len(all(t, s.Labels(ctx))); n != sharedRows {
		t.Errorf("got %d labels, want %d", n, sharedRows)
	}
	must(t, s.Check(ctx))
}

// TestStaleMemory: what another process wrote is seen before the next row is judged.
func TestStaleMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	a := mustCreate(t, path)
	defer a.Close()
	b := quick(t, path)
	mustAdd(t, a, store.Options{}, bare("t"), human("x", 1))
	mustAdd(t, b, store.Options{}, bare("u"), human("y", 1))
	equal(t, "same row", mustAdd(t, a, store.Options{}, bare("u"), human("y", 1)), store.ImportCounts{Rows: 1, Unchanged: 1})
	_, err := add(b, store.Options{}, bare("t"), human("x", 0))
	if _, ok := errors.AsType[*store.Conflict](err); !ok {
		t.Errorf("got error %v, want a conflict", err)
	}
	must(t, a.PutResponse(ctx, full()))
	must(t, b.PutResponse(ctx, full()))
	must(t, b.Check(ctx))
}

func TestOddPaths(t *testing.T) {
	for _, name := range []string{"with space.db", "q?mode=ro.db", "h#a.db", "p%20.db", "ümlaut 数.db", "file:x.db", "'quote'.db"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		filled(t, path, 3)
		equal(t, "files", beside(t, path), []string{name})
		s, err := store.Open(ctx, path, store.ReadOnly)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n := len(all(t, s.Labels(ctx))); n != 3 {
			t.Errorf("%s: got %d labels, want 3", name, n)
		}
		must(t, s.Close())
	}
	t.Chdir(t.TempDir())
	filled(t, "relative.db", 3)
	if _, err := store.Open(context.Background(), "relative.db", store.Mode(0)); err == nil {
		t.Error("the zero mode was taken")
	}
}

// Who writes to a file that is no longer in its place is told, and what it holds
// by then stays: the system would let it go on, and all would be lost in the end.
func TestFileGoesWhileInUse(t *testing.T) {
	for name, leave := range map[string]func(t *testing.T, path string){
		"deleted":  func(t *testing.T, path string) { must(t, os.Remove(path)) },
		"moved":    func(t *testing.T, path string) { must(t, os.Rename(path, path+".old")) },
		"replaced": func(t *testing.T, path string) { must(t, os.Rename(path, path+".old")); filled(t, path, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "study.db")
			filled(t, path, 2)
			s, err := store.Open(ctx, path, store.ReadWrite)
			must(t, err)
			defer s.Close()
			must(t, s.PutWithheld(ctx, uplift.Withheld{ID: "before", Of: "call x", SHA256: "y"}))
			leave(t, path)
			if err := s.PutWithheld(ctx, uplift.Withheld{ID: "after", Of: "call x", SHA256: "y"}); !errors.Is(err, store.ErrGone) || !strings.Contains(err.Error(), path) {
				t.Errorf("got error %v, want ErrGone with the path", err)
			}
		})
	}
}
