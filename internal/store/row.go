package store

import (
	"encoding/json"
	"fmt"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// row is a stated row as known sees it. A number or sum of 0 states nothing.
type row struct {
	at, item, arm, replicate int32 // at and item are -1 for a new response, a new item
	task, attack             int32
	family, split, tier      int32
	outcome                  int32
	simulated                bool
	sums                     sums
	turns                    uint64

	text, draft, call, detail       string
	withheld                        string
	turnsJSON, transcript, decision string
	itemChange, change              change
}

// change is which fields a row adds to what is stored.
type change struct {
	filled, replaced, stated fields
}

func (c change) any() fields { return c.filled | c.replaced }

func (b *Batch) read(r *uplift.Response) (*row, error) {
	k := b.known
	w := &row{task: k.name(r.Task), attack: k.name(r.Attack), replicate: int32(r.Replicate), simulated: r.Simulated,
		family: k.name(r.Item.Family), split: k.name(r.Item.Split), tier: k.name(string(r.Item.Tier)),
		text: r.Text, draft: r.Draft, call: r.Call, detail: r.Detail, withheld: r.Withheld, item: -1, at: -1}
	w.arm = k.arm(k.name(r.Model), k.name(r.Condition))
	if r.Outcome != uplift.Unreported {
		w.outcome = k.name(string(r.Outcome))
	}
	if at, ok := k.itemAt[pair{w.task, w.attack}]; ok {
		w.item = at
		w.at = k.find(w.arm, at, w.replicate)
	}
	return w, w.encode(r)
}

// encode writes what is kept as JSON and sums what is long.
func (w *row) encode(r *uplift.Response) (err error) {
	if len(r.Item.Turns) > 0 {
		if w.turnsJSON, err = encode(r.Item.Turns); err != nil {
			return fmt.Errorf("turns: %w", err)
		}
		w.turns = sum(w.turnsJSON)
	}
	if len(r.Transcript) > 0 {
		if w.transcript, err = encode(r.Transcript); err != nil {
			return fmt.Errorf("transcript: %w", err)
		}
	}
	if r.Decision != nil {
		if w.decision, err = encode(r.Decision); err != nil {
			return fmt.Errorf("decision: %w", err)
		}
	}
	w.sums = sums{sum(w.text), sum(w.draft), sum(w.transcript), sum(w.decision), sum(w.call), sum(w.detail), sum(w.withheld)}
	return nil
}

func encode(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}
