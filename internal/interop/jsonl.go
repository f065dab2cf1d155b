package interop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"unicode/utf8"
)

// jsonTable reads one JSON object a line. Values are strings, numbers,
// booleans or null; a key that nobody bound may hold anything. Empty lines
// are skipped.
type jsonTable struct {
	lines  *lines
	at     map[string]int // bound keys
	seed   maphash.Seed
	seen   map[uint64]bool // hashes of keys met that nobody bound, up to maxElements
	other  []string        // the first of them, in the order met
	more   int             // how many others there are
	fields [][]byte
}

// bind always succeeds: whether a record has the key is known only there.
func (j *jsonTable) bind(column string) (int, bool) {
	if _, ok := j.at[column]; !ok {
		j.at[column] = len(j.at)
	}
	return j.at[column], true
}

func (j *jsonTable) columns() []string { return j.other }

func (j *jsonTable) next() ([][]byte, int, error) {
	for {
		line, err := j.lines.read()
		start := j.lines.n
		if err != nil {
			return nil, start, err
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if err := j.object(line); err != nil {
			return nil, start, err
		}
		return j.fields, start, nil
	}
}

// object reads the keys of one line. The line is checked as a whole first, so
// that the walk over it can trust its shape.
func (j *jsonTable) object(line []byte) error {
	switch {
	case !utf8.Valid(line):
		return &badRecord{text: "not valid UTF-8 (want UTF-8)"}
	case line[0] != '{':
		return &badRecord{text: "no JSON object (want one object a line)"}
	case !json.Valid(line):
		return &badRecord{text: badJSON(line)}
	}
	if j.fields == nil {
		j.fields = make([][]byte, len(j.at))
	}
	clear(j.fields)
	return walkObject(line, j.put)
}

// put files one value under its key.
func (j *jsonTable) put(key, raw []byte) error {
	at, ok := j.at[string(key)]
	if !ok {
		j.unread(key)
		return nil
	}
	if j.fields[at] != nil {
		return &badRecord{field: string(key), text: "given twice"}
	}
	switch raw[0] {
	case '"':
		cell := raw[1 : len(raw)-1]
		if bytes.IndexByte(cell, '\\') >= 0 {
			cell, _ = unquoteJSON(raw)
		}
		if len(cell) > maxCell {
			return errCell
		}
		j.fields[at] = cell
	case '{', '[':
		return &badRecord{field: string(key), text: "an object or array (want a string or a number)"}
	case 'n':
	default:
		j.fields[at] = raw
	}
	return nil
}

// unread notes a key that nobody bound. Keys are told apart by their hashes:
// among a million, the odds that two are taken for one are 1 in 40 million.
func (j *jsonTable) unread(key []byte) {
	sum := maphash.Bytes(j.seed, key)
	if j.seen[sum] || len(j.seen) >= maxElements {
		return
	}
	j.seen[sum] = true
	if len(j.other) < maxShown {
		j.other = append(j.other, clip(string(key)))
		return
	}
	j.more++
}

// unquoteJSON decodes a JSON string; a lone surrogate becomes U+FFFD.
func unquoteJSON(raw []byte) ([]byte, error) {
	var s string
	err := json.Unmarshal(raw, &s)
	return []byte(s), err
}

// nextByte is the index of the first byte of line from i on that is no space.
func nextByte(line []byte, i int) int {
	for line[i] == ' ' || line[i] == '\t' || line[i] == '\r' || line[i] == '\n' {
		i++
	}
	return i
}

// valueLength is the length of the JSON value that b, part of valid JSON,
// begins with.
func valueLength(b []byte) int {
	depth := 0
	for i := 0; i < len(b); {
		switch b[i] {
		case '"':
			i += stringLength(b[i:])
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
			i++
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return i
			}
			i++
			continue
		default:
			i++
			if depth == 0 {
				continue // the rest of a number or a word
			}
		}
		if depth == 0 {
			return i
		}
	}
	return len(b)
}

// stringLength is the length of the JSON string that b begins with, quotes
// included.
func stringLength(b []byte) int {
	i := 1
	for end := min(len(b), 64); i < end; i++ { // most strings are short
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	for ; i < len(b); i++ {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			break
		}
		if i += n; !escaped(b, i) {
			return i + 1
		}
	}
	return len(b)
}

// escaped reports whether an odd number of backslashes stands before the byte
// at i of a string that begins with its quote.
func escaped(b []byte, i int) bool {
	from := i
	for b[from-1] == '\\' {
		from--
	}
	return (i-from)%2 == 1
}

// badJSON says why line is no JSON object.
func badJSON(line []byte) string {
	var v json.RawMessage
	err := json.Unmarshal(line, &v)
	if end := bytes.IndexByte(line, '\r'); end > 0 && json.Valid(line[:end]) {
		return errCR.text
	}
	if strict := replaceNonFinite(bytes.Clone(line)); json.Valid(strict) {
		return "a bare NaN or Infinity is no JSON (leave the key out, or write null, where a value is missing)"
	}
	return fmt.Sprintf("no whole JSON object on this line: %v (want one object a line)", err)
}
