package run

import (
	"encoding/json"
	"slices"
	"strings"
)

// words are what stands in a body.
type words struct {
	texts  []string // strings, as they are meant, and what is no JSON as it is
	names  string   // of fields
	opaque []string // ids and signatures
}

// read gives the words of JSON, of the data lines of an event stream, of what
// was broken off in the middle, and of anything else. It looks for strings and
// not for a whole value: the names of fields are words too, and so is the first
// of two fields of one name.
func read(body string) words {
	if body == "" {
		return words{}
	}
	var w words
	var names, values []string
	var outside strings.Builder
	name, at := "", 0
	for {
		open := strings.IndexByte(body[at:], '"')
		if open < 0 {
			break
		}
		outside.WriteString(body[at : at+open])
		text, end := literal(body, at+open)
		rest := strings.TrimLeft(body[end:], " \t\r\n")
		switch between := strings.TrimSpace(body[at : at+open]); {
		case strings.HasPrefix(rest, ":"):
			if !slices.Contains(names, text) && len(names) < mostNames {
				names = append(names, text)
			} else if len(names) >= mostNames {
				values = append(values, text)
			}
			name = text
		case between == ":" && slices.Contains(opaque, name):
			w.opaque = append(w.opaque, text)
		default:
			values = append(values, text)
		}
		at = end
	}
	outside.WriteString(body[at:])
	w.texts, w.names = values, strings.Join(names, " ")
	switch start := strings.TrimLeft(body, " \t\r\n"); {
	case json.Valid([]byte(body)):
	case strings.HasPrefix(start, "{"), strings.HasPrefix(start, "["), strings.Contains(body, "data:"):
		// Of a stream a word may be cut between two pieces.
		w.texts = append(w.texts, strings.Join(values, ""), outside.String())
	default: // perhaps in a form with a null byte beside each letter
		w.texts = append(w.texts, strings.ReplaceAll(body, "\x00", ""))
	}
	return w
}

// mostNames bounds the names that are gathered into one text.
const mostNames = 256

// literal gives the string whose quote stands at i, and where it ends. It may be
// broken off.
func literal(body string, i int) (text string, end int) {
	end = i + 1
	for end < len(body) && body[end] != '"' {
		if body[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(body))
	raw := body[i+1 : end]
	if end < len(body) {
		end++
	}
	if !strings.Contains(raw, "\\") {
		return raw, end
	}
	for cut := 0; cut < min(6, len(raw)); cut++ { // an escape may be broken off
		if json.Unmarshal([]byte(`"`+raw[:len(raw)-cut]+`"`), &text) == nil {
			return text, end
		}
	}
	return raw, end
}

// opaque are the names of fields that no person wrote.
var opaque = []string{"id", "signature", "encrypted_content", "thoughtSignature", "responseId", "system_fingerprint", "obfuscation"}
