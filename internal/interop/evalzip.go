package interop

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

// maxWindow is how far back a zstd member may refer, in bytes; as much memory
// is needed. The default level refers back 2 MiB, level 21 64 MiB.
const maxWindow = 64 << 20

// evalZip is the container of an `.eval` log. Of members with one name the
// last counts, as in the log's own readers.
type evalZip struct {
	members map[string]*zip.File
	order   []string       // names that count, in the order of the directory
	copies  map[string]int // older members of a name
	// chunkStarts are the starts of "samples/ID/SEQUENCE/START.json" by all
	// that stands before the last slash.
	chunkStarts map[string][]int
	maxMember   int64
	left        int64 // bytes that may still be decompressed
	buf         []byte
}

// openEval reads the directory of a log of size bytes.
func openEval(r io.ReaderAt, size int64, opt InspectOptions) (*evalZip, error) {
	zr, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // names are never used as paths
		return nil, notEval(r, size, err)
	}
	z := &evalZip{members: map[string]*zip.File{}, copies: map[string]int{}, chunkStarts: map[string][]int{},
		maxMember: orDefault(opt.MaxMember, 256<<20), left: orDefault(opt.MaxTotal, 64<<30)}
	zr.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(zstd.WithDecoderMaxWindow(maxWindow)))
	for _, f := range zr.File {
		if _, again := z.members[f.Name]; again {
			z.copies[f.Name]++
		}
		z.members[f.Name] = f
	}
	for _, f := range zr.File {
		if z.members[f.Name] == f {
			z.order = append(z.order, f.Name)
			dir, file := path.Split(f.Name)
			stem := strings.TrimSuffix(file, ".json")
			if start, err := strconv.Atoi(stem); err == nil && strconv.Itoa(start) == stem && dir != "" {
				z.chunkStarts[dir[:len(dir)-1]] = append(z.chunkStarts[dir[:len(dir)-1]], start)
			}
		}
	}
	return z, nil
}

func orDefault(n, fallback int64) int64 {
	if n > 0 {
		return n
	}
	return fallback
}

// notEval says what a file is that is no zip.
func notEval(r io.ReaderAt, size int64, err error) error {
	head := make([]byte, min(size, 64))
	if _, rerr := r.ReadAt(head, 0); rerr != nil && rerr != io.EOF {
		return rerr
	}
	switch text := bytes.TrimLeft(head, " \t\r\n\xef\xbb\xbf"); {
	case size == 0:
		return foreign("empty file (want an .eval log)")
	case bytes.HasPrefix(head, []byte("PK")):
		return foreign("a zip file that is cut off or damaged (%v; want a whole .eval log: copy it again)", err)
	case bytes.HasPrefix(text, []byte("{")):
		return foreign("a JSON log (want the .eval form: inspect log convert --to eval)")
	}
	return foreign("no zip file (want an .eval log)")
}

// read decompresses a member. The bytes are valid until the next read: one
// buffer serves all members, so that the largest of them is held once.
func (z *evalZip) read(name string) ([]byte, error) {
	f := z.members[name]
	switch {
	case f == nil:
		return nil, foreign("missing")
	case f.Flags&1 != 0:
		return nil, foreign("encrypted (want a log without a password)")
	case f.UncompressedSize64 > uint64(z.maxMember):
		return nil, foreign("%d bytes once decompressed (want at most %d)", f.UncompressedSize64, z.maxMember)
	case f.UncompressedSize64 > uint64(z.left):
		return nil, foreign("the log's members are too large together once decompressed (the limit was reached here)")
	}
	rc, err := f.Open()
	if errors.Is(err, zip.ErrAlgorithm) {
		return nil, foreign("compression method %d (want 0 stored, 8 deflate or 93 zstd)", f.Method)
	}
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return nil, foreign("cannot be read: %v", failed)
	}
	if err != nil {
		return nil, foreign("not where the zip's directory has it (the log is damaged: copy it again)")
	}
	defer rc.Close()
	size := int64(f.UncompressedSize64)
	z.left -= size
	data := z.room(size)
	if _, err = io.ReadFull(rc, data); err == nil {
		_, err = io.Copy(io.Discard, rc) // nothing but the check of the sum is left
	}
	if errors.Is(err, zstd.ErrWindowSizeExceeded) {
		return nil, foreign("zstd with a window over %d MiB (want a level below 22)", maxWindow>>20)
	}
	if err != nil {
		return nil, foreign("cannot be decompressed: %v (the log is damaged)", err)
	}
	return data, nil
}

// room is the buffer, cut to size. It at least doubles when it grows, so that
// the buffers given up are less than the one in use.
func (z *evalZip) room(size int64) []byte {
	if have := int64(cap(z.buf)); have < size {
		z.buf = nil
		z.buf = make([]byte, max(size, min(2*have, z.maxMember)))
	}
	return z.buf[:size]
}

// release gives a large buffer up, which ends what read returned: a sink may
// need the memory.
func (z *evalZip) release() {
	if cap(z.buf) > 16<<20 {
		z.buf = nil
	}
}

// json reads a member as valid JSON, without spaces around it. The bytes are
// valid until the next read. Bare NaN and Infinity are let through as strings
// that standIn knows.
func (z *evalZip) json(name string) ([]byte, error) {
	data, err := z.read(name)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(data) {
		return nil, foreign("not valid UTF-8")
	}
	if !json.Valid(replaceNonFinite(data)) {
		return nil, invalidJSON(data)
	}
	return bytes.Trim(data, " \t\r\n"), nil
}

// invalidJSON says where data stops being JSON.
func invalidJSON(data []byte) error {
	var syntax *json.SyntaxError
	var v struct{} // so that nothing is built
	if err := json.Unmarshal(data, &v); errors.As(err, &syntax) {
		return foreign("not valid JSON at byte %d: %v", syntax.Offset, err)
	}
	return foreign("not valid JSON")
}
