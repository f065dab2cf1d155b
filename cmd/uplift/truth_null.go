package main

import (
	"context"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
	"github.com/uplift-eval/uplift/internal/attack"
	"github.com/uplift-eval/uplift/internal/rating"
)

// lawOfNull is the law of an item under the null anchor, which leaves nothing to
// chance: one conversation, and one level on each scale that applies to it.
func lawOfNull(ctx context.Context, c access.Condition, item uplift.Item, card rating.Card) (map[string][5]float64, error) {
	req := access.Request{Turns: item.Turns}
	if item.Next != nil {
		req.Next = func(r access.Result) string {
			return attack.Then(*item.Next, attack.Classify(r.Text, r.Outcome, action(r.Decision)))
		}
	}
	got, err := c.Respond(ctx, req)
	if err != nil {
		return nil, err
	}
	laws := map[string][5]float64{}
	for scale, level := range rating.ReadAll(blindRow("", got.Transcript, card)) {
		var law [5]float64
		law[level] = 1
		laws[scale] = law
	}
	return laws, nil
}
