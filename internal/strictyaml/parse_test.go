package strictyaml

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

var small = Bounds{Tokens: 100, TooLong: "is too long", Depth: 4, Keys: 5, TooWide: "is too wide", Empty: "is empty"}

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"plain", "a: 1\nb: [c, {d: e}]\n", ""},
		{"one document", "---\na: 1\n", ""},
		{"twice in a mapping", "a: 1\na: 2\n", ""}, // for the caller to tell
		{"empty", "", "f: is empty"},
		{"only a comment", "# a\n", "f: is empty"},
		{"no YAML", "a: [\n", "f:1:4: is not YAML: sequence end token ']' not found"},
		{"tab", "a:\n\tb: 1\n", "f:2:1: is not YAML: a tab indents this line (want spaces)"},
		{"anchor and alias", "a: &x 1\nb: *x\n", "f:1:4: anchors and aliases are not read (want the value itself)\nf:2:4: anchors and aliases are not read (want the value itself)"},
		{"merge key", "a: {<<: b}\n", "f:1:5: anchors and aliases are not read (want the value itself)"},
		{"tag", "a: !!str 1\n", "f:1:4: tags and directives are not read (want a plain value)"},
		{"second document", "a: 1\n---\nb: 2\n", "f:2:1: a second document begins here (want one)"},
		{"as long as may be", strings.Repeat("- a\n", 50), ""},
		{"too long", strings.Repeat("- a\n", 50) + "-\n", "f:51:1: is too long"},
		{"as wide as may be", "a: 1\nb: 1\nc: 1\nd: 1\ne: 1\n", ""},
		{"too wide", "a: 1\nb: 1\nc: 1\nd: 1\ne: 1\nf: 1\n", "f:6:2: is too wide"},
		{"wide in parts", "- {a: 1, b: 1, c: 1}\n- {a: 1, b: 1, c: 1}\n", ""},
		{"as deep as may be", "[[[[a]]]]", ""},
		{"deep in brackets", "[[[[[a]]]]]", "f:1:5: is nested too deeply (want at most 4 levels)"},
		{"deep in hyphens", "- - - - - a\n", "f:1:9: is nested too deeply (want at most 4 levels)"},
		{"hyphens of several lines", "- - a\n- - b\n- - c\n", ""},
		{"deep by spaces", "a:\n" + strings.Repeat(" ", 65) + "b: 1\n", "f:2:66: is nested too deeply (want at most 4 levels)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var ps Problems
			root, ok := Parse(c.src, small, &ps)
			got := ""
			if err := ps.Err("f"); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("\ngot  %s\nwant %s", got, c.want)
			}
			if ok != (root != nil) || !ok && ps.Count() == 0 {
				t.Errorf("got %v, %v with %d problems", root, ok, ps.Count())
			}
		})
	}
}

func TestKind(t *testing.T) {
	for src, want := range map[string]string{
		"a: 1": "is a mapping", "[a]": "is a list", "~": "is empty", "|\n  a": "is a text", "a": `is the text "a"`, "true": "is true",
		"12": "is the number 12", "-1.5e3": "is the number -1.5e3", `"12"`: `is the text "12"`, "'12'": `is the text "12"`,
		"0x10": `is "0x10", no plain decimal number`, "010": `is "010", no plain decimal number`, ".inf": `is ".inf", no plain decimal number`,
		"+1e5": `is "+1e5", no plain decimal number`, "1e5": "is the number 1e5", "*a": "is an alias",
	} {
		var ps Problems
		n, ok := Parse(src, small, &ps)
		if !ok {
			t.Fatalf("%q: %v", src, ps.Err("f"))
		}
		if got := Kind(n); got != want {
			t.Errorf("%q: got %q, want %q", src, got, want)
		}
		if _, text := Text(n); text != strings.HasPrefix(want, "is the text") && want != "is a text" {
			t.Errorf("%q: text is %v, and it %s", src, text, want)
		}
	}
}

func TestProblems(t *testing.T) {
	var ps Problems
	for i := range maxKept + 5 {
		ps.Add(Place{Line: maxKept - i/2}, "f", "is wrong") // two of them in each line
	}
	said := ps.Said()
	if n := ps.Count(); n != maxKept+5 || len(said) != MaxSaid+1 {
		t.Fatalf("got %d problems and say %d, want %d and %d", n, len(said), maxKept+5, MaxSaid+1)
	}
	// Five thousand lines are kept with two problems each that are one.
	if first, last := said[0].In("x"), said[MaxSaid].In("x"); first != "x:5001: f: is wrong" || last != "x: and 4905 more problems" {
		t.Errorf("got %q and %q", first, last)
	}
	ps = Problems{Lines: true}
	ps.Add(Place{Line: 2, Column: 1}, "b", "")
	ps.Add(Place{Line: 1, Column: 9}, "a", "")
	var e *Error
	if err := ps.Err("x"); !errors.As(err, &e) || err.Error() != "x:1: a: \nx:2: b: " || !ps.Flawed("a") || ps.Flawed("c") {
		t.Errorf("got %v", err)
	}
	if err := new(Problems).Err("x"); err != nil {
		t.Errorf("got %v of nothing", err)
	}
}

// Whatever the text, there is a tree or a problem, and each place is in the text.
func FuzzParse(f *testing.F) {
	for _, src := range []string{"", "a: &b [*b]\n", "? a\n: b\n", "{a: {b: [1, \"\\u0000\"]}}", "%YAML 1.2\n---\na", "- - -\n", "a: |\n  b\n", "\t", "é: ü\n"} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if !utf8.ValidString(src) || strings.Contains(src, "\r") {
			return
		}
		var ps Problems
		root, ok := Parse(src, small, &ps)
		if ok != (root != nil) || !ok && ps.Count() == 0 {
			t.Fatalf("got %v, %v with %d problems", root, ok, ps.Count())
		}
		if ok {
			Kind(Bare(root))
			Start(root)
		}
		for _, p := range ps.Said() {
			if p.Line < 0 || p.Line > strings.Count(src, "\n")+2 {
				t.Errorf("%v is in no line of %q", p, src)
			}
		}
	})
}
