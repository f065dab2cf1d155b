package interop_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/uplift-eval/uplift/internal/interop"
)

// What a file calls its things must not turn a terminal's text round.
func TestProblemsPrintable(t *testing.T) {
	marks := "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069" // all of Bidi_Control
	controls := "\x00\x07\x1b\x7f\u0085\u009b"
	p := interop.Problem{File: "x" + marks, Member: controls, Field: marks, Text: "a" + marks + controls + "é"}
	want := "x" + strings.Repeat("\ufffd", 12) + ":" + strings.Repeat("\ufffd", 6) + ": " + strings.Repeat("\ufffd", 12) + ": a" + strings.Repeat("\ufffd", 18) + "é"
	if got := p.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A table of many columns is described by the first of them.
func TestLabelsManyColumns(t *testing.T) {
	var names, cells, object strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&names, ",c%05d", i)
		cells.WriteString(",1")
		fmt.Fprintf(&object, `,"c%05d":1`, i)
	}
	var want []string
	for i := range 20 {
		want = append(want, fmt.Sprintf("c%05d", i))
	}
	want = append(want, "and 49980 more")
	line := `{"model":"m","condition":"c","task":"t","scale":"s","value":1` + object.String() + "}\n"
	for name, file := range map[string]string{
		"x.csv":   "model,condition,task,scale,value" + names.String() + "\nm,c,t,s,1" + cells.String() + "\n",
		"x.jsonl": line + line,
	} {
		counts, err := interop.Labels(strings.NewReader(file), name, interop.LabelOptions{}, &memory{})
		if diff := cmp.Diff(counts.Ignored, want); err != nil || diff != "" {
			t.Errorf("%s: %v, ignored, got then want:\n%s", name, err, diff)
		}
	}
	xs := strings.TrimSpace(xsHeader) + names.String() + "\n1,t,p,c,,,," + cells.String() + "\n"
	counts, err := interop.XSTest(strings.NewReader(xs), "x.csv", xsOptions, &memory{})
	if diff := cmp.Diff(counts.Ignored, want); err != nil || diff != "" {
		t.Errorf("xstest: %v, ignored, got then want:\n%s", err, diff)
	}
	for _, opt := range []interop.LabelOptions{{}, {Columns: map[string]string{"task": "id"}}, {Graders: []interop.Grader{{Name: "g", Column: "g"}}}} {
		_, err := interop.Labels(strings.NewReader("task"+names.String()+","+strings.Repeat("x", 1<<20)+"\n"), "x.csv", opt, &memory{})
		for _, line := range problems(t, err) {
			if len(line) > 1000 || strings.Contains(line, "c00000") && !strings.Contains(line, "c00018 and 49982 more") {
				t.Errorf("got %d bytes, %.600s, want the first 20 columns and a count", len(line), line)
			}
		}
	}
}

// A name of many bytes makes no long message.
func TestLabelsLongNames(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for name, file := range map[string]string{
		"tier":    "model,condition,task,scale,value,tier\nm,c,t,s,1," + long + "\n",
		"grader":  "model,condition,task,scale,value,grader\nm,c,t,s,1,rater:\n",
		"name":    "model,condition,task,scale,value," + long + "\nm,c,t,s,1\n",
		"quote":   "model,condition,task,scale,value," + long + "\nm,c,t,s,1,a\"b\n",
		"missing": long + "\n",
	} {
		_, err := interop.Labels(strings.NewReader(file), "x.csv", interop.LabelOptions{}, &memory{})
		for _, line := range problems(t, err) {
			if len(line) > 500 {
				t.Errorf("%s: got %d bytes, %.300s, want a short message", name, len(line), line)
			}
		}
	}
	counts, err := interop.Labels(strings.NewReader("model,condition,task,scale,value,"+long+"\nm,c,t,s,1,1\n"), "x.csv", interop.LabelOptions{}, &memory{})
	if got := strings.Join(counts.Ignored, ""); err != nil || len(got) > 100 {
		t.Errorf("got %d bytes, %v, want the name cut short", len(got), err)
	}
}
