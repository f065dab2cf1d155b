package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// taskStudy is utility as correctness on benign, by tasks.
func taskStudy() Options {
	return Options{Reference: "ref", Seed: 1, Replicates: 400, Endpoints: []Endpoint{
		{Name: Utility, Better: Higher, Scale: uplift.Correctness, Tiers: []uplift.Tier{uplift.Benign}}}}
}

// paired makes a source whose tasks t0, t1, ... have the given differences:
// the reference scores 0.5 throughout.
func paired(differences ...[]float64) *memory { return pairedAs("safe", differences...) }

func pairedAs(condition string, differences ...[]float64) *memory {
	m := &memory{}
	for g, ds := range differences {
		for i, d := range ds {
			task := fmt.Sprintf("t%d", g)
			m.graded(place{condition: "ref", task: task, replicate: i}, 0.5)
			m.graded(place{condition: condition, task: task, replicate: i}, 0.5+d)
		}
	}
	return m
}

func repeat(d float64, n int) []float64 { return slices.Repeat([]float64{d}, n) }

// spread is n tasks of one pair each, whose differences differ.
func spread(n int) [][]float64 {
	var out [][]float64
	for i := range n {
		out = append(out, []float64{-0.5 + 0.25*float64(i%2)})
	}
	return out
}

func TestGuards(t *testing.T) {
	cases := []struct {
		name        string
		differences [][]float64
		codes       []string // in order
		interval    bool
		bootstrap   bool
		says        string // in one of the warnings
	}{
		{"twelve tasks carry everything", spread(12), nil, true, true, ""},
		{"ten tasks need no banner", spread(10), nil, true, true, ""},
		{"nine tasks", spread(9), []string{CodeFewClusters}, true, true, "too few tasks: 9"},
		{"five tasks", spread(5), []string{CodeFewClusters, CodeFewNonZero, CodeSignFlipFloor}, true, false,
			"with 5 tasks the sign-flip p cannot fall below .0625"},
		{"four tasks", spread(4), []string{CodeNoInterval, CodeFewClusters, CodeSignFlipFloor}, false, false,
			"only 4 tasks (t0: 1, t1: 1, t2: 1, t3: 1): no interval"},
		{"one task", [][]float64{{-0.5, 0, 0.25}}, []string{CodeOneCluster, CodeFewClusters}, false, false,
			"everything is of one task (t0: 3)"},
		{"one task holds more than half", append(spread(10), slices.Repeat([]float64{-0.5, 0}, 6)), []string{CodeNoInterval, CodeWeighting}, false, false,
			"t10: 12"},
		{"one task holds exactly half", append(spread(10), slices.Repeat([]float64{-0.5, -0.25}, 5)), []string{CodeLeverage}, true, true,
			"task t10 holds 50 % of the values"},
		{"one task holds three tenths", append(spread(14), slices.Repeat([]float64{-0.5, -0.25}, 3)), nil, true, true, ""},
		{"five of twelve differ", append(spread(5), slices.Repeat([][]float64{{0}}, 7)...), []string{CodeFewNonZero, CodeSignFlipFloor}, true, false,
			"with 12 tasks, of which 5 show a difference, the sign-flip p cannot fall below .0625"},
		{"six of twelve differ", append(spread(6), slices.Repeat([][]float64{{0}}, 6)...), nil, true, true, ""},
		{"changes that cancel within a task", append(spread(5), slices.Repeat([][]float64{{0.25, -0.25}}, 7)...), []string{CodeFewNonZero, CodeWeighting, CodeSignFlipFloor}, true, false, ""},
		{"every difference is equal", slices.Repeat([][]float64{{-0.25, -0.25}}, 12), []string{CodeNoSpread}, false, false,
			"every difference is −0.25: the standard error is 0"},
		{"every difference is 0", slices.Repeat([][]float64{{0}}, 12), []string{CodeNoSpread, CodeFewNonZero, CodeSignFlipFloor}, false, false,
			"no task of 12 shows a difference (want at least 6): neither an interval"},
		{"every task mean is equal", slices.Repeat([][]float64{{-0.5, 0}}, 12), []string{CodeNoSpread}, false, false,
			"every task has the same mean difference −0.25"},
		{"weights differ by a quarter of a standard error", append(spread(12), repeat(-0.25, 2)), nil, true, true, ""},
		{"large tasks behave differently", [][]float64{repeat(-0.5, 8), repeat(-0.5, 8), repeat(-0.25, 8), {0.25}, {0.25}, {0}, {0.25}, {0.25}, {0}, {0.25}},
			[]string{CodeWeighting}, true, true, "the pair-weighted difference (−0.282) and the task-weighted one (0.000) differ by more than half a standard error"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := mustRun(t, paired(c.differences...), taskStudy()).find(t, "safe", Utility)
			var codes, texts []string
			for _, w := range got.Warnings {
				codes = append(codes, w.Code)
				texts = append(texts, w.Text)
			}
			if !slices.Equal(codes, c.codes) {
				t.Errorf("got warnings %v, want %v", codes, c.codes)
			}
			all := strings.Join(texts, "\n")
			if !strings.Contains(all, c.says) {
				t.Errorf("got warnings %q, want %q in them", all, c.says)
			}
			if strings.Contains(strings.ToLower(all), "unchanged") {
				t.Errorf("got %q, which calls something unchanged", all)
			}
			d := got.Difference
			if has := d.Lo != nil && d.Hi != nil && got.P != nil; has != c.interval || (d.Lo != nil) != c.interval || (d.Hi != nil) != c.interval {
				t.Errorf("got interval [%v, %v], p %v; want one: %v", show(d.Lo), show(d.Hi), show(got.P), c.interval)
			}
			for _, s := range got.Sensitivity {
				if (s.Lo != nil) != c.bootstrap || (s.Hi != nil) != c.bootstrap || (s.Withheld == "") != c.bootstrap {
					t.Errorf("%s: got [%v, %v], withheld %q; want an interval: %v", s.Method, show(s.Lo), show(s.Hi), s.Withheld, c.bootstrap)
				}
			}
			wantMean(t, got, c.differences)
		})
	}
}

