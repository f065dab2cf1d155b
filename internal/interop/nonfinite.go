package interop

import "bytes"

// The tokens that Python writes for non-finite numbers and JSON does not know,
// and the strings that stand in for them: shorter, and filled up with spaces so
// that offsets stay, and with DEL as the first character, which no scorer writes.
var nonFinite = []struct{ token, stand string }{
	{"NaN", "\"\x7f\""},
	{"Infinity", "\"\x7finf\""},
	{"-Infinity", "\"\x7f-inf\""},
}

// replaceNonFinite replaces bare NaN, Infinity and -Infinity outside strings, in
// place, and returns data. Valid JSON is left as it is, byte for byte; the
// length never changes.
func replaceNonFinite(data []byte) []byte {
	if !bytes.Contains(data, []byte("NaN")) && !bytes.Contains(data, []byte("Infinity")) {
		return data
	}
	for i := 0; i < len(data); {
		switch c := data[i]; {
		case c == '"':
			i += stringLength(data[i:])
		case c == 'N' || c == 'I' || c == '-':
			i += replaceToken(data, i)
		default:
			i++
		}
	}
	return data
}

// replaceToken replaces the token at i, if one stands there whole, and returns
// how many bytes are done.
func replaceToken(data []byte, i int) int {
	for _, t := range nonFinite {
		end := i + len(t.token)
		if !bytes.HasPrefix(data[i:], []byte(t.token)) || !edge(data, i-1) || !edge(data, end) {
			continue
		}
		n := copy(data[i:end], t.stand)
		for ; n < len(t.token); n++ {
			data[i+n] = ' '
		}
		return len(t.token)
	}
	return 1
}

// edge reports whether a JSON value may begin or end beside the byte at i.
func edge(data []byte, i int) bool {
	return i < 0 || i >= len(data) || bytes.IndexByte([]byte(" \t\r\n,:[]{}"), data[i]) >= 0
}

// standIn is the token that a string stands in for.
func standIn(s string) (token string, ok bool) {
	for _, t := range nonFinite {
		if "\""+s+"\"" == t.stand {
			return t.token, true
		}
	}
	return "", false
}
