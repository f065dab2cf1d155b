package run

import (
	"errors"
	"fmt"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/internal/attack"
)

// Spec says what a study runs: every condition on every item, Replicates times.
type Spec struct {
	Conditions []access.Condition
	Items      []uplift.Item
	Replicates int  // 0 means 1
	Simulated  bool // marks every response
}

// Work is one cell with what it takes to run it.
type Work struct {
	Cell      uplift.Cell
	Item      uplift.Item
	Condition *access.Condition // one of the Spec's
}

// Plan lists every cell in running order: by item, then replicate, then
// condition, so that matched cells are asked at about the same time and a
// provider's drift falls on all conditions alike.
func (s Spec) Plan() ([]Work, error) {
	if len(s.Conditions) == 0 || len(s.Items) == 0 {
		return nil, errors.New("plan: nothing to run (want at least one condition and one item)")
	}
	replicates := max(s.Replicates, 1)
	plan := make([]Work, 0, len(s.Items)*replicates*len(s.Conditions))
	seen := make(map[uplift.Cell]bool, cap(plan))
	for _, item := range s.Items {
		for rep := range replicates {
			for i := range s.Conditions {
				w := work(&s.Conditions[i], item, rep)
				if seen[w.Cell] {
					return nil, fmt.Errorf("plan: cell %s: planned twice (want each model, condition, task and attack once)", w.Cell)
				}
				seen[w.Cell] = true
				plan = append(plan, w)
			}
		}
	}
	return plan, nil
}

func work(c *access.Condition, item uplift.Item, rep int) Work {
	cell := uplift.Cell{Model: c.ModelName, Condition: c.Name, Task: item.Task, Attack: item.Attack, Replicate: rep}
	return Work{Cell: cell, Item: item, Condition: c}
}

// next chooses an adaptive probe's second turn by the class of the reply that
// was shown; nil for any other item.
func next(item uplift.Item) func(access.Result) string {
	if item.Next == nil {
		return nil
	}
	return func(shown access.Result) string {
		var action uplift.Action
		if shown.Decision != nil {
			action = shown.Decision.Action
		}
		return attack.Then(*item.Next, attack.Classify(shown.Text, shown.Outcome, action))
	}
}

// response joins a cell to what its user got.
func (w Work) response(r access.Result, simulated bool) uplift.Response {
	return uplift.Response{
		Cell: w.Cell, Item: w.Item, Transcript: r.Transcript, Text: r.Text, Draft: r.Draft,
		Decision: r.Decision, Outcome: r.Outcome, Call: r.Call, Detail: r.Detail, Simulated: simulated,
	}
}
