package stats

import (
	"math"
	"strings"
	"testing"
)

func TestPowerBadInput(t *testing.T) {
	good := Design{Tasks: 18, PairsPerTask: 3, SD: 0.2, ICC: 0.1}
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name   string
		change func(*Design)
		want   string
	}{
		{"zero", func(d *Design) { *d = Design{} }, "design: 0 tasks (want at least 2)"},
		{"one task", func(d *Design) { d.Tasks = 1 }, "design: 1 tasks (want at least 2)"},
		{"no pairs", func(d *Design) { d.PairsPerTask = 0.5 }, "design: 0.5 pairs a task (want at least 1)"},
		{"endless pairs", func(d *Design) { d.PairsPerTask = inf }, "design: +Inf pairs a task (want at least 1)"},
		{"constant", func(d *Design) { d.SD = 0 }, "design: standard deviation 0 (want above 0)"},
		{"sd nan", func(d *Design) { d.SD = nan }, "design: standard deviation NaN (want above 0)"},
		{"icc 1", func(d *Design) { d.ICC = 1 }, "design: intraclass correlation 1 (want from 0 to below 1)"},
		{"icc below 0", func(d *Design) { d.ICC = -0.1 }, "design: intraclass correlation -0.1 (want from 0 to below 1)"},
		{"level", func(d *Design) { d.Level = 1 }, "design: level 1 (want between 0 and 1)"},
		{"raters", func(d *Design) { d.Raters.Each = -1 }, "design: -1 raters a response (want 1 to 1000)"},
		{"double", func(d *Design) { d.Raters.Double = 2 }, "design: share 2 of responses with one rater more (want 0 to 1)"},
		{"noise", func(d *Design) { d.Raters.Noise = 0.95 }, "design: share 0.95 of the variance that is rating noise (want 0 to 0.9, which the intraclass correlation leaves)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := good
			c.change(&d)
			for name, call := range map[string]func() error{
				"se":     func() error { _, err := d.SE(); return err },
				"power":  func() error { _, err := d.Power(0.1); return err },
				"ni":     func() error { _, err := d.NonInferiority(0.1, 0); return err },
				"detect": func() error { _, err := d.Detectable(0.8); return err },
			} {
				if err := call(); err == nil || err.Error() != c.want {
					t.Errorf("%s: got %v, want %s", name, err, c.want)
				}
			}
		})
	}
	for _, c := range []struct {
		name string
		call func() error
		want string
	}{
		{"difference", func() error { _, err := good.Power(nan); return err }, "difference NaN (want a finite number)"},
		{"no difference", func() error { _, err := good.TasksFor(0, 0.8); return err }, "no number of tasks finds a difference of 0"},
		{"too small", func() error { _, err := good.TasksFor(1e-12, 0.8); return err }, "more than 1073741824 are needed"},
		{"sure", func() error { _, err := good.TasksFor(1, 1); return err }, "power 1 (want between 0.05, the level of the test, and 1)"},
		{"all but sure", func() error { _, err := good.Detectable(1 - 1e-16); return err }, "power 0.9999999999999999 (want between 0.05, the level of the test, and 1)"},
		{"margin", func() error { _, err := good.NonInferiority(0, 0); return err }, "non-inferiority margin 0 (want above 0)"},
		{"gain", func() error { _, err := good.TasksForNonInferiority(0.1, inf, 0.8); return err }, "true difference +Inf (want a finite number)"},
	} {
		if err := c.call(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

func TestPublishedBadInput(t *testing.T) {
	for _, c := range []struct {
		name string
		p    Published
		want string
	}{
		{"zero", Published{}, "published interval: [0, 0] has no width that can be used (want lower < upper)"},
		{"turned", Published{Value: 0, Lo: 1, Hi: -1, Pairs: 9, Tasks: 3}, "published interval: [1, -1] ends before it begins (want the lower end first)"},
		{"outside", Published{Value: 2, Lo: -1, Hi: 1, Pairs: 9, Tasks: 3}, "published interval: the value 2 lies outside of [-1, 1]"},
		{"one task", Published{Lo: -1, Hi: 1, Pairs: 9, Tasks: 1}, "published interval: 1 tasks (want at least 2)"},
		{"pairs", Published{Lo: -1, Hi: 1, Pairs: 9, Tasks: 10}, "published interval: 9 pairs in 10 tasks (want at least one pair a task)"},
		{"infinite", Published{Lo: math.Inf(-1), Hi: 1, Pairs: 9, Tasks: 3}, "published interval: number -Inf (want a finite number)"},
		{"level", Published{Lo: -1, Hi: 1, Pairs: 9, Tasks: 3, Level: 2}, "published interval: level 2 (want between 0 and 1)"},
	} {
		if _, err := c.p.P(0); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
		if m := c.p.PairsPerTask(); math.IsNaN(m) || math.IsInf(m, 0) {
			t.Errorf("%s: %v pairs a task", c.name, m)
		}
	}
	if _, err := headline.P(1); err == nil || err.Error() != "published interval: intraclass correlation 1 (want from 0 to below 1)" {
		t.Errorf("ICC 1: got %v", err)
	}
}

// R: anova(lm(v ~ factor(g))), then the F bounds with n0.
func TestICCInterval(t *testing.T) {
	values := []float64{0.5, 0.25, 0.5, -0.25, 0, -0.5, -0.25, 0.25, 0, 0.25, -0.75, -0.5}
	for _, c := range []struct {
		name   string
		tasks  []int
		lo, hi float64
	}{
		{"balanced", []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}, -0.152447547430745, 0.939390220520758},
		{"unbalanced", []int{0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3}, 0.440496424183953, 0.98881464160789},
	} {
		s, err := NewClustered(values, c.tasks)
		if err != nil {
			t.Fatal(err)
		}
		i, err := s.ICCInterval(0.95)
		lo, hi := i.Lo, i.Hi
		if err != nil || math.Abs(lo-c.lo) > 1e-9 || math.Abs(hi-c.hi) > 1e-9 {
			t.Errorf("%s: got [%v, %v] (%v), want [%v, %v]", c.name, lo, hi, err, c.lo, c.hi)
		}
		icc, _ := s.ICC()
		if i.Value != icc || i.Level != 0.95 {
			t.Errorf("%s: got %+v, want the ICC %v at .95", c.name, i, icc)
		}
		if icc < lo || icc > hi {
			t.Errorf("%s: the ICC %v lies outside of [%v, %v]", c.name, icc, lo, hi)
		}
	}
	same, _ := NewClustered([]float64{1, 1, 2, 2}, []int{0, 0, 1, 1})
	if i, err := same.ICCInterval(0.95); i != (Spread{}) || err == nil || !strings.Contains(err.Error(), "no variance within clusters") {
		t.Errorf("equal within clusters: got %+v (%v), want an error", i, err)
	}
	alone, _ := NewClustered([]float64{1, 2, 3}, []int{0, 1, 2})
	if _, err := alone.ICCInterval(0.95); err == nil || !strings.Contains(err.Error(), "every cluster holds one value") {
		t.Errorf("one value a cluster: got %v", err)
	}
	if _, err := same.ICCInterval(1); err == nil {
		t.Error("level 1 has an interval")
	}
}

// Whatever the numbers: an error, or numbers that can be.
func FuzzDesign(f *testing.F) {
	f.Add(18, 2.72, 0.189, 0.1, 2, 0.25, 0.3, 0.95, -0.063, 0.05, 0.8)
	f.Add(2, 1.0, 1e-50, 0.999, 0, 0.0, 0.0, 0.0, 1e50, 1e-300, 0.999999)
	f.Fuzz(func(t *testing.T, tasks int, pairs, sd, icc float64, raters int, double, noise, level, delta, margin, power float64) {
		d := Design{Tasks: tasks, PairsPerTask: pairs, SD: sd, ICC: icc, Level: level, Raters: Raters{Each: raters, Double: double, Noise: noise}}
		for name, call := range map[string]func() (float64, error){
			"power": func() (float64, error) { return d.Power(delta) },
			"ni":    func() (float64, error) { return d.NonInferiority(margin, delta) },
		} {
			if p, err := call(); err == nil && !(p >= 0 && p <= 1) {
				t.Errorf("%s: got %v", name, p)
			}
		}
		if mde, err := d.Detectable(power); err == nil && !(mde > 0 && !math.IsInf(mde, 0)) {
			t.Errorf("detectable: got %v", mde)
		}
		if g, err := d.TasksFor(delta, power); err == nil && g < 2 {
			t.Errorf("tasks: got %d", g)
		}
		if g, err := d.TasksForNonInferiority(margin, delta, power); err == nil && g < 2 {
			t.Errorf("tasks for non-inferiority: got %d", g)
		}
	})
}

// Equal cluster means have no variance between them, whatever rounding makes of
// it; equal values within every cluster have none within.
func TestICCIntervalUndefined(t *testing.T) {
	for _, c := range []struct {
		name    string
		values  []float64
		cluster []int
		want    string
	}{
		{"none between", []float64{0.1, 0.3, 0.1, 0.3, 0.1, 0.3}, []int{0, 0, 1, 1, 2, 2}, "no variance between clusters"},
		{"none within", []float64{0.1, 0.1, 0.3, 0.3}, []int{0, 0, 1, 1}, "no variance within clusters"},
	} {
		if got, err := sampleOf(t, c.values[:len(c.cluster)], c.cluster).ICCInterval(0.95); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %+v, %v; want %q", c.name, got, err, c.want)
		}
	}
}
