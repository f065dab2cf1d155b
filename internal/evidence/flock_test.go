package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// held opens a file and locks it.
func held(t *testing.T, path string, write bool) *os.File {
	t.Helper()
	f, err := os.Open(path)
	if err == nil {
		err = tryLock(f, write)
	}
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// Readers wait for a writer, and share with each other.
func TestReadersWaitForAWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), File)
	os.WriteFile(path, []byte(threeLines(t)), 0o666)
	reading := held(t, path, false)
	if _, _, err := readLog(path, patience{}); err != nil {
		t.Errorf("beside a reader: got %v", err)
	}
	reading.Close()
	writing := held(t, path, true)
	waits := 0
	wait := func(time.Duration) {
		if waits++; waits == 3 {
			writing.Close()
		}
	}
	if _, _, err := readLog(path, patience{time.Hour, wait}); err != nil || waits != 3 {
		t.Errorf("beside a writer: waited %d times, want 3; %v", waits, err)
	}
	held(t, path, true)
	if _, _, err := readLog(path, patience{}); err == nil || !strings.Contains(err.Error(), "another process has held it") {
		t.Errorf("beside a writer that stays: got %v", err)
	}
}

// A log that is removed or replaced while its lock is waited for is looked at
// again: an entry in a file that nobody can find would be lost.
func TestFileThatGoesWhileItsLockIsWaitedFor(t *testing.T) {
	for name, put := range map[string]func(path string){
		"removed":  func(p string) { os.Remove(p) },
		"replaced": func(p string) { os.Remove(p); os.WriteFile(p, nil, 0o666) },
	} {
		path := filepath.Join(t.TempDir(), File)
		os.WriteFile(path, nil, 0o666)
		other := held(t, path, true)
		l := &Log{path: path, patience: patience{time.Hour, func(time.Duration) { put(path); other.Close() }}}
		e := mustAppend(t, l, KindLock, struct{}{}, t0)
		if got, err := Verify(path); err != nil || len(got) != 1 || got[0].Hash != e.Hash {
			t.Errorf("%s: got %v, %v", name, kinds(got), err)
		}
	}
}

// nameless counts the syncs of its directory.
type nameless struct {
	onDisk
	names *int
}

func (d nameless) SyncName() error { *d.names++; return errors.New("no directories here") }

// The name of a new log is brought to the disk, as far as the system can.
func TestNewNameIsSynced(t *testing.T) {
	path, names := filepath.Join(t.TempDir(), File), 0
	l := mustOpen(t, path)
	l.through = func(f *os.File) disk { return nameless{onDisk{f}, &names} }
	for range 2 {
		mustAppend(t, l, KindLock, struct{}{}, t0)
	}
	if names != 1 {
		t.Errorf("got %d syncs of the directory, want 1, by the first entry", names)
	}
	if err := SyncName(filepath.Join(t.TempDir(), "gone", "x")); err == nil {
		t.Error("a missing directory was synced")
	}
}

// A time in another zone is the same moment, and not the line that was written.
func TestTimesAreInUTC(t *testing.T) {
	bare := fmt.Sprintf(`{"data":{},"kind":"lock","prev":"%064d","seq":1,"time":"2026-12-01T04:04:05+01:00"}`, 0)
	sum := sha256.Sum256([]byte(bare))
	line := strings.Replace(bare, `"kind"`, fmt.Sprintf(`"hash":"%s","kind"`, hex.EncodeToString(sum[:])), 1) + "\n"
	entries, err := VerifyFrom("log", strings.NewReader(line))
	wantDamage(t, "another zone", err, "log", 1, "canonical form")
	if len(entries) != 0 {
		t.Errorf("got %v", entries)
	}
}

// Two scans that go on from the same place do not write into each other.
func TestScansShareNothing(t *testing.T) {
	whole := threeLines(t)
	from, err := scanned{}.scan("log", strings.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	from.entries = append(make([]Entry, 0, 8), from.entries...) // with room behind
	scan := func(data string) scanned {
		var out bytes.Buffer
		next := scanned{entries: append([]Entry{}, from.entries...), end: from.end}
		if _, err := next.add(&out, "x", map[string]string{"n": data}, t0); err != nil {
			t.Fatal(err)
		}
		got, err := from.scan("log", &out)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	first := scan("first")
	want := first.last().Hash
	if scan("second"); first.last().Hash != want {
		t.Error("a second scan changed what the first one found")
	}
}

func TestHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), Holds)
	hold := func(alone bool, want error) func() {
		t.Helper()
		release, err := Hold(path, alone)
		if !errors.Is(err, want) {
			t.Errorf("alone %v: got %v, want %v", alone, err, want)
		}
		if release == nil {
			release = func() {}
		}
		return release
	}
	one, two := hold(false, nil), hold(false, nil)
	hold(true, ErrHeld)
	one()
	hold(true, ErrHeld)
	two()
	alone := hold(true, nil)
	hold(true, ErrHeld)
	hold(false, ErrHeld)
	alone()
	hold(false, nil)()
	if info, err := os.Lstat(path); err != nil || info.Size() != 0 {
		t.Errorf("got %v, %v", info, err)
	}
	if _, err := Hold(filepath.Join(path, "x"), false); err == nil || errors.Is(err, ErrHeld) {
		t.Errorf("no directory: got %v", err)
	}
}
