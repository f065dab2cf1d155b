package interop

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// readAll reads a whole table; it stops at the first error that is not of one
// record.
func readAll(text string) (rows [][]string, starts []int, bad []string) {
	t, _, err := openTable(strings.NewReader(text), "x.csv", []string{"a", "b"})
	if err != nil {
		return nil, nil, []string{err.Error()}
	}
	for {
		record, line, err := t.next()
		var b *badRecord
		if errors.As(err, &b) {
			bad = append(bad, b.field+": "+b.text)
			if b.last {
				return rows, starts, bad
			}
			continue
		}
		if err != nil {
			return rows, starts, bad
		}
		var row []string
		for _, cell := range record {
			row = append(row, string(cell))
		}
		rows, starts = append(rows, row), append(starts, line)
	}
}

func TestCSV(t *testing.T) {
	tests := []struct {
		name, text string
		rows       [][]string
		starts     []int
		bad        string // held by the only problem
	}{
		{"plain", "a,b\n1,2\n3,4\n", [][]string{{"1", "2"}, {"3", "4"}}, []int{2, 3}, ""},
		{"no last line end", "a,b\n1,2", [][]string{{"1", "2"}}, []int{2}, ""},
		{"CRLF", "a,b\r\n1,2\r\n\"3\",4\r\n", [][]string{{"1", "2"}, {"3", "4"}}, []int{2, 3}, ""},
		{"byte order mark", "\ufeffa,b\n1,2\n", [][]string{{"1", "2"}}, []int{2}, ""},
		{"semicolons", "a;b\n1;\"2;3\"\n", [][]string{{"1", "2;3"}}, []int{2}, ""},
		{"tabs", "a\tb\n1\t2,3\n", [][]string{{"1", "2,3"}}, []int{2}, ""},
		{"quoted header", "\"a\";\"b\"\n1;2\n", [][]string{{"1", "2"}}, []int{2}, ""},
		{"newlines in quotes keep their form", "a,b\n\"x\r\ny\nz\rw\",\" 2\"\n5,6\n", [][]string{{"x\r\ny\nz\rw", " 2"}, {"5", "6"}}, []int{2, 5}, ""},
		{"doubled quotes", "a,b\n\"\"\"x\"\"\",\"\"\n", [][]string{{"\"x\"", ""}}, []int{2}, ""},
		{"empty lines", "a,b\n\n1,2\n\r\n3,4\n", [][]string{{"1", "2"}, {"3", "4"}}, []int{3, 5}, ""},
		{"bare quote", "a,b\n1,x\"y\n3,4\n", [][]string{{"3", "4"}}, []int{3}, "b: a quote inside a cell"},
		{"text after a quote", "a,b\n\"1\"x,2\n3,4\n", [][]string{{"3", "4"}}, []int{3}, "a: text after a closing quote"},
		{"never closed", "a,b\n1,2\n3,\"4\n5,6\n", [][]string{{"1", "2"}}, []int{2}, "the record begins on line 3"},
		{"too few cells", "a,b\n1\n3,4\n", [][]string{{"3", "4"}}, []int{3}, "1 cells (want 2"},
		{"too many cells", "a,b\n1,2,3\n3,4\n", [][]string{{"3", "4"}}, []int{3}, "3 cells (want 2"},
		{"not UTF-8", "a,b\n\xe9,2\n3,4\n", [][]string{{"3", "4"}}, []int{3}, "not valid UTF-8"},
		{"not UTF-8 in quotes", "a,b\n\"x\n\xe9\",2\n3,4\n", [][]string{{"3", "4"}}, []int{4}, "begins on line 2"},
		{"UTF-16", "\xff\xfea\x00,\x00b\x00\n\x00", nil, nil, "UTF-16"},
		{"a spreadsheet", "PK\x03\x04....", nil, nil, "a zip or spreadsheet"},
		{"empty", "", nil, nil, "empty file"},
		{"bare CR", "a\r1\r", nil, nil, "bare CR"},
		{"bare CR, two columns", "a,b\r1,2\r3,4\r", nil, nil, "bare CR"},
		{"bare CR, quoted", "\"a\",\"b\"\r\"1\",\"2\"\r", nil, nil, "bare CR"},
		{"bare CR, semicolons, a mark", "\ufeffa;b\r1;2", nil, nil, "bare CR"},
		{"bare CR and one LF", "a,b\r1,2\r\n", nil, nil, "bare CR"},
		{"bare CR, long", "a,b\r" + strings.Repeat("1,2\r", 20<<20), nil, nil, "bare CR"},
		{"CR in a quoted name", "\"a\rx\",b\n1,2\n", [][]string{{"1", "2"}}, []int{2}, ""},
		{"CR twice before LF", "a,b\r\r\n1,2\r\r\n", [][]string{{"1", "2\r"}}, []int{2}, ""},
		{"header alone, CR", "a,b\r", nil, nil, ""},
		{"UTF-16 without a mark", "a\x00,\x00b\x00\n\x00", nil, nil, "UTF-16"},
		{"UTF-16, big end first, without a mark", "\x00a\x00,\x00b\x00\n", nil, nil, "UTF-16"},
		{"UTF-32 without a mark", "a\x00\x00\x00,\x00\x00\x00", nil, nil, "UTF-16 or UTF-32"},
		{"UTF-32, big end first", "\x00\x00\xfe\xff\x00\x00\x00a", nil, nil, "UTF-16 or UTF-32"},
		{"NUL bytes", strings.Repeat("\x00", 5000), nil, nil, "NUL bytes"},
		{"a NUL byte at once", "a\x00b,c\n1,2\n", nil, nil, "NUL bytes"},
		{"a NUL byte in the header", "a,b,long name\x00\n1,2,3\n", nil, nil, "NUL bytes"},
		{"very many columns", strings.Repeat(",", 1<<16) + "\n", nil, nil, "over 65536 cells"},
		{"very many cells", "a,b\n" + strings.Repeat(",", 1<<16) + "\n1,2\n", [][]string{{"1", "2"}}, []int{3}, "over 65536 cells"},
		{"very many cells in quotes", "a,b\n\"\"" + strings.Repeat(",\"\"", 1<<16) + "\n1,2\n", [][]string{{"1", "2"}}, []int{3}, "over 65536 cells"},
		{"a cell of 1 MB", "a,b\n\"" + strings.Repeat("é\n", 350_000) + "\",2\n3,4\n", [][]string{{strings.Repeat("é\n", 350_000), "2"}, {"3", "4"}}, []int{2, 350_003}, ""},
		{"a cell of 17 MB", "a,b\n1,\"" + strings.Repeat("x\n", 17<<19) + "\"\n", nil, nil, "a cell over 16 MiB"},
		{"a quoted cell of 17 MB on one line", "a,b\n1,\"" + strings.Repeat("x", 17<<20) + "\"\n", nil, nil, "a cell over 16 MiB"},
		{"a plain cell of 17 MB", "a,b\n1," + strings.Repeat("x", 17<<20) + "\n", nil, nil, "a cell over 16 MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows, starts, bad := readAll(tt.text)
			if !slices.EqualFunc(rows, tt.rows, slices.Equal) {
				t.Errorf("rows: got %.200q, want %.200q", rows, tt.rows)
			}
			if !slices.Equal(starts, tt.starts) {
				t.Errorf("lines: got %v, want %v", starts, tt.starts)
			}
			if tt.bad == "" && len(bad) > 0 || tt.bad != "" && (len(bad) != 1 || !strings.Contains(bad[0], tt.bad)) {
				t.Errorf("problems: got %q, want one that holds %q", bad, tt.bad)
			}
		})
	}
}

