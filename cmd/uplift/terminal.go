package main

import (
	"io"
	"strconv"
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

// grouped is n with a comma between groups of three digits, as reports write it.
func grouped[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// columns is how wide a text may be: as wide as the terminal, else as COLUMNS
// says, else 100.
func columns(terminal int, variable string) int {
	if terminal > 0 {
		return terminal
	}
	if n, err := strconv.Atoi(variable); err == nil && n > 0 {
		return n
	}
	return 100
}
