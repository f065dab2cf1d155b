package evidence

import (
	"bytes"
	"errors"
	"os"
	"testing"
)

// What passes is byte for byte what its entries are written as, and does not
// pass with any one byte changed.
func FuzzVerify(f *testing.F) {
	stored, err := os.ReadFile("testdata/log.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(stored, uint(7), byte(1))
	f.Add([]byte{}, uint(0), byte(0))
	f.Add(stored[:len(stored)-1], uint(3), byte(32))
	f.Add([]byte("{}\n"), uint(0), byte(1))
	f.Fuzz(func(t *testing.T, log []byte, at uint, flip byte) {
		entries, err := VerifyFrom("log", bytes.NewReader(log))
		if err != nil {
			if d, ok := errors.AsType[*Damage](err); !ok || d.Line != len(entries)+1 {
				t.Fatalf("%d entries, then %v", len(entries), err)
			}
			return
		}
		var again []byte
		for _, e := range entries {
			_, line, err := e.sealed()
			if err != nil {
				t.Fatal(err)
			}
			again = append(again, line...)
		}
		if !bytes.Equal(again, log) {
			t.Fatalf("got\n%s\nwant\n%s", again, log)
		}
		if len(log) == 0 || flip == 0 {
			return
		}
		bad := bytes.Clone(log)
		bad[int(at%uint(len(log)))] ^= flip
		if _, err := VerifyFrom("log", bytes.NewReader(bad)); err == nil {
			t.Fatalf("a changed byte passes:\n%s", bad)
		}
	})
}
