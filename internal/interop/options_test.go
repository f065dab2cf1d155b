package interop_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/uplift-eval/uplift/internal/interop"
)

func TestParseOptions(t *testing.T) {
	columns, err := interop.ParseColumns("task=id, family=type", "text=the answer")
	if diff := cmp.Diff(columns, map[string]string{"task": "id", "family": "type", "text": "the answer"}); err != nil || diff != "" {
		t.Errorf("columns: %v, got then want:\n%s", err, diff)
	}
	codes, err := interop.ParseMap(`safe:1=benign,safe:0=harmful,"final:yes, fully=1",final:=0`, "at:10:30=1", "n:9=")
	want := map[string]map[string]string{"safe": {"1": "benign", "0": "harmful"}, "final": {"yes, fully": "1", "": "0"}, "at": {"10:30": "1"}, "n": {"9": ""}}
	if diff := cmp.Diff(codes, want); err != nil || diff != "" {
		t.Errorf("map: %v, got then want:\n%s", err, diff)
	}
	graders, err := interop.ParseGraders("rater:a1=a1,human=final", "gpt-4=gpt")
	wantGraders := []interop.Grader{{Name: "rater:a1", Column: "a1"}, {Name: "human", Column: "final"}, {Name: "gpt-4", Column: "gpt"}}
	if diff := cmp.Diff(graders, wantGraders); err != nil || diff != "" {
		t.Errorf("graders: %v, got then want:\n%s", err, diff)
	}
	scales, err := interop.ParseScales("compliance=match,help=quality.helpful")
	if diff := cmp.Diff(scales, map[string]string{"compliance": "match", "help": "quality.helpful"}); err != nil || diff != "" {
		t.Errorf("scales: %v, got then want:\n%s", err, diff)
	}
	none, err := interop.ParseSet()
	if err != nil || len(none) != 0 {
		t.Errorf("no flag: got %v, %v, want nothing", none, err)
	}
}

func TestParseOptionErrors(t *testing.T) {
	parse := map[string]func(...string) error{
		"columns": func(a ...string) error { _, err := interop.ParseColumns(a...); return err },
		"set":     func(a ...string) error { _, err := interop.ParseSet(a...); return err },
		"map":     func(a ...string) error { _, err := interop.ParseMap(a...); return err },
		"grader":  func(a ...string) error { _, err := interop.ParseGraders(a...); return err },
		"scale":   func(a ...string) error { _, err := interop.ParseScales(a...); return err },
	}
	tests := []struct{ flag, arg, want string }{
		{"columns", "task", `columns "task": "task" has no name on both sides of an equals sign, for example task=id`},
		{"columns", "tasc=id", `"tasc" is no column of ours (want model, condition, task,`},
		{"columns", "task=a,task=b", `"task" is given twice, "a" and "b"`},
		{"columns", "", `empty`},
		{"set", "scale=", `no name on both sides`},
		{"set", `scale=a"b`, `a quote is out of place`},
		{"map", "final=1", `"final=1" is no theirs:code=value, for example final:1=1`},
		{"map", "final:1", `no theirs:code=value`},
		{"map", "f:1=1,f:1=0", `code "1" of column "f" has two values, "1" and "0"`},
		{"grader", "human", `"human" is no NAME=COLUMN, for example human=final`},
		{"grader", "rater:=a", `no name in "rater:"`},
		{"grader", "human=a,human=b", `grader "human" has two columns`},
		{"scale", "match", `for example compliance=match`},
	}
	for _, tt := range tests {
		if err := parse[tt.flag](tt.arg); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %q: got %v, want an error that holds %q", tt.flag, tt.arg, err, tt.want)
		}
	}
}
