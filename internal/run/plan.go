package run

import (
	"errors"
	"fmt"
	"iter"

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
// provider's drift falls on all conditions alike. A run walks the same order
// without the list.
func (s Spec) Plan() ([]Work, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	plan := make([]Work, 0, s.size())
	for _, w := range s.cells() {
		plan = append(plan, w)
	}
	return plan, nil
}

func (s Spec) replicates() int { return max(s.Replicates, 1) }

// size is the number of cells.
func (s Spec) size() int { return len(s.Items) * s.replicates() * len(s.Conditions) }

// cells yields every cell with its place in the running order, from 0.
func (s Spec) cells() iter.Seq2[int, Work] {
	return func(yield func(int, Work) bool) {
		at := 0
		for _, item := range s.Items {
			for rep := range s.replicates() {
				for i := range s.Conditions {
					if !yield(at, work(&s.Conditions[i], item, rep)) {
						return
					}
					at++
				}
			}
		}
	}
}

// Check wants something to run, and each cell once. Cells differ when
// conditions and items do.
func (s Spec) Check() error {
	if len(s.Conditions) == 0 || len(s.Items) == 0 {
		return errors.New("plan: nothing to run (want at least one condition and one item)")
	}
	conditions, items := map[[2]string]bool{}, make(map[[2]string]bool, len(s.Items))
	for i := range s.Conditions {
		c := &s.Conditions[i]
		if key := [2]string{c.ModelName, c.Name}; conditions[key] {
			return twice(work(c, s.Items[0], 0))
		} else {
			conditions[key] = true
		}
	}
	for _, item := range s.Items {
		if key := [2]string{item.Task, item.Attack}; items[key] {
			return twice(work(&s.Conditions[0], item, 0))
		} else {
			items[key] = true
		}
	}
	return nil
}

func twice(w Work) error {
	return fmt.Errorf("plan: cell %s: planned twice (want each model, condition, task and attack once)", w.Cell)
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
