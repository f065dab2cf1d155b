package interop

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"iter"
	"math"
	"strconv"

	"github.com/uplift-eval/uplift"
)

// WriteResponsesJSONL writes one response a line as a JSON object whose keys
// are the columns in their order. What a cell has not is null.
func WriteResponsesJSONL(w io.Writer, rows iter.Seq2[ResponseRow, error], opt ResponseOptions) error {
	out := bufio.NewWriter(w)
	columns := responseColumns(opt)
	var line bytes.Buffer
	to := json.NewEncoder(&line)
	to.SetEscapeHTML(false)
	err := eachResponse(rows, columns, func(cells []any) error {
		line.Reset()
		for i, v := range cells {
			line.WriteString(map[bool]string{true: `{"`, false: `,"`}[i == 0] + columns[i].name + `":`)
			if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
				v = nil
			}
			if err := to.Encode(v); err != nil {
				return err
			}
			line.Truncate(line.Len() - 1) // Encode's line end
		}
		line.WriteString("}\n")
		_, err := out.Write(line.Bytes())
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// WriteResponsesCSV writes one response a row under a header: UTF-8, \n line
// ends, cells in quotes where they must be (RFC 4180), numbers in the shortest
// form that reads back as the same number, and what a cell has not as an empty
// cell. A transcript is JSON.
func WriteResponsesCSV(w io.Writer, rows iter.Seq2[ResponseRow, error], opt ResponseOptions) error {
	out := csv.NewWriter(w)
	columns := responseColumns(opt)
	texts := make([]string, len(columns))
	for i, c := range columns {
		texts[i] = c.name
	}
	if err := out.Write(texts); err != nil {
		return err
	}
	err := eachResponse(rows, columns, func(cells []any) error {
		for i, v := range cells {
			s, err := responseText(v)
			if err != nil {
				return err
			}
			if opt.Spreadsheet && columns[i].kind == any("") {
				s = quoteFormula(columns[i].name, s)
			}
			texts[i] = s
		}
		return out.Write(texts)
	})
	if err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// responseText is a value as a cell of a CSV.
func responseText(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	case []uplift.Message:
		var b bytes.Buffer
		to := json.NewEncoder(&b)
		to.SetEscapeHTML(false)
		err := to.Encode(v)
		return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), err
	}
	return "", nil
}

// eachResponse gives the values of every row; they are valid until the next.
func eachResponse(rows iter.Seq2[ResponseRow, error], columns []responseColumn, use func([]any) error) error {
	cells := make([]any, 0, len(columns))
	for r, err := range rows {
		if err == nil {
			cells, err = responseCells(cells, columns, &r)
		}
		if err == nil {
			err = use(cells)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
