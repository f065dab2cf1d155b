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
// of each task, one label a response.
type large struct{ tasks int }

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
					family: family, tier: tier, replicate: v / 12, outcome: uplift.Answered}
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
				Item: uplift.Item{Task: p.task, Attack: p.attack, Family: p.family, Tier: p.tier}}, nil)
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
			return yield(uplift.Label{Cell: p.cell(), Family: p.family, Tier: p.tier, Outcome: p.outcome,
				Scale: scale, Value: v, Grader: uplift.Human}, nil)
		})
	}
}

// BenchmarkRun analyses 1,000,000 labels of 10,000 tasks under 4 conditions.
func BenchmarkRun(b *testing.B) {
	opt := Options{Reference: "helpful", Seed: 1, Endpoints: []Endpoint{
		{Utility, uplift.Correctness, []uplift.Tier{uplift.Benign}},
		{Risk, uplift.Actionability, []uplift.Tier{uplift.Harmful}}}}
	for b.Loop() {
		r := mustRun(b, large{10_000}, opt)
		if r.Labels != 1_000_000 {
			b.Fatalf("got %d labels", r.Labels)
		}
	}
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
