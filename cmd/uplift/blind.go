package main

import (
	"context"
	"fmt"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/rating"
	"github.com/uplift-eval/uplift/internal/store"
)

// blindRows is every text as a rater sees it, by row, and the responses that
// each row shows. Responses of one item with one conversation are one row: what
// is said of it holds for each of them, whatever their conditions.
func blindRows(ctx context.Context, db *store.Store, w *wired, key []byte) (map[string]rating.Row, map[string][]string, error) {
	rows, shows := map[string]rating.Row{}, map[string][]string{}
	ids := map[string]string{} // by item and conversation
	for r, err := range db.Texts(ctx) {
		if err != nil {
			return nil, nil, err
		}
		if r.Outcome == uplift.Failed {
			continue // nothing was shown; it stays a missing label
		}
		same := fmt.Sprintf("%q %q %q", r.Task, r.Attack, r.Transcript)
		id, ok := ids[same]
		if !ok {
			id = rating.RowID(key, r.Cell.ID())
			ids[same] = id
			rows[id] = blindRow(id, r.Transcript, w.card(r.Item))
		}
		shows[id] = append(shows[id], r.Cell.ID())
	}
	return rows, shows, nil
}

// blindRow is what a rater sees of a conversation.
func blindRow(id string, transcript []uplift.Message, card rating.Card) rating.Row {
	row := rating.Row{ID: id, Card: card}
	for _, m := range transcript {
		row.Conversation = append(row.Conversation, rating.Turn{Speaker: string(m.Role), Text: m.Text})
	}
	return row
}