// FuzzCSV compares with encoding/csv, a second reader, wherever the two mean
// to agree: input without a CR, whose header has no surrounding spaces.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "a,b\n\"x\ny\",\"\"\"\"\n\n3,4", "a,b\n1,\"2\n", "a,b\nx\"y,2\n", "a\n\"b\"c\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rows, starts, bad := readAll(text)
		if !slices.IsSorted(starts) {
			t.Fatalf("lines go back: %v", starts)
		}
		if strings.Contains(text, "\r") || strings.HasPrefix(text, "\ufeff") || len(bad) > 0 {
			return
		}
		head, _, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
		if strings.ContainsAny(head, ";\t") {
			return // another separator may fit
		}
		want, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatalf("accepted what encoding/csv refuses: %v", err)
		}
		if len(want) == 0 || !slices.EqualFunc(rows, want[1:], slices.Equal) {
			t.Fatalf("got %q, want %q", rows, want)
		}
	})
}

func TestJSONL(t *testing.T) {
	text := `{"a":"x\"y\né\ud83d\ude00","skip":{"n":[1,{"a":"no"}]},"b":1.50}` + "\r\n\n" +
		` { "b" : true , "a" : "[}" } ` + "\n" + `{"b":null}` + "\n"
	j, format, err := openTable(strings.NewReader(text), "x", nil)
	if err != nil || format != "jsonl" {
		t.Fatalf("got %q, %v, want jsonl by the first byte", format, err)
	}
	a, _ := j.bind("a")
	b, _ := j.bind("b")
	want := []struct {
		a, b string
		line int
	}{{"x\"y\né😀", "1.50", 1}, {"[}", "true", 3}, {"", "", 4}}
	for _, w := range want {
		record, line, err := j.next()
		if err != nil || string(record[a]) != w.a || string(record[b]) != w.b || line != w.line {
			t.Errorf("got %q on line %d, %v; want %+v", record, line, err, w)
		}
	}
	if _, _, err := j.next(); err != io.EOF {
		t.Errorf("at the end: got %v, want io.EOF", err)
	}
	if got := j.columns(); !slices.Equal(got, []string{"skip"}) {
		t.Errorf("unread keys: got %q, want skip", got)
	}
}

