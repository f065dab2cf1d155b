package report

import (
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// A share over all tiers never stands alone where there are several: 195 of
// 200 and 35 of 250 are 230 of 450.
func TestRefusalPhrase(t *testing.T) {
	benign, harmful := rate(35, 250, 0.1, 0.19), rate(195, 200, 0.94, 0.99)
	for _, tc := range []struct {
		name string
		c    analysis.Condition
		want string
	}{
		{"two tiers", analysis.Condition{RefusalRate: rate(230, 450, 0.4, 0.6), ByTier: map[uplift.Tier]analysis.Rate{uplift.Benign: benign, uplift.Harmful: harmful}},
			"refused benign 14.0 %, harmful 97.5 % (all 51.1 % of 450)"},
		{"one tier", analysis.Condition{RefusalRate: benign, ByTier: map[uplift.Tier]analysis.Rate{uplift.Benign: benign, uplift.Harmful: {Unknown: 9}}},
			"refused benign 14.0 % of 250"},
		{"no tier said", analysis.Condition{RefusalRate: benign}, "refused 14.0 % of 250"},
		{"not known", analysis.Condition{RefusalRate: analysis.Rate{Unknown: 3}}, "refusal not known"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res := &analysis.Result{Conditions: []analysis.Condition{tc.c}}
			if got := loose(refusalPhrase(res, tc.c)); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
