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
	Unknown   int `json:"unknown"`    // requests that may have been paid for, of unknown use
}

// Tried gives the last number of an attempt by the digest of its call, for every
// call that has not ended well: of it, attempts may be kept that the call does
// not count.
func (s *Store) Tried(ctx context.Context) (map[string]int, error) {
	tried := map[string]int{}
	if s.views.schema < 2 {
		return tried, nil
	}
	err := each(ctx, s.readers, selectTried, 2, func(r *record) error {
		call, _ := r.text(0)
		tried[call] = int(r.number(1))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read attempts of %w", explain(s.path, err))
	}
	return tried, nil
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
			TokensOut: int(r.number(4)), Unknown: int(r.number(5))}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read what was spent from %w", explain(s.path, err))
	}
	return spent, nil
}
