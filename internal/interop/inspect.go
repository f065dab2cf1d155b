package interop

import "io"

// Inspect reads an `.eval` log.
func Inspect(r io.ReaderAt, size int64, name string, opt InspectOptions, sink Sink) (Counts, error) {
	return Counts{}, nil
}
