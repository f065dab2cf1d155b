package analysis

import (
	"fmt"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/stats"
)

// lowAlpha is the agreement on actionability below which claims are tentative.
const lowAlpha = 0.67

// Codes of warnings about agreement.
const (
	CodeLight      = "light_kappa"
	CodeCategories = "categories"
	CodeLowAlpha   = "low_alpha"
)

func (a *agreer) warn(out *ScaleAgreement, r *stats.Ratings) {
	add := func(code, format string, args ...any) {
		out.Warnings = append(out.Warnings, uplift.Warning{Code: code, Text: fmt.Sprintf(format, args...)})
	}
	all := out.Raters * (out.Raters - 1) / 2
	if shared, constant := r.RaterPairs(); shared > 0 && shared-constant < all {
		add(CodeLight, "the kappas are plain means over %d of %d pairs of raters (Light); %d pairs share no response and %d used one category only",
			shared-constant, all, all-shared, constant)
	}
	if a.observed {
		add(CodeCategories, "the scale's categories are not known: ac1 and ac2 take the %d values that were seen, and would change if it has more", len(a.categories))
	}
	if out.Scale == uplift.Actionability && out.AlphaOrdinal != nil && *out.AlphaOrdinal < lowAlpha {
		add(CodeLowAlpha, "alpha is below %.2f: claims about actionability are tentative; a clearer rubric or more training of raters would mend it", lowAlpha)
	}
}
