package store_test

import (
	"errors"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/uplift-eval/uplift/internal/store"
)

// TestDurable: what is committed is synced. SQLite syncs the -wal at each
// commit only at FULL (2), https://www.sqlite.org/pragma.html#pragma_synchronous.
func TestDurable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	created, err := store.Create(ctx, path, store.Meta{Study: "s"})
	must(t, err)
	defer created.Close()
	for name, s := range map[string]*store.Store{"created": created, "opened": quick(t, path)} {
		for pragmaName, want := range map[string]string{"synchronous": "2", "journal_mode": "wal", "foreign_keys": "1"} {
			t.Run(name+" "+pragmaName, func(t *testing.T) { pragma(t, s, pragmaName, want) })
		}
	}
}

// TestStopped: once an insert has failed, Add says so, so that the rest of a
// large file is not read in vain.
func TestStopped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	filled(t, path, 20)
	s, err := store.OpenWithin(ctx, path, time.Second, len(read(t, path))/4096+20)
	must(t, err)
	defer s.Close()
	const rows = 100_000
	added := 0
	var refused error
	_, err = s.Import(ctx, store.Options{}, func(b *store.Batch) error {
		for ; added < rows && refused == nil; added++ {
			refused = b.Add(bare("t"+strconv.Itoa(added)), human("y", 1))
		}
		return nil // it need not hand the error on
	})
	if refused == nil {
		t.Errorf("all %d rows were taken", rows)
	}
	if !errors.Is(err, store.ErrFull) {
		t.Errorf("got error %v, want the cause, ErrFull", err)
	}
}

func TestKilledInImport(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	filled(t, path, 20)
	s := quick(t, path)
	labels := all(t, s.Labels(ctx))
	must(t, s.Close())
	p := startHelper(t, "hold", path)
	p.line(t)
	must(t, p.Process.Kill())
	p.Wait()
	s = quick(t, path)
	equal(t, "labels", all(t, s.Labels(ctx)), labels)
	must(t, s.Check(ctx))
	mustAdd(t, s, store.Options{}, bare("a"), human("x", 1))
}

func TestKilledInRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	must(t, mustCreate(t, path).Close())
	p := startHelper(t, "put", path)
	said := 0
	for range 30 {
		var err error
		said, err = strconv.Atoi(p.line(t))
		must(t, err)
	}
	must(t, p.Process.Kill())
	for p.out.Scan() {
		said, _ = strconv.Atoi(p.out.Text())
	}
	p.Wait()
	s := quick(t, path)
	n := len(all(t, s.Responses(ctx)))
	if n < said+1 || n > said+2 {
		t.Errorf("got %d responses, want the %d that were said to be durable", n, said+1)
	}
	must(t, s.Check(ctx))
}
