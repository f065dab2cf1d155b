package interop

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// csvTable reads RFC 4180 CSV with \n or \r\n line ends and any of three
// separators. Unlike encoding/csv it keeps \r\n inside quotes as it stands,
// bounds a cell, and goes on after a bad record; quotes are as strict. Empty
// lines are skipped.
type csvTable struct {
	lines  *lines
	comma  byte
	header []string

	fields [][]byte
	buf    []byte // the cells of a record that has quotes, unescaped
	ends   []int  // where each cell ends in buf
}

// openCSV reads the header. head is what the file begins with.
func openCSV(l *lines, head []byte, wanted []string) (*csvTable, error) {
	first, bareCR := firstLine(head)
	switch {
	case bareCR:
		return nil, fmt.Errorf("header: %w", errCR)
	case bytes.IndexByte(first, 0) >= 0:
		return nil, fmt.Errorf("header: %w", errNUL)
	}
	c := &csvTable{lines: l, comma: separator(head, wanted)}
	record, _, err := c.next()
	if err == io.EOF {
		return nil, foreign("no header (want the names of the columns on the first line)")
	}
	if err != nil {
		return nil, fmt.Errorf("header: %w", err)
	}
	for _, cell := range record {
		c.header = append(c.header, strings.TrimSpace(string(cell)))
	}
	return c, nil
}

// firstLine is head up to the first line end outside quotes, and whether that
// end is a CR with neither another CR nor LF after it.
func firstLine(head []byte) (line []byte, bareCR bool) {
	quoted := false
	for i, b := range head {
		switch {
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '\n':
			return head[:i], false
		case b == '\r' && i+1 < len(head) && head[i+1] != '\r' && head[i+1] != '\n':
			return head[:i], true
		}
	}
	return head, false
}

// separator is the one of comma, semicolon and tab under which the header
// holds most of the wanted names; comma on a tie.
func separator(head []byte, wanted []string) byte {
	best, most := byte(','), 0
	for _, comma := range []byte(",;\t") {
		l, err := openLines(bytes.NewReader(head))
		if err != nil {
			break
		}
		record, _, err := (&csvTable{lines: l, comma: comma}).next()
		if err != nil {
			continue
		}
		have := map[string]bool{}
		for _, cell := range record {
			have[strings.TrimSpace(string(cell))] = true
		}
		n := 0
		for _, name := range wanted {
			if have[name] {
				n++
			}
		}
		if n > most {
			best, most = comma, n
		}
	}
	return best
}

func (c *csvTable) bind(column string) (int, bool) {
	for i, name := range c.header {
		if name == column {
			return i, true
		}
	}
	return 0, false
}

func (c *csvTable) columns() []string { return c.header }

// next returns cells that are valid until the next call.
func (c *csvTable) next() ([][]byte, int, error) {
	for {
		line, err := c.lines.read()
		start := c.lines.n
		if err != nil {
			return nil, start, err
		}
		if len(unterminated(line)) == 0 {
			continue
		}
		if bytes.IndexByte(line, '"') < 0 {
			err = c.plain(line)
		} else {
			err = c.quoted(line, start)
		}
		if err != nil {
			return nil, start, err
		}
		if c.header != nil && len(c.fields) != len(c.header) {
			return nil, start, &badRecord{text: fmt.Sprintf("%d cells (want %d, as in the header)", len(c.fields), len(c.header))}
		}
		return c.fields, start, nil
	}
}

// plain splits a line without quotes in place.
func (c *csvTable) plain(line []byte) error {
	if !utf8.Valid(line) {
		return notUTF8(c.lines.n)
	}
	line = unterminated(line)
	c.fields = c.fields[:0]
	for {
		i := bytes.IndexByte(line, c.comma)
		cell := line
		if i >= 0 {
			cell = line[:i]
		}
		if len(cell) > maxCell {
			return errCell
		}
		if len(c.fields) == maxCells {
			return errWide
		}
		c.fields = append(c.fields, cell)
		if i < 0 {
			return nil
		}
		line = line[i+1:]
	}
}

// quoted reads a record that begins with line, and further lines while a
// quote is open.
func (c *csvTable) quoted(line []byte, start int) error {
	c.buf, c.ends, c.fields = c.buf[:0], c.ends[:0], c.fields[:0]
	valid := utf8.Valid(line)
	for more := true; more; {
		var err error
		if len(line) > 0 && line[0] == '"' {
			line, more, err = c.quotedCell(line[1:], start, &valid)
		} else {
			line, more, err = c.bareCell(line)
		}
		if err != nil {
			return err
		}
		if len(c.ends) == maxCells {
			return errWide
		}
		c.ends = append(c.ends, len(c.buf))
	}
	if !valid {
		return notUTF8(start)
	}
	from := 0
	for _, end := range c.ends {
		c.fields = append(c.fields, c.buf[from:end:end])
		from = end
	}
	return nil
}

// bareCell takes a cell without quotes from the front of line; more says that
// another follows.
func (c *csvTable) bareCell(line []byte) (rest []byte, more bool, err error) {
	cell, rest, more := bytes.Cut(line, []byte{c.comma})
	if !more {
		cell = unterminated(cell)
	}
	if bytes.IndexByte(cell, '"') >= 0 {
		return nil, false, &badRecord{field: c.columnName(), text: `a quote inside a cell that does not begin with one (want the cell in quotes, with each quote in it doubled)`}
	}
	if len(cell) > maxCell {
		return nil, false, errCell
	}
	c.buf = append(c.buf, cell...)
	return rest, more, nil
}

// quotedCell takes a cell whose opening quote was read.
func (c *csvTable) quotedCell(line []byte, start int, valid *bool) (rest []byte, more bool, err error) {
	from := len(c.buf)
	for {
		i := bytes.IndexByte(line, '"')
		if i < 0 {
			c.buf = append(c.buf, line...)
			if len(c.buf)-from > maxCell {
				return nil, false, errCell
			}
			if len(c.buf) > maxRecord {
				return nil, false, errLong
			}
			if line, err = c.lines.read(); err == io.EOF {
				return nil, false, &badRecord{field: c.columnName(), text: fmt.Sprintf("a quote is opened and never closed (the record begins on line %d)", start)}
			} else if err != nil {
				return nil, false, err
			}
			*valid = *valid && utf8.Valid(line)
			continue
		}
		c.buf = append(c.buf, line[:i]...)
		line = line[i+1:]
		if len(c.buf)-from > maxCell {
			return nil, false, errCell
		}
		switch {
		case len(line) > 0 && line[0] == '"':
			c.buf = append(c.buf, '"')
			line = line[1:]
		case len(line) > 0 && line[0] == c.comma:
			return line[1:], true, nil
		case len(unterminated(line)) == 0:
			return nil, false, nil
		default:
			return nil, false, &badRecord{field: c.columnName(), text: `text after a closing quote (want each quote inside a cell doubled)`}
		}
	}
}

// columnName is the header of the cell that is being read.
func (c *csvTable) columnName() string {
	if i := len(c.ends); i < len(c.header) {
		return clip(c.header[i])
	}
	return ""
}

func notUTF8(line int) error {
	return &badRecord{text: fmt.Sprintf("not valid UTF-8 in the record that begins on line %d (want UTF-8)", line)}
}
