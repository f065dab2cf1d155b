package evidence

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Damage says which line of a log is not as it was written.
type Damage struct {
	Path string
	Line int    // from 1
	What string // what is wrong, and what was expected
	Torn bool   // only the end of the last line is missing: it was never acknowledged, and the next append mends it
}

func (d *Damage) Error() string { return fmt.Sprintf("%s:%d: %s", d.Path, d.Line, d.What) }

// scanned is what is known of a log up to some byte.
type scanned struct {
	entries []Entry
	end     int64  // after the last whole line
	tail    []byte // what follows it: a line without its end
}

func (s *scanned) last() Entry {
	if len(s.entries) == 0 {
		return Entry{}.orGenesis()
	}
	return s.entries[len(s.entries)-1]
}

// scan goes on from what is known to the end of r. It stops at the first line
// that is damaged.
func (s scanned) scan(path string, r io.Reader) (scanned, error) {
	s.entries, s.tail = slices.Clip(s.entries), nil
	in := bufio.NewReader(r)
	for {
		line, err := readLine(in)
		at := len(s.entries) + 1
		switch {
		case errors.Is(err, errLong):
			return s, &Damage{Path: path, Line: at, What: fmt.Sprintf("is longer than %d bytes", MaxLine)}
		case errors.Is(err, io.EOF):
			s.tail = line
			return s, nil
		case err != nil:
			return s, fmt.Errorf("%s: %w", path, cause(err))
		}
		e, err := parse(bytes.TrimSuffix(line, []byte("\n")))
		if err == nil {
			err = e.follows(s.last())
		}
		if err != nil {
			return s, &Damage{Path: path, Line: at, What: err.Error()}
		}
		s.entries = append(s.entries, e)
		s.end += int64(len(line))
	}
}

// torn is the damage that the tail is, nil without one.
func (s scanned) torn(path string) error {
	if len(s.tail) == 0 {
		return nil
	}
	return &Damage{Path: path, Line: len(s.entries) + 1, Torn: true,
		What: fmt.Sprintf("is cut off after %d bytes (want a line end; the next entry mends it)", len(s.tail))}
}

var errLong = errors.New("line too long")

// readLine reads one line with its end; io.EOF comes with what has none.
func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > MaxLine {
			return nil, errLong
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}
