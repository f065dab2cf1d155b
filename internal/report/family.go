package report

import "github.com/uplift-eval/uplift/internal/analysis"

// holm is the sign-flip p as Holm adjusts it. In a family of one nothing is
// adjusted, and nothing is shown.
func holm(c *analysis.Contrast) *float64 { return inFamilyOfSeveral(c, c.PHolm) }

// holmCR2 is the same of the p of the headline interval.
func holmCR2(c *analysis.Contrast) *float64 { return inFamilyOfSeveral(c, c.PHolmCR2) }

func inFamilyOfSeveral(c *analysis.Contrast, p *float64) *float64 {
	if !ofSeveral(c) {
		return nil
	}
	return p
}

// ofSeveral reports whether a contrast is adjusted together with others.
func ofSeveral(c *analysis.Contrast) bool { return c.Family != nil && c.Family.K() > 1 }

// familySize is how many contrasts have pairs, and how many were planned where
// those are more: Holm adjusts for the larger number.
func familySize(f *analysis.Family) string {
	if f.K() > f.Size {
		return count(f.Size) + ", " + count(f.K()) + " planned"
	}
	return count(f.Size)
}

// adjustedFor are the contrasts that Holm adjusts for.
func adjustedFor(f *analysis.Family) string {
	if f.K() > f.Size {
		return count(f.K()) + " planned contrasts"
	}
	return count(f.K()) + " contrasts"
}
