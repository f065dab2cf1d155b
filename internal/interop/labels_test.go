package interop_test

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/interop"
)

const header = "model,condition,task,family,tier,split,attack,replicate,outcome,scale,value,grader,text\n"

func TestLabelsOwnColumns(t *testing.T) {
	file := header +
		"m,safe,t1,f,benign,test,direct,0,answered,correctness,0.75,human,\"hello,\r\nyou\"\n" +
		"m,safe,t1,f,benign,test,direct,0,answered,correctness,1,rater:a,\n" +
		"m,safe,t2,,,,,, ,own, 2.5 ,judge-x,\n"
	var got memory
	counts, err := interop.Labels(strings.NewReader(file), "own.csv", interop.LabelOptions{}, &got)
	if err != nil {
		t.Fatal(err)
	}
	one := uplift.Cell{Model: "m", Condition: "safe", Task: "t1", Attack: "direct"}
	two := uplift.Cell{Model: "m", Condition: "safe", Task: "t2", Attack: "direct"}
	wantResponses := []uplift.Response{
		{Cell: one, Item: uplift.Item{Task: "t1", Attack: "direct", Family: "f", Split: "test", Tier: uplift.Benign}, Text: "hello,\r\nyou", Outcome: uplift.Answered},
		{Cell: two, Item: uplift.Item{Task: "t2", Attack: "direct"}, Outcome: uplift.Unreported},
	}
	first := uplift.Label{Cell: one, Family: "f", Split: "test", Tier: uplift.Benign, Outcome: uplift.Answered, Scale: "correctness", Value: 0.75, Grader: "human"}
	second := first
	second.Value, second.Grader = 1, "rater:a"
	wantLabels := []uplift.Label{first, second, {Cell: two, Outcome: uplift.Unreported, Scale: "own", Value: 2.5, Grader: "judge-x"}}
	if diff := cmp.Diff(got.responses, wantResponses); diff != "" {
		t.Errorf("responses, got then want:\n%s", diff)
	}
	if diff := cmp.Diff(got.labels, wantLabels); diff != "" {
		t.Errorf("labels, got then want:\n%s", diff)
	}
	want := interop.Counts{Format: "csv", Rows: 3, Responses: 2, Labels: 3, Untiered: 1}
	if diff := cmp.Diff(counts, want); diff != "" {
		t.Errorf("counts, got then want:\n%s", diff)
	}
}

