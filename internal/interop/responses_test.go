package interop

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/uplift-eval/uplift"
)

// responseRows are an answer with everything, a failure with nothing, and a
// withheld one.
func responseRows() []ResponseRow {
	cell := func(condition string) uplift.Cell {
		return uplift.Cell{Model: "m", Condition: condition, Task: "k7", Attack: "direct"}
	}
	return []ResponseRow{
		{Response: uplift.Response{Cell: cell("guarded"), Item: uplift.Item{Family: "planning", Split: "dev", Tier: uplift.Benign},
			Outcome: uplift.Answered, Text: "=1+1, \"so\"\r\nand <b>", Draft: "A draft.", Call: "c1", Simulated: true,
			Transcript: []uplift.Message{{Role: uplift.User, Text: "Why?"}, {Role: uplift.Assistant, Text: ""}},
			Decision:   &uplift.Decision{Action: uplift.Warn, Would: uplift.Refuse, PromptScore: 0.1, OutputScore: 0.30000000000000004, Score: 0, Policy: "p"}},
			Call: &uplift.Call{Stop: uplift.StopEnd, Reason: "end_turn", Version: "v2", RequestID: "r", TokensIn: 7, LatencyMS: 12, Attempts: 2}},
		{Response: uplift.Response{Cell: cell("helpful"), Outcome: uplift.Failed, Detail: "no answer"}},
		{Response: uplift.Response{Cell: cell("null"), Outcome: uplift.Answered, Withheld: "w1", Call: "c2"}},
	}
}

