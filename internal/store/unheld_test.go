package store_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/store"
)

// A store that was empty when it was opened finds what it kept itself, and what
// another one kept meanwhile is not replaced.
func TestCallsOfAnEmptyStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	created, err := store.Create(ctx, path, store.Meta{Study: "s"})
	must(t, err)
	must(t, created.Close())
	one, other := quick(t, path), quick(t, path)
	call := func(digest, text string) uplift.Call {
		c := wholeCall()
		c.Digest, c.Text = digest, text
		return c
	}
	put := func(s *store.Store, c uplift.Call) {
		t.Helper()
		must(t, s.PutCall(ctx, c))
	}
	find := func(s *store.Store, digest string) string {
		c, found, err := s.Call(ctx, digest)
		if err != nil || !found {
			return "none"
		}
		return c.Text
	}
	got := []string{find(one, "a")}
	put(one, call("a", "of one"))
	got = append(got, find(one, "a"), find(one, "b"), find(one, "c"))
	put(other, call("b", "of another"))
	put(other, call("c", "of another"))
	put(one, call("b", "of one"))
	got = append(got, find(one, "a"), find(one, "b"), find(one, "c"))
	if diff := cmp.Diff(got, []string{"none", "of one", "none", "none", "of one", "of another", "of another"}); diff != "" {
		t.Error("-got +want", diff)
	}
}
