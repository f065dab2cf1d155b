package interop

import (
	"io"
	"iter"

	"github.com/uplift-eval/uplift"
)

// ExportOptions choose how labels are written. The zero value writes what
// [Labels] reads back unchanged.
type ExportOptions struct {
	// Spreadsheet puts an apostrophe before a text cell that a spreadsheet
	// would take for a formula. Such a file no longer reads back unchanged.
	Spreadsheet bool
	// Text, when set, adds the column text.
	Text func(uplift.Cell) string
}

// WriteLabelsCSV writes labels as CSV.
func WriteLabelsCSV(w io.Writer, labels iter.Seq2[uplift.Label, error], opt ExportOptions) error {
	return nil
}

// WriteLabelsJSONL writes labels as JSON lines.
func WriteLabelsJSONL(w io.Writer, labels iter.Seq2[uplift.Label, error], opt ExportOptions) error {
	return nil
}
