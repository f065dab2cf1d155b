package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"
	"unicode/utf8"

	"github.com/gowebpki/jcs"
)

// Kind says what an entry is about: lower-case letters, digits, _ and -.
type Kind string

// The kinds that this program writes. The set is open.
const (
	KindLock        Kind = "lock"        // a plan was locked
	KindAmend       Kind = "amend"       // a locked plan was changed openly
	KindUnseal      Kind = "unseal"      // tiers were shown
	KindExploratory Kind = "exploratory" // a locked split was asked or analysed without a valid lock
	KindImport      Kind = "import"      // labels were brought into a locked study
	KindScreen      Kind = "screen"      // replies are looked through with an operator's own list from here on
	KindPause       Kind = "pause"       // a run went on past a pause: much of a condition was withheld
	KindOpen        Kind = "open"        // a withheld text was decrypted, or a layer of it
	KindRelease     Kind = "release"     // a withheld text was given back to the study
	KindRepair      Kind = "repair"      // what a killed process left of a last line was taken away
)

// Genesis is the Prev of the first entry.
const Genesis = "0000000000000000000000000000000000000000000000000000000000000000"

// Entry is one line of a log. The zero value is no entry.
type Entry struct {
	Seq  int64           `json:"seq"`  // from 1, without a gap
	Time time.Time       `json:"time"` // UTC, by the clock of whoever wrote it; it may go backwards
	Kind Kind            `json:"kind"`
	Data json.RawMessage `json:"data"`           // a JSON object; its numbers are IEEE doubles
	Prev string          `json:"prev"`           // Hash of the entry before, or Genesis
	Hash string          `json:"hash,omitempty"` // SHA-256, 64 hex digits, of the canonical entry without this field
}

var kindForm = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,63}$`)

// MaxLine is the size that one entry may have, in bytes.
const MaxLine = 4 << 20

// sealed is e with its hash, and its line.
func (e Entry) sealed() (Entry, []byte, error) {
	e.Hash = ""
	bare, err := e.canonical()
	if err != nil {
		return Entry{}, nil, err
	}
	sum := sha256.Sum256(bare)
	e.Hash = hex.EncodeToString(sum[:])
	line, err := e.canonical()
	if err == nil && len(line) >= MaxLine {
		err = fmt.Errorf("has %d bytes (want less than %d)", len(line), MaxLine)
	}
	return e, append(line, '\n'), err
}

func (e Entry) canonical() ([]byte, error) {
	e.Time = e.Time.UTC() // also on reading: a line with another zone is not as it was written
	b, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return jcs.Transform(b)
}

// parse reads a line without its end, and wants it byte for byte as it would
// be written.
func parse(line []byte) (Entry, error) {
	var e Entry
	if !utf8.Valid(line) {
		return Entry{}, errors.New("is not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil {
		return Entry{}, fmt.Errorf("is no entry: %w", err)
	}
	if err := e.check(); err != nil {
		return Entry{}, err
	}
	again, err := e.canonical()
	if err != nil {
		return Entry{}, fmt.Errorf("is no entry: %w", err)
	}
	if !bytes.Equal(again, line) {
		return Entry{}, errors.New("is not in canonical form (want RFC 8785, with nothing around it)")
	}
	want, _, err := e.sealed()
	if err == nil && e.Hash != want.Hash {
		err = fmt.Errorf("hash: %.80q (want %s, the SHA-256 of the entry without it)", e.Hash, want.Hash)
	}
	return e, err
}

// check looks at the fields that mean something by themselves.
func (e Entry) check() error {
	switch data := bytes.TrimLeft(e.Data, " \t\r\n"); {
	case !kindForm.MatchString(string(e.Kind)):
		return fmt.Errorf("kind: %.80q (want lower-case letters, digits, _ and -)", e.Kind)
	case e.Time.IsZero():
		return errors.New("time: is missing (want RFC 3339 in UTC)")
	case len(data) == 0 || data[0] != '{':
		return errors.New("data: is no object")
	}
	return nil
}

// follows reports how e fails to come right after the one before.
func (e Entry) follows(before Entry) error {
	before = before.orGenesis()
	switch {
	case e.Seq != before.Seq+1:
		return fmt.Errorf("seq: %d (want %d)", e.Seq, before.Seq+1)
	case e.Prev != before.Hash:
		return fmt.Errorf("prev: %.80q (want %s, the hash of the line before)", e.Prev, before.Hash)
	}
	return nil
}

// Head is the hash that the entry after these will hold as its Prev.
func Head(entries []Entry) string {
	if len(entries) == 0 {
		return Genesis
	}
	return entries[len(entries)-1].Hash
}

// orGenesis gives what stands before a first entry the hash that it refers to.
func (e Entry) orGenesis() Entry {
	if e.Seq == 0 {
		e.Hash = Genesis
	}
	return e
}
