package store_test

import (
	"context"
	"errors"
	"iter"
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
	held, cancelled := 2, 0
	try := func(stopped context.Context) (kept bool) {
		err := one(stopped)
		if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("import %d: got error %v, want cancelled", n, err)
		}
		list, lerr := s.Origins(ctx)
		must(t, lerr)
		if kept = len(list) > held; kept != (err == nil) {
			t.Fatalf("import %d: got error %v, and kept is %v", n, err, kept)
		}
		held = len(list)
		if kept {
			return true
		}
		if cancelled++; cancelled%2 == 0 {
			if err := one(ctx); err != nil {
				t.Fatalf("the import after %d: %v", n-1, err)
			}
			held++
		}
		pragma(t, s, "foreign_keys", "1")
		return false
	}
	for look, kept := 0, 0; kept < 3; look++ { // until it is not looked at any more
		for range 2 {
			if try(newLooks(look)) {
				kept++
			}
		}
	}
	if cancelled < 20 {
		t.Errorf("%d were cancelled, want at least 20", cancelled)
	}
	sweep := 120 / less
	for i := range sweep {
		stopped, stop := context.WithTimeout(ctx, whole*time.Duration(i)/time.Duration(sweep)*5/4)
		try(stopped)
		stop()
	}
	must(t, s.Check(ctx))
}

// looks is a context that is cancelled when it has been looked at so many
// times. The driver looks before a statement and after it: who watches for the
// end is given time to notice, so that a statement which has taken effect is
// reported as cancelled wherever that can be.
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
		c.stop()
		time.Sleep(200 * time.Microsecond)
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

// TestReadCancelled cancels reads at each moment: they end with that, or with
// all that there is.
func TestReadCancelled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	filled(t, path, 70)
	s, err := store.Open(ctx, path, store.ReadOnly)
	must(t, err)
	defer s.Close()
	for name, read := range map[string]func(context.Context) (int, error){
		"labels":    func(ctx context.Context) (int, error) { return count(s.Labels(ctx)) },
		"texts":     func(ctx context.Context) (int, error) { return count(s.Texts(ctx)) },
		"responses": func(ctx context.Context) (int, error) { return count(s.Responses(ctx)) },
		"check":     func(ctx context.Context) (int, error) { return 70, s.Check(ctx) },
	} {
		cancelled := 0
		for i := range 160 / less {
			look := i * less
			n, err := read(newLooks(look))
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("%s at look %d: got error %v, want cancelled", name, look, err)
			}
			if err == nil && n != 70 {
				t.Errorf("%s at look %d: got %d, want 70", name, look, n)
			}
			if err != nil {
				cancelled++
			}
		}
		if cancelled == 0 {
			t.Errorf("%s: none was cancelled", name)
		}
	}
}

// count gives how many are yielded, and how it ended.
func count[T any](seq iter.Seq2[T, error]) (n int, err error) {
	for _, err = range seq {
		if err == nil {
			n++
		}
	}
	return n, err
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
	for look, kept := 0, 0; kept < 3; look += 6*less + 1 { // some 470 looks in all
		path := filepath.Join(t.TempDir(), "study.db")
		s, err := store.Create(newLooks(look), path, store.Meta{Study: "s"})
		var want []string
		if err == nil {
			must(t, s.Close())
			want = []string{"study.db"}
			kept++
		} else if !errors.Is(err, context.Canceled) {
			t.Errorf("look %d: got error %v, want cancelled", look, err)
		}
		equal(t, "files", beside(t, path), want)
	}
}
