package report

import "github.com/uplift-eval/uplift/internal/analysis"

// holm is the sign-flip p as Holm adjusts it. In a family of one nothing is
// adjusted, and nothing is shown.
func holm(c *analysis.Contrast) *float64 { return inFamilyOfSeveral(c, c.PHolm) }

// holmCR2 is the same of the p of the headline interval.
func holmCR2(c *analysis.Contrast) *float64 { return inFamilyOfSeveral(c, c.PHolmCR2) }

func inFamilyOfSeveral(c *analysis.Contrast, p *float64) *float64 {
	if c.Family == nil || c.Family.Size < 2 {
		return nil
	}
	return p
}
