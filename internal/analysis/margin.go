package analysis

import (
	"cmp"

	"github.com/uplift-eval/uplift/stats"
)

// alpha is the one-sided level of the tests against a margin: that of a
// two-sided 95 % interval.
const alpha = 0.025

// margin fills in the tests against the endpoint's margin. They stand on the
// headline's standard error, so that the guards of its interval are theirs; and
// those of the bootstraps too: with fewer than six clusters that differ the
// error is far too small, and a change that few of them show would be called no
// worse three to five times as often as alpha promises.
func (c *Contrast) margin(s *stats.Clustered, v verdict, e Endpoint) {
	if e.Margin == nil {
		return
	}
	if withheld := cmp.Or(v.interval, v.bootstrap); withheld != "" {
		c.Undefined["non_inferiority"], c.Undefined["equivalence"] = withheld, withheld
		return
	}
	better := stats.HigherIsBetter
	if e.Better == Lower {
		better = stats.LowerIsBetter
	}
	if n, err := s.NonInferiority(*e.Margin, alpha, better); err != nil {
		c.Undefined["non_inferiority"] = err.Error()
	} else {
		c.NonInferiority = &NonInferiority{Margin: n.Margin, Alpha: n.Alpha, Better: e.Better, P: n.P, Lower: n.Bound, Shown: n.P <= n.Alpha}
	}
	if q, err := s.Equivalence(*e.Margin, alpha); err != nil {
		c.Undefined["equivalence"] = err.Error()
	} else {
		c.Equivalence = &Equivalence{Margin: q.Margin, Alpha: q.Alpha, P: q.P, Lo: q.Lo, Hi: q.Hi, Shown: q.P <= q.Alpha}
	}
}
