package interop

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/uplift-eval/uplift"
)

// ExportOptions choose how labels are written. The zero value writes what
// [Labels] reads back unchanged.
type ExportOptions struct {
	// Spreadsheet puts an apostrophe before a text cell of a CSV that a
	// spreadsheet would take for a formula. Such a file no longer reads back
	// unchanged. JSONL is not touched.
	Spreadsheet bool
	// Text, when set, adds the column text, and Prompt the column prompt.
	Text, Prompt func(uplift.Cell) string
	// Simulated, when set, adds the column simulated: true for a reply that no
	// real model gave.
	Simulated func(uplift.Cell) bool
	// Sealed leaves out the column tier.
	Sealed bool
	// Unlabelled, when set, are rows that follow the labels with an empty value:
	// responses that wait for one. Their Value is not read.
	Unlabelled iter.Seq2[uplift.Label, error]
}

// exportRow is a label, or one that is still to be given.
type exportRow struct {
	uplift.Label
	waits bool
}

// exportRows are the labels, and after them what waits for one.
func exportRows(labels iter.Seq2[uplift.Label, error], opt ExportOptions) iter.Seq2[exportRow, error] {
	return func(yield func(exportRow, error) bool) {
		for l, err := range labels {
			if !yield(exportRow{l, false}, err) {
				return
			}
		}
		if opt.Unlabelled == nil {
			return
		}
		for l, err := range opt.Unlabelled {
			l.Value = 0
			if !yield(exportRow{l, true}, err) {
				return
			}
		}
	}
}

// WriteLabelsCSV writes one label a row under a header, in the order given:
// UTF-8, \n line ends, cells in quotes where they must be, values in the
// shortest form that reads back as the same number. [Labels] reads back the
// same rows exactly, with \r\n inside a cell kept; a reader that follows
// Go's or Python's default turns it into \n.
//
// A name or text that is not valid UTF-8, or a value that is not finite, is an
// error, as is one of labels.
func WriteLabelsCSV(w io.Writer, labels iter.Seq2[uplift.Label, error], opt ExportOptions) error {
	out := csv.NewWriter(w)
	names := exportColumns(opt)
	if err := out.Write(names); err != nil {
		return err
	}
	row := 0
	for l, err := range exportRows(labels, opt) {
		if row++; err != nil {
			return err
		}
		cells, err := exportCells(l, row, names, opt)
		if err != nil {
			return err
		}
		if opt.Spreadsheet {
			for i, name := range names {
				cells[i] = quoteFormula(name, cells[i])
			}
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// WriteLabelsJSONL writes one label a line as a JSON object whose keys are the
// columns of the CSV; replicate and value are numbers, an empty value is null, and
// all else is text.
func WriteLabelsJSONL(w io.Writer, labels iter.Seq2[uplift.Label, error], opt ExportOptions) error {
	out := bufio.NewWriter(w)
	names := exportColumns(opt)
	var line bytes.Buffer
	text := json.NewEncoder(&line)
	text.SetEscapeHTML(false)
	row := 0
	for l, err := range exportRows(labels, opt) {
		if row++; err != nil {
			return err
		}
		cells, err := exportCells(l, row, names, opt)
		if err != nil {
			return err
		}
		line.Reset()
		for i, name := range names {
			line.WriteString(map[bool]string{true: `{"`, false: `,"`}[i == 0])
			line.WriteString(name + `":`)
			switch {
			case name == "value" && l.waits:
				line.WriteString("null")
				continue
			case name == "replicate", name == "value":
				line.WriteString(cells[i])
				continue
			}
			if err := text.Encode(cells[i]); err != nil {
				return err
			}
			line.Truncate(line.Len() - 1) // Encode's line end
		}
		line.WriteString("}\n")
		if _, err := out.Write(line.Bytes()); err != nil {
			return err
		}
	}
	return out.Flush()
}

// exportColumns are the columns of an export in order.
func exportColumns(opt ExportOptions) []string {
	var names []string
	for _, name := range fields() {
		if name == "text" && opt.Text == nil || name == "prompt" && opt.Prompt == nil || name == "simulated" && opt.Simulated == nil || name == "tier" && opt.Sealed {
			continue
		}
		names = append(names, name)
	}
	return names
}

// exportCells are the cells of one label under names.
func exportCells(l exportRow, row int, names []string, opt ExportOptions) ([]string, error) {
	cells := make([]string, len(names))
	for i, name := range names {
		cells[i] = exportCell(l.Label, name, opt)
		if name == "value" && l.waits {
			cells[i] = ""
		}
		if !utf8.ValidString(cells[i]) {
			return nil, fmt.Errorf("label %d (%s): %s: not valid UTF-8", row, l.Cell, name)
		}
	}
	if math.IsNaN(l.Value) || math.IsInf(l.Value, 0) {
		return nil, fmt.Errorf("label %d (%s): value: %v (want a finite number)", row, l.Cell, l.Value)
	}
	return cells, nil
}

func exportCell(l uplift.Label, name string, opt ExportOptions) string {
	switch name {
	case "model":
		return l.Model
	case "condition":
		return l.Condition
	case "task":
		return l.Task
	case "family":
		return l.Family
	case "tier":
		return string(l.Tier)
	case "split":
		return l.Split
	case "attack":
		return l.Attack
	case "replicate":
		return strconv.Itoa(l.Replicate)
	case "outcome":
		return string(l.Outcome)
	case "prompt":
		return opt.Prompt(l.Cell)
	case "text":
		return opt.Text(l.Cell)
	case "scale":
		return l.Scale
	case "value":
		return strconv.FormatFloat(l.Value, 'g', -1, 64)
	case "simulated":
		return strconv.FormatBool(opt.Simulated(l.Cell))
	}
	return l.Grader
}

// quoteFormula puts an apostrophe before a text that a spreadsheet would run
// (OWASP, CSV injection). Numbers and closed vocabularies need none.
func quoteFormula(column, cell string) string {
	switch column {
	case "replicate", "value", "tier", "outcome", "simulated":
		return cell
	}
	if cell != "" && bytes.IndexByte([]byte("=+-@\t\r"), cell[0]) >= 0 {
		return "'" + cell
	}
	return cell
}
