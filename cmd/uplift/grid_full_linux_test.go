package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/uplift-eval/uplift/internal/fakeprovider"
)

// A disk that fills up in mid-run ends the run with a clear error and a whole
// database, and after space was freed the same command goes on to the same end.
// The small disk is a file system in memory that only this test sees: it runs
// itself again where it may mount one.
func TestGridOnAFullDisk(t *testing.T) {
	if os.Getenv("UPLIFT_SMALL_DISK") == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestGridOnAFullDisk$", "-test.v", "-test.count=1")
		cmd.Env = append(os.Environ(), "UPLIFT_SMALL_DISK=1")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}}
		out, err := cmd.CombinedOutput()
		switch {
		case contains(out, "--- SKIP"):
			t.Skipf("no file system can be mounted here:\n%s", out)
		case err != nil && len(out) == 0:
			t.Skipf("no process with a file system of its own can be started here: %v", err)
		case err != nil:
			t.Fatalf("%v\n%s", err, out)
		}
		t.Logf("%s", out)
		return
	}
	fullDisk(t)
}

func fullDisk(t *testing.T) {
	attacks := "[direct, paraphrase, multiturn_pressure]"
	want, _, _ := unbroken(t, attacks)
	g := newGrid(t, attacks, 4, fakeprovider.Options{})
	g.dir = t.TempDir()
	if err := syscall.Mount("none", g.dir, "tmpfs", 0, "size=8m"); err != nil {
		t.Skipf("cannot mount a file system: %v", err)
	}
	defer syscall.Unmount(g.dir, syscall.MNT_DETACH)
	g.write(t, g.dir, attacks, 4)
	filler := filepath.Join(g.dir, "filler")
	if err := os.WriteFile(filler, make([]byte, 7<<20), 0o666); err != nil {
		t.Fatal(err)
	}

	out, err := g.process().CombinedOutput()
	if x, ok := err.(*exec.ExitError); !ok || x.ExitCode() != exitFailed {
		t.Fatalf("on a full disk: %v, want exit code 1\n%s", err, out)
	}
	if !contains(out, "full") || !contains(out, g.dir) {
		t.Errorf("on a full disk it says:\n%s\nwant that it is full, and which", out)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	before := g.read(t) // checks the database too
	if len(before.Responses) == 0 || len(before.Responses) == len(want.Responses) {
		t.Fatalf("%d cells of %d were kept (want the disk full in the middle)", len(before.Responses), len(want.Responses))
	}
	if err := syscall.Mount("none", g.dir, "tmpfs", syscall.MS_REMOUNT, "size=256m"); err != nil {
		t.Fatal(err)
	}
	lost := g.settled().Delivered - before.Replies
	if out, err := g.process().CombinedOutput(); err != nil {
		t.Fatalf("after space was freed: %v\n%s", err, out)
	}
	g.read(t).equal(t, want)
	if s := g.settled(); s.Repaid > lost || lost > 64 {
		t.Errorf("%d replies were paid again, and %d could not be kept (want no more than were in the air)", s.Repaid, lost)
	}
}
