package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"
)

// No line of help is wider than a small terminal, but for examples and lists.
func TestHelpFits(t *testing.T) {
	// No type is named, so that the test itself imports no module of commands.
	todo := newRoot(&Env{}).Commands()
	for todo = append(todo, todo[0].Root()); len(todo) > 0; todo = todo[1:] {
		cmd := todo[0]
		if cmd.HasParent() { // the root's are listed from the start
			todo = append(todo, cmd.Commands()...)
		}
		path := strings.Fields(cmd.CommandPath())[1:]
		var out bytes.Buffer
		if code := execute(context.Background(), &Env{Stdout: &out, Stderr: &out}, append(path, "--help")); code != exitDone {
			t.Fatalf("%v: exit code %d\n%s", path, code, out.String())
		}
		given := cmd.Example + "\n" + cmd.Long
		for _, line := range strings.Split(out.String(), "\n") {
			own := strings.HasPrefix(line, "  ") && strings.Contains(given, line)
			if n := utf8.RuneCountInString(line); n > helpWidth && !own {
				t.Errorf("%v: %d columns: %s", path, n, line)
			}
		}
	}
}

func TestRefill(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"fits", "one two\nthree", "one two\nthree"},
		{"a long line", "one two three\nfour", "one two\nthree four"},
		{"a list", "one two three\n  four      five six\nseven", "one two\nthree\n  four      five six\nseven"},
		{"two paragraphs", "one two three\n\nfour\nfive", "one two\nthree\n\nfour\nfive"},
		{"a long word", "one internationally two", "one\ninternationally\ntwo"},
	} {
		if got := refill(c.text, 10); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// On a terminal a long error is broken between words; else it stays one line.
func TestTell(t *testing.T) {
	const long = "uplift: agreement: no rater's own marks (want labels whose grader is rater:NAME, or judges named)\n  and a second line"
	for talkative, want := range map[bool]string{false: long + "\n",
		true: "uplift: agreement: no rater's own marks (want labels whose grader is\n  rater:NAME, or judges named)\n  and a second line\n"} {
		var out bytes.Buffer
		(&Env{Stderr: &out, Talkative: talkative}).tell(long)
		if out.String() != want {
			t.Errorf("on a terminal %v: got %q, want %q", talkative, out.String(), want)
		}
	}
}
