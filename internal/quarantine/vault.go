package quarantine

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"filippo.io/age"
)

// Vault seals for two reviewers: first to A, and what comes of it to B. B opens
// the outer layer and sees nothing but A's; A alone cannot come to it. It is safe
// for concurrent use.
type Vault struct{ a, b age.Recipient }

// New makes a vault of the two reviewers' public keys, age1....
func New(a, b string) (*Vault, error) {
	inner, errA := recipient("a", a)
	outer, errB := recipient("b", b)
	if err := errors.Join(errA, errB); err != nil {
		return nil, err
	}
	if a == b {
		return nil, errors.New("quarantine: a and b are one key (want two reviewers)")
	}
	return &Vault{inner, outer}, nil
}

// recipient reads one public key. age's own error is not passed on: it may
// quote a private key that was written by mistake.
func recipient(name, key string) (age.Recipient, error) {
	list, err := age.ParseRecipients(bytes.NewReader([]byte(key)))
	if err != nil || len(list) != 1 {
		return nil, fmt.Errorf("quarantine.%s: is no public key of age (want age1..., as age-keygen prints it)", name)
	}
	return list[0], nil
}

// Seal encrypts a payload to A, and that to B.
func (v *Vault) Seal(payload []byte) ([]byte, error) {
	inner, err := seal(payload, v.a)
	if err != nil {
		return nil, err
	}
	return seal(inner, v.b)
}

func seal(data []byte, to age.Recipient) ([]byte, error) {
	var out bytes.Buffer
	w, err := age.Encrypt(&out, to)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("quarantine: seal: %w", err)
	}
	return out.Bytes(), nil
}

// ErrKey is wrapped when none of the given keys opens a layer.
var ErrKey = errors.New("none of the keys opens it")

// Unwrap opens one layer of what was sealed, with any of the keys: B's of the
// whole, A's of what that leaves.
func Unwrap(sealed []byte, keys ...age.Identity) ([]byte, error) {
	if len(keys) == 0 {
		return nil, fmt.Errorf("quarantine: %w (got no key)", ErrKey)
	}
	r, err := age.Decrypt(bytes.NewReader(sealed), keys...)
	if _, wrong := errors.AsType[*age.NoIdentityMatchError](err); wrong {
		return nil, fmt.Errorf("quarantine: %w", ErrKey)
	}
	if err != nil { // age's own error may quote what it could not read
		return nil, errors.New("quarantine: what is sealed is no file of age, or is damaged")
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, errors.New("quarantine: what is sealed is damaged")
	}
	return data, nil
}

// Open opens both layers.
func Open(sealed []byte, a, b []age.Identity) (Payload, error) {
	inner, err := Unwrap(sealed, b...)
	if err != nil {
		return Payload{}, fmt.Errorf("reviewer b: %w", err)
	}
	data, err := Unwrap(inner, a...)
	if err != nil {
		return Payload{}, fmt.Errorf("reviewer a: %w", err)
	}
	return Decode(data)
}
