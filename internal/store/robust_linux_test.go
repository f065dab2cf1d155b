package store_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/uplift-eval/uplift/internal/store"
)

// mounted mounts a small file system in memory; only the super user can.
func mounted(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("cannot mount a file system here: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

func remountReadOnly(t *testing.T, dir string) {
	t.Helper()
	must(t, syscall.Mount("none", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
}

func TestFullFileSystem(t *testing.T) {
	path := filepath.Join(mounted(t, "size=512k"), "study.db")
	filled(t, path, 20)
	before := read(t, path)
	s, err := store.Open(ctx, path, store.ReadWrite)
	must(t, err)
	_, err = s.Import(ctx, store.Options{}, func(b *store.Batch) error { return addMany(b, "more", 8000) })
	if !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), path) {
		t.Errorf("import: got error %v, want ErrFull with the path", err)
	}
	must(t, s.Close())
	if string(read(t, path)) != string(before) {
		t.Error("the file has changed")
	}
	equal(t, "files", beside(t, path), []string{"study.db"})

	tiny := filepath.Join(mounted(t, "size=64k"), "study.db")
	if _, err := store.Create(ctx, tiny, store.Meta{Study: "s"}); !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), tiny) {
		t.Errorf("create: got error %v, want ErrFull with the path", err)
	}
	equal(t, "nothing is left", beside(t, tiny), []string(nil))
}

// A store is read where there is no room for the files that processes share it
// by.
func TestReadOnFullFileSystem(t *testing.T) {
	path := filepath.Join(mounted(t, "size=512k"), "study.db")
	filled(t, path, 20)
	before := read(t, path)
	rest, err := os.Create(filepath.Join(filepath.Dir(path), "rest"))
	must(t, err)
	for err == nil {
		_, err = rest.Write(make([]byte, 4096))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	must(t, rest.Close())
	s, err := store.Open(ctx, path, store.ReadOnly)
	must(t, err)
	if got := len(all(t, s.Labels(ctx))); got != 20 {
		t.Errorf("got %d labels, want 20", got)
	}
	must(t, s.Close())
	if string(read(t, path)) != string(before) {
		t.Error("the file has changed")
	}
}

// TestCreateWithFull fills stores up to, and over, what the file system holds.
// In between are those whose -wal fits and whose file does not.
func TestCreateWithFull(t *testing.T) {
	kept, full := 0, 0
	dir := mounted(t, "size=640k")
	for n := 900; full < 2; n += 300 + 150*(less-1) {
		path := filepath.Join(dir, "study.db")
		err := store.CreateWith(ctx, path, whose, func(s *store.Store) error {
			_, err := s.Import(ctx, store.Options{}, func(b *store.Batch) error { return addMany(b, "t", n) })
			return err
		})
		if errors.Is(err, store.ErrFull) && strings.Contains(err.Error(), path) {
			full++
			equal(t, "nothing is left", beside(t, path), []string(nil))
			continue
		}
		must(t, err)
		kept++
		equal(t, "files", beside(t, path), []string{"study.db"})
		s, err := store.Open(ctx, path, store.ReadOnly)
		must(t, err)
		if got := len(all(t, s.Labels(ctx))); got != n {
			t.Errorf("got %d labels, want %d", got, n)
		}
		must(t, s.Close())
		must(t, os.Remove(path))
	}
	if kept == 0 {
		t.Error("none was kept")
	}
}

// TestReadOnlyFileSystem reads a store that was closed, and one that was left
// with a -wal, where nothing can be written.
func TestReadOnlyFileSystem(t *testing.T) {
	for name, want := range map[string]int{"closed": 20, "left": 320} {
		t.Run(name, func(t *testing.T) {
			work := filepath.Join(t.TempDir(), "study.db")
			filled(t, work, 20)
			dir := mounted(t, "size=4m")
			path := filepath.Join(dir, "study.db")
			files := []string{""}
			if name == "left" {
				must(t, startHelper(t, "leave", work).Wait())
				files = append(files, "-wal")
			}
			for _, suffix := range files {
				must(t, os.WriteFile(path+suffix, read(t, work+suffix), 0o644))
			}
			remountReadOnly(t, dir)
			s, err := store.Open(ctx, path, store.ReadOnly)
			must(t, err)
			if n := len(all(t, s.Labels(ctx))); n != want {
				t.Errorf("got %d labels, want %d", n, want)
			}
			must(t, s.Check(ctx))
			must(t, s.Close())
			if _, err := store.Open(ctx, path, store.ReadWrite); !errors.Is(err, store.ErrReadOnly) || !strings.Contains(err.Error(), path) {
				t.Errorf("for writing: got error %v, want ErrReadOnly with the path", err)
			}
			if _, err := store.Create(ctx, filepath.Join(dir, "new.db"), store.Meta{}); !errors.Is(err, store.ErrReadOnly) {
				t.Errorf("create: got error %v, want ErrReadOnly", err)
			}
		})
	}
}

// TestReadOnlyDirectory: a directory that is marked so gets no files, even
// from the super user.
func TestReadOnlyDirectory(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "study.db")
	filled(t, path, 20)
	must(t, os.Chmod(dir, 0o555))
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	s, err := store.Open(ctx, path, store.ReadOnly)
	must(t, err)
	defer s.Close()
	if n := len(all(t, s.Labels(ctx))); n != 20 {
		t.Errorf("got %d labels, want 20", n)
	}
	equal(t, "files", beside(t, path), []string{"study.db"})
}

