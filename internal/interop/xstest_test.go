package interop_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/interop"
)

const xsHeader = "id,type,prompt,completion,annotation_1,annotation_2,agreement,final_label\r\n"

var xsOptions = interop.XSTestOptions{Model: "m", Condition: "none"}

func TestXSTest(t *testing.T) {
	file := xsHeader +
		"v2-1,homonyms,How?,\"One.\nTwo.\",1_full_compliance,3_partial_refusal,FALSE,1_full_compliance\r\n" +
		"v2-2,contrast_homonyms,Why?,No.,2_full_refusal,,,2_full_refusal\r\n" +
		"v2-2,contrast_homonyms,Why?,No.,2_full_refusal,,,2_full_refusal\r\n" +
		"v2-3,definitions,What?,,,,,\r\n"
	var got memory
	counts, err := interop.XSTest(strings.NewReader(file), "x.csv", xsOptions, &got)
	if err != nil {
		t.Fatal(err)
	}
	cell := func(id string) uplift.Cell {
		return uplift.Cell{Model: "m", Condition: "none", Task: id, Attack: "direct"}
	}
	said := func(user, assistant string) []uplift.Message {
		return []uplift.Message{{Role: uplift.User, Text: user}, {Role: uplift.Assistant, Text: assistant}}
	}
	wantResponses := []uplift.Response{
		{Cell: cell("v2-1"), Item: uplift.Item{Task: "v2-1", Attack: "direct", Family: "homonyms", Tier: uplift.Benign, Turns: []string{"How?"}},
			Transcript: said("How?", "One.\nTwo."), Text: "One.\nTwo.", Outcome: uplift.Answered},
		{Cell: cell("v2-2"), Item: uplift.Item{Task: "v2-2", Attack: "direct", Family: "contrast_homonyms", Tier: uplift.Harmful, Turns: []string{"Why?"}},
			Transcript: said("Why?", "No."), Text: "No.", Outcome: uplift.Answered},
		{Cell: cell("v2-3"), Item: uplift.Item{Task: "v2-3", Attack: "direct", Family: "definitions", Tier: uplift.Benign, Turns: []string{"What?"}},
			Outcome: uplift.Unreported},
	}
	if diff := cmp.Diff(got.responses, wantResponses); diff != "" {
		t.Errorf("responses, got then want:\n%s", diff)
	}
	var rows []string
	for _, l := range got.labels {
		rows = append(rows, fmt.Sprint(l.Task, " ", l.Scale, " ", l.Grader, " ", l.Value))
	}
	wantRows := []string{"v2-1 compliance rater:annotator_1 1", "v2-1 compliance rater:annotator_2 0.5", "v2-1 compliance human 1",
		"v2-2 compliance rater:annotator_1 0", "v2-2 compliance human 0"}
	if diff := cmp.Diff(rows, wantRows); diff != "" {
		t.Errorf("labels, got then want:\n%s", diff)
	}
	want := interop.Counts{Format: "xstest", Rows: 4, Responses: 3, Labels: 5, Missing: 5, Duplicates: 2}
	if diff := cmp.Diff(counts, want); diff != "" {
		t.Errorf("counts, got then want:\n%s", diff)
	}
}

func TestXSTestColumnsInAnyOrder(t *testing.T) {
	file := "final_label,gpt4_label,annotation_2,annotation_1,completion,prompt,type,id\n" +
		"2_full_refusal,1,,,No.,Why?,homonyms,v2-9\n"
	var got memory
	counts, err := interop.XSTest(strings.NewReader(file), "x.csv", xsOptions, &got)
	if err != nil || len(got.labels) != 1 || got.labels[0].Value != 0 || got.labels[0].Task != "v2-9" {
		t.Errorf("got %+v, %v, want one label 0 of v2-9", got.labels, err)
	}
	if diff := cmp.Diff(counts.Ignored, []string{"gpt4_label"}); diff != "" {
		t.Errorf("ignored, got then want:\n%s", diff)
	}
}

func TestXSTestBad(t *testing.T) {
	tests := []struct {
		name, file string
		opt        interop.XSTestOptions
		want       []string
	}{
		{"no model", xsHeader, interop.XSTestOptions{Condition: "c"}, []string{"x.csv: no model or no condition"}},
		{"missing columns", "id,prompt,completion\n1,2,3\n", xsOptions, []string{"x.csv:1: missing columns type, annotation_1, annotation_2, final_label (want id,"}},
		{"no rows", xsHeader, xsOptions, []string{"x.csv: no rows"}},
		{"unknown label", xsHeader + "1,t,p,\"c\n\",maybe,,,5\n", xsOptions, []string{
			`x.csv:2: annotation_1: unknown label "maybe" (want 1_full_compliance, 2_full_refusal, 3_partial_refusal, or empty`,
			`x.csv:2: final_label: unknown label "5"`}},
		{"empty names", xsHeader + "a,t,p,c,,,,\n,,,c,,,,\n", xsOptions, []string{"x.csv:3: id: empty", "x.csv:3: type: empty", "x.csv:3: prompt: empty"}},
		{"two final labels", xsHeader + "a,t,p,\"c\nd\",,,,1_full_compliance\na,t,p,\"c\nd\",,,,2_full_refusal\n", xsOptions,
			[]string{`x.csv:4: final_label: "2_full_refusal" for id "a", but "1_full_compliance" on line 2 (want one row an id)`}},
		{"two texts", xsHeader + "a,t,p,c,,,,\na,t,p,d,,,,\n", xsOptions, []string{`x.csv:3: completion: "d" for id "a", but "c" on line 2`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := interop.XSTest(strings.NewReader(tt.file), "x.csv", tt.opt, &memory{})
			wantProblems(t, err, tt.want...)
		})
	}
}

// TestXSTestShared imports the three public files; the numbers were counted
// with another program.
func TestXSTestShared(t *testing.T) {
	for name, want := range map[string]map[string]int{
		"gpt4":       {"human 1": 230, "human 0.5": 9, "human 0": 211},
		"llama2new":  {"human 1": 176, "human 0.5": 44, "human 0": 230},
		"llama2orig": {"human 1": 101, "human 0.5": 55, "human 0": 294},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(shared(t, "xstest", "xstest_v2_completions_"+name+".csv"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			var got memory
			counts, err := interop.XSTest(f, name+".csv", xsOptions, &got)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(counts, interop.Counts{Format: "xstest", Rows: 450, Responses: 450, Labels: 1350}); diff != "" {
				t.Errorf("counts, got then want:\n%s", diff)
			}
			values := tallyBy(got.labels, func(l uplift.Label) string { return fmt.Sprint(l.Grader, " ", l.Value) })
			for key, n := range want {
				if values[key] != n {
					t.Errorf("%s: got %d, want %d", key, values[key], n)
				}
			}
			if names := graderNames(got.labels); len(names) != 3 {
				t.Errorf("got graders %q, want two raters and human", names)
			}
		})
	}
}
