// Package quarantine answers what is locked away, and who may open it.
package quarantine

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	uplift "github.com/uplift-eval/uplift"
)

// The parts of a payload.
const (
	Text       = "text"
	Reasoning  = "reasoning"
	Details    = "details"
	Draft      = "draft"
	Transcript = "transcript" // JSON: a list of messages
	Raw        = "raw"        // base64
	Problem    = "error"      // what a provider said of a failure
)

// Payload is what is locked away of one record.
type Payload struct {
	Of    string            `json:"of"`    // as [uplift.Withheld].Of
	Parts map[string]string `json:"parts"` // by name; at least one
}

// Put adds a part; an empty one is none.
func (p *Payload) Put(name, text string) {
	if text == "" {
		return
	}
	if p.Parts == nil {
		p.Parts = map[string]string{}
	}
	p.Parts[name] = text
}

// PutRaw adds a body as it came.
func (p *Payload) PutRaw(body []byte) { p.Put(Raw, base64.StdEncoding.EncodeToString(body)) }

// Encode gives the bytes that are sealed. Equal payloads give equal bytes.
func (p Payload) Encode() []byte {
	b, err := json.Marshal(p)
	if err != nil { // strings alone
		panic("quarantine: encode a payload: " + err.Error())
	}
	return b
}

// Record is the open record of a payload that is encoded in b. It holds nothing
// of it but its digest.
func (p Payload) Record(b []byte, rules []string, at time.Time) uplift.Withheld {
	sum := sha256.Sum256(b)
	hash := hex.EncodeToString(sum[:])
	id := sha256.Sum256([]byte(p.Of + "\n" + hash))
	return uplift.Withheld{ID: hex.EncodeToString(id[:16]), Of: p.Of, SHA256: hash, Rules: rules, At: at}
}

// Decode reads the bytes of a payload. Its errors hold nothing of them.
func Decode(b []byte) (Payload, error) {
	var p Payload
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if d.Decode(&p) != nil {
		return Payload{}, errors.New("payload: is not JSON of this form (want of, and parts)")
	}
	if _, err := d.Token(); err != io.EOF {
		return Payload{}, errors.New("payload: more follows (want one object)")
	}
	kind, _, _ := strings.Cut(p.Of, " ")
	switch kind {
	case "call", "attempt", "response":
	default:
		return Payload{}, errors.New("payload: of: unknown kind (want call, attempt or response)")
	}
	if len(p.Parts) == 0 {
		return Payload{}, errors.New("payload: parts: missing (want at least one)")
	}
	for name, text := range p.Parts {
		switch name {
		case Text, Reasoning, Details, Draft, Transcript, Problem:
		case Raw:
			if _, err := base64.StdEncoding.DecodeString(text); err != nil {
				return Payload{}, errors.New("payload: parts.raw: is not base64")
			}
		default:
			return Payload{}, fmt.Errorf("payload: parts: unknown name of %d bytes", len(name))
		}
	}
	return p, nil
}
