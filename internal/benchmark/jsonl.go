package benchmark

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
)

// maxLine is how long a line of JSON Lines may be, in bytes.
const maxLine = 8 << 20

// jsonLines reads one object a line. Blank lines are skipped.
func jsonLines(data []byte, ps *problems) []row {
	var rows []row
	for n := 1; len(data) > 0; n++ {
		var b []byte
		b, data, _ = bytes.Cut(data, []byte("\n"))
		b = bytes.TrimSpace(b)
		switch {
		case len(b) == 0:
		case len(b) > maxLine:
			ps.add(n, "", "is longer than %d MB", maxLine>>20)
		default:
			if r, ok := object(b, n, ps); ok {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// object reads the object of one line; false means that nothing of it is usable.
func object(b []byte, n int, ps *problems) (row, bool) {
	r := row{line: n}
	if b[0] != '{' {
		ps.add(n, "", "is no JSON object (want {\"id\": ..., \"ask\": ...}, one in a line)")
		return r, false
	}
	if half := halfPair(b); half != "" {
		ps.add(n, "", "holds %s, half of a character (want both halves, or the character itself)", half)
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	if err := r.members(dec, ps); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		ps.add(n, "", "is not JSON: %v", err)
		return r, false
	}
	if rest := bytes.TrimSpace(b[dec.InputOffset():]); len(rest) > 0 {
		ps.add(n, "", "goes on after its object (want one object in a line)")
	}
	return r, true
}

// members reads the keys and values of an object.
func (r *row) members(dec *json.Decoder, ps *problems) error {
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return err
		}
		if name := key.(string); !r.set(name, jsonValue(raw, r.line)) {
			ps.add(r.line, name, "is set twice")
		}
	}
	_, err := dec.Token()
	return err
}

// jsonValue sorts a value that is JSON by its form.
func jsonValue(raw json.RawMessage, n int) value {
	v := value{line: n, form: other, says: "is " + kindOf(raw)}
	switch raw[0] {
	case '"':
		if json.Unmarshal(raw, &v.text) == nil {
			v.form = text
		}
	case '[':
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			return v
		}
		for _, item := range items {
			if item[0] != '"' {
				v.says = "holds " + kindOf(item)
				return v
			}
			var s string
			if json.Unmarshal(item, &s) != nil {
				return v
			}
			v.list = append(v.list, s)
		}
		v.form = list
	default:
		if i, err := strconv.Atoi(string(raw)); err == nil && i >= 1 && i <= maxVersion {
			v.form, v.n = whole, i
		}
	}
	return v
}

func kindOf(raw json.RawMessage) string {
	switch raw[0] {
	case '"':
		return "a text"
	case '[':
		return "a list"
	case '{':
		return "an object"
	case 't', 'f', 'n':
		return string(raw)
	}
	return "the number " + string(raw)
}

// halfPair finds an escape of a UTF-16 surrogate without its other half, which
// encoding/json would replace in silence; it is empty when there is none.
func halfPair(b []byte) string {
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' {
			continue
		}
		switch u, ok := escape(b[i:]); {
		case !ok:
			i++ // the escaped character
		case u >= 0xd800 && u < 0xdc00:
			if low, ok := escape(b[i+6:]); !ok || low < 0xdc00 || low > 0xdfff {
				return string(b[i : i+6])
			}
			i += 11
		case u >= 0xdc00 && u <= 0xdfff:
			return string(b[i : i+6])
		default:
			i += 5
		}
	}
	return ""
}

// escape reads \uXXXX at the start of b.
func escape(b []byte) (uint64, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	u, err := strconv.ParseUint(string(b[2:6]), 16, 32)
	return u, err == nil
}
