package run

import (
	"context"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/model"
)

// parrot answers the first turn of a conversation by its system prompt, and
// any later one with "well".
type parrot struct{}

func (parrot) Generate(_ context.Context, req model.Request) (model.Reply, error) {
	text := "well"
	if len(req.Messages) == 1 {
		text = req.System
	}
	return model.Reply{Text: text, Stop: uplift.StopEnd}, nil
}

// note is a controller that warns.
type note struct{}

func (note) Control(_ context.Context, _, draft string) (uplift.Decision, string, error) {
	return uplift.Decision{Action: uplift.Warn}, "Note.\n\n" + draft, nil
}

// cuts is a controller that redacts what is said of a board.
type cuts struct{}

func (cuts) Control(_ context.Context, _, draft string) (uplift.Decision, string, error) {
	if strings.Contains(draft, "board") {
		return uplift.Decision{Action: uplift.Redact}, "Somebody reads the form.", nil
	}
	return uplift.Decision{Action: uplift.Allow}, draft, nil
}

// The second turn of a probe depends on what each condition showed; the first
// is one call for all conditions that ask for the same draft, and for the item
// that asks the same without a second turn.
func TestProbesSecondTurnIsChosenByCondition(t *testing.T) {
	const answer, refusal = "The board reads the form.", "I can't help with that."
	probe := uplift.Item{Task: "t", Attack: "probe", Turns: []string{"q"}, Next: &uplift.Next{Refused: "after no", Limited: "after some", Full: "after all"}}
	direct := uplift.Item{Task: "t", Attack: uplift.Direct, Turns: []string{"q"}}
	m, keep := count(parrot{}), newMemory()
	got, err := Run(context.Background(), Spec{Items: []uplift.Item{direct, probe}, Conditions: []access.Condition{
		{Name: "open", ModelName: "m", System: answer, Model: m},
		{Name: "closed", ModelName: "m", System: refusal, Model: m},
		{Name: "noted", ModelName: "m", System: answer, Model: m, Controller: note{}},
		{Name: "cut", ModelName: "m", System: answer, Model: m, Controller: cuts{}},
	}}, keep, Options{Concurrency: 3})
	if err != nil {
		t.Fatal(err)
	}
	// Two first turns, and four second ones with their own histories.
	if got.Finished != 8 || got.Requests != 6 || got.Shared != 6 {
		t.Errorf("got %+v, want 8 cells from 6 requests and 6 shared", got)
	}
	for condition, want := range map[string]string{"open": "after all", "closed": "after no", "noted": "after some", "cut": "after some"} {
		r := keep.responses[uplift.Cell{Model: "m", Condition: condition, Task: "t", Attack: "probe"}.ID()]
		if len(r.Transcript) != 4 || r.Transcript[2].Text != want || !strings.HasSuffix(r.Text, "well") {
			t.Errorf("%s: transcript %v, want %q asked after the first reply", condition, r.Transcript, want)
		}
		if d := keep.responses[uplift.Cell{Model: "m", Condition: condition, Task: "t", Attack: "direct"}.ID()]; len(d.Transcript) != 2 {
			t.Errorf("%s: direct has the transcript %v", condition, d.Transcript)
		}
	}
}

// A rewriter's calls go the way of all others: shared, kept, paced and counted
// with its own model's name.
func TestRewriterIsPacedAndKept(t *testing.T) {
	writer := &server{script: func(n int, _ model.Request) (model.Reply, *model.Error) {
		if n == 1 {
			return model.Reply{}, fails(model.Overloaded)
		}
		return model.Reply{}, nil
	}}
	spec := plain(4, parrot{})
	spec.Conditions[0].System, spec.Conditions[0].Controller = "The board reads the form.", note{}
	spec.Conditions[0].Rewriter = &access.Rewriter{ModelName: "writer", Model: writer}
	keep := newMemory()
	var got Report
	bubble(t, func(t *testing.T) {
		got = begin(t, spec, keep, Options{Models: map[string]Pace{"writer": {RPM: 2}}, Prices: map[string]Price{"writer": {Out: 1e6}, "m0": {}}})
	})
	if got.Gaps() || got.Requests != 9 || got.Retries != 1 || most(writer.at) > 2 || len(writer.at) != 5 || got.CostUSD != 80 {
		t.Errorf("got %+v, writer asked at %v, want 4 drafts and 5 requests to the writer, two a minute", got, writer.at)
	}
	models := map[string]int{}
	for _, a := range keep.attempts {
		models[a.Model]++
	}
	if models["writer"] != 5 || models["m0"] != 4 {
		t.Errorf("attempts by model %v", models)
	}
	_, err := Run(context.Background(), spec, newMemory(), Options{MaxCostUSD: 1, Prices: map[string]Price{"m0": {}}})
	if err == nil || !strings.Contains(err.Error(), "model writer: no price") {
		t.Errorf("got %v, want the writer's price asked for", err)
	}
}
