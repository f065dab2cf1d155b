package quarantine

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"filippo.io/age"
	"github.com/google/go-cmp/cmp"
)

func key(t *testing.T) *age.X25519Identity {
	t.Helper()
	k, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func secret() Payload {
	return Payload{Of: "call 00ff", Parts: map[string]string{Text: "MARKER of what is locked", Raw: "AAE="}}
}

// Both together read what was sealed, and nobody reads it alone.
func TestTwoReviewers(t *testing.T) {
	a, b, stranger := key(t), key(t), key(t)
	v, err := New(a.Recipient().String(), b.Recipient().String())
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := v.Seal(secret().Encode())
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(sealed, []byte("MARKER")) {
		t.Error("the sealed bytes hold the text")
	}
	for _, c := range []struct {
		name string
		a, b []age.Identity
		want string // of the error; empty for none
	}{
		{"both", []age.Identity{a}, []age.Identity{b}, ""},
		{"several keys each", []age.Identity{stranger, a}, []age.Identity{a, stranger, b}, ""},
		{"a alone", []age.Identity{a}, []age.Identity{a}, "reviewer b: quarantine: none of the keys opens it"},
		{"b alone", []age.Identity{b}, []age.Identity{b}, "reviewer a: quarantine: none of the keys opens it"},
		{"the wrong way round", []age.Identity{b}, []age.Identity{a}, "reviewer b: quarantine: none of the keys opens it"},
		{"a stranger", []age.Identity{a}, []age.Identity{stranger}, "reviewer b: quarantine: none of the keys opens it"},
		{"no key of a", nil, []age.Identity{b}, "reviewer a: quarantine: none of the keys opens it (got no key)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Open(sealed, c.a, c.b)
			if c.want != "" {
				if err == nil || err.Error() != c.want || !errors.Is(err, ErrKey) || got.Parts != nil {
					t.Errorf("got %v, %v, want %s", got, err, c.want)
				}
				return
			}
			if d := cmp.Diff(secret(), got); d != "" || err != nil {
				t.Error(d, err)
			}
		})
	}
}

// The layers are age's own, so that the age command opens them too.
func TestLayersAreAge(t *testing.T) {
	a, b := key(t), key(t)
	v, _ := New(a.Recipient().String(), b.Recipient().String())
	data, err := v.Seal([]byte("payload"))
	for _, k := range []age.Identity{b, a} {
		var r io.Reader
		if err == nil {
			r, err = age.Decrypt(bytes.NewReader(data), k)
		}
		if err == nil {
			data, err = io.ReadAll(r)
		}
	}
	if err != nil || string(data) != "payload" {
		t.Errorf("got %q, %v", data, err)
	}
}

// Sealing draws new keys each time: equal texts do not look equal.
func TestSealedTwiceDiffers(t *testing.T) {
	v, _ := New(key(t).Recipient().String(), key(t).Recipient().String())
	one, _ := v.Seal([]byte("payload"))
	two, _ := v.Seal([]byte("payload"))
	if bytes.Equal(one, two) {
		t.Error("two seals of one payload are equal")
	}
}

func TestDamaged(t *testing.T) {
	a, b := key(t), key(t)
	v, _ := New(a.Recipient().String(), b.Recipient().String())
	sealed, _ := v.Seal(secret().Encode())
	for i := 0; i < len(sealed); i += 37 {
		hurt := bytes.Clone(sealed)
		hurt[i] ^= 1
		if got, err := Open(hurt, []age.Identity{a}, []age.Identity{b}); err == nil {
			t.Errorf("byte %d changed: opened as %v", i, got)
		}
		if got, err := Open(sealed[:i], []age.Identity{a}, []age.Identity{b}); err == nil {
			t.Errorf("cut at byte %d: opened as %v", i, got)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	a, b := key(t), key(t)
	for _, c := range []struct{ name, a, b, want string }{
		{"no key", "", b.Recipient().String(), "quarantine.a: is no public key of age"},
		{"a private key", a.Recipient().String(), b.String(), "quarantine.b: is no public key of age"},
		{"one key twice", a.Recipient().String(), a.Recipient().String(), "one key"},
		{"two keys in one", a.Recipient().String() + "\n" + b.Recipient().String(), b.Recipient().String(), "quarantine.a"},
	} {
		v, err := New(c.a, c.b)
		if v != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "AGE-SECRET-KEY") {
			t.Errorf("%s: the error quotes a private key", c.name)
		}
	}
}
