package analysis

import "github.com/uplift-eval/uplift/internal/coverage"

// coveredLevel is the nominal level whose coverage was measured.
const coveredLevel = 0.95

// coverBand puts it beside the simultaneous band, whose family was one of three.
func (c *Contrast) coverBand() {
	if c.Band != nil && c.Difference.Level == coveredLevel {
		c.Band.Coverage = coverageOf("bands", c.Clusters)
	}
}

// cover puts the measured coverage beside the contrast's intervals, where they
// are of the level that was measured and stand at all.
func (c *Contrast) cover() {
	if c.Difference.Level != coveredLevel {
		return
	}
	if c.Difference.Lo != nil {
		c.Coverage = coverageOf(c.Difference.Method, c.Clusters)
	}
	for i := range c.Sensitivity {
		if s := &c.Sensitivity[i]; s.Lo != nil {
			s.Coverage = coverageOf(s.Method, c.Clusters)
		}
	}
}

// coverageOf is nil for a method that was not measured.
func coverageOf(method string, clusters int) *Coverage {
	lo, hi, at, ok := coverage.Near(method, clusters)
	if !ok {
		return nil
	}
	return &Coverage{Lo: lo, Hi: hi, Clusters: at}
}
