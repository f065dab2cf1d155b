package store

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	uplift "github.com/uplift-eval/uplift"
)

// Responses yields every response without text, draft, transcript and turns,
// in the order of model, condition, task, attack and replicate. It sees the
// store as it was at the first step, for which it holds a connection until it
// ends. An error ends it. Strings are shared between responses.
func (s *Store) Responses(ctx context.Context) iter.Seq2[uplift.Response, error] {
	return s.walk(ctx, withoutTexts)
}

// Texts yields every response complete, in the order of Responses.
func (s *Store) Texts(ctx context.Context) iter.Seq2[uplift.Response, error] {
	return s.walk(ctx, complete)
}

// Asked yields of every response its cell and item, with turns, and the outcome,
// in the order of Responses.
func (s *Store) Asked(ctx context.Context) iter.Seq2[uplift.Response, error] {
	return s.walk(ctx, whatWasAsked)
}

// reach says how much is read of each response.
type reach struct {
	doing                 string
	window                int // so many are completed by one query
	turns, details, texts bool
}

var (
	cellsAlone   = reach{doing: "read cells of", window: 256}
	whatWasAsked = reach{doing: "read items of", window: 256, turns: true}
	withoutTexts = reach{doing: "read responses of", window: 256, details: true}
	complete     = reach{doing: "read texts of", window: 32, turns: true, details: true, texts: true}
)

// walk yields the responses as they are at the first step.
func (s *Store) walk(ctx context.Context, to reach) iter.Seq2[uplift.Response, error] {
	return func(yield func(uplift.Response, error) bool) {
		m, err := s.views.now(ctx)
		if err != nil {
			yield(uplift.Response{}, fmt.Errorf("%s %w", to.doing, explain(s.path, err)))
			return
		}
		defer m.close()
		(&Snapshot{s.path, s.views, m}).walk(ctx, to, yield)
	}
}

func (n *Snapshot) walk(ctx context.Context, to reach, yield func(uplift.Response, error) bool) {
	if err := n.walkWindows(ctx, to, yield); err != nil {
		yield(uplift.Response{}, fmt.Errorf("%s %w", to.doing, explain(n.path, err)))
	}
}

// walkWindows completes and yields windows of responses.
func (n *Snapshot) walkWindows(ctx context.Context, to reach, yield func(uplift.Response, error) bool) error {
	k, err := load(ctx, n.moment, justCells)
	if err != nil {
		return err
	}
	n.views.at("loaded")
	var turns map[int32][]string
	if to.turns {
		if turns, err = n.turns(ctx); err != nil {
			return err
		}
	}
	window := make([]uplift.Response, 0, to.window)
	for order := k.order(); len(order) > 0; order = order[len(window):] {
		at := order[:min(to.window, len(order))]
		window = window[:0]
		for _, i := range at {
			window = append(window, k.response(i, turns))
		}
		if err := n.complete(ctx, to, k, at, window); err != nil {
			return err
		}
		for _, r := range window {
			if !yield(r, nil) {
				return nil
			}
		}
	}
	return nil
}

// complete fills in what is not in memory.
func (n *Snapshot) complete(ctx context.Context, to reach, k *known, at []int32, window []uplift.Response) error {
	if to.details {
		if err := n.addDetails(ctx, k, at, window); err != nil {
			return err
		}
	}
	if to.texts {
		return n.addTexts(ctx, at, window)
	}
	return nil
}

// response is what is in memory of the response at a position.
func (k *known) response(at int32, turns map[int32][]string) uplift.Response {
	r := k.responses.at(at)
	it := &k.items[r.item]
	cell := k.cell(r)
	return uplift.Response{Cell: cell, Outcome: uplift.Outcome(k.names[r.outcome]), Simulated: r.simulated,
		Item: uplift.Item{Task: cell.Task, Attack: cell.Attack, Family: k.names[it.family], Split: k.names[it.split],
			Tier: uplift.Tier(k.names[it.tier]), Turns: turns[r.item]}}
}

// turns reads the conversations of all items.
func (n *Snapshot) turns(ctx context.Context) (map[int32][]string, error) {
	turns := map[int32][]string{}
	err := each(ctx, n.moment, selectItemDetails, 5, func(r *record) error {
		text, set := r.text(4)
		if !set {
			return nil
		}
		var list []string
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			return errOddRow
		}
		turns[int32(r.number(0)-1)] = list
		return nil
	})
	return turns, err
}

// addDetails reads decision, call and detail of those that have any.
func (n *Snapshot) addDetails(ctx context.Context, k *known, at []int32, window []uplift.Response) error {
	var ids []int32
	for _, i := range at {
		if k.responses.at(i).detailed {
			ids = append(ids, i)
		}
	}
	return n.fetch(ctx, n.views.query(fetchDetails), 5, ids, at, window, func(r *record, to *uplift.Response) error {
		if v, set := r.text(1); set {
			to.Decision = nil
			if v != "" {
				to.Decision = new(uplift.Decision)
				if err := json.Unmarshal([]byte(v), to.Decision); err != nil {
					return errOddRow
				}
			}
		}
		if v, set := r.text(2); set {
			to.Call = v
		}
		if v, set := r.text(3); set {
			to.Detail = v
		}
		if v, set := r.text(4); set {
			to.Withheld = v
		}
		return nil
	})
}

func (n *Snapshot) addTexts(ctx context.Context, at []int32, window []uplift.Response) error {
	return n.fetch(ctx, n.views.query(fetchTexts), 5, at, at, window, func(r *record, to *uplift.Response) error {
		same := r.number(4)
		if v, set := r.text(2); set {
			to.Draft = v
		}
		if v, set := r.text(1); set {
			to.Text = v
		} else if same&textIsDraft != 0 {
			to.Text = to.Draft
		}
		v, set := r.text(3)
		if !set {
			return nil
		}
		to.Transcript = nil
		if v != "" && json.Unmarshal([]byte(v), &to.Transcript) != nil {
			return errOddRow
		}
		if same&lastIsText != 0 {
			to.Transcript = append(to.Transcript, uplift.Message{Role: uplift.Assistant, Text: to.Text})
		}
		return nil
	})
}

// fetch runs a query for some ids out of a window; the statements of one
// response come in the order in which they were made.
func (n *Snapshot) fetch(ctx context.Context, query string, columns int, ids, at []int32, window []uplift.Response, use func(*record, *uplift.Response) error) error {
	if len(ids) == 0 {
		return nil
	}
	place := make(map[int64]*uplift.Response, len(at))
	for j, i := range at {
		place[int64(i+1)] = &window[j]
	}
	args := make([]any, len(ids))
	for j, i := range ids {
		args[j] = int64(i + 1)
	}
	query = fmt.Sprintf(query, strings.TrimSuffix(strings.Repeat("?,", len(ids)), ","))
	return each(ctx, n.moment, query, columns, func(r *record) error {
		to := place[r.number(0)]
		if to == nil {
			return errOddRow
		}
		return use(r, to)
	}, args...)
}
