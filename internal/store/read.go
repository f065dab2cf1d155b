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
// store as it was at the first step. An error ends it. Strings are shared
// between responses, and no connection is held between steps.
func (s *Store) Responses(ctx context.Context) iter.Seq2[uplift.Response, error] {
	return s.responses(ctx, "read responses of", detailWindow, s.addDetails)
}

// Texts yields every response complete, in the order of Responses.
func (s *Store) Texts(ctx context.Context) iter.Seq2[uplift.Response, error] {
	return s.responses(ctx, "read texts of", textWindow, func(ctx context.Context, k *known, at []int32, window []uplift.Response) error {
		if err := s.addDetails(ctx, k, at, window); err != nil {
			return err
		}
		return s.addTexts(ctx, at, window)
	})
}

// cells yields every response with what is in memory alone.
func (s *Store) cells(ctx context.Context) iter.Seq2[uplift.Response, error] {
	nothing := func(context.Context, *known, []int32, []uplift.Response) error { return nil }
	return s.responses(ctx, "read cells of", detailWindow, nothing)
}

// So many responses are completed by one query.
const (
	detailWindow = 256
	textWindow   = 32
)

// responses walks windows of responses, which complete fills in.
func (s *Store) responses(ctx context.Context, doing string, size int,
	complete func(context.Context, *known, []int32, []uplift.Response) error) iter.Seq2[uplift.Response, error] {
	return func(yield func(uplift.Response, error) bool) {
		fail := func(err error) { yield(uplift.Response{}, fmt.Errorf("%s %w", doing, explain(s.path, err))) }
		k, err := load(ctx, s.readers, justCells)
		if err != nil {
			fail(err)
			return
		}
		turns, err := s.turns(ctx, k, size == textWindow)
		if err != nil {
			fail(err)
			return
		}
		window := make([]uplift.Response, 0, size)
		for order := k.order(); len(order) > 0; order = order[len(window):] {
			at := order[:min(size, len(order))]
			window = window[:0]
			for _, i := range at {
				window = append(window, k.response(i, turns))
			}
			if err := complete(ctx, k, at, window); err != nil {
				fail(err)
				return
			}
			for _, r := range window {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
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

// turns reads the conversations of all items, where they are wanted.
func (s *Store) turns(ctx context.Context, k *known, wanted bool) (map[int32][]string, error) {
	turns := map[int32][]string{}
	if !wanted {
		return turns, nil
	}
	err := each(ctx, s.readers, selectItemDetails, 5, func(r *record) error {
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
func (s *Store) addDetails(ctx context.Context, k *known, at []int32, window []uplift.Response) error {
	var ids []int32
	for _, i := range at {
		if k.responses.at(i).detailed {
			ids = append(ids, i)
		}
	}
	return s.fetch(ctx, fetchDetails, ids, at, window, func(r *record, to *uplift.Response) error {
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
		return nil
	})
}

func (s *Store) addTexts(ctx context.Context, at []int32, window []uplift.Response) error {
	return s.fetch(ctx, fetchTexts, at, at, window, func(r *record, to *uplift.Response) error {
		if v, set := r.text(1); set {
			to.Text = v
		}
		if v, set := r.text(2); set {
			to.Draft = v
		}
		if v, set := r.text(3); set {
			to.Transcript = nil
			if v != "" && json.Unmarshal([]byte(v), &to.Transcript) != nil {
				return errOddRow
			}
		}
		return nil
	})
}

// fetch runs a query for some ids out of a window; the statements of one
// response come in the order in which they were made.
func (s *Store) fetch(ctx context.Context, query string, ids, at []int32, window []uplift.Response, use func(*record, *uplift.Response) error) error {
	if len(ids) == 0 {
		return nil
	}
	place := make(map[int64]*uplift.Response, len(at))
	for n, i := range at {
		place[int64(i+1)] = &window[n]
	}
	args := make([]any, len(ids))
	for n, i := range ids {
		args[n] = int64(i + 1)
	}
	query = fmt.Sprintf(query, strings.TrimSuffix(strings.Repeat("?,", len(ids)), ","))
	return each(ctx, s.readers, query, 4, func(r *record) error {
		to := place[r.number(0)]
		if to == nil {
			return errOddRow
		}
		return use(r, to)
	}, args...)
}
