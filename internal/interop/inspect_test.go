package interop_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/interop"
)

// member is one entry of a log that a test builds.
type member struct {
	name, text string
	method     uint16 // 0 stored, 8 deflate, 93 zstd
}

// build writes a zip as the log's own writer does, duplicates included; zstd
// members are written as two frames.
func build(t testing.TB, members ...member) []byte {
	t.Helper()
	var file bytes.Buffer
	w := zip.NewWriter(&file)
	w.RegisterCompressor(93, func(out io.Writer) (io.WriteCloser, error) { return &frames{out: out}, nil })
	for _, m := range members {
		entry, err := w.CreateHeader(&zip.FileHeader{Name: m.name, Method: m.method})
		if err == nil {
			_, err = io.WriteString(entry, m.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// frames compresses a member as two concatenated zstd frames.
type frames struct {
	out  io.Writer
	text bytes.Buffer
}

func (f *frames) Write(p []byte) (int, error) { return f.text.Write(p) }

func (f *frames) Close() error {
	half := f.text.Len() / 2
	for _, part := range [][]byte{f.text.Bytes()[:half], f.text.Bytes()[half:]} {
		enc, err := zstd.NewWriter(f.out)
		if err != nil {
			return err
		}
		if _, err := enc.Write(part); err != nil {
			return err
		}
		if err := enc.Close(); err != nil {
			return err
		}
	}
	return nil
}

const evalHead = `{"version":2,"status":"success","eval":{"task":"quiz","model":"lab/model-1","created":"x"},"results":null,"new_key":[{"a":NaN}]}`

// sampleText is a whole sample; extra goes in at the end.
func sampleText(id string, epoch int, extra string) string {
	return fmt.Sprintf(`{"id":%s,"epoch":%d,"input":"ask","target":"x","messages":[{"role":"user","content":"ask"},{"role":"assistant","content":"say"}],`+
		`"output":{"model":"m","choices":[{"message":{"role":"assistant","content":"say"},"stop_reason":"stop"}],"completion":"say"}%s}`, id, epoch, extra)
}

func read(t testing.TB, log []byte, opt interop.InspectOptions) (*memory, interop.Counts, error) {
	t.Helper()
	var got memory
	counts, err := interop.Inspect(bytes.NewReader(log), int64(len(log)), "logs/run-a.eval", opt, &got)
	return &got, counts, err
}

func TestInspectSample(t *testing.T) {
	sample := `{"id":"s/1","epoch":2,"input":"first","messages":[
		{"role":"system","content":"be nice"},
		{"role":"user","content":"first"},
		{"role":"assistant","content":"","tool_calls":[{"id":"1","function":"f"},{"id":"2","function":"g"}]},
		{"role":"tool","content":"out"},
		{"role":"assistant","content":[{"type":"reasoning","reasoning":"hm"},{"type":"text","text":"one"},{"type":"text","text":"two \ud800"}]},
		{"role":"user","content":"second"},
		{"role":"assistant","content":"last"}],
		"output":{"choices":[{"message":{"role":"assistant","content":"last"},"stop_reason":"max_tokens"}]},
		"scores":{"match":{"value":"C","answer":"x","history":[]},"multi":{"value":{"b":0.25,"a":true}},"list":{"value":[1,"P"]}},
		"metadata":{"family":"fam","attack":"roleplay","split":"test","danger":"harmful","n":NaN},"events":[{"event":"model"}]}`
	log := build(t, member{"header.json", evalHead, 8}, member{"samples/s/1_epoch_2.json", sample, 93})
	got, counts, err := read(t, log, interop.InspectOptions{TierFrom: "danger"})
	if err != nil {
		t.Fatal(err)
	}
	cell := uplift.Cell{Model: "lab/model-1", Condition: "run-a", Task: "quiz/s/1", Attack: "roleplay", Replicate: 1}
	want := []uplift.Response{{Cell: cell,
		Item: uplift.Item{Task: "quiz/s/1", Attack: "roleplay", Family: "fam", Split: "test", Tier: uplift.Harmful, Turns: []string{"first", "second"}},
		Transcript: []uplift.Message{{Role: uplift.User, Text: "first"}, {Role: uplift.Assistant, Text: "one\ntwo \ufffd"},
			{Role: uplift.User, Text: "second"}, {Role: uplift.Assistant, Text: "last"}},
		Text: "last", Outcome: uplift.Truncated}}
	if diff := cmp.Diff(got.responses, want); diff != "" {
		t.Errorf("responses, got then want:\n%s", diff)
	}
	label := func(scale string, value float64, grader string) uplift.Label {
		return uplift.Label{Cell: cell, Family: "fam", Split: "test", Tier: uplift.Harmful, Outcome: uplift.Truncated, Scale: scale, Value: value, Grader: grader}
	}
	wantLabels := []uplift.Label{label("list.0", 1, "list"), label("list.1", 0.5, "list"), label("match", 1, "match"), label("multi.a", 1, "multi"), label("multi.b", 0.25, "multi")}
	if diff := cmp.Diff(got.labels, wantLabels); diff != "" {
		t.Errorf("labels, got then want:\n%s", diff)
	}
	wantCounts := interop.Counts{Format: "inspect", Samples: 1, Scores: 5, Responses: 1, Labels: 5, Notes: []string{
		"parts of messages that are no text (images, reasoning) were left out (1)",
		"system messages were left out of transcripts (1)",
		"tool calls were left out of transcripts (2)",
		"tool messages were left out of transcripts (1)"}}
	if diff := cmp.Diff(counts, wantCounts); diff != "" {
		t.Errorf("counts, got then want:\n%s", diff)
	}
}

func TestInspectScores(t *testing.T) {
	tests := []struct {
		name, value string
		want        string // "label V", "unscored" or "unmapped"
	}{
		{"number", `0.5`, "label 0.5"}, {"true", `true`, "label 1"}, {"false", `false`, "label 0"},
		{"C", `"C"`, "label 1"}, {"I", `"I"`, "label 0"}, {"P", `"P"`, "label 0.5"}, {"N", `"N"`, "label 0"},
		{"Yes", `"Yes"`, "label 1"}, {"FALSE", `"FALSE"`, "label 0"}, {"number in quotes", `" 0.25 "`, "label 0.25"}, {"digits", `"-2.5"`, "label -2.5"},
		{"NaN", `NaN`, "unscored"}, {"nan text", `"nan"`, "unscored"}, {"null", `null`, "unscored"},
		{"Infinity", `Infinity`, `unmapped "Infinity"`}, {"minus infinity", `-Infinity`, `unmapped "-Infinity"`}, {"too large", `1e999`, `unmapped "1e999"`}, {"beyond 1e50", `-1e60`, `unmapped "-1e60"`}, {"below 1e-50", `1e-300`, `unmapped "1e-300"`},
		{"far below 1e-50", `1e-999`, `unmapped "1e-999"`}, {"beyond 1e50 in quotes", `"1e60"`, `unmapped "1e60"`}, {"1e50", `1e50`, "label 1e+50"}, {"1e-50", `-1e-50`, "label -1e-50"},
		{"other text", `"maybe"`, `unmapped "maybe"`}, {"empty text", `""`, `unmapped ""`}, {"list in a dict", `{"k":[1]}`, "unmapped [1]"},
		{"edited back", `"UNCHANGED","history":[{"value":0.75},{"value":"UNCHANGED"}]`, "label 0.75"},
		{"edited", `0.1,"history":[{"value":0.9},{"value":0.1}]`, "label 0.1"},
		{"never set", `"UNCHANGED"`, `unmapped "UNCHANGED"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			log := build(t, member{"header.json", evalHead, 0}, member{"samples/1_epoch_1.json", sampleText("1", 1, `,"scores":{"s":{"value":`+tt.value+`}}`), 0})
			memory, counts, err := read(t, log, interop.InspectOptions{})
			if err != nil {
				t.Fatal(err)
			}
			got := "none"
			switch {
			case counts.Labels == 1 && len(memory.labels) == 1:
				got = fmt.Sprint("label ", memory.labels[0].Value)
			case counts.Unscored == 1:
				got = "unscored"
			case counts.Unmapped == 1:
				got = "unmapped " + strings.Join(counts.Notes, "")
			}
			kind, shown, _ := strings.Cut(tt.want, " ")
			if kind == "unmapped" && (!strings.HasPrefix(got, kind) || !strings.Contains(got, "such as "+shown)) || kind != "unmapped" && got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if counts.Scores != 1 {
				t.Errorf("got %d scores, want 1", counts.Scores)
			}
		})
	}
}

func TestInspectOutcomes(t *testing.T) {
	tests := []struct {
		name, output, extra string
		outcome             uplift.Outcome
		text, detail        string
	}{
		{"stop", `{"choices":[{"message":{"content":"a"},"stop_reason":"stop"}]}`, ``, uplift.Answered, "a", ""},
		{"tool calls", `{"choices":[{"message":{"content":""},"stop_reason":"tool_calls"}]}`, ``, uplift.Answered, "", ""},
		{"token limit", `{"choices":[{"stop_reason":"model_length"}],"completion":"b"}`, ``, uplift.Truncated, "b", ""},
		{"filter", `{"choices":[{"stop_reason":"content_filter"}]}`, ``, uplift.OutputBlocked, "", ""},
		{"unknown with text", `{"choices":[{"stop_reason":"unknown"}],"completion":"c"}`, ``, uplift.Answered, "c", ""},
		{"unknown without", `{"choices":[{"stop_reason":"unknown"}]}`, ``, uplift.Unreported, "", ""},
		{"nothing", `{}`, ``, uplift.Unreported, "", ""},
		{"limit", `{"completion":"d"}`, `,"limit":{"type":"time","limit":3}`, uplift.Truncated, "d", ""},
		{"error", `{}`, `,"error":{"message":"it broke","traceback":"..."},"limit":{"type":"time"}`, uplift.Failed, "", "it broke"},
		{"error without message", `{}`, `,"error":{}`, uplift.Failed, "", "the log gives no message"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sample := `{"id":1,"epoch":1,"input":[{"role":"system","content":"x"},{"role":"user","content":"ask"}],"output":` + tt.output + tt.extra + `}`
			got, counts, err := read(t, build(t, member{"header.json", evalHead, 8}, member{"samples/1_epoch_1.json", sample, 8}), interop.InspectOptions{})
			if err != nil {
				t.Fatal(err)
			}
			r := got.responses[0]
			if r.Outcome != tt.outcome || r.Text != tt.text || r.Detail != tt.detail {
				t.Errorf("got %s %q %q, want %s %q %q", r.Outcome, r.Text, r.Detail, tt.outcome, tt.text, tt.detail)
			}
			if len(r.Item.Turns) != 1 || r.Item.Turns[0] != "ask" || r.Transcript[0].Text != "ask" {
				t.Errorf("got turns %q, transcript %v, want the input's user message", r.Item.Turns, r.Transcript)
			}
			if want := map[bool]int{true: 1}[tt.outcome == uplift.Failed]; counts.Errors != want {
				t.Errorf("got %d errors, want %d", counts.Errors, want)
			}
		})
	}
}

// A blocked reply is empty: what the assistant said a turn before is not it.
func TestInspectReplyOfTheLastTurn(t *testing.T) {
	sample := `{"id":1,"epoch":1,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}],
		"output":{"choices":[{"message":{"role":"assistant","content":""},"stop_reason":"content_filter"}]}}`
	got, _, err := read(t, build(t, member{"header.json", evalHead, 8}, member{"samples/1_epoch_1.json", sample, 8}), interop.InspectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r := got.responses[0]; r.Text != "" || r.Outcome != uplift.OutputBlocked || len(r.Transcript) != 3 {
		t.Errorf("got %q, %s, %d messages, want no text, output_blocked, 3 messages", r.Text, r.Outcome, len(r.Transcript))
	}
}

func TestInspectIDs(t *testing.T) {
	log := build(t, member{"header.json", evalHead, 8},
		member{"samples/1_epoch_1.json", sampleText("1", 1, ""), 8},
		member{"samples/b_epoch_1.json", sampleText(`"1"`, 1, ""), 8},
		member{"samples/c_epoch_1.json", sampleText(`"\"1\""`, 1, ""), 8},
		member{"samples/d_epoch_1.json", sampleText(`"a b/ç"`, 1, ""), 8},
		member{"samples/d_epoch_2.json", sampleText(`"a b/ç"`, 2, ""), 8},
		member{"samples/e_epoch_1.json", sampleText("123456789012345678901234567890", 1, ""), 8})
	got, _, err := read(t, log, interop.InspectOptions{Condition: "c"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range got.responses {
		names = append(names, fmt.Sprint(r.Condition, " ", r.Task, " ", r.Replicate))
	}
	want := []string{`c quiz/1 0`, `c quiz/"1" 0`, `c quiz/"\"1\"" 0`, `c quiz/a b/ç 0`, `c quiz/a b/ç 1`, `c quiz/123456789012345678901234567890 0`}
	if diff := cmp.Diff(names, want); diff != "" {
		t.Errorf("got then want:\n%s", diff)
	}
}

func TestInspectLastCopyWins(t *testing.T) {
	log := build(t, member{"header.json", strings.Replace(evalHead, "quiz", "old", 1), 8},
		member{"samples/1_epoch_1.json", sampleText("1", 1, `,"scores":{"s":{"value":0}}`), 8},
		member{"samples/2_epoch_1.json", sampleText("2", 1, ""), 8},
		member{"samples/1_epoch_1.json", sampleText("1", 1, `,"scores":{"s":{"value":1}}`), 93},
		member{"header.json", evalHead, 8})
	got, counts, err := read(t, log, interop.InspectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.labels) != 1 || got.labels[0].Value != 1 || got.labels[0].Task != "quiz/1" {
		t.Errorf("got %+v, want the later copy's 1 of quiz/1", got.labels)
	}
	if counts.Samples != 2 || counts.Duplicates != 1 {
		t.Errorf("got %+v, want 2 samples and 1 older copy", counts)
	}
}

func TestInspectChunked(t *testing.T) {
	long := strings.Repeat("long ", 50)
	shell := `{"id":7,"epoch":1,"input":"attachment://0","output":{"completion":"attachment://1","choices":[{"stop_reason":"stop"}]},
		"scores":{"s":{"value":1}},"message_refs":[[0,1],[2,4]],"sequences":{}}`
	p := "samples/7_epoch_1/"
	chunked := []member{{"header.json", evalHead, 8},
		{p + "sample.json", shell, 93},
		{p + "metadata.json", `{"family":"fam"}`, 8},
		{p + "messages/0.json", `[{"role":"user","content":"attachment://0"},{"role":"user","content":"not in it"}]`, 8},
		{p + "messages/2.json", `[{"role":"assistant","content":"mid"},{"role":"assistant","content":[{"type":"text","text":"attachment://1"}]}]`, 8},
		{p + "attachments/0.json", `["the question","` + long + `"]`, 93},
		{p + "events/0.json", `[broken`, 8}, {p + "skeleton.json", `{}`, 8},
		{"samples/8_epoch_1.json", sampleText("8", 1, ""), 8},
		{"samples/8_epoch_1/sample.json", `{"id":8,"epoch":1}`, 8},
	}
	got, counts, err := read(t, build(t, chunked...), interop.InspectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if counts.Samples != 2 || counts.Labels != 1 {
		t.Fatalf("got %+v, want 2 samples (a monolith wins over its shell) and 1 label", counts)
	}
	r := got.responses[0]
	want := []uplift.Message{{Role: uplift.User, Text: "the question"}, {Role: uplift.Assistant, Text: "mid"}, {Role: uplift.Assistant, Text: long}}
	if diff := cmp.Diff(r.Transcript, want); diff != "" || r.Text != long || r.Item.Family != "fam" {
		t.Errorf("got text %q, family %q, transcript then want:\n%s", r.Text, r.Item.Family, diff)
	}
	bad := []struct{ name, old, new, want string }{
		{"a chunk missing", "messages/2.json", "messages/3.json", "messages/3.json: begins at 3 (want 2"},
		{"refs out of range", "[2,4]", "[2,5]", "message_refs: [2,5) of 4 messages"},
		{"refs backwards", "[2,4]", "[4,2]", "message_refs[1]: [4,2] (want a range such as [0,3])"},
		{"attachment missing", `attachment://1","choices`, `attachment://9","choices`, `attachments: none is "attachment://9"`},
	}
	for _, tt := range bad {
		t.Run(tt.name, func(t *testing.T) {
			var broken []member
			for _, m := range chunked {
				broken = append(broken, member{strings.Replace(m.name, tt.old, tt.new, 1), strings.Replace(m.text, tt.old, tt.new, 1), m.method})
			}
			_, _, err := read(t, build(t, broken...), interop.InspectOptions{})
			wantProblems(t, err, "logs/run-a.eval:samples/7_epoch_1/sample.json: "+tt.want)
		})
	}
}

func TestInspectCrash(t *testing.T) {
	start := `{"version":2,"eval":{"task":"quiz","model":"m"},"plan":{}}`
	log := build(t, member{"_journal/start.json", start, 8},
		member{"samples/1_epoch_1.json", sampleText("1", 1, ""), 8},
		member{"_journal/summaries/1.json", `[{"id":1,"epoch":1},{"id":"x","epoch":2}]`, 8},
		member{"_journal/summaries/2.json", `[{"id":"x","epoch":2},{"id":2,"epoch":1,"scores":{"s":{"value":NaN}}}]`, 8})
	got, counts, err := read(t, log, interop.InspectOptions{})
	if err != nil || len(got.responses) != 1 {
		t.Fatalf("got %d responses, %v, want 1", len(got.responses), err)
	}
	want := interop.Counts{Format: "inspect", Samples: 1, Responses: 1, SummaryOnly: 2, Untiered: 1, Notes: []string{
		"the log has no header: the run was cut off; what it had flushed is read",
		`the log's status is "started", not "success"`,
		"only a summary is left of x (epoch 2), 2 (epoch 1): not imported"}}
	if diff := cmp.Diff(counts, want); diff != "" {
		t.Errorf("counts, got then want:\n%s", diff)
	}
}

func TestInspectScales(t *testing.T) {
	sample := sampleText("1", 1, `,"scores":{"match":{"value":"C"},"q":{"value":{"help":1,"harm":0}},"other":{"value":3},"human":{"value":0.5}}`)
	log := build(t, member{"header.json", evalHead, 8}, member{"samples/1_epoch_1.json", sample, 8})
	tests := []struct {
		name     string
		scales   map[string]string
		want     []string
		notTaken int
	}{
		{"all", nil, []string{"human human 0.5", "match match 1", "other other 3", "q.harm q 0", "q.help q 1"}, 0},
		{"one", map[string]string{"compliance": "match"}, []string{"compliance match 1"}, 4},
		{"an entry", map[string]string{"help": "q.help", "compliance": "human"}, []string{"compliance human 0.5", "help q 1"}, 3},
		{"all entries", map[string]string{"quality": "q"}, []string{"quality.harm q 0", "quality.help q 1"}, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, counts, err := read(t, log, interop.InspectOptions{Scales: tt.scales, Tier: uplift.Benign})
			if err != nil {
				t.Fatal(err)
			}
			var rows []string
			for _, l := range got.labels {
				rows = append(rows, fmt.Sprint(l.Scale, " ", l.Grader, " ", l.Value))
			}
			if diff := cmp.Diff(rows, tt.want); diff != "" {
				t.Errorf("labels, got then want:\n%s", diff)
			}
			if counts.NotTaken != tt.notTaken || counts.Untiered != 0 {
				t.Errorf("got %+v, want %d not taken and none without tier", counts, tt.notTaken)
			}
		})
	}
}

func TestInspectInvalidated(t *testing.T) {
	log := build(t, member{"header.json", evalHead, 8},
		member{"samples/1_epoch_1.json", sampleText("1", 1, `,"scores":{"s":{"value":1}},"invalidation":{"author":"x","reason":"y"}`), 8},
		member{"samples/2_epoch_1.json", sampleText("2", 1, `,"scores":{"s":{"value":1}},"invalidation":null`), 8})
	_, counts, err := read(t, log, interop.InspectOptions{})
	want := interop.Counts{Format: "inspect", Samples: 2, Invalidated: 1, Responses: 1, Scores: 1, Labels: 1, Untiered: 1}
	if diff := cmp.Diff(counts, want); err != nil || diff != "" {
		t.Errorf("%v, counts, got then want:\n%s", err, diff)
	}
}

func TestInspectBad(t *testing.T) {
	head := member{"header.json", evalHead, 8}
	good := member{"samples/1_epoch_1.json", sampleText("1", 1, `,"scores":{"s":{"value":1}},"metadata":{"t":"bengin"}`), 8}
	with := func(text string) []byte { return build(t, head, member{"samples/1_epoch_1.json", text, 8}) }
	whole := build(t, head, good)
	encrypted := bytes.Clone(whole)
	for i := range encrypted {
		if bytes.HasPrefix(encrypted[i:], []byte("PK\x01\x02")) {
			encrypted[i+8] |= 1
		}
	}
	damaged := bytes.Clone(whole)
	damaged[bytes.Index(damaged, []byte("header.json"))+20] ^= 0xff
	bomb := build(t, head, member{"samples/1_epoch_1.json", sampleText("1", 1, `,"store":"`+strings.Repeat("0", 1<<20)+`"`), 93})
	tests := []struct {
		name string
		log  []byte
		opt  interop.InspectOptions
		want []string
	}{
		{"empty", nil, interop.InspectOptions{}, []string{"logs/run-a.eval: empty file"}},
		{"cut off", whole[:len(whole)-30], interop.InspectOptions{}, []string{"a zip file that is cut off or damaged"}},
		{"JSON log", []byte(` {"version":2}`), interop.InspectOptions{}, []string{"a JSON log (want the .eval form"}},
		{"no zip", []byte("hello"), interop.InspectOptions{}, []string{"no zip file"}},
		{"another zip", build(t, member{"word/document.xml", "x", 8}), interop.InspectOptions{}, []string{"no header.json and no _journal/start.json"}},
		{"encrypted", encrypted, interop.InspectOptions{}, []string{"header.json: encrypted"}},
		{"damaged", damaged, interop.InspectOptions{}, []string{"header.json: cannot be decompressed"}},
		{"header without model", build(t, member{"header.json", `{"version":2,"eval":{"task":"t"}}`, 8}), interop.InspectOptions{}, []string{"header.json: eval.model: missing"}},
		{"no samples", build(t, head), interop.InspectOptions{}, []string{"run-a.eval: no samples"}},
		{"bomb", bomb, interop.InspectOptions{MaxMember: 1 << 16}, []string{"samples/1_epoch_1.json: 1048"}},
		{"bomb in all", bomb, interop.InspectOptions{MaxTotal: 1 << 16}, []string{"samples/1_epoch_1.json: the log's members are too large together"}},
		{"tier", whole, interop.InspectOptions{TierFrom: "t"}, []string{`samples/1_epoch_1.json: metadata.t: unknown value "bengin" (want benign,`}},
		{"tier twice", whole, interop.InspectOptions{TierFrom: "t", Tier: uplift.Benign}, []string{"a tier and a metadata key for tiers are both given"}},
		{"tier unknown", whole, interop.InspectOptions{Tier: "safe"}, []string{`tier: unknown value "safe"`}},
		{"no such score", whole, interop.InspectOptions{Scales: map[string]string{"c": "mtach"}}, []string{"no score is named mtach (the log has s)"}},
		{"one score as two", whole, interop.InspectOptions{Scales: map[string]string{"c": "s", "d": "s"}}, []string{"score s is to be both scale c and scale d"}},
		{"out of range", with(sampleText("1", 1, `,"scores":{"caution":{"value":4}}`)), interop.InspectOptions{}, []string{"scores.caution: 4 on the scale caution (want 0 to 1"}},
		{"compliance out of range", with(sampleText("1", 1, `,"scores":{"s":{"value":1.5}}`)), interop.InspectOptions{Scales: map[string]string{"compliance": "s"}}, []string{"scores.s: 1.5 on the scale compliance (want 0 to 1)"}},
		{"not JSON", with(`{"id":1,`), interop.InspectOptions{}, []string{"samples/1_epoch_1.json: not valid JSON at byte 8"}},
		{"not UTF-8", with("{\"id\":\"\xff\"}"), interop.InspectOptions{}, []string{"not valid UTF-8"}},
		{"messages of another shape", with(`{"id":1,"epoch":1,"messages":"x"}`), interop.InspectOptions{}, []string{"messages: a string (want a list of messages)"}},
		{"deep nesting", with(strings.Repeat("[", 100_000)), interop.InspectOptions{}, []string{"max depth"}},
		{"no id", with(`{"epoch":1}`), interop.InspectOptions{}, []string{"id: missing"}},
		{"id of another kind", with(`{"id":1.5,"epoch":1}`), interop.InspectOptions{}, []string{"id: 1.5 (want a whole number or a string)"}},
		{"huge id", with(`{"id":"` + strings.Repeat("x", 1<<20) + `","epoch":1}`), interop.InspectOptions{}, []string{"id: 1048576 bytes long (want at most 4096)"}},
		{"no epoch", with(`{"id":1}`), interop.InspectOptions{}, []string{"epoch: missing (want a whole number from 1 to 2147483647)"}},
		{"one sample in two members", build(t, head, good, member{"samples/x_epoch_1.json", sampleText("1", 1, ""), 8}), interop.InspectOptions{}, []string{"sample 1, epoch 1 is also in samples/1_epoch_1.json"}},
		{"a name that would act on a terminal", build(t, head, member{"samples/\x1b[2J_epoch_1.json", `{}`, 8}), interop.InspectOptions{}, []string{"samples/\ufffd[2J_epoch_1.json: id"}},
		{"million million messages", with(`{"id":1,"epoch":1,"messages":[` + strings.Repeat("{},", 1<<20) + `{}]}`), interop.InspectOptions{}, []string{"messages: 1048577 messages (want at most 1048576)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := read(t, tt.log, tt.opt)
			wantProblems(t, err, tt.want...)
		})
	}
}

func TestInspectMethod(t *testing.T) {
	log := build(t, member{"header.json", evalHead, 8})
	for i := range log {
		if bytes.HasPrefix(log[i:], []byte("PK\x01\x02")) {
			log[i+10] = 12
		}
	}
	_, _, err := read(t, log, interop.InspectOptions{})
	wantProblems(t, err, "header.json: compression method 12 (want 0 stored, 8 deflate or 93 zstd)")
}

func TestInspectSink(t *testing.T) {
	log := build(t, member{"header.json", evalHead, 8}, member{"samples/1_epoch_1.json", sampleText("1", 1, ""), 8})
	sink := &memory{texts: map[uplift.Cell]string{{Model: "lab/model-1", Condition: "run-a", Task: "quiz/1", Attack: "direct"}: "other"}}
	_, err := interop.Inspect(bytes.NewReader(log), int64(len(log)), "run-a.eval", interop.InspectOptions{}, sink)
	wantProblems(t, err, "run-a.eval:samples/1_epoch_1.json: lab/model-1/run-a/quiz/1/direct/0: another text is stored")
	wantConflicts(t, err, 1)
	full := errors.New("disk full")
	if _, err = interop.Inspect(bytes.NewReader(log), int64(len(log)), "run-a.eval", interop.InspectOptions{}, &memory{full: full}); err != full {
		t.Errorf("got %v, want the sink's own error", err)
	}
}

// TestInspectShared imports the four public logs. What they hold was counted
// with another zip and JSON reader.
func TestInspectShared(t *testing.T) {
	first := "2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr"
	tests := []struct {
		file   string
		counts interop.Counts
		labels []string
		cell   string // of the first response
		text   string
	}{
		{first, interop.Counts{Samples: 10, Responses: 10, Untiered: 10, Notes: []string{"system messages were left out of transcripts (10)"}},
			nil, "openai/gpt-4o-mini/" + first + "/popularity/5/direct/0", "Yes"},
		{"log_formats", interop.Counts{Samples: 1, Responses: 1, Scores: 1, Labels: 1, Untiered: 1, Notes: []string{"system messages were left out of transcripts (1)"}},
			[]string{"match match 0"}, "ollama/llama3.1/log_formats/popularity/1/direct/0", "No"},
		{"log_message_deduplication", interop.Counts{Samples: 1, Responses: 1, Scores: 1, Labels: 1, Untiered: 1,
			Notes: []string{"tool calls were left out of transcripts (5)", "tool messages were left out of transcripts (5)"}},
			[]string{"closeness_log closeness_log 0"}, `hardcoded/hardcoded/log_message_deduplication/inspect_test_utils/guess_number/"0"/direct/0`, "done"},
		{"log_read_sample", interop.Counts{Samples: 1, Responses: 1, Scores: 1, Labels: 1, Untiered: 1, Notes: []string{"system messages were left out of transcripts (1)"}},
			[]string{"match match 1"}, "ollama/gemma3/log_read_sample/popularity/1/direct/0", "Yes\n"},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			log, err := os.ReadFile(shared(t, "inspect", tt.file+".eval"))
			if err != nil {
				t.Fatal(err)
			}
			var got memory
			counts, err := interop.Inspect(bytes.NewReader(log), int64(len(log)), tt.file+".eval", interop.InspectOptions{}, &got)
			if err != nil {
				t.Fatal(err)
			}
			tt.counts.Format = "inspect"
			if diff := cmp.Diff(counts, tt.counts); diff != "" {
				t.Errorf("counts, got then want:\n%s", diff)
			}
			var labels []string
			for _, l := range got.labels {
				labels = append(labels, fmt.Sprint(l.Scale, " ", l.Grader, " ", l.Value))
			}
			if diff := cmp.Diff(labels, tt.labels); diff != "" {
				t.Errorf("labels, got then want:\n%s", diff)
			}
			r := got.responses[0]
			if r.Cell.String() != tt.cell || r.Text != tt.text || r.Outcome != uplift.Answered || len(r.Item.Turns) != 1 {
				t.Errorf("got %s %q %s %d turns, want %s %q answered 1 turn", r.Cell, r.Text, r.Outcome, len(r.Item.Turns), tt.cell, tt.text)
			}
		})
	}
}

// The notes tell values that are no number from numbers that no statistic can
// take.
func TestInspectValueSizeNotes(t *testing.T) {
	log := build(t, member{"header.json", evalHead, 8},
		member{"samples/1_epoch_1.json", sampleText("1", 1, `,"scores":{"s":{"value":{"a":1e60,"b":1e-300,"c":0.5}},"w":{"value":"maybe"}}`), 8},
		member{"samples/2_epoch_1.json", sampleText("2", 1, `,"scores":{"s":{"value":{"a":1e60}},"w":{"value":1e60}}`), 8})
	_, counts, err := read(t, log, interop.InspectOptions{Tier: uplift.Benign})
	want := interop.Counts{Format: "inspect", Samples: 2, Responses: 2, Scores: 6, Labels: 1, Unmapped: 5, Notes: []string{
		`score s.a: values that are neither 0 nor of size 1e-50 to 1e50, such as "1e60", give no label (2)`,
		`score s.b: values that are neither 0 nor of size 1e-50 to 1e50, such as "1e-300", give no label (1)`,
		`score w: values that are neither 0 nor of size 1e-50 to 1e50, such as "1e60", give no label (1)`,
		`score w: values that are no number, such as "maybe", give no label (1)`}}
	if diff := cmp.Diff(counts, want); err != nil || diff != "" {
		t.Errorf("%v, counts, got then want:\n%s", err, diff)
	}
}
