package quarantine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"filippo.io/age"
	"filippo.io/age/armor"

	uplift "github.com/uplift-eval/uplift"
)

// Key is a reviewer's private key, with its public one. It prints as the public
// one.
type Key struct {
	age.Identity
	Public string // age1...
}

func (k Key) String() string   { return k.Public }
func (k Key) GoString() string { return k.Public }

// Errors of a file of keys. Neither quotes it.
var (
	ErrNoKeys    = errors.New("holds no private key of age (want a file of age-keygen)")
	ErrEncrypted = errors.New("is encrypted with a passphrase")
)

// ParseKeys reads an identity file, as age-keygen writes it.
func ParseKeys(file []byte) ([]Key, error) {
	if bytes.HasPrefix(file, []byte("age-encryption.org/v1\n")) || bytes.HasPrefix(file, []byte("-----BEGIN AGE ENCRYPTED FILE-----")) {
		return nil, ErrEncrypted
	}
	identities, err := age.ParseIdentities(bytes.NewReader(file))
	if err != nil { // its text is not passed on: it could hold a part of a key
		return nil, ErrNoKeys
	}
	var keys []Key
	for _, id := range identities {
		switch id := id.(type) {
		case *age.X25519Identity:
			keys = append(keys, Key{id, id.Recipient().String()})
		case *age.HybridIdentity:
			keys = append(keys, Key{id, id.Recipient().String()})
		}
	}
	if len(keys) == 0 {
		return nil, ErrNoKeys
	}
	return keys, nil
}

// UnwrapBy is [Unwrap], and says by its public key whose it was that opened the
// layer.
func UnwrapBy(sealed []byte, keys []Key) (data []byte, by string, err error) {
	for _, k := range keys {
		if data, err = Unwrap(sealed, k); !errors.Is(err, ErrKey) {
			return data, k.Public, err
		}
	}
	_, err = Unwrap(sealed)
	if len(keys) > 0 {
		err = fmt.Errorf("quarantine: %w", ErrKey)
	}
	return nil, "", err
}

// Match reads what was opened, and wants it to be what its record says.
func Match(data []byte, w uplift.Withheld) (Payload, error) {
	sum := sha256.Sum256(data)
	if hex.EncodeToString(sum[:]) != w.SHA256 {
		return Payload{}, fmt.Errorf("quarantine: what was opened has not the SHA-256 of its record (want %s)", w.SHA256)
	}
	p, err := Decode(data)
	if err == nil && p.Of != w.Of {
		err = fmt.Errorf("quarantine: what was opened is of %q (want %s)", p.Of, w.Of)
	}
	if err != nil {
		return Payload{}, err
	}
	return p, nil
}

// DecryptKeys is [ParseKeys] of a file that is encrypted with a passphrase.
func DecryptKeys(file []byte, passphrase string) ([]Key, error) {
	wrong := errors.New("is not opened by this passphrase, or is damaged")
	id, err := age.NewScryptIdentity(passphrase)
	if err != nil {
		return nil, wrong
	}
	var in io.Reader = bytes.NewReader(file)
	if bytes.HasPrefix(file, []byte("-----")) {
		in = armor.NewReader(in)
	}
	r, err := age.Decrypt(in, id)
	if err != nil {
		return nil, wrong
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		return nil, wrong
	}
	return ParseKeys(plain)
}