func sequence(rows []ResponseRow) iter.Seq2[ResponseRow, error] {
	return func(yield func(ResponseRow, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

const responseHead = "id,model,condition,task,attack,replicate,family,split,tier,outcome,action,would,prompt_score,output_score,score,rewriter,policy,controller_error," +
	"call,stop,stop_reason,version,request_id,tokens_in,tokens_out,latency_ms,attempts,error,simulated,withheld,text,draft,transcript"

func TestWriteResponsesCSV(t *testing.T) {
	var b bytes.Buffer
	if err := WriteResponsesCSV(&b, sequence(responseRows()), ResponseOptions{Text: true, Tier: true, Spreadsheet: true}); err != nil {
		t.Fatal(err)
	}
	id := responseRows()[0].ID()
	want := responseHead + "\n" + id + `,m,guarded,k7,direct,0,planning,dev,benign,answered,warn,refuse,0.1,0.30000000000000004,0,,p,,` +
		`c1,end,end_turn,v2,r,7,0,12,2,,true,,"'=1+1, ""so""` + "\r\n" + `and <b>",A draft.,"[{""role"":""user"",""text"":""Why?""},{""role"":""assistant"",""text"":""""}]"` + "\n"
	got, _, _ := strings.Cut(b.String(), responseRows()[1].ID())
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("first row (-want +got):\n%s", diff)
	}
	records, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(records) != 4 || len(records[3]) != 33 || records[3][29] != "w1" || records[3][30] != "" || records[2][27] != "no answer" {
		t.Errorf("read back: %d records, %v", len(records), err)
	}
}

func TestWriteResponsesJSONL(t *testing.T) {
	var b bytes.Buffer
	if err := WriteResponsesJSONL(&b, sequence(responseRows()), ResponseOptions{}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	want := `{"id":"` + responseRows()[0].ID() + `","model":"m","condition":"guarded","task":"k7","attack":"direct","replicate":0,"family":"planning","split":"dev",` +
		`"outcome":"answered","action":"warn","would":"refuse","prompt_score":0.1,"output_score":0.30000000000000004,"score":0,"rewriter":null,"policy":"p","controller_error":null,` +
		`"call":"c1","stop":"end","stop_reason":"end_turn","version":"v2","request_id":"r","tokens_in":7,"tokens_out":0,"latency_ms":12,"attempts":2,` +
		`"error":null,"simulated":true,"withheld":null}`
	if diff := cmp.Diff(want, lines[0]); diff != "" {
		t.Errorf("first line (-want +got):\n%s", diff)
	}
	for _, secret := range []string{"A draft", "1+1", "Why?", "benign"} {
		if strings.Contains(b.String(), secret) {
			t.Errorf("without text and tier the lines hold %q", secret)
		}
	}
	b.Reset()
	if err := WriteResponsesJSONL(&b, sequence(responseRows()), ResponseOptions{Text: true}); err != nil {
		t.Fatal(err)
	}
	var first, withheld struct {
		Text       *string
		Transcript []uplift.Message
	}
	lines = strings.Split(strings.TrimSpace(b.String()), "\n")
	if err := errors.Join(json.Unmarshal([]byte(lines[0]), &first), json.Unmarshal([]byte(lines[2]), &withheld)); err != nil {
		t.Fatal(err)
	}
	if first.Text == nil || *first.Text != "=1+1, \"so\"\r\nand <b>" || len(first.Transcript) != 2 || withheld.Text != nil {
		t.Errorf("got %+v and %+v", first, withheld)
	}
}

// parquetResponse is what a reader of its own makes of the columns.
type parquetResponse struct {
	ID          string   `parquet:"id"`
	Replicate   int64    `parquet:"replicate"`
	Tier        *string  `parquet:"tier,optional"`
	Outcome     string   `parquet:"outcome"`
	Would       *string  `parquet:"would,optional"`
	OutputScore *float64 `parquet:"output_score,optional"`
	Score       *float64 `parquet:"score,optional"`
	Latency     *int64   `parquet:"latency_ms,optional"`
	Simulated   bool     `parquet:"simulated"`
	Withheld    *string  `parquet:"withheld,optional"`
	Text        *string  `parquet:"text,optional"`
	Transcript  []struct {
		Role string `parquet:"role"`
		Text string `parquet:"text"`
	} `parquet:"transcript,optional,list"`
}

func TestWriteResponsesParquet(t *testing.T) {
	var b, again bytes.Buffer
	opt := ResponseOptions{Text: true, Tier: true}
	if err := errors.Join(WriteResponsesParquet(&b, sequence(responseRows()), opt), WriteResponsesParquet(&again, sequence(responseRows()), opt)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("the same rows gave other bytes")
	}
	file, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range file.Schema().Fields() {
		names = append(names, f.Name())
		never := strings.Contains(" id model condition task attack replicate outcome simulated ", " "+f.Name()+" ")
		if f.Required() != never {
			t.Errorf("%s: required %t, want %t", f.Name(), f.Required(), never)
		}
	}
	if diff := cmp.Diff(responseHead, strings.Join(names, ",")); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	got, err := parquet.Read[parquetResponse](bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil || len(got) != 3 {
		t.Fatalf("read back: %d rows, %v", len(got), err)
	}
	r := got[0]
	if r.ID != responseRows()[0].ID() || *r.Tier != "benign" || *r.Would != "refuse" || *r.OutputScore != 0.30000000000000004 || *r.Score != 0 || *r.Latency != 12 ||
		!r.Simulated || r.Withheld != nil || *r.Text != "=1+1, \"so\"\r\nand <b>" || len(r.Transcript) != 2 || r.Transcript[0].Text != "Why?" || r.Transcript[1].Role != "assistant" {
		t.Errorf("first row: %+v", r)
	}
	if r := got[2]; *r.Withheld != "w1" || r.Text != nil || r.Transcript != nil || r.Score != nil || r.Simulated || r.Outcome != "answered" {
		t.Errorf("withheld row: %+v", r)
	}
}

// A set that is larger than a group of rows is written group by group.
func TestResponsesParquetGroups(t *testing.T) {
	for name, c := range map[string]struct{ rows, text, groups int }{
		"by rows": {groupRows + 1, 0, 2}, "by bytes": {40, 1 << 20, 3}, "none": {0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Repeat("x", c.text)
			var b bytes.Buffer
			err := WriteResponsesParquet(&b, func(yield func(ResponseRow, error) bool) {
				for i := range c.rows {
					r := uplift.Response{Cell: uplift.Cell{Model: "m", Replicate: i}, Outcome: uplift.Answered, Text: text}
					if !yield(ResponseRow{Response: r}, nil) {
						return
					}
				}
			}, ResponseOptions{Text: true})
			if err != nil {
				t.Fatal(err)
			}
			file, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
			if err != nil {
				t.Fatal(err)
			}
			if file.NumRows() != int64(c.rows) || len(file.RowGroups()) != c.groups {
				t.Errorf("%d rows in %d groups, want %d in %d", file.NumRows(), len(file.RowGroups()), c.rows, c.groups)
			}
		})
	}
}

// No format holds a set in memory: at its end little more is alive than at
// half of it.
func TestResponsesAreStreamed(t *testing.T) {
	text := strings.Repeat("words of a reply ", 60)
	for name, write := range map[string]func(io.Writer, iter.Seq2[ResponseRow, error], ResponseOptions) error{
		"csv": WriteResponsesCSV, "jsonl": WriteResponsesJSONL, "parquet": WriteResponsesParquet,
	} {
		t.Run(name, func(t *testing.T) {
			const rows = 60_000
			var early, late uint64
			err := write(io.Discard, func(yield func(ResponseRow, error) bool) {
				for i := range rows {
					if i == rows/2 || i == rows-1 {
						runtime.GC()
						var m runtime.MemStats
						runtime.ReadMemStats(&m)
						early, late = late, m.HeapAlloc
					}
					if !yield(ResponseRow{Response: uplift.Response{Cell: uplift.Cell{Model: "m", Replicate: i}, Outcome: uplift.Answered, Text: text}}, nil) {
						return
					}
				}
			}, ResponseOptions{Text: true})
			if err != nil {
				t.Fatal(err)
			}
			if late > early+24<<20 {
				t.Errorf("%d bytes alive at the end, %d at half", late, early)
			}
		})
	}
}

func TestWriteResponsesErrors(t *testing.T) {
	broken := errors.New("broken")
	bad := responseRows()[:1]
	bad[0].Text = "\xff"
	for name, write := range map[string]func(io.Writer, iter.Seq2[ResponseRow, error], ResponseOptions) error{
		"csv": WriteResponsesCSV, "jsonl": WriteResponsesJSONL, "parquet": WriteResponsesParquet,
	} {
		err := write(io.Discard, func(yield func(ResponseRow, error) bool) { yield(ResponseRow{}, broken) }, ResponseOptions{})
		if !errors.Is(err, broken) {
			t.Errorf("%s: got %v, want the error of the rows", name, err)
		}
		if err := write(io.Discard, sequence(bad), ResponseOptions{Text: true}); err == nil || !strings.Contains(err.Error(), "m/guarded/k7/direct/0: text: not valid UTF-8") {
			t.Errorf("%s: got %v, want the place of the text", name, err)
		}
	}
}
