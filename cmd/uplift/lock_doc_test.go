package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The lines of doc/lock.md that check a log without this program do check it.
func TestLogIsCheckedWithoutThisProgram(t *testing.T) {
	for _, tool := range []string{"sh", "jq", "sha256sum"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not here: %v", tool, err)
		}
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "doc", "lock.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, script, _ := strings.Cut(string(page), "```sh\n")
	script, _, _ = strings.Cut(script, "```")
	dir := t.TempDir()
	env, out := lockEnv()
	for _, args := range [][]string{{"init", filepath.Join(dir, "s")}, {"lock", filepath.Join(dir, "s")}} {
		if code := execute(context.Background(), env, args); code != exitDone {
			t.Fatalf("%v: %s", args, out)
		}
	}
	plan := filepath.Join(dir, "s", "study.yaml")
	edit(t, plan, "margin: 0.05", "margin: 0.04")
	if code := execute(context.Background(), env, []string{"amend", filepath.Join(dir, "s"), "--reason", "é <b> & \"q\" \u00a0—"}); code != exitDone {
		t.Fatal(out)
	}
	check := func() string {
		cmd := exec.Command("sh", "-c", script)
		cmd.Dir = dir
		b, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, b)
		}
		return string(b)
	}
	words := strings.Fields(check())
	if len(words) != 3 || len(words[0]) != 64 || words[0] != words[1] {
		t.Errorf("got %q, want the digest of the lock twice and its file", words)
	}
	edit(t, filepath.Join(dir, "s", "evidence.jsonl"), "é", "e")
	if got := check(); !strings.HasPrefix(got, "line 2 is not as it was written") {
		t.Errorf("a changed line: got %q", got)
	}
}

// edit changes the one place of a file that holds old.
func edit(t *testing.T, path, old, new string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil || strings.Count(string(b), old) != 1 {
		t.Fatalf("%s holds %q %d times: %v", path, old, strings.Count(string(b), old), err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(b), old, new, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}
