package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// held is what a directory holds, by name.
func held(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range entries {
		out[e.Name()] = "a directory"
		if !e.IsDir() {
			b, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			out[e.Name()] = string(b)
		}
	}
	return out
}

func wantHeld(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	got := held(t, dir)
	for name, s := range want {
		if got[name] != s {
			t.Errorf("%s: got %q, want %q", name, got[name], s)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// What a killed run left behind goes with the next one, and nothing else does.
func TestStaleFilesAreSwept(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{".report.uplift-1", ".out.csv.uplift-23", ".other.uplift-4"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, d, "file"), []byte("half"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".report.uplift-notes"), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := writeFiles(dir, []outFile{{"a", text("1")}, {"b", text("2")}}); err != nil {
		t.Fatal(err)
	}
	if err := writeOut(nil, filepath.Join(dir, "out.csv"), text("3")); err != nil {
		t.Fatal(err)
	}
	wantHeld(t, dir, map[string]string{"a": "1", "b": "2", "out.csv": "3", ".other.uplift-4": "a directory", ".report.uplift-notes": "mine"})
}

// Until all files of a run are written, those of the run before stand.
func TestRunsDoNotMix(t *testing.T) {
	dir := t.TempDir()
	before := map[string]string{"report.html": "old page", "pairs.csv": "old pairs"}
	for name, s := range before {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	broken := errors.New("cannot be drawn")
	_, err := writeFiles(dir, []outFile{
		{"report.html", text("new page")},
		{"pairs.csv", text("new pairs")},
		{"frontier.png", func(io.Writer) error {
			for name, s := range before {
				if got := held(t, dir)[name]; got != s {
					t.Errorf("while the last file is written: %s: got %q, want %q", name, got, s)
				}
			}
			return broken
		}},
	})
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "write "+filepath.Join(dir, "frontier.png")+": ") {
		t.Errorf("got %v, want the failure of frontier.png", err)
	}
	wantHeld(t, dir, before)
}

// The page takes its place last: where another file cannot, the old page stands.
func TestThePageComesLast(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "pairs.csv", "in the way"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "report.html"), []byte("old page"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := writeFiles(dir, []outFile{{"report.html", text("new page")}, {"pairs.csv", text("new pairs")}}); err == nil {
		t.Error("got no error, want one of pairs.csv")
	}
	if got := held(t, dir)["report.html"]; got != "old page" {
		t.Errorf("got %q, want the old page", got)
	}
}

// An error names the file that was asked for, and no other.
func TestWriteErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "out.csv")
	for what, err := range map[string]error{
		"one file": writeOut(nil, path, text("")),
		"in the write": writeOut(nil, filepath.Join(filepath.Dir(filepath.Dir(path)), "out.csv"), func(w io.Writer) error {
			if err := w.(fileWriter).f.Close(); err != nil {
				return err
			}
			return text("late")(w)
		}),
	} {
		if err == nil || strings.Contains(err.Error(), unfinished) || strings.Count(err.Error(), "out.csv") != 1 {
			t.Errorf("%s: got %v, want an error that names out.csv alone", what, err)
		}
	}
	if err := os.WriteFile(filepath.Dir(path), nil, 0o666); err != nil { // no directory can be made there
		t.Fatal(err)
	}
	if _, err := writeFiles(filepath.Dir(path), []outFile{{"out.csv", text("")}}); err == nil || strings.Contains(err.Error(), unfinished) {
		t.Errorf("got %v, want an error without the name of an unfinished file", err)
	}
}

// A command that a signal ends says so, and no more.
func TestStopped(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "demo")
	var talk strings.Builder
	ctx, stop := context.WithCancel(t.Context())
	stop()
	env := &Env{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &talk, Getenv: func(string) string { return "" }, Now: time.Now, Width: 80}
	if code := execute(ctx, env, []string{"demo", dir}); code != exitFailed {
		t.Errorf("got exit %d, want %d", code, exitFailed)
	}
	if !strings.Contains(talk.String(), "uplift: stopped\n") || strings.Contains(talk.String(), "context") {
		t.Errorf("got %q, want it to say that it stopped, without the context", talk.String())
	}
}

// A directory that was made for files which could not be written goes again;
// one that was there, or holds something, stays.
func TestNoEmptyDirectoryIsLeft(t *testing.T) {
	full := errors.New("no space left on device")
	files := []outFile{{"a", text("1")}, {"b", func(io.Writer) error { return full }}}
	for name, c := range map[string]struct {
		before, dir string
		want        map[string]string
	}{
		"made":                 {"", "out", map[string]string{}},
		"made with its parent": {"", "x/out", map[string]string{}},
		"there":                {"out", "out", map[string]string{"out": "a directory"}},
		"its parent there":     {"out", "out/x/y", map[string]string{"out": "a directory"}},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			if err := os.MkdirAll(filepath.Join(root, c.before), 0o777); err != nil {
				t.Fatal(err)
			}
			if _, err := writeFiles(filepath.Join(root, filepath.FromSlash(c.dir)), files); !errors.Is(err, full) {
				t.Fatalf("got %v, want %v", err, full)
			}
			wantHeld(t, root, c.want)
			if c.before != "" {
				wantHeld(t, filepath.Join(root, c.before), map[string]string{})
			}
		})
	}
}
