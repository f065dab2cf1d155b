package access

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
)

// The null anchor says the same to everybody, in every turn, and asks nobody.
func TestNullAnswersWithoutAModel(t *testing.T) {
	c := Condition{Name: "null", ModelName: "m", Null: true, Via: func(context.Context, string, Send) (uplift.Call, error) {
		t.Error("a call was made")
		return uplift.Call{}, nil
	}}
	var saw []string
	got, err := c.Respond(context.Background(), Request{Turns: []string{"a", "b"}, Next: func(r Result) string {
		saw = append(saw, r.Text)
		return "c"
	}})
	if err != nil {
		t.Fatal(err)
	}
	reply := uplift.Message{Role: uplift.Assistant, Text: NullText}
	user := func(s string) uplift.Message { return uplift.Message{Role: uplift.User, Text: s} }
	want := Result{Transcript: []uplift.Message{user("a"), reply, user("b"), reply, user("c"), reply}, Text: NullText, Outcome: uplift.NullAnchor}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{NullText}, saw); d != "" {
		t.Errorf("Next saw %s", d)
	}
}

func TestNullStandsAlone(t *testing.T) {
	for name, c := range map[string]Condition{
		"a model":      {Null: true, Model: &script{}},
		"a controller": {Null: true, Controller: acts(uplift.Allow, "x")},
		"a rewriter":   {Null: true, Rewriter: &Rewriter{Model: &script{}}},
	} {
		if _, err := c.Respond(context.Background(), Request{Turns: []string{"q"}}); err == nil {
			t.Errorf("%s: accepted, want an error", name)
		}
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := (Condition{Null: true}).Respond(ended, Request{Turns: []string{"q"}}); err == nil {
		t.Error("answered after the end of ctx")
	}
}
