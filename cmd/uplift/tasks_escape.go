package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// escapingWriter writes JSON in which control and direction characters stand as
// escapes; encoding/json leaves those above U+001F as they are. In JSON they
// can only be inside a string. A write must end at the end of a character.
type escapingWriter struct{ w io.Writer }

func (e escapingWriter) Write(p []byte) (int, error) {
	var b strings.Builder
	for _, r := range string(p) {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	if _, err := io.WriteString(e.w, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}
