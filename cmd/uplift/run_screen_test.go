package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/fakeprovider"
)

// The entry of an operator's list is on the disk when the first request comes,
// and no word of the list stands in it.
func TestListIsRecordedBeforeAnythingIsAsked(t *testing.T) {
	fake := fakeprovider.New(fakeprovider.Options{Now: time.Now})
	var dir string
	var asked, early atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		entries, err := evidence.Verify(filepath.Join(dir, evidence.File))
		if _, ok := lastScreening(entries); err != nil || !ok {
			early.Add(1)
		}
		fake.ServeHTTP(w, r)
	}))
	defer server.Close()
	dir = hazardStudy(t, server.URL)
	list := filepath.Join(t.TempDir(), "words.txt")
	if err := os.WriteFile(list, []byte(markSaid+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env, out := lockEnv()
	if code := execute(t.Context(), env, []string{"run", dir, "--operator-list", list}); code != exitDone {
		t.Fatalf("exit %d: %s", code, out)
	}
	if asked.Load() == 0 || early.Load() > 0 {
		t.Errorf("%d of %d requests came before the entry", early.Load(), asked.Load())
	}
	log, err := os.ReadFile(filepath.Join(dir, evidence.File))
	if err != nil || bytes.Contains(log, []byte(markSaid)) {
		t.Errorf("the log holds a word of the list: %v", err)
	}
}

// The mark of a list is HMAC-SHA-256: the second test case of RFC 4231, section 4.3.
func TestListMark(t *testing.T) {
	got := listMark("Jefe", []byte("what do ya want for nothing?"))
	if want := "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
