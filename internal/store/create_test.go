package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/uplift-eval/uplift/internal/store"
)

var whose = store.Meta{Study: "s", Digest: "d", Created: time.Unix(1, 0).UTC()}

// errAny is any error.
var errAny = errors.New("any")

func addOne(s *store.Store, task string) error {
	_, err := add(s, store.Options{}, bare(task), human("x", 1))
	return err
}

// TestCreateWith: the file appears when it has been filled, or not at all.
func TestCreateWith(t *testing.T) {
	wrong := errors.New("rows.csv:3: bad")
	stopped, stop := context.WithCancel(ctx)
	for _, c := range []struct {
		name string
		ctx  context.Context
		fill func(*store.Store) error
		want error // nil: it is there
	}{
		{"filled", ctx, func(s *store.Store) error { return addOne(s, "t") }, nil},
		{"filled by a run", ctx, func(s *store.Store) error { return errors.Join(addOne(s, "t"), s.PutResponse(ctx, full())) }, nil},
		{"fill fails", ctx, func(s *store.Store) error { return errors.Join(addOne(s, "t"), wrong) }, wrong},
		{"fill fails at once", ctx, func(*store.Store) error { return wrong }, wrong},
		{"cancelled at the end", stopped, func(s *store.Store) error { defer stop(); return addOne(s, "t") }, context.Canceled},
		{"still read from", ctx, func(s *store.Store) error {
			n, err := s.Snapshot(ctx)
			must(t, err)
			t.Cleanup(n.Close)
			return addOne(s, "t")
		}, errAny},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "study.db")
			var filled error
			err := store.CreateWith(c.ctx, path, whose, func(s *store.Store) error {
				if _, err := os.Lstat(path); err == nil {
					t.Error("it is there before it is filled")
				}
				filled = c.fill(s)
				return filled
			})
			if !errors.Is(err, c.want) && (c.want != errAny || err == nil) {
				t.Fatalf("got error %v, want %v", err, c.want)
			}
			if filled != nil && err != filled {
				t.Errorf("got error %v, want that of fill as it is", err)
			}
			if c.want != nil {
				equal(t, "files", beside(t, path), []string(nil))
				return
			}
			equal(t, "files", beside(t, path), []string{"study.db"})
			s, err := store.Open(ctx, path, store.ReadOnly)
			must(t, err)
			defer s.Close()
			equal(t, "labels", short(all(t, s.Labels(ctx))), []string{"t x human 1"})
			m, err := s.Meta(ctx)
			must(t, err)
			m.Schema = 0
			equal(t, "meta", m, whose)
			must(t, s.Check(ctx))
		})
	}
}

func TestCreateWithPanic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		store.CreateWith(ctx, path, whose, func(s *store.Store) error { panic("reader") })
	}()
	equal(t, "files", beside(t, path), []string(nil))
}

// TestCreateWithNames: errors speak of the store that is to be, not of its draft.
func TestCreateWithNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	err := store.CreateWith(ctx, path, whose, func(s *store.Store) error {
		must(t, addOne(s, "t"))
		must(t, s.PutRows(ctx, map[string][]string{"r": {cell("t").ID()}}))
		must(t, s.Freeze(ctx))
		return s.PutRatings(ctx, rate("r", "ann", day, value("x", 1)))
	})
	if !errors.Is(err, store.ErrFrozen) || !strings.Contains(err.Error(), path+": ") {
		t.Errorf("got error %v, want ErrFrozen with %s", err, path)
	}
}

