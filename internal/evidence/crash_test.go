package evidence

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestMain is also the process that others of these tests start: it appends to
// the log of the environment and says each acknowledged entry.
func TestMain(m *testing.M) {
	path := os.Getenv("EVIDENCE_TEST_LOG")
	if path == "" {
		os.Exit(m.Run())
	}
	l, err := Open(path)
	for i := 0; err == nil && (i < 40 || os.Getenv("EVIDENCE_TEST_ENDLESS") != ""); i++ {
		var e Entry
		if e, err = l.Append("x", map[string]string{"n": strings.Repeat("x", i%3000)}, t0); err == nil {
			fmt.Println(e.Seq, e.Hash)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func process(path string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "EVIDENCE_TEST_LOG="+path), env...)
	cmd.Stderr = os.Stderr
	return cmd
}

// Whatever moment a process is killed at, each entry that it acknowledged is
// there, and the log goes on.
func TestKilledProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), File)
	acknowledged := map[string]bool{}
	for round := range 12 {
		cmd := process(path, "EVIDENCE_TEST_ENDLESS=1")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			acknowledged[lines.Text()] = true
			if n == round {
				cmd.Process.Kill()
			}
		}
		cmd.Wait()
	}
	mustAppend(t, mustOpen(t, path), "x", struct{}{}, t0)
	entries, err := Verify(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		delete(acknowledged, fmt.Sprint(e.Seq, " ", e.Hash))
	}
	if len(acknowledged) > 0 {
		t.Errorf("%d acknowledged entries are lost", len(acknowledged))
	}
}

func TestProcessesAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), File)
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			if err := process(path).Run(); err != nil {
				t.Error(err)
			}
		})
	}
	l := mustOpen(t, path) // and one log of many goroutines
	for range 20 {
		group.Go(func() {
			if _, err := l.Append("y", struct{}{}, t0); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	entries, err := Verify(path)
	if err != nil || len(entries) != 3*40+20 {
		t.Errorf("got %d entries, %v, want %d", len(entries), err, 3*40+20)
	}
}

func TestHeldLogIsNotWaitedForWithoutEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), File)
	os.WriteFile(path, nil, 0o666)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := lock(path, f, true, patience{}); err != nil {
		t.Fatal(err)
	}
	l := &Log{path: path, patience: patience{most: 3, wait: func(time.Duration) {}}}
	if _, err := l.Append("x", struct{}{}, t0); err == nil || !strings.Contains(err.Error(), "another process has held it") {
		t.Errorf("got %v", err)
	}
}

// full is a disk with room for so many bytes.
type full struct {
	*os.File
	room int
	sync error
}

func (d *full) WriteAt(b []byte, at int64) (int, error) {
	n := min(len(b), d.room)
	d.room -= n
	n, err := d.File.WriteAt(b[:n], at)
	if err == nil && n < len(b) {
		err = &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
	}
	if n < len(b) {
		d.room = len(b) // what was there can be put back
	}
	return n, err
}

func (d *full) SyncName() error { return nil }

func (d *full) Sync() error { return errors.Join(d.sync, d.File.Sync()) }

func TestFullDiskLeavesTheLogAsItWas(t *testing.T) {
	for name, tail := range map[string]string{"whole": "", "torn": `{"data":{"n":"cut o`} {
		before := threeLines(t) + tail
		path := filepath.Join(t.TempDir(), File)
		os.WriteFile(path, []byte(before), 0o666)
		l := mustOpen(t, path)
		broken := errors.New("broken")
		for room := 0; room < 200; room += 7 {
			for _, sync := range []error{nil, broken} {
				d := &full{room: room, sync: sync}
				if sync != nil {
					d.room = 1 << 20
				}
				l.through = func(f *os.File) disk { d.File = f; return d }
				_, err := l.Append("x", struct{}{}, t0)
				if want := map[bool]error{true: syscall.ENOSPC, false: broken}[sync == nil]; !errors.Is(err, want) {
					t.Fatalf("%s, room %d: got %v, want %v", name, room, err, want)
				}
				if got, _ := os.ReadFile(path); string(got) != before {
					t.Fatalf("%s, room %d: got\n%s\nwant\n%s", name, room, got, before)
				}
			}
		}
		l.through = nil
		mustAppend(t, l, "x", struct{}{}, t0)
		if _, err := Verify(path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
