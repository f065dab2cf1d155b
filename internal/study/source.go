package study

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"unicode/utf8"

	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// MaxBytes is the size that a study file, a prompt or a policy may have.
const MaxBytes = 5 << 20

// readFile reads a study file of at most MaxBytes.
func readFile(path string) ([]byte, error) {
	data, err := readRegular(path, MaxBytes)
	if err != nil {
		return nil, fmt.Errorf("read the study %s: %w", path, err)
	}
	return data, nil
}

// readRegular reads a regular file of at most so many bytes. Its errors do not
// name the file.
func readRegular(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, unnamed(err)
	}
	if !info.Mode().IsRegular() { // before it is opened: a named pipe waits for a writer
		return nil, errIrregular
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unnamed(err)
	}
	defer f.Close()
	data, err := readAll(f, most)
	return data, unnamed(err)
}

// unnamed is an error of the file system without the name of its file.
func unnamed(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// readAll reads a regular file of at most so many bytes.
func readAll(f fs.File, most int64) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("is no regular file")
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("is larger than %d MB", most>>20)
	}
	return data, err
}

// text checks the bytes of a study file and returns them as UTF-8 with \n at
// each line's end and without a byte order mark.
func text(data []byte, ps *problems) (string, bool) {
	if len(data) > MaxBytes {
		ps.Add(strictyaml.Place{}, "", "is larger than %d MB", MaxBytes>>20)
		return "", false
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	at := strictyaml.Place{Line: 1, Column: 1}
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			ps.Add(at, "", "is not UTF-8 (want a text file in UTF-8)")
			return "", false
		case r == '\n':
			at = strictyaml.Place{Line: at.Line + 1}
		case r < ' ' && r != '\t':
			ps.Add(at, "", "holds the control character %U (want plain text; write it as an escape inside double quotes)", r)
			return "", false
		}
		at.Column++
		i += n
	}
	return string(data), true
}
