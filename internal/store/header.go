package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
)

// inspect reads the header before SQLite does, so that a file which is
// missing, foreign or cut off is told apart and is never touched. It returns
// the file's size.
func inspect(path string) (int64, error) {
	size, err := inspectOnce(path)
	if errors.Is(err, ErrCorrupt) {
		return inspectOnce(path) // a checkpoint may have been under way
	}
	return size, err
}

// applicationID marks the file as a study database: "uplf".
const applicationID = 0x75706c66

// The header of an SQLite file (https://www.sqlite.org/fileformat.html, 1.3).
const (
	magic            = "SQLite format 3\x00"
	headerSize       = 100
	offPageSize      = 16 // 2 bytes; 1 stands for 65536
	offChanges       = 24 // 4 bytes
	offPages         = 28 // 4 bytes, valid when offValidFor equals offChanges
	offApplicationID = 68 // 4 bytes
	offValidFor      = 92 // 4 bytes
)

func inspectOnce(path string) (int64, error) {
	info, err := os.Stat(path) // before opening: a pipe would wait
	if errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("%s: %w", path, ErrMissing)
	} else if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, fmt.Errorf("%s: %w: it is a %s (want a file)", path, ErrForeign, kind(info.Mode()))
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return 0, err
	}
	header := make([]byte, headerSize)
	n, err := io.ReadFull(f, header)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return 0, err
	}
	return info.Size(), judge(path, header[:n], info.Size())
}

// judge says what is wrong with a file by its header and size.
func judge(path string, header []byte, size int64) error {
	switch n := min(len(header), len(magic)); {
	case len(header) == 0:
		return fmt.Errorf("%s: %w: the file is empty; %s", path, ErrCorrupt, restore)
	case !bytes.Equal(header[:n], []byte(magic[:n])):
		return fmt.Errorf("%s: %w: it is no SQLite file", path, ErrForeign)
	case len(header) < headerSize:
		return fmt.Errorf("%s: %w: it ends after %d bytes; %s", path, ErrCorrupt, size, restore)
	}
	at := func(offset int) int64 { return int64(binary.BigEndian.Uint32(header[offset:])) }
	if at(offApplicationID) != applicationID {
		return fmt.Errorf("%s: %w: it is another program's SQLite file", path, ErrForeign)
	}
	page := int64(binary.BigEndian.Uint16(header[offPageSize:]))
	if page == 1 {
		page = 1 << 16
	}
	if want := at(offPages) * page; size < want && at(offValidFor) == at(offChanges) && walSize(path) == 0 {
		return fmt.Errorf("%s: %w: it is cut off, %s of %s bytes are there; %s",
			path, ErrCorrupt, strconv.FormatInt(size, 10), strconv.FormatInt(want, 10), restore)
	}
	return nil
}

func kind(m fs.FileMode) string {
	if m.IsDir() {
		return "directory"
	}
	return "special file"
}

func walSize(path string) int64 {
	info, err := os.Stat(path + "-wal")
	if err != nil {
		return 0
	}
	return info.Size()
}
