package quarantine

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
	"filippo.io/age/armor"
)

// identityFile is a file as age-keygen writes it.
func identityFile(k *age.X25519Identity) string {
	return fmt.Sprintf("# created: 2026-01-31T00:00:00Z\n# public key: %s\n%s\n", k.Recipient(), k)
}

// locked is a file under a passphrase.
func locked(t *testing.T, text, passphrase string, armoured bool) []byte {
	t.Helper()
	to, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		t.Fatal(err)
	}
	to.SetWorkFactor(4)
	var out bytes.Buffer
	a := armor.NewWriter(&out)
	w, err := age.Encrypt(&out, to)
	if armoured {
		out.Reset()
		w, err = age.Encrypt(a, to)
	}
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if armoured {
		a.Close()
	}
	return out.Bytes()
}

func TestParseKeys(t *testing.T) {
	one, two := key(t), key(t)
	hybrid, err := age.GenerateHybridIdentity()
	if err != nil {
		t.Fatal(err)
	}
	both := identityFile(one) + "\n" + identityFile(two)
	for _, c := range []struct {
		name, file string
		want       []string
		err        error
	}{
		{"one", identityFile(one), []string{one.Recipient().String()}, nil},
		{"two", both, []string{one.Recipient().String(), two.Recipient().String()}, nil},
		{"after the quantum computer", hybrid.String() + "\n", []string{hybrid.Recipient().String()}, nil},
		{"nothing", "", nil, ErrNoKeys},
		{"a public key", one.Recipient().String(), nil, ErrNoKeys},
		{"a key that was cut", one.String()[:40], nil, ErrNoKeys},
		{"a key that was changed", one.String()[:60] + "QQQQ", nil, ErrNoKeys},
		{"a key behind another word", "key " + one.String(), nil, ErrNoKeys},
		{"a binary file", "\x00\xff" + one.String(), nil, ErrNoKeys},
		{"a passphrase", string(locked(t, both, "words", false)), nil, ErrEncrypted},
		{"a passphrase, armoured", string(locked(t, both, "words", true)), nil, ErrEncrypted},
	} {
		keys, err := ParseKeys([]byte(c.file))
		if !errors.Is(err, c.err) || fmt.Sprint(keys) != fmt.Sprint(c.want) {
			t.Errorf("%s: got %v, %v, want %v, %v", c.name, keys, err, c.want, c.err)
		}
		if err != nil && strings.Contains(err.Error(), "SECRET-KEY") {
			t.Errorf("%s: the error quotes a private key: %v", c.name, err)
		}
	}
}

func TestDecryptKeys(t *testing.T) {
	one := key(t)
	for _, armoured := range []bool{false, true} {
		file := locked(t, identityFile(one), "words", armoured)
		keys, err := DecryptKeys(file, "words")
		if err != nil || len(keys) != 1 || keys[0].Public != one.Recipient().String() {
			t.Errorf("armoured %v: got %v, %v", armoured, keys, err)
		}
		for _, wrong := range []string{"", "other words"} {
			if keys, err := DecryptKeys(file, wrong); err == nil {
				t.Errorf("armoured %v, passphrase %q: got %v", armoured, wrong, keys)
			}
		}
		if keys, err := DecryptKeys(file[:len(file)-9], "words"); err == nil {
			t.Errorf("armoured %v, cut: got %v", armoured, keys)
		}
	}
}

// However a key is printed, it is its public one.
func TestKeysPrintTheirPublicPart(t *testing.T) {
	one := key(t)
	keys, err := ParseKeys([]byte(identityFile(one)))
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if s := fmt.Sprintf(form, keys); strings.Contains(s, "SECRET-KEY") || !strings.Contains(s, one.Recipient().String()) {
			t.Errorf("%s: %s", form, s)
		}
	}
}

func TestUnwrapBy(t *testing.T) {
	a, b, stranger := key(t), key(t), key(t)
	all, err := ParseKeys([]byte(identityFile(stranger) + identityFile(a)))
	if err != nil {
		t.Fatal(err)
	}
	v, _ := New(b.Recipient().String(), a.Recipient().String()) // a opens the outer layer
	sealed, err := v.Seal([]byte("payload"))
	if err != nil {
		t.Fatal(err)
	}
	if data, by, err := UnwrapBy(sealed, all); err != nil || by != a.Recipient().String() || len(data) == 0 {
		t.Errorf("by %q, %v, want %s", by, err, a.Recipient())
	}
	if data, by, err := UnwrapBy(sealed, all[:1]); !errors.Is(err, ErrKey) || by != "" || data != nil {
		t.Errorf("a stranger: by %q, %v", by, err)
	}
	if _, _, err := UnwrapBy(sealed, nil); !errors.Is(err, ErrKey) {
		t.Errorf("no key: %v", err)
	}
	sealed[len(sealed)-1] ^= 1
	if _, _, err := UnwrapBy(sealed, all); err == nil || errors.Is(err, ErrKey) {
		t.Errorf("damaged: %v", err)
	}
}

// What cannot be opened is not quoted: it may be the text itself.
func TestUnwrapQuotesNothing(t *testing.T) {
	for _, text := range []string{"MARKER and more", "age-encryption.org/v1\n-> MARKER\nMARKER\n--- MARKER\n", "age-encryption.org/v1\nMARKER"} {
		if _, err := Unwrap([]byte(text), key(t)); err == nil || strings.Contains(err.Error(), "MARKER") {
			t.Errorf("got %v", err)
		}
	}
}

func TestMatch(t *testing.T) {
	p := secret()
	data := p.Encode()
	w := p.Record(data, []string{"H4"}, time.Time{})
	if got, err := Match(data, w); err != nil || got.Parts[Text] != p.Parts[Text] {
		t.Errorf("got %v, %v", got, err)
	}
	other := w
	other.Of = "call 11"
	if got, err := Match(data, other); err == nil || got.Parts != nil {
		t.Errorf("of another record: %v, %v", got, err)
	}
	if got, err := Match(append(data, ' '), w); err == nil || got.Parts != nil || strings.Contains(err.Error(), "MARKER") {
		t.Errorf("with other bytes: %v, %v", got, err)
	}
}
