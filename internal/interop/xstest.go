package interop

import "io"

// XSTest reads a published completions file of XSTest.
func XSTest(r io.Reader, name string, opt XSTestOptions, sink Sink) (Counts, error) {
	return Counts{}, nil
}
