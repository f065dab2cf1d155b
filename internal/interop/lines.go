package interop

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/maphash"
	"io"
	"strings"
)

const (
	maxCell   = 16 << 20 // bytes of one cell
	maxRecord = 64 << 20 // bytes of one record, so that an unclosed quote cannot fill memory
	maxCells  = 1 << 16  // cells of one record
	maxName   = 4096     // bytes of a task, model or any other name
)

// lines reads physical lines and counts them. The zero value is not usable.
type lines struct {
	r    *bufio.Reader
	n    int    // lines returned so far
	long []byte // a line that did not fit in r's buffer
}

// openLines skips a UTF-8 byte order mark and refuses what is not UTF-8 text.
func openLines(r io.Reader) (*lines, error) {
	l := &lines{r: bufio.NewReaderSize(r, 64<<10)}
	head, err := l.r.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case len(head) == 0:
		return nil, foreign("empty file (want a header or one JSON object a line)")
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		l.r.Discard(3)
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")), bytes.Equal(head, []byte("\x00\x00\xfe\xff")), wide(head):
		return nil, foreign("UTF-16 or UTF-32 text (want UTF-8; in a spreadsheet, save as \"CSV UTF-8\")")
	case bytes.IndexByte(head, 0) >= 0:
		return nil, errNUL
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return nil, foreign("a zip or spreadsheet file (want plain CSV or JSONL)")
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return nil, foreign("a gzip file (want plain CSV or JSONL; unpack it first)")
	}
	return l, nil
}

// wide reports whether the four bytes of head look like the first letters of
// UTF-16 or UTF-32 text without a mark: NUL bytes in every second place, or
// in three of four.
func wide(head []byte) bool {
	var letters string
	for _, b := range head {
		if b == 0 {
			letters += "0"
		} else {
			letters += "x"
		}
	}
	switch letters {
	case "x0", "0x", "x0x0", "0x0x", "x000", "000x":
		return true
	}
	return false
}

// read returns the next line with its end, valid until the next read, and
// io.EOF after the last. A line longer than maxRecord is an error.
func (l *lines) read() ([]byte, error) {
	line, err := l.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = append(l.long[:0], line...)
		for err == bufio.ErrBufferFull {
			if len(l.long) > maxRecord {
				l.n++
				return nil, errLong
			}
			line, err = l.r.ReadSlice('\n')
			l.long = append(l.long, line...)
		}
		line = l.long
	}
	if len(line) == 0 && err != nil {
		return nil, err
	}
	if err != nil && err != io.EOF {
		return nil, err
	}
	l.n++
	return line, nil
}

var (
	errLong = &badRecord{last: true, text: fmt.Sprintf("a record over %d MiB (is a closing quote missing?)", maxRecord>>20)}
	errNUL  = &badRecord{last: true, text: "NUL bytes (want UTF-8 text: the file is binary or damaged)"}
	errCR   = &badRecord{last: true, text: "lines end in a bare CR (want LF or CRLF)"}
	errWide = &badRecord{text: fmt.Sprintf("a record of over %d cells (want fewer columns)", maxCells)}
	errCell = &badRecord{last: true, text: fmt.Sprintf("a cell over %d MiB (is a closing quote missing?)", maxCell>>20)}
)

// unterminated is line without its end, \n, \r\n or a last \r.
func unterminated(line []byte) []byte {
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

// table is a file of records under named columns.
type table interface {
	// bind gives the place of a column in every record; ok is false when the
	// file cannot have it.
	bind(column string) (at int, ok bool)
	// next reads a record and the line on which it begins. A record that
	// cannot be read is a *badRecord, and reading may go on; any other error,
	// io.EOF included, ends the file. A cell is nil when the record lacks it.
	next() (record [][]byte, line int, err error)
	// columns lists what the file calls its columns, as far as it was read.
	columns() []string
}

// badRecord is a record that cannot be read at all.
type badRecord struct {
	field, text string
	last        bool // reading cannot go on after it
}

func (b *badRecord) Error() string { return b.text }

// foreign says that a file is none of ours.
func foreign(format string, args ...any) error {
	return &badRecord{text: fmt.Sprintf(format, args...), last: true}
}

// openTable chooses CSV or JSONL by the name's suffix, else by the first byte.
// A CSV file's separator is the one under which most of wanted stand in its
// header.
func openTable(r io.Reader, name string, wanted []string) (t table, format string, err error) {
	l, err := openLines(r)
	if err != nil {
		return nil, "", err
	}
	head, _ := l.r.Peek(l.r.Size())
	text := bytes.TrimLeft(head, " \t\r\n")
	lower := strings.ToLower(name)
	switch {
	case strings.HasSuffix(lower, ".csv"), strings.HasSuffix(lower, ".tsv"):
	case strings.HasSuffix(lower, ".jsonl"), strings.HasSuffix(lower, ".ndjson"), bytes.HasPrefix(text, []byte("{")):
		if bytes.HasPrefix(text, []byte("[")) {
			return nil, "", foreign("a JSON array (want JSONL: one object a line)")
		}
		return &jsonTable{lines: l, at: map[string]int{}, seed: maphash.MakeSeed(), seen: map[uint64]bool{}}, "jsonl", nil
	case bytes.HasPrefix(text, []byte("[")):
		return nil, "", foreign("a JSON array (want JSONL: one object a line)")
	}
	c, err := openCSV(l, head, wanted)
	return c, "csv", err
}
