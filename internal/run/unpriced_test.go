package run

import (
	"errors"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/access"
)

// A limit of money wants a price of every model that selected cells ask or that
// was asked before, of a rewriter too, and of no other.
func TestWhichModelsWantAPrice(t *testing.T) {
	item := uplift.Item{Task: "t", Attack: "direct", Turns: []string{"Why?"}}
	spec := Spec{Items: []uplift.Item{item}, Conditions: []access.Condition{
		{Name: "plain", ModelName: "known"},
		{Name: "plain", ModelName: "unknown"},
		{Name: "rewritten", ModelName: "known", Rewriter: &access.Rewriter{ModelName: "writer"}},
	}}
	prices := map[string]Price{"known": {In: 1, Out: 1}}
	for name, c := range map[string]struct {
		opt     Options
		refused bool
	}{
		"no limit":         {Options{}, false},
		"all":              {Options{MaxCostUSD: 1}, true},
		"only the known":   {Options{MaxCostUSD: 1, Only: Only{"model": {"known"}, "condition": {"plain"}}}, false},
		"only the unknown": {Options{MaxCostUSD: 1, Only: Only{"model": {"unknown"}}}, true},
		"a rewriter":       {Options{MaxCostUSD: 1, Only: Only{"condition": {"rewritten"}}}, true},
		"asked before": {Options{MaxCostUSD: 1, Only: Only{"model": {"known"}, "condition": {"plain"}},
			Spent: map[string]Spent{"unknown": {Requests: 1}}}, true},
	} {
		c.opt.Prices = prices
		if err := c.opt.Check(spec); errors.Is(err, ErrNoPrice) != c.refused || !c.refused && err != nil {
			t.Errorf("%s: got %v, want refused %t", name, err, c.refused)
		}
	}
}
