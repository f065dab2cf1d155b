package run

import (
	"context"
	"fmt"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
)

// Where the limit of requests is reached, every cell whose call is kept finishes,
// however far behind the first refused one it is.
func TestKeptCallsFinishPastALimit(t *testing.T) {
	const n = 300
	var items []uplift.Item
	for i := range n {
		items = append(items, uplift.Item{Task: fmt.Sprintf("t%03d", i), Attack: uplift.Direct, Turns: []string{fmt.Sprintf("q%d", i)}})
	}
	m, keep := count(parrot{}), newMemory()
	spec := Spec{Items: items, Conditions: []access.Condition{
		{Name: "open", ModelName: "m", System: "one", Model: m},
		{Name: "careful", ModelName: "m", System: "two", Model: m},
		{Name: "noted", ModelName: "m", System: "one", Model: m, Controller: note{}},
	}}
	only, err := ParseOnly([]string{"condition=open"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), spec, keep, Options{Only: only}); err != nil {
		t.Fatal(err)
	}
	got, err := Run(context.Background(), spec, keep, Options{MaxRequests: n + 3, Spent: map[string]Spent{"m": {Requests: n}}})
	if err != nil {
		t.Fatal(err)
	}
	if got.Requests != 3 || got.Finished != n+3 || len(got.Halts) != 1 || got.Halts[0].Why != StopRequests {
		t.Errorf("got %d requests, %d finished, halts %+v, want 3, %d, one of %s", got.Requests, got.Finished, got.Halts, n+3, StopRequests)
	}
}
