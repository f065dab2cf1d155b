package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/uplift-eval/uplift/internal/evidence"
)

// On a full disk nothing is shown that cannot be logged, and nothing is
// released; with space again both go on. The small disk is a file system in
// memory that only this test sees: it runs itself again where it may mount one.
func TestQuarantineOnAFullDisk(t *testing.T) {
	if os.Getenv("UPLIFT_SMALL_DISK") == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestQuarantineOnAFullDisk$", "-test.v", "-test.count=1")
		cmd.Env = append(os.Environ(), "UPLIFT_SMALL_DISK=1")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}}
		switch out, err := cmd.CombinedOutput(); {
		case contains(out, "--- SKIP"), err != nil && len(out) == 0:
			t.Skipf("no file system can be mounted here: %v\n%s", err, out)
		case err != nil:
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	s := lockedAway(t, 4)
	r := s.record(t, "response")
	small := t.TempDir()
	if err := syscall.Mount("none", small, "tmpfs", 0, "size=16m"); err != nil {
		t.Skipf("cannot mount a file system: %v", err)
	}
	defer syscall.Unmount(small, syscall.MNT_DETACH)
	if err := os.CopyFS(filepath.Join(small, "s"), os.DirFS(s.dir)); err != nil {
		t.Fatal(err)
	}
	away := s.dir
	s.dir = filepath.Join(small, "s")
	before := s.fillPage(t, r.ID)
	filler := filepath.Join(small, "filler")
	fillUp(t, filler)
	for _, args := range [][]string{s.keyed("open", r.ID, "--show"), s.keyed("release", r.ID)} {
		code, out, talk := attempted(t, args...)
		if code != exitFailed || contains([]byte(out+talk), markWord) || !contains([]byte(talk), "full") && !contains([]byte(talk), "space") {
			t.Errorf("%s on a full disk: exit code %d\n%s%s", args[1], code, out, talk)
		}
	}
	out := filepath.Join(small, "out")
	s.dir = away // whose log can be written
	code, _, talk := attempted(t, s.keyed("open", r.ID, "--out", out)...)
	if _, err := os.Lstat(out); code != exitFailed || err == nil || !contains([]byte(talk), "nothing was written") {
		t.Errorf("open into a full disk: exit code %d, %s", code, talk)
	}
	s.dir = filepath.Join(small, "s")
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if n := len(s.logged(t, evidence.KindOpen)) + len(s.logged(t, evidence.KindRelease)); n != before {
		t.Errorf("%d openings are logged, want the %d before the disk was full", n, before)
	}
	s.whole(t, 0)
	for _, args := range [][]string{s.keyed("open", r.ID, "--show"), s.keyed("release", r.ID)} {
		if code, _, talk := attempted(t, args...); code != exitDone {
			t.Errorf("%s with space again: exit code %d\n%s", args[1], code, talk)
		}
	}
	s.whole(t, 1)
}

// fillPage opens a record until the log's last page has no room for another
// entry, and gives how many it holds.
func (s *lockedStudy) fillPage(t *testing.T, id string) (openings int) {
	t.Helper()
	page := int64(os.Getpagesize())
	for {
		info, err := os.Stat(filepath.Join(s.dir, evidence.File))
		if err != nil {
			t.Fatal(err)
		}
		if info.Size()%page > page-500 {
			return openings
		}
		if code, _, talk := attempted(t, s.keyed("open", id, "--show")...); code != exitDone {
			t.Fatal(talk)
		}
		openings++
	}
}

// fillUp writes a file until the disk is full.
func fillUp(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, size := range []int{1 << 16, 1 << 12, 1} {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, size))
		}
	}
}
