package study

import (
	"bytes"
	"errors"
	"testing"
)

// Whatever the bytes, reading ends with a study or with problems that have a
// place; and a study's canonical form is a study with the same digest.
func FuzzParse(f *testing.F) {
	for _, src := range []string{example, labels, small, "", "\ufeff# x\r\n", "a: &b [*b]\n", "? a\n: b\n", "{a: {b: [1, \"\\u0000\"]}}"} {
		f.Add([]byte(src))
	}
	for _, flaw := range flaws {
		f.Add([]byte(flaw.src))
	}
	dir := directory()
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Names{}.ParseFS("study.yaml", data, dir)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || len(e.Problems) == 0 {
				t.Fatalf("got %v, want an Error with problems", err)
			}
			return
		}
		again, err := Names{}.ParseFS("study.yaml", s.Canonical(), dir)
		if err != nil {
			t.Fatalf("the canonical form is refused: %v\n%s", err, s.Canonical())
		}
		if !bytes.Equal(again.Canonical(), s.Canonical()) {
			t.Errorf("the canonical form has another one:\ngot  %s\nwant %s", again.Canonical(), s.Canonical())
		}
	})
}
