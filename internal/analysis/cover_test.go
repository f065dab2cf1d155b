package analysis

import (
	"fmt"
	"testing"

	"github.com/uplift-eval/uplift/internal/coverage"
)

// Beside each interval that stands is the least and the most that its method
// covered at the simulated number of tasks below the contrast's own; beside
// intervals of fewer tasks than were simulated,
// those that are withheld, and at another level, is nothing.
func TestCoverageStandsBesideIntervals(t *testing.T) {
	measured := func(method string, clusters int) Coverage {
		c := Coverage{Lo: 1, Clusters: clusters}
		for _, r := range coverage.Rows() {
			if r.Method == method && r.Clusters == clusters {
				c.Lo, c.Hi = min(c.Lo, r.Coverage), max(c.Hi, r.Coverage)
			}
		}
		return c
	}
	c := mustRun(t, paired(spread(20)...), taskStudy()).find(t, "safe", Utility)
	if want := measured("cr2", 18); c.Coverage == nil || *c.Coverage != want || want.Hi == 0 {
		t.Errorf("20 tasks: got %+v, want %+v", c.Coverage, want)
	}
	for _, s := range c.Sensitivity {
		if want := measured(s.Method, 18); s.Coverage == nil || *s.Coverage != want || want.Hi == 0 {
			t.Errorf("20 tasks: %s: got %+v, want %+v", s.Method, s.Coverage, want)
		}
	}
	c = mustRun(t, paired(spread(5)...), taskStudy()).find(t, "safe", Utility)
	if c.Difference.Lo == nil || c.Coverage != nil {
		t.Errorf("5 tasks: got %+v, want none, since no study of fewer than 6 was simulated", c.Coverage)
	}
	for _, s := range c.Sensitivity {
		if s.Coverage != nil {
			t.Errorf("5 tasks: %s: got %+v beside an interval that is withheld", s.Method, s.Coverage)
		}
	}
	if c = mustRun(t, paired(spread(4)...), taskStudy()).find(t, "safe", Utility); c.Coverage != nil {
		t.Errorf("4 tasks: got %+v beside an interval that is withheld", c.Coverage)
	}
	opt := taskStudy()
	opt.Level = 0.9
	if c = mustRun(t, paired(spread(20)...), opt).find(t, "safe", Utility); c.Coverage != nil || c.Sensitivity[0].Coverage != nil {
		t.Errorf("level .9: got %+v and %+v, want none", c.Coverage, c.Sensitivity[0].Coverage)
	}
}

// Coverage goes by the clusters: 40 tasks of 20 families are 20, not 40.
func TestCoverageGoesByClusters(t *testing.T) {
	src := &memory{}
	for g := range 40 {
		p := place{condition: "ref", task: fmt.Sprintf("t%02d", g), family: fmt.Sprintf("f%02d", g/2)}
		src.graded(p, 0.5)
		p.condition = "safe"
		src.graded(p, 0.25*float64(g/2%2))
	}
	opt := taskStudy()
	for by, want := range map[Cluster]int{ByFamily: 18, ByTask: 36} {
		opt.Cluster = by
		c := mustRun(t, src, opt).find(t, "safe", Utility)
		if c.Coverage == nil || c.Coverage.Clusters != want {
			t.Errorf("by %s: got %+v, want that of %d", by, c.Coverage, want)
		}
		for _, s := range c.Sensitivity {
			if s.Coverage != nil && s.Coverage.Clusters != want {
				t.Errorf("by %s: %s: got %+v, want that of %d", by, s.Method, s.Coverage, want)
			}
		}
	}
}

// A band's coverage is that of a whole family, and stands at its level only.
func TestCoverageStandsBesideBands(t *testing.T) {
	want := Coverage{Lo: 1, Clusters: 18}
	for _, r := range coverage.Rows() {
		if r.Method == "bands" && r.Clusters == 18 {
			want.Lo, want.Hi = min(want.Lo, r.Coverage), max(want.Hi, r.Coverage)
		}
	}
	opt := taskStudy()
	for level, has := range map[float64]bool{0.95: true, 0.9: false} {
		opt.Level = level
		m := paired(spread(20)...)
		for g := range 20 {
			m.graded(place{condition: "other", task: fmt.Sprintf("t%d", g)}, 0.5-0.25*float64(g%3))
		}
		b := mustRun(t, m, opt).find(t, "safe", Utility).Band
		if b == nil || (b.Coverage != nil) != has || has && *b.Coverage != want {
			t.Errorf("level %v: got %+v, want %+v: %v", level, b, want, has)
		}
	}
}
