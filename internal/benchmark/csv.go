package benchmark

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/uplift-eval/uplift/internal/strictyaml"
)

// between stands between the points of a list in one cell.
const between = " | "

// maxColumns is how many columns a table may have; others' have some twenty.
const maxColumns = 1000

// table is a CSV file: a header, and records below it.
type table struct {
	header []string
	lines  *csv.Reader
	ps     *problems
	broken bool
}

// openTable reads the header of RFC 4180 CSV.
func openTable(data []byte, ps *problems) (*table, bool) {
	r := csv.NewReader(bytes.NewReader(data))
	r.FieldsPerRecord = -1
	t := &table{lines: r, ps: ps}
	header, _, ok := t.next()
	if !ok {
		if !t.broken {
			ps.add(0, "", "is empty (want the names of the columns in the first line)")
		}
		return nil, false
	}
	if len(header) > maxColumns {
		ps.add(1, "", "has %d columns (want at most %d)", len(header), maxColumns)
		return nil, false
	}
	for _, name := range header {
		t.header = append(t.header, strings.TrimSpace(name))
	}
	if len(t.header) == 1 && strings.ContainsAny(t.header[0], ";\t") {
		ps.add(1, "", "has one column only (want commas between the columns)")
		return nil, false
	}
	return t, true
}

// next is the next record with the line on which it begins; false ends the file.
func (t *table) next() ([]string, int, bool) {
	cells, err := t.lines.Read()
	if err == io.EOF {
		return nil, 0, false
	}
	var bad *csv.ParseError
	if errors.As(err, &bad) {
		t.broken = true
		t.ps.add(bad.StartLine, "", "is not CSV: %v (want quotes around a cell with a comma, a quote or a line break, and quotes inside doubled)", bad.Err)
		return nil, 0, false
	}
	line, _ := t.lines.FieldPos(0)
	return cells, line, true
}

// record is the next record that has as many cells as the header.
func (t *table) record() ([]string, int, bool) {
	for {
		cells, line, ok := t.next()
		if !ok || len(cells) == len(t.header) {
			return cells, line, ok
		}
		t.ps.add(line, "", "has %d cells (want %d, as in the header)", len(cells), len(t.header))
	}
}

// csvTasks reads tasks of the own schema, a column a field. An empty cell is a
// field left out.
func csvTasks(data []byte, need []string, ps *problems) []row {
	t, ok := openTable(data, ps)
	if !ok {
		return nil
	}
	absent := t.check(need)
	var rows []row
	for {
		cells, line, ok := t.record()
		if !ok {
			return rows
		}
		r := row{line: line, absent: absent}
		for i, cell := range cells {
			f, known := fieldNamed(t.header[i])
			if !known || cell == "" {
				continue
			}
			at, _ := t.lines.FieldPos(i)
			r.set(f.name, cellValue(f, cell, at))
		}
		rows = append(rows, r)
	}
}

// check judges the header, and lists the fields that it lacks.
func (t *table) check(need []string) (absent map[string]bool) {
	for i, name := range t.header {
		if _, ok := fieldNamed(name); !ok {
			t.ps.add(1, "", "unknown column %s (%s)", quote(name), strictyaml.Wanted(name, Fields()))
		} else if slices.Index(t.header, name) != i {
			t.ps.add(1, name, "is a column twice")
		}
	}
	absent = map[string]bool{}
	for _, f := range fields {
		if slices.Contains(t.header, f.name) {
			continue
		}
		absent[f.name] = true
		switch {
		case f.required:
			t.ps.add(1, f.name, "no such column (want %s)", f.want())
		case slices.Contains(need, f.name):
			t.ps.add(1, f.name, "no such column (want %s: a chosen attack uses it)", f.want())
		}
	}
	return absent
}

// cellValue is a cell in the form of its field.
func cellValue(f field, cell string, line int) value {
	v := value{line: line, form: text, text: cell, says: "is the text " + quote(cell)}
	switch f.form {
	case list:
		v.form, v.list = list, strings.Split(cell, between)
	case whole:
		if i, err := strconv.Atoi(cell); err == nil && i >= 1 && i <= maxVersion {
			v.form, v.n = whole, i
		}
	}
	return v
}
