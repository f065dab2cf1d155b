package analysis

import (
	"fmt"
	"math"
	"strings"
)

// floors warns of members whose sign-flip p could not pass at the result's level
// whatever the data: by itself, or once Holm has adjusted it. A cluster whose
// differences sum to 0 has no sign to turn, so that k others give no p below
// 2^(1-k). Holm's adjustment grows with each p of the family, so that the
// adjusted floors are the floors of the adjusted p.
func (f family) floors(opt Options) error {
	if len(f.members) == 0 {
		return nil
	}
	own := func(c *contrasted) *float64 {
		if c.PSignFlip == nil {
			return nil
		}
		return new(math.Ldexp(1, 1-max(c.NonZero, 1)))
	}
	adjusted, err := f.adjusted(own)
	if err != nil {
		return err
	}
	cut := 1 - opt.Level + 1e-12
	for i, c := range f.members {
		switch least := own(c); {
		case least == nil:
		case *least > cut:
			c.warn(CodeSignFlipFloor, "with %s the sign-flip p cannot fall below %s, so no result could pass %s; more %s would mend it",
				c.differing(opt.Cluster), bare(*least), bare(1-opt.Level), opt.Cluster.plural())
		case adjusted[i] > cut:
			c.warn(CodeSignFlipFloor, "with %s the sign-flip p cannot fall below %s, and adjusted by Holm for the %s of %s not below %s, so no result could pass %s once adjusted; more %s would mend it",
				c.differing(opt.Cluster), bare(*least), f.several(), f.Name, bare(adjusted[i]), bare(1-opt.Level), opt.Cluster.plural())
		}
	}
	return nil
}

// several counts the contrasts that are adjusted together.
func (f Family) several() string {
	if f.K() > f.Size {
		return fmt.Sprintf("%d planned contrasts", f.K())
	}
	return fmt.Sprintf("%d contrasts", f.K())
}

// differing counts the clusters, and those of them that show a difference.
func (c *Contrast) differing(by Cluster) string {
	s := fmt.Sprintf("%d %s", c.Clusters, by.plural())
	switch {
	case c.NonZero == 0:
		s += ", of which none shows a difference,"
	case c.NonZero == 1 && c.Clusters > 1:
		s += ", of which 1 shows a difference,"
	case c.NonZero < c.Clusters:
		s += fmt.Sprintf(", of which %d show a difference,", c.NonZero)
	}
	return s
}

// bare is a p as journals print it: .0625, without the zero.
func bare(p float64) string { return strings.TrimPrefix(fmt.Sprintf("%.3g", p), "0") }