// wantMean checks the mean and the counts by plain arithmetic.
func wantMean(t *testing.T, got Contrast, differences [][]float64) {
	t.Helper()
	sum, n := 0.0, 0
	for _, ds := range differences {
		for _, d := range ds {
			sum += d
			n++
		}
	}
	if !near(got.Difference.Value, sum/float64(n), 1e-12) || got.Pairs != n || got.Clusters != len(differences) || len(got.Groups) != len(differences) {
		t.Errorf("got %v from %d pairs in %d clusters, %d groups; want %v from %d in %d",
			show(got.Difference.Value), got.Pairs, got.Clusters, len(got.Groups), sum/float64(n), n, len(differences))
	}
}

// Every figure that is null says why, and pairs methods name their assumption.
func TestContrastSaysWhatItLacks(t *testing.T) {
	got := mustRun(t, paired([]float64{-0.5}), taskStudy()).find(t, "safe", Utility)
	for name, null := range map[string]bool{"p_cr2": got.P == nil, "p_sign_flip": got.PSignFlip == nil, "icc": got.ICC == nil, "design_effect": got.DesignEffect == nil} {
		if !null || got.Undefined[name] == "" {
			t.Errorf("%s: null %v, reason %q; want null and a reason", name, null, got.Undefined[name])
		}
	}
	for _, s := range got.Sensitivity {
		want := "independent tasks"
		switch {
		case strings.HasPrefix(s.Method, "pairs_"):
			want = "assumes independent pairs"
		case s.Method == "wild":
			want = "independent tasks; Webb's six-point weights"
		}
		if s.Assumes != want {
			t.Errorf("%s: assumes %q, want %q", s.Method, s.Assumes, want)
		}
	}
}

// Alternating values in one large and five small tasks: the ICC is -2/3, by
// hand, and 1 + (16/6 - 1) * -2/3 = -1/9 is no factor of a variance.
func TestNoNegativeDesignEffect(t *testing.T) {
	alternating := func(n int) []float64 { return slices.Repeat([]float64{-0.5, 0.5}, n/2) }
	d := append(slices.Repeat([][]float64{alternating(2)}, 5), alternating(6))
	got := mustRun(t, paired(d...), taskStudy()).find(t, "safe", Utility)
	if !near(got.ICC, -2.0/3, 1e-12) || got.DesignEffect != nil || got.Undefined["design_effect"] != "the ICC is too negative for clusters this unequal" || got.Undefined["icc"] != "" {
		t.Errorf("got icc %v, design effect %v, undefined %q", show(got.ICC), show(got.DesignEffect), got.Undefined)
	}
}

// Two tasks more and less than the middle: the range without each is plain.
func TestLeaveOneOutNamesTheTask(t *testing.T) {
	d := append(slices.Repeat([][]float64{{-0.25}}, 10), []float64{0.5}, []float64{-0.5})
	got := mustRun(t, paired(d...), taskStudy()).find(t, "safe", Utility).LeaveOneOut
	if got == nil || got.LoName != "t10" || got.HiName != "t11" ||
		math.Abs(got.Lo-(-3.0/11)) > 1e-12 || math.Abs(got.Hi-(-2.0/11)) > 1e-12 {
		t.Errorf("got %+v, want -3/11 without t10 and -2/11 without t11", got)
	}
}
