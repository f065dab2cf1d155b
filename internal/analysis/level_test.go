package analysis

import (
	"fmt"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/stats"
)

// skewed is the differences of n tasks of one to three pairs: no method's interval
// of them is another's.
func skewed(n, shift int) (differences [][]float64, values []float64, ids []int) {
	for g := range n {
		var own []float64
		for i := range 1 + g%3 {
			k := (g*g + shift*g + 5*i) % 13
			own = append(own, float64(k*k-40)/256)
		}
		differences = append(differences, own)
		for _, v := range own {
			values, ids = append(values, v), append(ids, g)
		}
	}
	return differences, values, ids
}

func clustered(t *testing.T, values []float64, ids []int) *stats.Clustered {
	t.Helper()
	c, err := stats.NewClustered(values, ids)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// must is a value without an error.
func must[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// Every interval is of the level that was asked, and stands under its own name:
// each as package stats gives it for the same values.
func TestIntervalsAreOfTheirMethodAndLevel(t *testing.T) {
	differences, values, ids := skewed(10, 0)
	s := clustered(t, values, ids)
	for _, level := range []float64{0.95, 0.9} {
		opt := taskStudy()
		opt.Level = level
		c := mustRun(t, paired(differences...), opt).find(t, "safe", Utility)
		r := stats.Resample{B: opt.Replicates, Seed: opt.Seed, Level: level}
		interval := must[stats.Interval](t)
		clusters, pairs := must[stats.Bootstrap](t)(s.BootClusters(r)), must[stats.Bootstrap](t)(s.BootPairs(r))
		want := map[string]stats.Interval{
			"boot_t": interval(s.BootT(r)), "task_percentile": clusters.Percentile, "task_expanded": clusters.Expanded, "task_bca": clusters.BCa,
			"wild":             interval(s.Wild(stats.Rademacher, r)),
			"pairs_percentile": pairs.Percentile, "pairs_bca": pairs.BCa, "pairs_t": interval(s.PairsT(level)),
		}
		if cr2 := interval(s.Interval(stats.CR2, level)); !near(c.Difference.Lo, cr2.Lo, 1e-12) || !near(c.Difference.Hi, cr2.Hi, 1e-12) {
			t.Errorf("level %v: got [%v, %v], want [%v, %v]", level, show(c.Difference.Lo), show(c.Difference.Hi), cr2.Lo, cr2.Hi)
		}
		seen := map[string]string{}
		for _, m := range c.Sensitivity {
			w := want[m.Method]
			if !near(m.Lo, w.Lo, 1e-12) || !near(m.Hi, w.Hi, 1e-12) {
				t.Errorf("level %v: %s: got [%v, %v], want [%v, %v]", level, m.Method, show(m.Lo), show(m.Hi), w.Lo, w.Hi)
			}
			bounds := fmt.Sprint(w.Lo, w.Hi)
			if other := seen[bounds]; other != "" {
				t.Fatalf("%s and %s give one interval, [%v, %v]: the sample does not tell them apart", other, m.Method, w.Lo, w.Hi)
			}
			seen[bounds] = m.Method
		}
		if len(seen) != len(want) {
			t.Errorf("level %v: got %d methods, want %d", level, len(seen), len(want))
		}
	}
}

// The band is of the level too.
func TestBandsAreOfTheLevel(t *testing.T) {
	a, valuesA, ids := skewed(10, 0)
	b, valuesB, others := skewed(10, 1)
	family := []*stats.Clustered{clustered(t, valuesA, ids), clustered(t, valuesB, others)}
	for _, level := range []float64{0.95, 0.9} {
		opt := taskStudy()
		opt.Level = level
		r := mustRun(t, twoConditions(a, b), opt)
		want, crit, err := stats.Bands(family, level, opt.Seed)
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range []string{"a", "b"} {
			got := r.find(t, name, Utility).Band
			if got == nil || !near(&got.Lo, want[i].Lo, 1e-12) || !near(&got.Hi, want[i].Hi, 1e-12) || !near(&got.Critical, crit.Value, 1e-12) {
				t.Errorf("level %v: %s: got %+v, want [%v, %v] by %v", level, name, got, want[i].Lo, want[i].Hi, crit.Value)
			}
		}
	}
}

// The draws of a family too large to enumerate follow the seed that was asked.
func TestMaxTFollowsTheSeed(t *testing.T) {
	src, values := &memory{}, map[string][]float64{}
	var ids []int
	for g := range 40 {
		task := fmt.Sprintf("t%02d", g)
		src.graded(place{condition: "ref", task: task}, 0)
		for i, name := range []string{"a", "b"} {
			d := float64((g*g+3*g*(i+1))%11-4+i) / 7
			src.graded(place{condition: name, task: task}, d)
			values[name] = append(values[name], d)
		}
		ids = append(ids, g)
	}
	opt := taskStudy()
	family := []*stats.Clustered{clustered(t, values["a"], ids), clustered(t, values["b"], ids)}
	want := must[stats.StepDown](t)(stats.MaxT(family, 0.95, opt.Seed))
	next := must[stats.StepDown](t)(stats.MaxT(family, 0.95, opt.Seed+1))
	if want.Exact || want.P[0] == next.P[0] && want.P[1] == next.P[1] {
		t.Fatalf("got %+v and %+v: the seed does not show", want, next)
	}
	r := mustRun(t, src, opt)
	for i, name := range []string{"a", "b"} {
		if got := r.find(t, name, Utility); !near(got.PMaxT, want.P[i], 0) || got.MaxTMethod != want.Method {
			t.Errorf("%s: got %v (%s), want %v (%s)", name, show(got.PMaxT), got.MaxTMethod, want.P[i], want.Method)
		}
	}
}

// The floor of the sign-flip p is held against the level: 1/16 passes .1.
func TestFloorGoesByLevel(t *testing.T) {
	for _, c := range []struct {
		tasks int
		level float64
		want  string
	}{
		{5, 0.95, "with 5 tasks the sign-flip p cannot fall below .0625, so no result could pass .05; more tasks would mend it"},
		{5, 0.9, ""},
		{4, 0.9, "with 4 tasks the sign-flip p cannot fall below .125, so no result could pass .1; more tasks would mend it"},
		{6, 0.99, "with 6 tasks the sign-flip p cannot fall below .0312, so no result could pass .01; more tasks would mend it"},
	} {
		opt := taskStudy()
		opt.Level = c.level
		if got := mustRun(t, paired(spread(c.tasks)...), opt).find(t, "safe", Utility).warning(CodeSignFlipFloor); got != c.want {
			t.Errorf("%d tasks at level %v: got %q, want %q", c.tasks, c.level, got, c.want)
		}
	}
}

// A contrast of one task has no p, no interval, and a place in its family: it
// leaves the other one of two, tested once, the doubled floor.
func TestFloorBesideOneWithoutP(t *testing.T) {
	r := mustRun(t, twoConditions(spread(6), [][]float64{{0.25, -0.5}}), taskStudy())
	a, b := r.find(t, "a", Utility), r.find(t, "b", Utility)
	if b.PSignFlip != nil || *a.Family != (Family{Name: Utility, Size: 2, Tested: 1}) {
		t.Fatalf("got p %v in %+v, want none in a family of 2, 1 tested", show(b.PSignFlip), *a.Family)
	}
	const want = "adjusted by Holm for the 2 contrasts of utility not below .0625, so no result could pass .05 once adjusted"
	if got := a.warning(CodeSignFlipFloor); !strings.Contains(got, want) || !near(a.PHolm, 1.0/16, 0) {
		t.Errorf("got %q with Holm %v, want %q with 1/16", got, show(a.PHolm), want)
	}
	if got := b.warning(CodeSignFlipFloor); got != "" {
		t.Errorf("without p: got %q, want no floor of it", got)
	}
}

// So are the mean of a condition, its refusal rate, the region of its operating
// point and the share of rating noise.
func TestTheRestIsOfTheLevel(t *testing.T) {
	m := &memory{}
	m.placed("ref", levels(0.7, 1), levels(0.5, 2))
	m.placed("safe", levels(0.6, 3), levels(0.4, 4))
	m.respond(place{condition: "safe", task: "refused", outcome: uplift.ProviderRefusal})
	sees := [][]float64{{-0.5, -0.25, -0.25}, {0, 0.25}, {-0.75, -0.5}, {-0.25}, {0, 0, 0.25}, {0}, {-1, -0.5}, {-0.5}}
	var rows []stats.Scored
	for g, by := range sees {
		for rater, v := range by {
			rows = append(rows, stats.Scored{Pair: g, Cluster: g, Rater: rater, Value: v})
		}
	}
	crossed := must[*stats.Crossed](t)(stats.NewCrossed(rows))
	var ids []int
	for g := range 12 {
		ids = append(ids, g)
	}
	utility := clustered(t, levels(0.6, 3), ids)
	for _, level := range []float64{0.95, 0.9} {
		opt := frontierStudy()
		opt.Level = level
		r := mustRun(t, m, opt)
		c := r.Conditions[1]
		want := must[stats.Interval](t)(utility.Interval(stats.CR2, level))
		if e := c.Endpoints[Utility].Estimate; c.Condition != "safe" || !near(e.Lo, want.Lo, 1e-12) || !near(e.Hi, want.Hi, 1e-12) || e.Level != level {
			t.Errorf("level %v: mean of %s: got [%v, %v], want [%v, %v]", level, c.Condition, show(e.Lo), show(e.Hi), want.Lo, want.Hi)
		}
		lo, hi, err := stats.Wilson(1, 25, level) // 24 answers and a refusal
		if err != nil || !near(c.RefusalRate.Lo, lo, 1e-12) || !near(c.RefusalRate.Hi, hi, 1e-12) {
			t.Errorf("level %v: refusal: got %+v, want [%v, %v] (%v)", level, c.RefusalRate, lo, hi, err)
		}
		lo, hi, err = stats.Wilson(1, 13, level) // of the benign ones
		if b := c.ByTier[uplift.Benign]; err != nil || !near(b.Lo, lo, 1e-12) || !near(b.Hi, hi, 1e-12) {
			t.Errorf("level %v: benign refusal: got %+v, want [%v, %v] (%v)", level, b, lo, hi, err)
		}
		if g := r.point(t, "safe").Region; g == nil || !near(new(g.Scale/stats.FQuantile(level, 2, g.DF)), 2*(g.DF+1)/g.DF, 1e-9) {
			t.Errorf("level %v: got region %+v, want the quantile of its level", level, g)
		}
		opt = taskStudy()
		opt.Level = level
		share := must[stats.Spread](t)(crossed.NoiseInterval(level))
		if n := mustRun(t, rated(sees), opt).find(t, "safe", Utility).RatingNoise; !near(n.Lo, share.Lo, 1e-9) || !near(n.Hi, share.Hi, 1e-9) {
			t.Errorf("level %v: noise: got [%v, %v], want [%v, %v]", level, show(n.Lo), show(n.Hi), share.Lo, share.Hi)
		}
	}
}

// With one seed the resamples are the same, and an interval at a lower level lies
// within that at a higher one.
func TestAgreementIsOfTheLevel(t *testing.T) {
	at := func(level float64) ScaleAgreement {
		a := mustAgree(t, ratedPairs(), AgreeOptions{Seed: 2, Replicates: 400, Level: level})
		if a.Level != level {
			t.Errorf("got level %v, want %v", a.Level, level)
		}
		return a.Scales[0]
	}
	wide, narrow := at(0.95), at(0.8)
	if len(wide.CI) == 0 || len(wide.CI) != len(narrow.CI) {
		t.Fatalf("got %d and %d intervals", len(wide.CI), len(narrow.CI))
	}
	for name, w := range wide.CI {
		if n := narrow.CI[name]; w.Lo < w.Hi && !(w.Lo <= n.Lo && n.Hi <= w.Hi && n.Hi-n.Lo < w.Hi-w.Lo) {
			t.Errorf("%s: got %v at level .8 and %v at .95", name, n, w)
		}
	}
}

// The pigeonhole's interval is of the level: three raters of twelve tasks.
func TestPigeonholeIsOfTheLevel(t *testing.T) {
	by := map[string]float64{"ann": 0, "bob": 0.125, "eve": -0.25}
	var rows []stats.Scored
	for g := range 12 {
		for i := range 2 {
			for rater, name := range []string{"ann", "bob", "eve"} {
				rows = append(rows, stats.Scored{Pair: 2*g + i, Cluster: g, Rater: rater, Value: -0.25 + 0.125*float64(g%3) + by[name]})
			}
		}
	}
	crossed := must[*stats.Crossed](t)(stats.NewCrossed(rows))
	for _, level := range []float64{0.95, 0.9} {
		opt := taskStudy()
		opt.Level = level
		want := must[stats.Interval](t)(crossed.Pigeonhole(stats.Resample{B: opt.Replicates, Seed: opt.Seed, Level: level}))
		if _, s := pigeonhole(t, seen{tasks: 12, by: by}.source(), opt); s == nil || !near(s.Lo, want.Lo, 1e-12) || !near(s.Hi, want.Hi, 1e-12) {
			t.Errorf("level %v: got %+v, want [%v, %v]", level, s, want.Lo, want.Hi)
		}
	}
}
