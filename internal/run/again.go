package run

import (
	"context"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
)

// Again walks a cell with the calls that via gives, as a run would, and keeps
// nothing. It fails only when via does, or ctx has ended.
func (w Work) Again(ctx context.Context, via access.Via, simulated bool) (uplift.Response, error) {
	c := *w.Condition
	c.Via = via
	got, err := c.Respond(ctx, access.Request{Turns: w.Item.Turns, Next: next(w.Item), Replicate: w.Cell.Replicate})
	if err != nil {
		return uplift.Response{}, err
	}
	return w.response(got, simulated), nil
}
