package main

import (
	"io"
	"strings"
	"unicode"
)

// harmless keeps what a file or a study holds from acting on a terminal:
// control and direction characters become U+FFFD, but for line feeds and tabs.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// harmlessWriter writes text through [harmless]. A write must end at the end of
// a character.
type harmlessWriter struct{ w io.Writer }

func (h harmlessWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(h.w, harmless(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// watched remembers the first failure of a writer, so that no command ends well
// whose result was lost.
type watched struct {
	w   io.Writer
	err error
}

func (w *watched) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	if err != nil && w.err == nil {
		w.err = err
	}
	return n, err
}