// TestLabelsSharedTable imports the public table of three models' labels with
// the options that a person would type. Expected numbers were counted with
// another program.
func TestLabelsSharedTable(t *testing.T) {
	f, err := os.Open(shared(t, "xstest", "labels.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var got memory
	counts, err := interop.Labels(f, "labels.csv", xstestOptions(t), &got)
	if err != nil {
		t.Fatal(err)
	}
	want := interop.Counts{Format: "csv", Rows: 1350, Responses: 1350, Labels: 5400, Ignored: []string{"gpt_raw_valid"}}
	if diff := cmp.Diff(counts, want); diff != "" {
		t.Errorf("counts, got then want:\n%s", diff)
	}
	values := tallyBy(got.labels, func(l uplift.Label) string { return fmt.Sprintf("%s %v", l.Grader, l.Value) })
	wantValues := map[string]int{"rater:a1 1": 507, "rater:a1 0.5": 101, "rater:a1 0": 742,
		"rater:a2 1": 506, "rater:a2 0.5": 107, "rater:a2 0": 737,
		"human 1": 507, "human 0.5": 108, "human 0": 735, "gpt4 1": 712, "gpt4 0.5": 24, "gpt4 0": 614}
	if diff := cmp.Diff(values, wantValues); diff != "" {
		t.Errorf("values, got then want:\n%s", diff)
	}
	tiers := tallyBy(got.labels, func(l uplift.Label) string { return string(l.Tier) })
	if diff := cmp.Diff(tiers, map[string]int{"benign": 3000, "harmful": 2400}); diff != "" {
		t.Errorf("tiers, got then want:\n%s", diff)
	}
}

func xstestOptions(t *testing.T) (opt interop.LabelOptions) {
	t.Helper()
	var errs [4]error
	opt.Columns, errs[0] = interop.ParseColumns("task=id,family=type,tier=safe")
	opt.Map, errs[1] = interop.ParseMap("safe:1=benign,safe:0=harmful", "a1:1=1,a1:2=0,a1:3=0.5",
		"a2:1=1,a2:2=0,a2:3=0.5", "final:1=1,final:2=0,final:3=0.5", "gpt:1=1,gpt:2=0,gpt:3=0.5")
	opt.Set, errs[2] = interop.ParseSet("scale=compliance,condition=original")
	opt.Graders, errs[3] = interop.ParseGraders("rater:a1=a1", "rater:a2=a2", "human=final", "gpt4=gpt")
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	return opt
}

func TestLabelsByteOrderMark(t *testing.T) {
	for name, file := range map[string]string{
		"x.csv":   "\ufeffmodel,condition,task,scale,value\r\nm,c,t,s,1\r\n",
		"x.jsonl": "\ufeff" + `{"model":"m","condition":"c","task":"t","scale":"s","value":1}`,
	} {
		var got memory
		if _, err := interop.Labels(strings.NewReader(file), name, interop.LabelOptions{}, &got); err != nil || len(got.labels) != 1 {
			t.Errorf("%s: got %d labels, %v, want 1", name, len(got.labels), err)
		}
	}
}

func TestLabelsGraders(t *testing.T) {
	file := "model;id;safe;a1;final\n" +
		"m;1;1;1;1\n" +
		"m;2;0;;3\n" +
		"m;3;;NA;\n"
	opt := interop.LabelOptions{
		Columns: map[string]string{"task": "id", "tier": "safe"},
		Set:     map[string]string{"scale": "compliance", "condition": "x"},
		Map: map[string]map[string]string{"safe": {"1": "benign", "0": "harmful"},
			"a1": {"1": "1", "NA": ""}, "final": {"1": "1", "3": "0.5"}},
		Graders: []interop.Grader{{Name: "rater:a1", Column: "a1"}, {Name: "human", Column: "final"}},
	}
	var got memory
	counts, err := interop.Labels(strings.NewReader(file), "their.csv", opt, &got)
	if err != nil {
		t.Fatal(err)
	}
	want := interop.Counts{Format: "csv", Rows: 3, Responses: 3, Labels: 3, Missing: 3, Untiered: 1}
	if diff := cmp.Diff(counts, want); diff != "" {
		t.Errorf("counts, got then want:\n%s", diff)
	}
	var rows []string
	for _, l := range got.labels {
		rows = append(rows, fmt.Sprint(l.Task, " ", l.Tier, " ", l.Grader, " ", l.Value))
	}
	if diff := cmp.Diff(rows, []string{"1 benign rater:a1 1", "1 benign human 1", "2 harmful human 0.5"}); diff != "" {
		t.Errorf("labels, got then want:\n%s", diff)
	}
	if len(got.responses) != 3 {
		t.Errorf("got %d responses, want 3: a row without a label keeps its response", len(got.responses))
	}
}

// Two codes of one value name the same thing, so the rows are one cell.
func TestLabelsSameCellUnderTwoNames(t *testing.T) {
	file := "model,condition,task,attack,replicate,scale,value\n" +
		"m1,c,t,,0,s,1\n" +
		"m2,c,t,direct,00,s,1\n" +
		"m2,c,t,direct,0,s,0\n"
	opt := interop.LabelOptions{Map: map[string]map[string]string{"model": {"m1": "m", "m2": "m"}}}
	counts, err := interop.Labels(strings.NewReader(file), "x.csv", opt, &memory{})
	wantProblems(t, err, `x.csv:4: value: 0 for m/c/t/direct/0 by human on s, but 1 on line 2`)
	if counts.Responses != 1 || counts.Duplicates != 2 {
		t.Errorf("got %+v, want 1 response and 2 duplicates", counts)
	}
}

func TestLabelsBadRows(t *testing.T) {
	file := header +
		"m,c,t1,f,bengin,,direct,0,,s,1,human,\n" +
		"m,c,t2,f,,,direct,-1,,s,1,human,\n" +
		"m,c,,f,,,direct,0,,,nan,human,\n" +
		"m,c,\"t3\nx\",f,,,direct,0,gone,s,\"0,5\",rater:,\n" +
		"m,c,t4,f,,,direct,0,,caution,1.25,human,\n" +
		"m,c,t5,f,,,direct,0,,s,0x1p-2,,\n" +
		"m,c,t6,f,,,direct,0,,s,1e400,human,\n" +
		"m,c,t7,f,,,direct,0,,s,1\n"
	var got memory
	_, err := interop.Labels(strings.NewReader(file), "bad.csv", interop.LabelOptions{}, &got)
	wantProblems(t, err,
		`bad.csv:2: tier: unknown value "bengin" (want benign, borderline or harmful)`,
		`bad.csv:3: replicate: "-1" is no replicate`,
		`bad.csv:4: task: empty`,
		`bad.csv:4: scale: empty`,
		`bad.csv:4: value: "nan" is no finite number`,
		`bad.csv:5: outcome: unknown value "gone" (want answered, truncated,`,
		`bad.csv:5: grader: no name in "rater:"`,
		`bad.csv:5: value: "0,5" is no number (want a decimal point`,
		`bad.csv:7: value: 1.25 on the scale caution (want 0 to 1`,
		`bad.csv:8: grader: no name in ""`,
		`bad.csv:8: value: "0x1p-2" is no finite number`,
		`bad.csv:9: value: "1e400" (want 0 or a number of size 1e-50 to 1e50)`,
		`bad.csv:10: 11 cells (want 13`)
	if len(got.responses) != 0 {
		t.Errorf("got %d responses of bad rows, want none", len(got.responses))
	}
}

// A value that the statistics cannot take is refused where it stands, not when
// the study is analysed.
func TestLabelsValueSize(t *testing.T) {
	const head = "model,condition,task,scale,value\n"
	const size = "(want 0 or a number of size 1e-50 to 1e50)"
	tests := []struct{ scale, value, want string }{ // want: held by the only problem; empty: a label
		{"s", "1e50", ""}, {"s", "-1e50", ""}, {"s", "1e-50", ""}, {"s", "-1e-50", ""}, {"s", "0", ""}, {"s", "-0", ""}, {"s", "0e999", ""}, {"s", "0.000", ""},
		{"s", "1e60", `x.csv:2: value: "1e60" ` + size}, {"s", "-1e51", size}, {"s", "1.0000001e50", size}, {"s", "1e308", size},
		{"s", "1e-300", size}, {"s", "-9e-51", size}, {"s", "1e-400", `"1e-400" ` + size}, {"s", "0." + strings.Repeat("0", 400) + "1", size},
		{"compliance", "1", ""}, {"compliance", "0", ""}, {"compliance", "0.5", ""},
		{"compliance", "1.5", "x.csv:2: value: 1.5 on the scale compliance (want 0 to 1)"}, {"compliance", "-0.1", "on the scale compliance"},
		{"caution", "3", "3 on the scale caution (want 0 to 1: the level divided by 4)"},
	}
	for _, tt := range tests {
		t.Run(tt.scale+" "+tt.value[:min(len(tt.value), 20)], func(t *testing.T) {
			counts, err := interop.Labels(strings.NewReader(head+"m,c,t,"+tt.scale+","+tt.value+"\n"), "x.csv", interop.LabelOptions{}, &memory{})
			if tt.want != "" {
				wantProblems(t, err, tt.want)
			} else if err != nil || counts.Labels != 1 {
				t.Errorf("got %+v, %v, want 1 label", counts, err)
			}
		})
	}
	opt := interop.LabelOptions{Map: map[string]map[string]string{"value": {"9": "1e60"}}}
	_, err := interop.Labels(strings.NewReader(head+"m,c,t,s,9\n"), "x.csv", opt, &memory{})
	wantProblems(t, err, `x.csv:2: value: "1e60" `+size)
}

func TestLabelsOptions(t *testing.T) {
	tests := []struct {
		name, file string
		opt        interop.LabelOptions
		want       []string
	}{
		{"missing columns at once", "task,value\n1,1\n", interop.LabelOptions{},
			[]string{"x.csv:1: missing columns model, condition, scale (the file has task, value;"}},
		{"a column that is not there", "model,condition,scale,value,task\n", interop.LabelOptions{Columns: map[string]string{"task": "id"}},
			[]string{`no column "id" for task (the file has model,`}},
		{"none of ours", header, interop.LabelOptions{Set: map[string]string{"colour": "red"}}, []string{`"colour" is no column of ours (want model,`}},
		{"constant and column", header, interop.LabelOptions{Set: map[string]string{"task": "a"}, Columns: map[string]string{"task": "text"}},
			[]string{`task is both the constant "a" and the column "text"`}},
		{"bad constant", header, interop.LabelOptions{Set: map[string]string{"tier": "safe"}}, []string{`tier: unknown value "safe"`}},
		{"map of nothing", header, interop.LabelOptions{Map: map[string]map[string]string{"fina": {"1": "1"}}}, []string{`the map's column "fina" is not read (want one of model,`}},
		{"graders and value", header, interop.LabelOptions{Columns: map[string]string{"value": "text"}, Graders: []interop.Grader{{Name: "g", Column: "value"}}},
			[]string{`value and grader columns are both given`}},
		{"grader without column", header, interop.LabelOptions{Graders: []interop.Grader{{Name: "g", Column: "nope"}}}, []string{`no column "nope" for grader g`}},
		{"grader twice", header, interop.LabelOptions{Graders: []interop.Grader{{Name: "g", Column: "value"}, {Name: "g", Column: "text"}}}, []string{`grader g has two columns`}},
		{"column twice", "model,condition,task,task,scale,value\n", interop.LabelOptions{}, []string{`2 columns are named "task"`}},
		{"replicate too large", "model,condition,task,scale,value,replicate\nm,c,t,s,1,2147483647\n", interop.LabelOptions{}, []string{`x.csv:2: replicate: "2147483647" is no replicate (want a whole number from 0 to 2147483646)`}},
		{"no rows", header, interop.LabelOptions{}, []string{"x.csv: no rows"}},
		{"unknown code", "model,condition,task,scale,value\nm,c,t,s,9\n", interop.LabelOptions{Map: map[string]map[string]string{"value": {"1": "1", "2": "0"}}},
			[]string{`x.csv:2: value: unknown code "9" (want "1", "2")`}},
		{"code of nonsense", "model,condition,task,scale,v\nm,c,t,s,1\n", interop.LabelOptions{Columns: map[string]string{"value": "v"}, Map: map[string]map[string]string{"v": {"1": "yes"}}},
			[]string{`x.csv:2: value (column v): "yes" is no finite number`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := interop.Labels(strings.NewReader(tt.file), "x.csv", tt.opt, &memory{})
			wantProblems(t, err, tt.want...)
		})
	}
}

func TestLabelsSink(t *testing.T) {
	file := header + "m,c,t,f,,,,,,s,1,human,one\nm,c,t,f,,,,,,s,1,j,two\nm,c,u,f,,,,,,s,1,human,\n"
	_, err := interop.Labels(strings.NewReader(file), "x.csv", interop.LabelOptions{}, &memory{})
	wantProblems(t, err, "x.csv:3: m/c/t/direct/0: another text is stored")
	wantConflicts(t, err, 1)
	_, err = interop.Labels(strings.NewReader(header+"m,c,t,f,,,,,,s,1,human,\nm,c,t,f,,,,,,s,0,human,\n"), "x.csv", interop.LabelOptions{}, &memory{})
	wantConflicts(t, err, 0) // the file contradicts itself
	_, err = interop.Labels(strings.NewReader(header+strings.Repeat("m,c,t,f,,,,,,,1,human,\n", 200)+"m,c,t,f,,,,,,s,1,human,one\nm,c,t,f,,,,,,s,1,j,two\n"), "x.csv", interop.LabelOptions{}, &memory{})
	wantConflicts(t, err, 1) // beyond the problems that are kept

	full := errors.New("disk full")
	_, err = interop.Labels(strings.NewReader(file), "x.csv", interop.LabelOptions{}, &memory{full: full})
	if err != full {
		t.Errorf("got %v, want the sink's own error at once", err)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("cable out") }

func TestLabelsReadError(t *testing.T) {
	_, err := interop.Labels(brokenReader{}, "x.csv", interop.LabelOptions{}, &memory{})
	var ps *interop.Problems
	if err == nil || errors.As(err, &ps) || !strings.Contains(err.Error(), "x.csv: cable out") {
		t.Errorf("got %v, want the reader's error with the file's name", err)
	}
}

func TestProblemsCap(t *testing.T) {
	file := header + strings.Repeat("m,c,t,f,x,,,,,s,1,human,\n", 250)
	_, err := interop.Labels(strings.NewReader(file), "x.csv", interop.LabelOptions{}, &memory{})
	lines := problems(t, err)
	if len(lines) != 101 || lines[100] != "and 150 more" {
		t.Errorf("got %d lines that end with %q, want 100 and \"and 150 more\"", len(lines), lines[len(lines)-1])
	}
}

// yield hands out labels as a store does.
func yield(labels []uplift.Label) iter.Seq2[uplift.Label, error] {
	return func(next func(uplift.Label, error) bool) {
		for _, l := range labels {
			if !next(l, nil) {
				return
			}
		}
	}
}

// awkward labels hold everything that CSV and JSON may spoil.
func awkward() []uplift.Label {
	texts := []string{"plain", "comma, \"quote\"", "line\nfeed", "CR\r\nLF\rlone", " leading and trailing ", "=1+1", "é😀\u2028", "\ttab", `back\slash`, "\x00\x7f", "'"}
	var labels []uplift.Label
	for i, s := range texts {
		labels = append(labels, uplift.Label{
			Cell:   uplift.Cell{Model: "m" + s, Condition: s, Task: s, Attack: s, Replicate: i},
			Family: s, Split: s, Tier: append(uplift.Tiers(), uplift.Untiered)[i%4], Outcome: uplift.Outcomes()[i%9],
			Scale: s, Value: []float64{0, 1, 0.1, 1.0 / 3, -2.5, 1e-50, 123456789.123}[i%7], Grader: []string{"human", "rater:" + s, s}[i%3]})
	}
	return labels
}

func TestExportRoundTrip(t *testing.T) {
	want := awkward()
	cellText := func(c uplift.Cell) string { return "text of\r\n" + c.Task }
	odd := func(c uplift.Cell) bool { return c.Replicate%2 == 1 }
	opt := interop.ExportOptions{Text: cellText, Prompt: cellText, Simulated: odd}
	for _, format := range []string{"csv", "jsonl"} {
		t.Run(format, func(t *testing.T) {
			write := interop.WriteLabelsCSV
			if format == "jsonl" {
				write = interop.WriteLabelsJSONL
			}
			var file strings.Builder
			if err := write(&file, yield(want), opt); err != nil {
				t.Fatal(err)
			}
			var got memory
			if _, err := interop.Labels(strings.NewReader(file.String()), "x."+format, interop.LabelOptions{}, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(got.labels, want); diff != "" {
				t.Errorf("labels, got then want:\n%s", diff)
			}
			for _, r := range got.responses {
				if r.Text != cellText(r.Cell) || r.Item.Turns[0] != cellText(r.Cell) {
					t.Errorf("got text %q, turns %q, want both %q", r.Text, r.Item.Turns, cellText(r.Cell))
				}
				if r.Simulated != odd(r.Cell) {
					t.Errorf("%s: got simulated %v, want %v", r.Cell, r.Simulated, odd(r.Cell))
				}
			}
			var again strings.Builder
			if err := write(&again, yield(got.labels), opt); err != nil || again.String() != file.String() {
				t.Errorf("written again it differs (%v)", err)
			}
		})
	}
}

func TestExportForms(t *testing.T) {
	labels := []uplift.Label{{Cell: uplift.Cell{Model: "=m", Condition: "c", Task: "-t", Attack: "direct"}, Family: "@f", Outcome: uplift.Answered, Scale: "s", Value: -0.5, Grader: "human"}}
	tests := []struct {
		name  string
		opt   interop.ExportOptions
		write func(*strings.Builder, interop.ExportOptions) error
		want  string
	}{
		{"plain", interop.ExportOptions{}, func(w *strings.Builder, o interop.ExportOptions) error {
			return interop.WriteLabelsCSV(w, yield(labels), o)
		},
			"model,condition,task,family,tier,split,attack,replicate,outcome,scale,value,grader\n=m,c,-t,@f,,,direct,0,answered,s,-0.5,human\n"},
		{"spreadsheet", interop.ExportOptions{Spreadsheet: true}, func(w *strings.Builder, o interop.ExportOptions) error {
			return interop.WriteLabelsCSV(w, yield(labels), o)
		},
			"model,condition,task,family,tier,split,attack,replicate,outcome,scale,value,grader\n'=m,c,'-t,'@f,,,direct,0,answered,s,-0.5,human\n"},
		{"JSONL", interop.ExportOptions{Spreadsheet: true}, func(w *strings.Builder, o interop.ExportOptions) error {
			return interop.WriteLabelsJSONL(w, yield(labels), o)
		},
			`{"model":"=m","condition":"c","task":"-t","family":"@f","tier":"","split":"","attack":"direct","replicate":0,"outcome":"answered","scale":"s","value":-0.5,"grader":"human"}` + "\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got strings.Builder
			if err := tt.write(&got, tt.opt); err != nil || got.String() != tt.want {
				t.Errorf("got %q, %v\nwant %q", got.String(), err, tt.want)
			}
		})
	}
}

func TestExportErrors(t *testing.T) {
	broken := func(next func(uplift.Label, error) bool) { next(uplift.Label{}, errors.New("database gone")) }
	for name, labels := range map[string]iter.Seq2[uplift.Label, error]{
		"database gone":   broken,
		"not valid UTF-8": yield([]uplift.Label{{Scale: "\xff"}}),
		"finite number":   yield([]uplift.Label{{Value: inf()}}),
	} {
		for _, write := range []func(*strings.Builder) error{
			func(w *strings.Builder) error { return interop.WriteLabelsCSV(w, labels, interop.ExportOptions{}) },
			func(w *strings.Builder) error { return interop.WriteLabelsJSONL(w, labels, interop.ExportOptions{}) },
		} {
			if err := write(&strings.Builder{}); err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("got %v, want an error that holds %q", err, name)
			}
		}
	}
}

func inf() float64 { big := 1e308; return big * 10 }
