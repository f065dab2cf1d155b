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
	before                          string // the transcript without a last message that is the text; empty when there is none
	itemChange, change              change
}

// change is which fields a row adds to what is stored.
type change struct {
	filled, replaced, stated fields
}

func (c change) any() fields { return c.filled | c.replaced }

// read encodes a response, which needs no lock; find says where it belongs.
func read(r *uplift.Response) (*row, error) {
	w := &row{replicate: int32(r.Replicate), simulated: r.Simulated,
		text: r.Text, draft: r.Draft, call: r.Call, detail: r.Detail, withheld: r.Withheld, item: -1, at: -1}
	return w, w.encode(r)
}

func (b *Batch) find(w *row, r *uplift.Response) {
	k := b.known
	w.task, w.attack = k.name(r.Task), k.name(r.Attack)
	w.family, w.split, w.tier = k.name(r.Item.Family), k.name(r.Item.Split), k.name(string(r.Item.Tier))
	w.arm = k.arm(k.name(r.Model), k.name(r.Condition))
	if r.Outcome != uplift.Unreported {
		w.outcome = k.name(string(r.Outcome))
	}
	if at, ok := k.itemAt[pair{w.task, w.attack}]; ok {
		w.item = at
		w.at = k.find(w.arm, at, w.replicate)
	}
}

// encode writes what is kept as JSON and sums what is long.
func (w *row) encode(r *uplift.Response) (err error) {
	if len(r.Item.Turns) > 0 {
		if w.turnsJSON, err = encode(r.Item.Turns); err != nil {
			return fmt.Errorf("turns: %w", err)
		}
		w.turns = sum(w.turnsJSON)
	}
	if n := len(r.Transcript); n > 0 {
		if w.transcript, err = encode(r.Transcript); err != nil {
			return fmt.Errorf("transcript: %w", err)
		}
		if last := r.Transcript[n-1]; last.Role == uplift.Assistant && last.Text == r.Text && r.Text != "" {
			if w.before, err = encode(r.Transcript[:n-1]); err != nil {
				return fmt.Errorf("transcript: %w", err)
			}
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
