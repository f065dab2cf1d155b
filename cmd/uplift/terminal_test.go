package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Nothing that a file holds acts on the terminal: neither what is printed of it
// nor the errors about it.
func TestNothingActsOnTheTerminal(t *testing.T) {
	dir := t.TempDir()
	study, table := filepath.Join(dir, "s"), filepath.Join(dir, "t.csv")
	evil := "b\x1b]0;pwn\a\u202e"
	rows := "model,condition,task,tier,scale,value,\x1b[31mEVIL\n" +
		"m," + evil + ",t,benign,compliance,1,x\nm,open,t,benign,compliance,1,x\n"
	if err := os.WriteFile(table, []byte(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", study, "--template", "labels"},
		{"import", "labels", study, table},
		{"analyze", study},
		{"analyze", study, "--reference", "closed"},
		{"analyze", study, "--reference", "open"},
		{"analyze", study, "--reference", "open", "--format", "md"},
		{"doctor", study},
	} {
		env, out, talk := testEnv()
		execute(context.Background(), env, args)
		for _, text := range []string{out.String(), talk.String()} {
			if i := strings.IndexAny(text, "\x1b\a\u202e"); i >= 0 {
				t.Errorf("uplift %s: prints %q", strings.Join(args[:1], " "), text[max(0, i-40):min(len(text), i+40)])
			}
		}
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// A result that could not be written is a failure, whichever command made it.
func TestLostResultsFail(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"doctor"}, {"--help"}, {"import", "--help"}, {"completion", "bash"}} {
		env, _, talk := testEnv()
		env.Stdout = full{}
		if code := execute(context.Background(), env, args); code != exitFailed || !strings.Contains(talk.String(), "no space left") {
			t.Errorf("uplift %s: got exit code %d and %q, want %d and the reason", strings.Join(args, " "), code, talk, exitFailed)
		}
	}
}

// Where stdout is no terminal COLUMNS says how wide a text may be.
func TestColumns(t *testing.T) {
	for _, c := range []struct {
		terminal int
		variable string
		want     int
	}{{0, "", 100}, {0, "72", 72}, {0, "wide", 100}, {0, "0", 100}, {0, "-4", 100}, {132, "72", 132}, {132, "", 132}} {
		if got := columns(c.terminal, c.variable); got != c.want {
			t.Errorf("terminal %d, COLUMNS=%s: got %d, want %d", c.terminal, c.variable, got, c.want)
		}
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -999: "-999", -1000: "-1,000"} {
		if got := grouped(n); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
