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
	tall  int                        // the height at that time
	lost  []int                      // columns of those that a lower terminal scrolled away
}

// draw puts lines in the place of those before. They are cut to the terminal, so
// that none is broken and none is scrolled away.
func (l *live) draw(lines []string) {
	width, height := l.size()
	var b strings.Builder
	l.back(&b, width, height)
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
	width, height := l.size()
	var b strings.Builder
	l.back(&b, width, height)
	b.WriteString("\x1b[J")
	io.WriteString(l.w, b.String())
	l.drawn = nil
}

// back goes to the first of the lines. A terminal that became narrower breaks
// them; one that became lower scrolls the first away, and gives them back when
// it grows.
func (l *live) back(b *strings.Builder, width, height int) {
	up := rows(l.drawn, width)
	if grown := height - l.tall; grown > 0 && len(l.lost) > 0 {
		up += min(grown, rows(l.lost, width))
		l.lost = nil
	}
	for over, i := up-height+1, 0; over > 0 && i < len(l.drawn); i++ {
		l.lost = append(l.lost, l.drawn[i])
		over -= rows(l.drawn[i:i+1], width)
	}
	l.tall = height
	b.WriteString("\r")
	if up > 0 {
		fmt.Fprintf(b, "\x1b[%dA", up)
	}
}

// rows is how many rows of a terminal lines of so many columns take.
func rows(columns []int, width int) (n int) {
	for _, c := range columns {
		n += max((c+width-1)/max(width, 1), 1)
	}
	return n
}

// cut shortens a line to so many columns.
func cut(line string, width int) string {
	return runewidth.Truncate(strings.TrimRight(line, " \n"), max(width, 0), "…")
}
