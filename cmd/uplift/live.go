package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"
)

// live draws lines at the end of a terminal, again and again in the same place.
// Nothing else may be written to it between two frames.
type live struct {
	w     io.Writer
	size  func() (width, height int) // of the terminal at this moment
	drawn []int                      // columns of the lines that stand there
}

// draw puts lines in the place of those before. They are cut to the terminal, so
// that none is broken and none is scrolled away.
func (l *live) draw(lines []string) {
	width, height := l.size()
	var b strings.Builder
	l.back(&b, width)
	lines = lines[:min(len(lines), max(height-1, 1))]
	l.drawn = l.drawn[:0]
	for _, line := range lines {
		line = cut(harmless(line), width-1)
		l.drawn = append(l.drawn, runewidth.StringWidth(line))
		b.WriteString(line + "\x1b[K\n")
	}
	b.WriteString("\x1b[J")
	io.WriteString(l.w, b.String())
}

// clear takes the lines away.
func (l *live) clear() {
	width, _ := l.size()
	var b strings.Builder
	l.back(&b, width)
	b.WriteString("\x1b[J")
	io.WriteString(l.w, b.String())
	l.drawn = nil
}

// back goes to the first of the lines. A terminal that became narrower breaks
// them.
func (l *live) back(b *strings.Builder, width int) {
	rows := 0
	for _, columns := range l.drawn {
		rows += max((columns+width-1)/max(width, 1), 1)
	}
	b.WriteString("\r")
	if rows > 0 {
		fmt.Fprintf(b, "\x1b[%dA", rows)
	}
}

// cut shortens a line to so many columns.
func cut(line string, width int) string {
	return runewidth.Truncate(strings.TrimRight(line, " \n"), max(width, 0), "…")
}
