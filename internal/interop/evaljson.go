package interop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

const (
	maxText       = maxCell     // bytes of one text of a log
	maxTranscript = 4 * maxText // bytes of all texts of one sample's conversation
	// maxElements bounds each list and object that is kept whole, so that a
	// small zip of a million million empty messages cannot fill memory.
	maxElements = 1 << 20
)

// walkObject calls f with each key and value of an object, which must be part
// of valid JSON. Both are valid as long as raw is; where a key stands twice f
// is called twice. A key too long for any name is handed over as it is written.
func walkObject(raw []byte, f func(key, value []byte) error) error {
	for i := nextByte(raw, 1); raw[i] != '}'; {
		end := i + stringLength(raw[i:])
		key := raw[i+1 : end-1]
		if len(key) <= 6*maxName && bytes.IndexByte(key, '\\') >= 0 {
			key, _ = unquoteJSON(raw[i:end])
		}
		i = nextByte(raw, nextByte(raw, end)+1) // past the colon
		end = i + valueLength(raw[i:])
		if err := f(key, raw[i:end]); err != nil {
			return err
		}
		if i = nextByte(raw, end); raw[i] == ',' {
			i = nextByte(raw, i+1)
		}
	}
	return nil
}

// walkList calls f with each item of a list, which must be part of valid JSON,
// and its place. An error's field is put behind that place. Items are valid as
// long as raw is.
func walkList(raw []byte, f func(at int, item []byte) error) error {
	at := 0
	for i := nextByte(raw, 1); raw[i] != ']'; at++ {
		end := i + valueLength(raw[i:])
		if err := f(at, raw[i:end]); err != nil {
			return inside(fmt.Sprintf("[%d]", at), err)
		}
		if i = nextByte(raw, end); raw[i] == ',' {
			i = nextByte(raw, i+1)
		}
	}
	return nil
}

// elements is the number of items of a list.
func elements(raw []byte) (n int) {
	walkList(raw, func(int, []byte) error { n++; return nil })
	return n
}

// inside puts the field of an error behind the one that it is part of.
func inside(field string, err error) error {
	var bad *badRecord
	if err == nil || !errors.As(err, &bad) {
		return err
	}
	switch {
	case bad.field == "":
	case bad.field[0] == '[':
		field += bad.field
	default:
		field += "." + bad.field
	}
	return &badRecord{field: field, text: bad.text, last: bad.last}
}

// given reports whether a key is there and not null.
func given(raw []byte) bool { return len(raw) > 0 && raw[0] != 'n' }

// isObject, isList and isString look at the first byte: raw is valid JSON. What
// stands in for NaN is no string.
func isObject(raw []byte) bool { return len(raw) > 0 && raw[0] == '{' }
func isList(raw []byte) bool   { return len(raw) > 0 && raw[0] == '[' }
func isString(raw []byte) bool {
	if len(raw) < 2 || raw[0] != '"' {
		return false
	}
	_, isNumber := nonFiniteOf(raw)
	return !isNumber
}

// nonFiniteOf is the token that raw stands in for.
func nonFiniteOf(raw []byte) (token string, ok bool) {
	if len(raw) > 20 || raw[1] != '\x7f' { // first, for speed
		return "", false
	}
	return standIn(string(raw[1 : len(raw)-1]))
}

// unlike says that a value is not of the kind that is wanted, in words.
func unlike(raw []byte, want string) error {
	return foreign("%s (want %s)", kindOf(raw), want)
}

// kindOf is what a JSON value is.
func kindOf(raw []byte) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		if token, ok := nonFiniteOf(raw); ok {
			return token
		}
		return "a string"
	case 't', 'f':
		return string(raw)
	case 'n':
		return "null"
	}
	return "the number " + clip(string(raw))
}

var errText = foreign("over %d MiB of text (want at most that)", maxText>>20)

// textOf decodes a string of at most maxText bytes; null and nothing are "".
func textOf(raw []byte) (string, error) {
	switch {
	case !given(raw):
		return "", nil
	case !isString(raw):
		return "", unlike(raw, "a string")
	case len(raw)-2-5*bytes.Count(raw, []byte{'\\'}) > maxText: // an escape is at most 6 bytes for one
		return "", errText
	}
	s := unquoted(raw)
	if len(s) > maxText {
		return "", errText
	}
	return s, nil
}

// nameOf decodes a string of at most maxName bytes; ok is false for a longer
// one, for "" and for anything else.
func nameOf(raw []byte) (name string, ok bool) {
	if !isString(raw) || len(raw) > 6*maxName {
		return "", false
	}
	name = unquoted(raw)
	return name, name != "" && len(name) <= maxName
}

// unquoted decodes a valid JSON string; a lone surrogate becomes U+FFFD.
func unquoted(raw []byte) (s string) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	json.Unmarshal(raw, &s) // valid, so that nothing can fail
	return s
}

// budget is how many bytes of text may still be taken together.
type budget int

// take takes the bytes of s.
func (b *budget) take(s string) error {
	if *b -= budget(len(s)); *b < 0 {
		return errTogether
	}
	return nil
}

var errTogether = foreign("over %d MiB of text together (want at most that)", maxTranscript>>20)

// together takes the place of one text away from errTogether: it is no fault
// of the one that happened to be read last.
func together(err error) error {
	var bad *badRecord
	if errors.As(err, &bad) && bad.text == errTogether.Error() {
		return errTogether
	}
	return err
}
