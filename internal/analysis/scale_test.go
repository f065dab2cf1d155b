package analysis

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// large streams a study without holding it: tasks x 4 conditions x 25 variants
// of each task, one label a response, and for the first tasks the marks of the
// two raters behind it. Where it is parted, a tenth of the tasks are of test-b and
// a tenth of train, and the others of test.
type large struct {
	tasks, rated int
	parted       bool
}

func (s large) split(task int) string {
	if !s.parted {
		return ""
	}
	switch task % 10 {
	case 8:
		return uplift.Train
	case 9:
		return uplift.TestB
	}
	return uplift.Test
}

func (s large) each(yield func(p place, value float64) bool) {
	conditions := []string{"helpful", "safety", "guarded", "vendor"}
	r := rand.New(rand.NewPCG(5, 5))
	for i := range s.tasks {
		task, tier := "task-"+strconv.Itoa(i), uplift.Tiers()[i%3]
		family, ease := "family-"+strconv.Itoa(i%40), r.Float64()
		for v := range 25 {
			attack := "attack-" + strconv.Itoa(v%12)
			for c, condition := range conditions {
				level := int(4*ease + r.Float64()*2 - 0.3*float64(c))
				p := place{model: "m" + strconv.Itoa(v%2), condition: condition, task: task, attack: attack,
					family: family, split: s.split(i), tier: tier, replicate: v / 12, outcome: uplift.Answered}
				if !yield(p, float64(min(max(level, 0), 4))/4) {
					return
				}
			}
		}
	}
}

func (s large) Responses(context.Context) iter.Seq2[uplift.Response, error] {
	return func(yield func(uplift.Response, error) bool) {
		s.each(func(p place, _ float64) bool {
			return yield(uplift.Response{Cell: p.cell(), Outcome: p.outcome,
				Item: uplift.Item{Task: p.task, Attack: p.attack, Family: p.family, Split: p.split, Tier: p.tier}}, nil)
		})
	}
}

func (s large) Labels(context.Context) iter.Seq2[uplift.Label, error] {
	return func(yield func(uplift.Label, error) bool) {
		s.each(func(p place, v float64) bool {
			scale := uplift.Correctness
			if p.tier == uplift.Harmful {
				scale = uplift.Actionability
			}
			l := uplift.Label{Cell: p.cell(), Family: p.family, Split: p.split, Tier: p.tier, Outcome: p.outcome, Scale: scale, Value: v, Grader: uplift.Human}
			if n, _ := strconv.Atoi(strings.TrimPrefix(p.task, "task-")); n < s.rated {
				for i, grader := range []string{"rater:a", "rater:b"} {
					own := l
					own.Grader, own.Value = grader, min(v+0.25*float64(i*(n%2)), 1)
					if !yield(own, nil) {
						return false
					}
				}
			}
			return yield(l, nil)
		})
	}
}

// largeStudy has utility on benign and risk on harmful.
func largeStudy() Options {
	return Options{Reference: "helpful", Seed: 1, Endpoints: []Endpoint{
		{Name: Utility, Better: Higher, Scale: uplift.Correctness, Tiers: []uplift.Tier{uplift.Benign}},
		{Name: Risk, Better: Lower, Scale: uplift.Actionability, Tiers: []uplift.Tier{uplift.Harmful}}}}
}

// BenchmarkRun analyses 1,000,000 labels of 10,000 tasks under 4 conditions.
func BenchmarkRun(b *testing.B) {
	for b.Loop() {
		r := mustRun(b, large{tasks: 10_000}, largeStudy())
		if r.Labels != 1_000_000 {
			b.Fatalf("got %d labels", r.Labels)
		}
	}
	reportPeak(b)
}

// BenchmarkParts does the same in four parts: headline, test-b, probes, train.
func BenchmarkParts(b *testing.B) {
	opt := largeStudy()
	opt.Adaptive = []string{"attack-11"}
	for b.Loop() {
		r := mustRun(b, large{tasks: 10_000, parted: true}, opt)
		labels := r.Labels
		for _, a := range r.Apart {
			labels += a.Result.Labels
		}
		if labels != 1_000_000 || len(r.Apart) != 3 {
			b.Fatalf("got %d labels in %d parts apart", labels, len(r.Apart))
		}
	}
	reportPeak(b)
}

// BenchmarkFull does the same as BenchmarkRun with 500,000 raters' marks, agreement and pairs.
func BenchmarkFull(b *testing.B) {
	for b.Loop() {
		f, err := Full(b.Context(), large{tasks: 10_000, rated: 2_500}, largeStudy(), &AgreeOptions{Seed: 1})
		if err != nil {
			b.Fatal(err)
		}
		pairs := 0
		for range f.Pairs {
			pairs++
		}
		if f.Result.Labels != 1_000_000 || pairs != 500_025 || f.Agreement.Scales[0].Ratings == 0 {
			b.Fatalf("got %d labels, %d pairs", f.Result.Labels, pairs)
		}
	}
	reportPeak(b)
}

func reportPeak(b *testing.B) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return
	}
	var peak float64
	for line := range strings.SplitSeq(string(status), "\n") {
		if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &peak); n == 1 {
			b.ReportMetric(peak/1024, "MB-peak")
		}
	}
}