func TestJSONLBad(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"number", `1`, "no JSON object"},
		{"bare CR", `{"a":1}` + "\r" + `{"a":2}` + "\r", "bare CR"},
		{"two objects", `{"a":1}{"a":2}`, "no whole JSON object"},
		{"cut off", `{"a":1`, "no whole JSON object"},
		{"bare NaN", `{"a":NaN}`, "bare NaN"},
		{"nested value", `{"a":[1]}`, "a: an object or array"},
		{"key twice", `{"a":1,"\u0061":2}`, "a: given twice"},
		{"not UTF-8", "{\"a\":\"\xe9\"}", "not valid UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j, _, err := openTable(strings.NewReader(tt.line+"\n{\"a\":7}\n"), "x.jsonl", nil)
			if err != nil {
				t.Fatal(err)
			}
			j.bind("a")
			_, _, err = j.next()
			var bad *badRecord
			if !errors.As(err, &bad) || !strings.Contains(bad.field+": "+bad.text, tt.want) {
				t.Errorf("got %v, want a bad record that holds %q", err, tt.want)
			}
			if record, line, err := j.next(); err != nil || string(record[0]) != "7" || line != 2 {
				t.Errorf("the next line: got %q, %d, %v, want 7 on line 2", record, line, err)
			}
		})
	}
}

func TestReplaceNonFinite(t *testing.T) {
	tests := []struct{ in, want string }{
		{`{"a":NaN}`, "{\"a\":\"\x7f\"}"},
		{`[NaN,-Infinity, Infinity]`, "[\"\x7f\",\"\x7f-inf\"  , \"\x7finf\"  ]"},
		{`NaN`, "\"\x7f\""},
		{`{"a":"NaN, \"NaN,","b":-1}`, `{"a":"NaN, \"NaN,","b":-1}`},
		{`{"a":NaNo}`, `{"a":NaNo}`},
		{`{"a":xInfinity}`, `{"a":xInfinity}`},
	}
	for _, tt := range tests {
		got := replaceNonFinite([]byte(tt.in))
		if string(got) != tt.want {
			t.Errorf("%s: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestLongJSONLine(t *testing.T) {
	text := bytes.Repeat([]byte("x"), maxRecord+(1<<20))
	j, _, err := openTable(bytes.NewReader(text), "x.jsonl", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := j.next(); err != errLong {
		t.Errorf("got %v, want %v", err, errLong)
	}
}
