package fakeprovider

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"strings"
)

// digest names a request (SHA-256 over path and body) or a conversation.
type digest [sha256.Size]byte

func (d digest) String() string { return hex.EncodeToString(d[:]) }

// source is a generator that begins at the digest.
func (d digest) source() source { return source(binary.LittleEndian.Uint64(d[:])) }

// ask is what a request of any form says.
type ask struct {
	model  string
	seed   digest // of model, system prompt and turns
	last   string // the last user turn
	input  int    // bytes of system prompt and turns
	limit  int    // tokens of the reply; 0 for none
	stream bool
	usage  bool // a chat stream shall end with its usage
}

// turn is a message in any of the forms.
type turn struct{ role, text string }

// newAsk gathers what the forms read.
func newAsk(model, system string, turns []turn, limit int, stream bool) (ask, error) {
	if model == "" {
		return ask{}, errors.New("model: it is missing")
	}
	if len(turns) == 0 {
		return ask{}, errors.New("messages: there is none")
	}
	if limit < 0 {
		return ask{}, fmt.Errorf("max_tokens: %d (want 1 or more)", limit)
	}
	a := ask{model: model, limit: limit, stream: stream, input: len(system)}
	h := sha256.New()
	part(h, model)
	part(h, system)
	for _, t := range turns {
		part(h, t.role)
		part(h, t.text)
		a.input += len(t.text)
		if t.role == "user" {
			a.last = t.text
		}
	}
	h.Sum(a.seed[:0])
	return a, nil
}

func part(h hash.Hash, s string) {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(len(s)))
	h.Write(n[:])
	h.Write([]byte(s))
}

// words is a text that some forms write as a string and some as a list of
// parts; the parts' texts are joined by a line break.
type words string

func (w *words) UnmarshalJSON(b []byte) error {
	if bytes.Equal(b, []byte("null")) {
		return nil
	}
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, (*string)(w))
	}
	var parts []struct {
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	}
	if err := json.Unmarshal(b, &parts); err != nil {
		return errors.New("want a string or a list of parts")
	}
	var texts []string
	for _, p := range parts {
		texts = append(texts, p.Text+p.Refusal)
	}
	*w = words(strings.Join(texts, "\n"))
	return nil
}

// message is a turn as three of the forms write it.
type message struct {
	Role    string `json:"role"`
	Content words  `json:"content"`
}

// spoken divides messages into the operator's and the conversation's.
func spoken(list []message) (system string, turns []turn, err error) {
	for i, m := range list {
		switch m.Role {
		case "system", "developer":
			if system != "" {
				system += "\n"
			}
			system += string(m.Content)
		case "user", "assistant":
			turns = append(turns, turn{m.Role, string(m.Content)})
		default:
			return "", nil, fmt.Errorf("messages[%d].role: %q (want system, developer, user or assistant)", i, m.Role)
		}
	}
	return system, turns, nil
}

func decode(body []byte, to any) error {
	if err := json.Unmarshal(body, to); err != nil {
		return fmt.Errorf("body: %w", err)
	}
	return nil
}
