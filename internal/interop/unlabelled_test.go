package interop_test

import (
	"iter"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/interop"
)

// What waits for a label follows with an empty value, which reads back as none;
// a sealed table has no tiers.
func TestExportUnlabelled(t *testing.T) {
	one := uplift.Label{Cell: uplift.Cell{Model: "m", Condition: "c", Task: "t", Attack: "direct"}, Family: "f",
		Tier: uplift.Harmful, Outcome: uplift.Answered, Scale: "s", Value: .5, Grader: "human"}
	two := one
	two.Task, two.Value = "u", 7 // which is not read
	of := func(l uplift.Label) iter.Seq2[uplift.Label, error] {
		return func(yield func(uplift.Label, error) bool) { yield(l, nil) }
	}
	for _, tt := range []struct {
		name string
		opt  interop.ExportOptions
		csv  string
		json string
	}{
		{"open", interop.ExportOptions{Unlabelled: of(two)},
			"model,condition,task,family,tier,split,attack,replicate,outcome,scale,value,grader\n" +
				"m,c,t,f,harmful,,direct,0,answered,s,0.5,human\nm,c,u,f,harmful,,direct,0,answered,s,,human\n",
			`"scale":"s","value":null,"grader":"human"}`},
		{"sealed", interop.ExportOptions{Unlabelled: of(two), Sealed: true},
			"model,condition,task,family,split,attack,replicate,outcome,scale,value,grader\n" +
				"m,c,t,f,,direct,0,answered,s,0.5,human\nm,c,u,f,,direct,0,answered,s,,human\n",
			`{"model":"m","condition":"c","task":"u","family":"f","split":"","attack":"direct","replicate":0,`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var table, lines strings.Builder
			if err := interop.WriteLabelsCSV(&table, of(one), tt.opt); err != nil {
				t.Fatal(err)
			}
			if err := interop.WriteLabelsJSONL(&lines, of(one), tt.opt); err != nil {
				t.Fatal(err)
			}
			got := strings.ReplaceAll(table.String(), "\r", "")
			if got != tt.csv {
				t.Errorf("got\n%s\nwant\n%s", got, tt.csv)
			}
			if !strings.Contains(lines.String(), tt.json) || strings.Contains(lines.String(), "harmful") == tt.opt.Sealed {
				t.Errorf("got\n%s\nwant %s", lines.String(), tt.json)
			}
			for name, text := range map[string]string{"x.csv": got, "x.jsonl": lines.String()} {
				counts, err := interop.Labels(strings.NewReader(text), name, interop.LabelOptions{}, refuser{})
				if err != nil || counts.Rows != 2 || counts.Labels != 1 || counts.Missing != 1 {
					t.Errorf("%s: got %+v, %v, want two rows, one label, one missing", name, counts, err)
				}
			}
		})
	}
}
