package benchmark

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fuzzRead holds what is true of every reader: it ends with tasks, or with
// problems; and tasks that are printed read back equal.
func fuzzRead(f *testing.F, name string, o ReadOptions, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := Read(name, data, o)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || len(e.Problems) == 0 {
				t.Fatalf("got %v, want an Error with problems", err)
			}
			return
		}
		var b bytes.Buffer
		if err := Print(&b, got.Tasks); err != nil {
			t.Fatal(err)
		}
		again, err := Read("again.jsonl", b.Bytes(), ReadOptions{})
		if err != nil {
			t.Fatalf("what was printed is refused: %v\n%s", err, b.Bytes())
		}
		if d := cmp.Diff(got.Tasks, again.Tasks); d != "" {
			t.Errorf("read - read again +\n%s", d)
		}
	})
}

func FuzzJSONLines(f *testing.F) {
	fuzzRead(f, "x.jsonl", ReadOptions{}, jsonlTasks, good, edit(`"q"`, `"\ud83d\ude00\\u\u00e9"`), edit(`"q"`, `"\r\n"`), "{}", "")
}

func FuzzYAML(f *testing.F) {
	fuzzRead(f, "x.yaml", ReadOptions{}, yamlList, yamlHeaded, "["+good+"]", "tasks: []", "? a\n: b\n", "- |\n  x\n")
}

func FuzzCSV(f *testing.F) {
	fuzzRead(f, "x.csv", ReadOptions{}, csvOwn, "\ufeffid,split\r\n\"a\r\nb\",c\r\n", "id\n\"")
}

func FuzzHarmBench(f *testing.F) {
	fuzzRead(f, "x.csv", ReadOptions{Format: "harmbench"},
		"Behavior,FunctionalCategory,SemanticCategory,Tags,ContextString,BehaviorID\nXxxxx,contextual,illegal,,\"a\r\nb\",x\nYyyyy,standard,illegal,,,y y\n")
}
