package interop_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/uplift-eval/uplift/internal/interop"
)

// zip64 rewrites an ordinary zip as APPNOTE 4.3.14, 4.3.15 and 4.5.3 have it:
// every size and place that has room for 32 bits only stands at its maximum,
// and its true value in a zip64 field.
func zip64(t *testing.T, plain []byte) []byte {
	t.Helper()
	le := binary.LittleEndian
	end := bytes.LastIndex(plain, []byte("PK\x05\x06"))
	start, count := int(le.Uint32(plain[end+16:])), uint64(le.Uint16(plain[end+10:]))
	out := bytes.Clone(plain[:start])
	for at := start; at < end; {
		entry := bytes.Clone(plain[at : at+46])
		name, extra, comment := int(le.Uint16(entry[28:])), int(le.Uint16(entry[30:])), int(le.Uint16(entry[32:]))
		field := le.AppendUint16(nil, 1) // the zip64 extra field
		field = le.AppendUint16(field, 24)
		field = le.AppendUint64(field, uint64(le.Uint32(entry[24:]))) // size
		field = le.AppendUint64(field, uint64(le.Uint32(entry[20:]))) // compressed size
		field = le.AppendUint64(field, uint64(le.Uint32(entry[42:]))) // place of the local header
		for _, place := range []int{20, 24, 42} {
			le.PutUint32(entry[place:], 1<<32-1)
		}
		le.PutUint16(entry[30:], uint16(extra+len(field)))
		out = append(append(out, entry...), plain[at+46:at+46+name]...)
		out = append(append(out, field...), plain[at+46+name:at+46+name+extra+comment]...)
		at += 46 + name + extra + comment
	}
	size, record := len(out)-start, len(out)
	out = append(out, "PK\x06\x06"...) // the zip64 end record
	out = le.AppendUint64(out, 44)
	out = le.AppendUint16(le.AppendUint16(out, 45), 45)
	out = le.AppendUint32(le.AppendUint32(out, 0), 0)
	out = le.AppendUint64(le.AppendUint64(out, count), count)
	out = le.AppendUint64(le.AppendUint64(out, uint64(size)), uint64(start))
	out = append(out, "PK\x06\x07"...) // its locator
	out = le.AppendUint32(out, 0)
	out = le.AppendUint64(out, uint64(record))
	out = le.AppendUint32(out, 1)
	last := bytes.Clone(plain[end : end+22])
	copy(last[8:], bytes.Repeat([]byte{0xff}, 12))
	return append(out, last...)
}

// A log of more than 65,535 members or 4 GiB is a zip64; its form is read here
// at a size that a test can bear.
func TestInspectZip64(t *testing.T) {
	plain := build(t, member{"header.json", evalHead, 8},
		member{"samples/1_epoch_1.json", sampleText("1", 1, `,"scores":{"s":{"value":1}}`), 93},
		member{"samples/2_epoch_1.json", sampleText("2", 1, ""), 0})
	got, counts, err := read(t, zip64(t, plain), interop.InspectOptions{})
	if err != nil || counts.Samples != 2 || len(got.labels) != 1 || got.responses[1].Task != "quiz/2" {
		t.Errorf("got %+v, %v, want 2 samples and 1 label", counts, err)
	}
	long := zip64(t, plain)
	at := bytes.LastIndex(long, []byte("samples/2_epoch_1.json")) + len("samples/2_epoch_1.json") + 4
	binary.LittleEndian.PutUint64(long[at:], 5<<30)
	_, _, err = read(t, long, interop.InspectOptions{})
	wantProblems(t, err, "samples/2_epoch_1.json: 5368709120 bytes once decompressed (want at most 268435456)")
}

// A zstd window as large as a decoder is asked to hold is refused beyond 64 MiB.
func TestInspectZstdWindow(t *testing.T) {
	for window, want := range map[int]string{64 << 20: "", 128 << 20: "samples/1_epoch_1.json: zstd with a window over 64 MiB (want a level below 22)"} {
		var file bytes.Buffer
		w := zip.NewWriter(&file)
		w.RegisterCompressor(93, func(out io.Writer) (io.WriteCloser, error) {
			return zstd.NewWriter(out, zstd.WithWindowSize(window), zstd.WithEncoderConcurrency(1))
		})
		for _, m := range []member{{"header.json", evalHead, 8}, {"samples/1_epoch_1.json", sampleText("1", 1, `,"x":"`+strings.Repeat("x", 1<<20)+`"`), 93}} {
			entry, err := w.CreateHeader(&zip.FileHeader{Name: m.name, Method: m.method})
			if err != nil {
				t.Fatal(err)
			}
			for part := range strings.SplitSeq(m.text, ",") { // in pieces, so that the size is not known in advance
				io.WriteString(entry, part)
				if !strings.HasSuffix(m.text, part) {
					io.WriteString(entry, ",")
				}
			}
		}
		w.Close()
		_, _, err := read(t, file.Bytes(), interop.InspectOptions{})
		if want != "" {
			wantProblems(t, err, want)
		} else if err != nil {
			t.Errorf("window %d: got %v, want a sample", window, err)
		}
	}
}

// A directory that points nowhere is damage, in words.
func TestInspectZipPlaces(t *testing.T) {
	log := build(t, member{"header.json", evalHead, 8}, member{"samples/1_epoch_1.json", sampleText("1", 1, ""), 8})
	at := bytes.LastIndex(log, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(log[at+42:], 3)
	_, _, err := read(t, log, interop.InspectOptions{})
	wantProblems(t, err, "samples/1_epoch_1.json: not where the zip's directory has it (the log is damaged: copy it again)")
}
