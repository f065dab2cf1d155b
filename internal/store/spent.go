package store

import (
	"context"
	"fmt"
)

// Spent is what the requests to one model cost, over every run of the study.
type Spent struct {
	Requests  int `json:"requests"`   // sent, failed ones included
	Failed    int `json:"failed"`     // of them
	TokensIn  int `json:"tokens_in"`  // as far as the provider said
	TokensOut int `json:"tokens_out"` // the same
	Silent    int `json:"silent"`     // requests of which the provider did not say what they used
}

// Spent sums every attempt by the study's name of the model; the name is empty
// where it is not known. A call without attempts, of a database that an older
// program wrote, counts with what it says itself.
func (s *Store) Spent(ctx context.Context) (map[string]Spent, error) {
	query := selectSpent
	if s.views.schema < 2 {
		query = selectSpentBefore
	}
	spent := map[string]Spent{}
	err := each(ctx, s.readers, query, 6, func(r *record) error {
		name, _ := r.text(0)
		spent[name] = Spent{Requests: int(r.number(1)), Failed: int(r.number(2)), TokensIn: int(r.number(3)),
			TokensOut: int(r.number(4)), Silent: int(r.number(5))}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read what was spent from %w", explain(s.path, err))
	}
	return spent, nil
}
