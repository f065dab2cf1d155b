package quarantine

import (
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// parts are the names of a payload's parts in the order in which they are shown.
var parts = []string{Text, Draft, Transcript, Reasoning, Details, Problem, Raw}

// Show writes the parts for a terminal. Whatever stands in them, no control
// character, no direction mark and no invisible one is written, and each of their
// lines begins with a bar, so that none can pass for one of Show's own.
func (p Payload) Show(out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "of %s\n", plain(p.Of))
	for _, name := range parts {
		text, ok := p.Parts[name]
		if !ok {
			continue
		}
		if body, err := base64.StdEncoding.DecodeString(text); name == Raw && err == nil {
			text = string(body)
		}
		fmt.Fprintf(&b, "\n%s, %d bytes\n", name, len(text))
		for line := range strings.SplitSeq(text, "\n") {
			fmt.Fprintf(&b, "| %s\n", plain(line))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// plain writes as escapes what does not print.
func plain(s string) string {
	var b strings.Builder
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case r == '\\':
			b.WriteString(`\\`)
		case r == ' ' || unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		s = s[n:]
	}
	return b.String()
}
