package main

import (
	"slices"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// A response that is withheld is not explained, whatever decision it carries.
func TestWithheldIsNotExplained(t *testing.T) {
	cell := uplift.Cell{Model: "a/b", Condition: "c", Task: "t", Attack: "direct", Replicate: 2}
	d := &uplift.Decision{Action: uplift.Refuse}
	for _, c := range []struct {
		name string
		r    uplift.Response
		want string
	}{
		{"whole", uplift.Response{Cell: cell, Decision: d}, ""},
		{"withheld", uplift.Response{Cell: cell, Decision: d, Withheld: "abc"}, "a/b/c/t/direct/2: its text is withheld, and nothing of it is shown (record abc)"},
		{"no controller", uplift.Response{Cell: cell, Outcome: uplift.Answered}, "a/b/c/t/direct/2: no controller decided on it (outcome answered)"},
	} {
		got := ""
		if err := decided(c.r); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if got, err := parseCell(cell.String()); err != nil || got != cell {
		t.Errorf("cell %v, %v, want %v", got, err, cell)
	}
	for _, bad := range []string{"", "a/b/c/d", "a/b/c/d/x", "a/b/c/d/-1"} {
		if _, err := parseCell(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func TestLineDiff(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"equal", "a\nb", "a\nb", "  a|  b"},
		{"changed in the middle", "a\nb\nc", "a\nx\nc", "  a|- b|+ x|  c"},
		{"added", "a", "a\nb", "  a|+ b"},
		{"taken away", "a\nb\nc", "c", "- a|- b|  c"},
		{"moved", "a\nb", "b\na", "- a|  b|+ a"},
	} {
		if got := strings.Join(lineDiff(c.old, c.new), "|"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// The mark stands under the place, in columns of the terminal.
func TestInContext(t *testing.T) {
	for _, c := range []struct{ name, text, place, want string }{
		{"plain", "one two three", "two", "      one two three\n          ^^^\n"},
		{"wide characters", "请说步骤。", "步骤", "      请说步骤。\n          ^^^^\n"},
		{"hostile characters", "a\x1b[31m\u202e\nb two", "two", "      a·[31m· b two\n                ^^^\n"},
		{"long", strings.Repeat("x", 90) + " two " + strings.Repeat("y", 90), "two",
			"      …" + strings.Repeat("x", 16) + " two " + strings.Repeat("y", 16) + "…\n" + strings.Repeat(" ", 24) + "^^^\n"},
	} {
		at := strings.Index(c.text, c.place)
		got := inContext(c.text, uplift.Cue{Start: at, End: at + len(c.place)}, 40)
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	for _, c := range []uplift.Cue{{Start: -1, End: 2}, {Start: 2, End: 2}, {Start: 0, End: 9}} {
		if got := inContext("abc", c, 40); got != "" {
			t.Errorf("%+v: got %q, want nothing", c, got)
		}
	}
	if !slices.Equal(strings.Split(oneLine("a\tb\nc"), " "), []string{"a", "b", "c"}) {
		t.Error("white space is no space")
	}
}
