package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uplift-eval/uplift/internal/evidence"
	"github.com/uplift-eval/uplift/internal/store"
)

// reseal puts other bytes in the place of a sealed text, which no command does.
func (s *lockedStudy) reseal(t *testing.T, change string, args ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(s.dir, storeFile))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range []struct {
		query string
		args  []any
	}{
		{"DROP TRIGGER sealed_no_update", nil},
		{change, args},
		{"CREATE TRIGGER sealed_no_update BEFORE UPDATE ON sealed BEGIN SELECT RAISE (ABORT, 'sealed is append-only'); END", nil},
	} {
		if _, err := db.Exec(q.query, q.args...); err != nil {
			t.Fatal(err)
		}
	}
}

// Bytes that were damaged, or changed for those of another record, are neither
// shown nor released, and nothing is logged.
func TestDamagedSeal(t *testing.T) {
	s := lockedAway(t, 4)
	r, other := s.record(t, "response"), s.record(t, "call")
	for _, c := range []struct {
		name, change, want string
		args               []any
	}{
		{"another record's", "UPDATE sealed SET bytes = (SELECT bytes FROM sealed WHERE id = ?) WHERE id = ?", "SHA-256", []any{other.ID, r.ID}},
		{"cut", "UPDATE sealed SET bytes = substr(bytes, 1, length(bytes) - 20) WHERE id = ?", "damaged", []any{r.ID}},
		{"nothing", "UPDATE sealed SET bytes = x'' WHERE id = ?", "damaged", []any{r.ID}},
	} {
		s.reseal(t, c.change, c.args...)
		for _, args := range [][]string{s.keyed("open", r.ID, "--show"), s.keyed("release", r.ID)} {
			code, out, talk := attempted(t, args...)
			if code != exitFailed || !strings.Contains(talk, c.want) || strings.Contains(out+talk, markWord) {
				t.Errorf("%s: %s: exit code %d, want %q in\n%s%s", c.name, args[1], code, c.want, out, talk)
			}
		}
	}
	if n := len(s.logged(t, evidence.KindOpen)) + len(s.logged(t, evidence.KindRelease)); n != 0 {
		t.Errorf("%d openings are logged, want none", n)
	}
	if _, withheld := s.count(t); withheld == 0 {
		t.Error("something was released")
	}
}

// Of several who release the same at once each ends well, and it is released
// and logged once.
func TestReleasedByManyAtOnce(t *testing.T) {
	s := lockedAway(t, 4)
	var ids []string
	for _, r := range s.records(t) {
		ids = append(ids, r.ID)
	}
	var wait sync.WaitGroup
	talks := make([]string, 3)
	for i := range talks {
		wait.Go(func() {
			out, err := program(s.keyed("release", ids...)...).CombinedOutput()
			if talks[i] = string(out); err != nil {
				t.Errorf("process %d: %v\n%s", i, err, out)
			}
		})
	}
	wait.Wait()
	if got := s.logged(t, evidence.KindRelease); len(got) != len(ids) {
		t.Errorf("%d releases are logged, want %d\n%s", len(got), len(ids), strings.Join(talks, "\n"))
	}
	s.whole(t, len(ids))
}

// whole wants so many releases in a database that is whole.
func (s *lockedStudy) whole(t *testing.T, releases int) {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(s.dir, storeFile), store.ReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if got, err := releasesOf(t.Context(), db); err != nil || len(got) != releases {
		t.Errorf("%d texts are released, %v, want %d", len(got), err, releases)
	}
}

// killedRelease is a process that is killed at a moment of a release.
func (s *lockedStudy) killedRelease(t *testing.T, step string, ids ...string) {
	t.Helper()
	cmd := &exec.Cmd{Path: os.Args[0], Args: append([]string{"uplift-killed", "release", step, s.dir, s.keyA, s.keyB}, ids...)}
	if out, err := cmd.CombinedOutput(); err == nil || bytes.Contains(out, []byte("panic")) {
		t.Fatalf("%s: %v\n%s", step, err, out)
	}
}

// Killed in between, a release is in the log and not in the database, or in
// both; the same command finishes it, and logs it no second time.
func TestKilledRelease(t *testing.T) {
	for _, c := range []struct {
		step string
		done int // after the kill
	}{{releaseKept, 0}, {releaseDone, 1}} {
		t.Run(c.step, func(t *testing.T) {
			s := lockedAway(t, 4)
			r := s.record(t, "response")
			s.killedRelease(t, c.step, r.ID)
			if n := len(s.logged(t, evidence.KindRelease)); n != 1 {
				t.Fatalf("%d releases are logged, want 1", n)
			}
			s.whole(t, c.done)
			if code, _, talk := attempted(t, s.keyed("release", r.ID)...); code != exitDone {
				t.Fatalf("again: exit code %d\n%s", code, talk)
			}
			if n := len(s.logged(t, evidence.KindRelease)); n != 1 {
				t.Errorf("%d releases are logged, want 1", n)
			}
			s.whole(t, 1)
		})
	}
}

// verify knows what was opened and released, finds a release that was cut
// short, and one of which the log says nothing.
func TestVerifyKnowsReleases(t *testing.T) {
	s := lockedAway(t, 4)
	one, two := s.record(t, "response"), s.record(t, "call")
	for _, args := range [][]string{s.keyed("open", one.ID, "--show"), s.keyed("release", one.ID)} {
		if code, _, talk := attempted(t, args...); code != exitDone {
			t.Fatal(talk)
		}
	}
	s.killedRelease(t, releaseKept, two.ID)
	code, out, talk := attempted(t, "verify", s.dir)
	for _, want := range []string{"a withheld text was opened on", "a withheld text was released on", "the release of record " + two.ID + " was cut short"} {
		if !strings.Contains(out, want) {
			t.Errorf("verify does not say %q:\n%s%s", want, out, talk)
		}
	}
	if code != exitDone {
		t.Errorf("verify: exit code %d\n%s%s", code, out, talk)
	}
	three := s.record(t, "attempt")
	db, err := store.Open(t.Context(), filepath.Join(s.dir, storeFile), store.ReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Release(t.Context(), three.ID, nil, time.Now(), []string{"x", "y"})
	db.Close()
	if err != nil {
		t.Fatal(err)
	}
	if code, out, talk := attempted(t, "verify", s.dir); code != exitFailed || !strings.Contains(out, fmt.Sprintf("record %s was released, and evidence.jsonl does not say so", three.ID)) {
		t.Errorf("verify: exit code %d\n%s%s", code, out, talk)
	}
}

// No text of real hazardous requests is released, whoever asks.
func TestRealHazardIsNotReleased(t *testing.T) {
	dir := hazardStudy(t, "http://127.0.0.1:1")
	code, _, talk := attempted(t, "quarantine", "release", dir, "00112233", "--key-a", "a", "--key-b", "b", "--reason", "r")
	if code != exitFailed || !strings.Contains(talk, "hazard: real, so none of its texts is released") {
		t.Errorf("exit code %d: %s", code, talk)
	}
}