// TestCreateWithOther: who comes second leaves the file of the first as it is.
func TestCreateWithOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	err := store.CreateWith(ctx, path, whose, func(s *store.Store) error {
		filled(t, path, 3)
		return addOne(s, "t")
	})
	if !errors.Is(err, store.ErrExists) || !strings.Contains(err.Error(), path) {
		t.Errorf("got error %v, want ErrExists with the path", err)
	}
	equal(t, "files", beside(t, path), []string{"study.db"})
	before := read(t, path)
	err = store.CreateWith(ctx, path, whose, func(*store.Store) error {
		t.Error("a store that cannot be made was filled")
		return nil
	})
	if !errors.Is(err, store.ErrExists) {
		t.Errorf("got error %v, want ErrExists", err)
	}
	if string(read(t, path)) != string(before) {
		t.Error("the file has changed")
	}
	s := quick(t, path)
	if n := len(all(t, s.Labels(ctx))); n != 3 {
		t.Errorf("got %d labels, want 3", n)
	}
}

// TestCreateBesideWAL: SQLite would take what a store that was removed has left
// for rows of the new one.
func TestCreateBesideWAL(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	filled(t, path, 3)
	must(t, startHelper(t, "leave", path).Wait())
	must(t, os.Remove(path))
	names := beside(t, path)
	if _, err := store.Create(ctx, path, whose); !errors.Is(err, store.ErrExists) || !strings.Contains(err.Error(), path+"-wal") {
		t.Errorf("got error %v, want ErrExists with the -wal", err)
	}
	equal(t, "files", beside(t, path), names)
}

// TestPlaceWithoutLinks: where the file system has no links, too, no other
// file is replaced.
func TestPlaceWithoutLinks(t *testing.T) {
	noLinks := func(string, string) error { return &os.LinkError{Op: "link", Err: errors.ErrUnsupported} }
	dir := t.TempDir()
	draft, path := filepath.Join(dir, "draft"), filepath.Join(dir, "study.db")
	must(t, os.WriteFile(draft, []byte("mine"), 0o644))
	must(t, os.WriteFile(path, []byte("another's"), 0o644))
	if err := store.Place(draft, path, noLinks); !errors.Is(err, store.ErrExists) {
		t.Errorf("got error %v, want ErrExists", err)
	}
	equal(t, "the other's", string(read(t, path)), "another's")
	must(t, os.Remove(path))
	must(t, store.Place(draft, path, noLinks))
	equal(t, "mine", string(read(t, path)), "mine")
	must(t, os.Remove(path))
	if err := store.Place(draft, path, noLinks); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a draft: got error %v", err)
	}
	equal(t, "files", beside(t, path), []string(nil))
}

// TestStaleDraft: what a killed process left of a store is swept by the next one
// that makes a store there; what a living one works on is not.
func TestStaleDraft(t *testing.T) {
	dir := t.TempDir()
	drafts := func() int {
		list, err := filepath.Glob(filepath.Join(dir, ".new-*.db"))
		must(t, err)
		return len(list)
	}
	killed := startHelper(t, "draft", filepath.Join(dir, "killed.db"))
	killed.line(t)
	living := startHelper(t, "draft", filepath.Join(dir, "living.db"))
	living.line(t)
	must(t, killed.Process.Kill())
	killed.Wait()
	link := filepath.Join(dir, ".new-link.db")
	must(t, mustCreate(t, filepath.Join(dir, "placed.db")).Close())
	must(t, os.Link(filepath.Join(dir, "placed.db"), link)) // killed after it had its place
	equal(t, "drafts", drafts(), 3)
	s, err := store.Create(ctx, filepath.Join(dir, "next.db"), store.Meta{Study: "s"})
	must(t, err)
	must(t, s.Close())
	equal(t, "drafts after the next one", drafts(), 1)
	living.in.Close()
	must(t, living.Wait())
	equal(t, "drafts at the end", drafts(), 0)
	for _, name := range []string{"living.db", "placed.db", "next.db"} {
		s, err := store.Open(ctx, filepath.Join(dir, name), store.ReadOnly)
		must(t, err)
		must(t, errors.Join(s.Check(ctx), s.Close()))
	}
	left, err := filepath.Glob(filepath.Join(dir, ".new-*"))
	must(t, err)
	equal(t, "what lies beside them", left, []string(nil))
}
