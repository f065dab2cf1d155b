package benchmark

import (
	"bytes"
	"unicode/utf8"
)

// MaxBytes is the size that a task file may have.
const MaxBytes = 64 << 20

// plain is a file's text in UTF-8 without a byte order mark. What no text file
// holds is a problem, one a line, and is replaced so that the rest can be read.
func plain(data []byte, ps *problems) []byte {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	before, n := ps.Count(), 0
	for line := range bytes.Lines(data) {
		n++
		if !utf8.Valid(line) {
			ps.add(n, "", "is not UTF-8 (want a text file in UTF-8)")
		} else if c, ok := control(line); ok {
			ps.add(n, "", "holds the control character U+%04X (want a text file)", c)
		}
	}
	if ps.Count() == before {
		return data
	}
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	return bytes.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' {
			return ' '
		}
		return r // an invalid byte has become U+FFFD
	}, data)
}

// control finds a control character that is neither a tab nor a line's end.
func control(line []byte) (byte, bool) {
	line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	for _, c := range line {
		if c < ' ' && c != '\t' {
			return c, true
		}
	}
	return 0, false
}
