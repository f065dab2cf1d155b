package interop

import (
	"io"
	"iter"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/uplift-eval/uplift"
)

// A group of rows is held in memory until it is written.
const (
	groupRows  = 20_000
	groupBytes = 16 << 20 // of texts
)

// WriteResponsesParquet writes the columns of the other formats with their
// types: texts, 64-bit whole numbers, doubles and booleans, all but the names,
// the replicate, the outcome and simulated nullable, and the transcript as a
// list of role and text. Equal rows give equal bytes.
func WriteResponsesParquet(w io.Writer, rows iter.Seq2[ResponseRow, error], opt ResponseOptions) error {
	columns := responseColumns(opt)
	out := parquet.NewWriter(w, parquet.NewSchema("responses", responseNode(columns)),
		parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}), parquet.CreatedBy("uplift", "1", ""), parquet.MaxRowsPerRowGroup(groupRows))
	row, held := parquet.Row{}, 0
	err := eachResponse(rows, columns, func(cells []any) error {
		var size int
		if row, size = parquetRow(row[:0], columns, cells); held+size > groupBytes {
			if err := out.Flush(); err != nil {
				return err
			}
			held = 0
		}
		held += size
		_, err := out.WriteRows([]parquet.Row{row})
		return err
	})
	if err != nil {
		return err
	}
	return out.Close()
}

// ordered is a group whose fields stand in the order of the table.
type ordered struct {
	parquet.Group
	names []string
}

func (o ordered) Fields() []parquet.Field {
	by := map[string]parquet.Field{}
	for _, f := range o.Group.Fields() {
		by[f.Name()] = f
	}
	out := make([]parquet.Field, len(o.names))
	for i, n := range o.names {
		out[i] = by[n]
	}
	return out
}

func responseNode(columns []responseColumn) parquet.Node {
	o := ordered{Group: parquet.Group{}}
	for _, c := range columns {
		n := leaf(c)
		if !c.never {
			n = parquet.Optional(n)
		}
		o.names, o.Group[c.name] = append(o.names, c.name), n
	}
	return o
}

func leaf(c responseColumn) parquet.Node {
	switch c.kind.(type) {
	case bool:
		return parquet.Leaf(parquet.BooleanType)
	case int64:
		return parquet.Int(64)
	case float64:
		return parquet.Leaf(parquet.DoubleType)
	case []uplift.Message:
		return parquet.List(ordered{parquet.Group{"role": parquet.String(), "text": parquet.String()}, []string{"role", "text"}})
	}
	if c.few {
		return parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	}
	return parquet.String()
}

// parquetRow is a row in columns with their levels, and about how large it is.
func parquetRow(row parquet.Row, columns []responseColumn, cells []any) (parquet.Row, int) {
	at, size := 0, 0
	for i, v := range cells {
		if _, list := columns[i].kind.([]uplift.Message); list {
			messages, _ := v.([]uplift.Message)
			var n int
			row, n = parquetList(row, messages, at)
			at, size = at+2, size+n
			continue
		}
		defined := 1
		if columns[i].never {
			defined = 0
		}
		value := parquet.NullValue()
		switch v := v.(type) {
		case nil:
			defined = 0
		case string:
			size += len(v)
			value = parquet.ByteArrayValue([]byte(v))
		default:
			value = parquet.ValueOf(v)
		}
		row = append(row, value.Level(0, defined, at))
		at++
	}
	return row, size
}

// parquetList is a transcript: its roles, then its texts. Levels: 0 there is
// none, 2 there is a message.
func parquetList(row parquet.Row, messages []uplift.Message, at int) (parquet.Row, int) {
	if len(messages) == 0 {
		return append(row, parquet.NullValue().Level(0, 0, at), parquet.NullValue().Level(0, 0, at+1)), 0
	}
	size := 0
	for k := range 2 {
		for i, m := range messages {
			text := []string{string(m.Role), m.Text}[k]
			size += len(text)
			row = append(row, parquet.ByteArrayValue([]byte(text)).Level(min(i, 1), 2, at+k))
		}
	}
	return row, size
}