// TestLeftWAL opens a store whose last writer was killed after a commit.
func TestLeftWAL(t *testing.T) {
	path := filepath.Join(t.TempDir(), "study.db")
	filled(t, path, 20)
	must(t, startHelper(t, "leave", path).Wait())
	if n := len(read(t, path+"-wal")); n == 0 {
		t.Fatal("there is no -wal to test with")
	}
	for _, mode := range []store.Mode{store.ReadOnly, store.ReadWrite} {
		s, err := store.Open(ctx, path, mode)
		must(t, err)
		if n := len(all(t, s.Labels(ctx))); n != 320 {
			t.Errorf("got %d labels, want 320", n)
		}
		must(t, s.Close())
	}
	equal(t, "files", beside(t, path), []string{"study.db"})
}

// TestPermissions runs as somebody who may not write, whom the mode bits bind.
func TestPermissions(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only the super user can become somebody else")
	}
	self, err := os.Executable()
	must(t, err)
	top, err := os.MkdirTemp("", "store-permissions-") // t.TempDir may lie where others cannot look
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(top) })
	dir := filepath.Join(top, "dir")
	must(t, errors.Join(os.Chmod(top, 0o755), os.Mkdir(dir, 0o755)))
	program, path := filepath.Join(top, "store.test"), filepath.Join(dir, "study.db")
	must(t, os.WriteFile(program, read(t, self), 0o755))
	filled(t, path, 20)
	as := func(task string) string {
		cmd := exec.Command(program, path)
		cmd.Env = append(os.Environ(), helperVar+"="+task)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	for _, c := range []struct {
		name      string
		dir, file os.FileMode
		task      string
		want      string
	}{
		{"reading another's file", 0o755, 0o644, "read", "20 labels"},
		{"reading a file in one's own directory", 0o777, 0o444, "read", "20 labels"},
		{"writing another's file", 0o755, 0o644, "import", "cannot be written"},
		{"writing where no file can be made", 0o755, 0o666, "import", "cannot be written"},
		{"reading what may not be read", 0o755, 0o600, "read", "study.db: permission denied"},
	} {
		must(t, errors.Join(os.Chmod(dir, c.dir), os.Chmod(path, c.file)))
		before := read(t, path)
		if got := as(c.task); !strings.Contains(got, c.want) || !strings.Contains(got, path) && c.task != "read" {
			t.Errorf("%s: got %q, want %q with the path", c.name, got, c.want)
		}
		if c.task == "read" && strings.Contains(as(c.task), "cannot be written") {
			t.Errorf("%s: it speaks of writing", c.name)
		}
		if string(read(t, path)) != string(before) {
			t.Errorf("%s: the file has changed", c.name)
		}
	}
}
