package store_test

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/store"
)

// TestCancelledAnywhere cancels imports at moments that sweep over all that an
// import does: it succeeds exactly when its rows are kept, and whatever it was
// cancelled in, the next one succeeds.
func TestCancelledAnywhere(t *testing.T) {
	s := mustCreate(t, filepath.Join(t.TempDir(), "study.db"))
	defer s.Close()
	n := 0
	one := func(ctx context.Context) error {
		n++
		_, err := s.Import(ctx, store.Options{}, func(b *store.Batch) error {
			b.From(store.Origin{File: strconv.Itoa(n)})
			return b.Add(bare("t"+strconv.Itoa(n)), human("x", 1))
		})
		return err
	}
	must(t, one(ctx))
	start := time.Now()
	must(t, one(ctx))
	whole := time.Since(start)
	var when []func() context.Context
	for look := range cancelledImports / 10 {
		for range 5 {
			when = append(when, func() context.Context { return newLooks(look) })
		}
	}
	for i := range cancelledImports / 2 {
		when = append(when, func() context.Context {
			stopped, stop := context.WithTimeout(ctx, whole*time.Duration(i)/cancelledImports*5/2)
			t.Cleanup(stop)
			return stopped
		})
	}
	held, cancelled := 2, 0
	for i, stopped := range when {
		err := one(stopped())
		if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("import %d: got error %v, want cancelled", i, err)
		}
		list, lerr := s.Origins(ctx)
		must(t, lerr)
		if kept := len(list) > held; kept != (err == nil) {
			t.Fatalf("import %d: got error %v, and kept is %v", i, err, kept)
		}
		held = len(list)
		if err == nil {
			continue
		}
		if cancelled++; cancelled%2 == 0 {
			if err := one(ctx); err != nil {
				t.Fatalf("the import after %d: %v", i, err)
			}
			held++
		}
		pragma(t, s, "foreign_keys", "1")
	}
	if cancelled < 20 || len(when)-cancelled < 20 {
		t.Errorf("%d of %d were cancelled, want many and not all", cancelled, len(when))
	}
	must(t, s.Check(ctx))
}

// cancelledImports is how many; the hole of a commit is a few microseconds wide.
const cancelledImports = 600

// looks is a context that is cancelled as soon as it has been looked at so
// many times and was not.
type looks struct {
	context.Context
	stop context.CancelFunc
	left atomic.Int64
}

func newLooks(n int) *looks {
	c := &looks{}
	c.Context, c.stop = context.WithCancel(ctx)
	c.left.Store(int64(n))
	return c
}

func (c *looks) Done() <-chan struct{} {
	if c.left.Add(-1) == -1 {
		defer c.stop()
	}
	return c.Context.Done()
}

func (c *looks) Err() error {
	if c.left.Add(-1) == -1 {
		defer c.stop()
	}
	return c.Context.Err()
}

// pragma looks at a setting of the connection that writes.
func pragma(t *testing.T, s *store.Store, name, want string) {
	t.Helper()
	got, err := store.WriterPragma(s, name)
	must(t, err)
	if got != want {
		t.Errorf("%s: got %s, want %s", name, got, want)
	}
}

// TestGroupOutlivesCaller: once a put is in line, the end of its caller's
// context ends neither it nor the others of its group, whoever leads.
func TestGroupOutlivesCaller(t *testing.T) {
	s := mustCreate(t, filepath.Join(t.TempDir(), "study.db"))
	defer s.Close()
	puts := func(i int) []error {
		r := with(full(), func(r *uplift.Response) { r.Replicate = i })
		row := map[string][]string{"r" + strconv.Itoa(i): {r.ID()}}
		return []error{s.PutResponse(newLooks(0), r), s.PutCall(newLooks(0), uplift.Call{Digest: strconv.Itoa(i), Stop: uplift.StopEnd}),
			s.PutRows(newLooks(0), row), s.PutRatings(newLooks(0), rate("r"+strconv.Itoa(i), "ann", day, value("x", 1)))}
	}
	const callers = 8
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			for n, err := range puts(i) {
				if err != nil {
					t.Errorf("caller %d, put %d: %v", i, n, err)
				}
			}
		})
	}
	wg.Wait()
	must(t, s.Freeze(newLooks(0)))
	if n := len(all(t, s.Responses(ctx))); n != callers {
		t.Errorf("got %d responses, want %d", n, callers)
	}
}

// TestCreateCancelled: a store is there exactly when Create succeeded, and
// nothing is left beside it.
func TestCreateCancelled(t *testing.T) {
	start := time.Now()
	must(t, mustCreate(t, filepath.Join(t.TempDir(), "study.db")).Close())
	whole := time.Since(start)
	const creations = 60
	for i := range creations {
		path := filepath.Join(t.TempDir(), "study.db")
		stopped, stop := context.WithCancel(ctx)
		timer := time.AfterFunc(whole*time.Duration(i)/creations*5/4, stop)
		s, err := store.Create(stopped, path, store.Meta{Study: "s"})
		timer.Stop()
		stop()
		var want []string
		if err == nil {
			must(t, s.Close())
			want = []string{"study.db"}
		} else if !errors.Is(err, context.Canceled) {
			t.Errorf("create %d: got error %v, want cancelled", i, err)
		}
		equal(t, "files", beside(t, path), want)
	}
}
