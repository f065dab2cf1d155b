//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/uplift-eval/uplift/internal/benchmark"
)

// lintPath lints a file, and gives what is printed and what is said.
func lintPath(ctx context.Context, path string) (code int, result, talk string) {
	var out, errs bytes.Buffer
	code = execute(ctx, &Env{Stdout: &out, Stderr: &errs, Width: 80}, []string{"tasks", "lint", path})
	return code, out.String(), errs.String()
}

// What is no plain file of a bounded size is refused before it is read through.
func TestLintReadsPlainFilesOnly(t *testing.T) {
	dir := t.TempDir()
	pipe, zero, large := filepath.Join(dir, "pipe.jsonl"), filepath.Join(dir, "zero.jsonl"), filepath.Join(dir, "large.jsonl")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("/dev/zero", zero); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(large, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, 1<<40); err != nil { // of holes
		t.Skip(err)
	}
	for path, want := range map[string]string{
		pipe: "is no regular file", zero: "is no regular file", large: "is larger than 64 MB", dir: "is no regular file",
	} {
		done := make(chan string, 1)
		go func() {
			code, _, talk := lintPath(t.Context(), path)
			if code != exitFailed {
				talk += "exit code 0"
			}
			done <- talk
		}()
		select {
		case talk := <-done:
			if got := strings.TrimSpace(talk); got != "uplift: read "+path+": "+want {
				t.Errorf("got %q, want %s", got, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s is still being read", path)
		}
	}
}

// A long lint can be stopped.
func TestLintStops(t *testing.T) {
	tasks, err := benchmark.Set(benchmark.Builtin)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := benchmark.Print(&file, tasks); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "tasks.jsonl")
	if err := os.WriteFile(path, file.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if code, result, talk := lintPath(ctx, path); code != exitFailed || result != "" || talk != "uplift: stopped\n" {
		t.Errorf("got exit code %d, %d bytes of result and %q, want %d, none and that it was stopped", code, len(result), talk, exitFailed)
	}
}

// The help points to what is there: a row for each rule under the heading that
// it names.
func TestLintHelpPointsToItsRules(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "doc", "benchmark.md"))
	if err != nil {
		t.Fatal(err)
	}
	help := newTasksLint(&Env{}).Long
	for heading, letter := range map[string]string{"Leak check": "L", "Hazard lint": "H"} {
		if !strings.Contains(help, `"`+heading+`"`) || !strings.Contains(help, "doc/benchmark.md") {
			t.Errorf("the help does not point to %q", heading)
		}
		_, section, _ := strings.Cut(string(page), "\n## "+heading+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		for n := range 8 {
			if row := fmt.Sprintf("\n| %s%d | ", letter, n+1); !strings.Contains(section, row) {
				t.Errorf("%q has no row of %s%d", heading, letter, n+1)
			}
		}
	}
}
