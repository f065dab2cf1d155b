package strictyaml

import "testing"

func TestClosest(t *testing.T) {
	names := []string{"a", "set", "file", "sampling"}
	for word, want := range map[string]string{"b": "", "st": "set", "su": "", "flie": "file", "fxyz": "", "samplng": "sampling", "SAMPLING": ""} {
		if got, _ := closest(word, names); got != want {
			t.Errorf("closest(%q): got %q, want %q", word, got, want)
		}
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"seed", "sede", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}, {"limits", "limit", 1}} {
		if got := edits(c.a, c.b); got != c.want {
			t.Errorf("edits(%q, %q): got %d, want %d", c.a, c.b, got, c.want)
		}
		if got := edits(c.b, c.a); got != c.want {
			t.Errorf("edits(%q, %q): got %d, want %d", c.b, c.a, got, c.want)
		}
	}
}

func TestWanted(t *testing.T) {
	names := []string{"seed", "name", "limits"}
	for word, want := range map[string]string{
		"SEED": "did you mean seed?", "sede": "did you mean seed?", "limit": "did you mean limits?", "colour": "want seed, name or limits",
	} {
		if got := Wanted(word, names); got != want {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}
