package interop_test

import (
	"errors"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/interop"
)

// refuser takes no row of the task that it names.
type refuser struct{ task string }

func (s refuser) Add(r uplift.Response, _ ...uplift.Label) error {
	if r.Task != s.task {
		return nil
	}
	return &interop.Refusal{Problems: []interop.Problem{{Field: "task", Text: "unknown"}, {Field: "attack", Text: "unknown too"}}}
}

// A refusal is told with every reason at its line, and reading goes on; nothing
// supersedes it.
func TestRefusals(t *testing.T) {
	const table = "model,condition,task,scale,value\nm,c,a,s,1\nm,c,b,s,1\nm,c,a,s,1\n"
	_, err := interop.Labels(strings.NewReader(table), "x.csv", interop.LabelOptions{}, refuser{"a"})
	p, ok := errors.AsType[*interop.Problems](err)
	if !ok {
		t.Fatalf("got %v, want problems", err)
	}
	const want = "x.csv:2: task: unknown\nx.csv:2: attack: unknown too\nx.csv:4: task: unknown\nx.csv:4: attack: unknown too"
	if got := p.Error(); got != want || p.Refused != 2 || p.Conflicts != 0 {
		t.Errorf("got %s, %d refused, %d conflicts\nwant %s, 2, 0", got, p.Refused, p.Conflicts, want)
	}
	var all interop.Problems
	all.Join(p)
	all.Join(p)
	if all.Refused != 4 || all.Len() != 8 {
		t.Errorf("got %d refused of %d, want 4 of 8", all.Refused, all.Len())
	}
}
