package analysis

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/uplift-eval/uplift/stats"
)

// simulations is how often a coverage test draws: UPLIFT_LONG=1 asks for more.
func simulations() int {
	if os.Getenv("UPLIFT_LONG") == "1" {
		return 100_000
	}
	return 8_000
}

// The region holds the true means as often as its level says: with the same
// tasks for both endpoints, one value each, it is Hotelling's and exact; with
// tasks of their own it is never below, and wider than need be.
func TestCoverageOfTheRegion(t *testing.T) {
	const level = 0.95
	for _, c := range []struct {
		name   string
		tasks  int
		shared bool
		atMost float64
	}{
		{"5 shared tasks", 5, true, level},
		{"6 shared tasks", 6, true, level},
		{"12 shared tasks", 12, true, level},
		{"18 shared tasks", 18, true, level},
		{"36 shared tasks", 36, true, level},
		{"108 shared tasks", 108, true, level},
		{"5 tasks each", 5, false, 0.995},
		{"6 tasks each", 6, false, 0.99},
		{"12 tasks each", 12, false, 0.98},
		{"18 tasks each", 18, false, 0.97},
		{"36 tasks each", 36, false, 0.96},
		{"108 tasks each", 108, false, 0.955},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n, hits := simulations(), 0
			r := rand.New(rand.NewPCG(20, uint64(c.tasks)))
			for range n {
				if covers(t, drawPoint(r, c.tasks, c.shared), level) {
					hits++
				}
			}
			got, tolerance := float64(hits)/float64(n), 3.5*math.Sqrt(level*(1-level)/float64(n))
			if got < level-tolerance || got > c.atMost+tolerance {
				t.Errorf("covers the truth in %.4f of %d draws, want %.2f to %.2f within %.4f", got, n, level, c.atMost, tolerance)
			}
			t.Logf("%.4f of %d", got, n)
		})
	}
}

// drawPoint draws utility and risk of tasks around 0. Shared tasks correlate them.
func drawPoint(r *rand.Rand, tasks int, shared bool) point {
	us, rs, ids, others := make([]float64, tasks), make([]float64, tasks), make([]int, tasks), make([]int, tasks)
	for i := range tasks {
		us[i] = 0.2 * r.NormFloat64()
		rs[i] = 0.1 * r.NormFloat64()
		ids[i], others[i] = i, i+tasks
		if shared {
			rs[i] += 0.4 * us[i]
			others[i] = i
		}
	}
	u, errU := stats.NewClustered(us, ids)
	v, errV := stats.NewClustered(rs, others)
	if errU != nil || errV != nil {
		panic("finite values of equal number cannot be refused")
	}
	return point{described: described{samples: map[string]*stats.Clustered{Utility: u, Risk: v}}, u: u.Mean(), r: v.Mean()}
}

// covers reports whether the point's region holds (0, 0).
func covers(t *testing.T, p point, level float64) bool {
	t.Helper()
	g, reason := p.region(level)
	if g == nil {
		t.Fatalf("no region: %s", reason)
	}
	square := (p.u*p.u*g.VarRisk - 2*p.u*p.r*g.Cov + p.r*p.r*g.VarUtility) / (g.VarUtility*g.VarRisk - g.Cov*g.Cov)
	return square <= g.Scale
}
