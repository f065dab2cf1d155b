package analysis

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// A label on a response that ended in an error is no score: the pair is gone,
// and a warning counts it.
func TestLabelsOnErrorsAreNotUsed(t *testing.T) {
	src := paired(spread(10)...)
	bad := place{condition: "safe", task: "extra", outcome: uplift.Failed}
	src.graded(bad, 0)
	src.graded(place{condition: "ref", task: "extra"}, 1)
	r := mustRun(t, src, taskStudy())
	if x := r.find(t, "safe", Utility); x.Pairs != 10 || x.Unmatched != 1 {
		t.Errorf("got %d pairs and %d unmatched, want 10 and 1", x.Pairs, x.Unmatched)
	}
	if len(r.Warnings) != 1 || r.Warnings[0].Code != CodeErrorLabels || !strings.HasPrefix(r.Warnings[0].Text, "1 labels stand on") {
		t.Errorf("got warnings %+v, want one of error labels", r.Warnings)
	}
}

// The count of labels is of those that an endpoint is made of: not of another
// grader's, and not of those that only tell refusal.
func TestLabelCountIsTheEndpoints(t *testing.T) {
	opt := taskStudy()
	opt.Grader = "gpt"
	src := judged("human", "gpt")
	src.mark(place{condition: "ref", task: "ta"}, uplift.Compliance, uplift.Human, 1)
	if got := mustRun(t, src, opt).Labels; got != 20 {
		t.Errorf("got %d labels, want the 20 by gpt", got)
	}
}

// A judge that graded nothing is a typing error.
func TestAgreeNamesAnUnknownJudge(t *testing.T) {
	src := judged("gpt", "rater:a", "rater:b")
	_, err := Agree(context.Background(), src, AgreeOptions{Judges: []string{"gtp"}})
	if err == nil || !strings.Contains(err.Error(), `judge "gtp": no label by it (want one of: gpt)`) {
		t.Errorf("got %v, want the judge named", err)
	}
}

// Labels on other scales than the endpoints' are named, so that the study's
// endpoints can be mended.
func TestRunNamesOtherScales(t *testing.T) {
	src := &memory{}
	for _, c := range []string{"ref", "safe"} {
		p := place{condition: c, task: "a"}
		src.respond(p)
		src.mark(p, "match", "scorer", 1)
		src.mark(p, uplift.Compliance, uplift.Human, 1)
		src.mark(p, uplift.Correctness, "rater:x", 1)
	}
	_, err := Run(context.Background(), src, taskStudy())
	if !errors.Is(err, ErrOtherScales) || !strings.HasSuffix(err.Error(), "the labels stand on compliance (2), match (2)") {
		t.Errorf("got %v, want the scales named", err)
	}
}

// Where every task is one pair, families may be what is independent.
func TestSinglePairsWarning(t *testing.T) {
	alone := func(families int, opt Options) string {
		src := &memory{}
		for i := range 12 {
			for k, c := range []string{"ref", "safe"} {
				src.graded(place{condition: c, task: fmt.Sprintf("t%02d", i), family: fmt.Sprintf("f%d", i%families)}, float64(k*(i%3))/2)
			}
		}
		return mustRun(t, src, opt).find(t, "safe", Utility).warning(CodeSinglePairs)
	}
	family := taskStudy()
	family.Cluster = ByFamily
	if got := alone(6, taskStudy()); !strings.Contains(got, "from 6 families") {
		t.Errorf("six families: got %q, want a warning", got)
	}
	if got := alone(6, family) + alone(12, taskStudy()) + alone(1, taskStudy()); got != "" {
		t.Errorf("clusters by family, families of one task, one family: got %q, want none", got)
	}
}

// Tasks of several pairs that do not differ, beside tasks of one pair that do,
// say nothing about likeness within a task.
func TestICCNeedsSpreadWithin(t *testing.T) {
	src := paired([]float64{0, 0, 0}, []float64{0, 0}, []float64{0.5}, []float64{0.25}, []float64{0.5}, []float64{0.25}, []float64{1})
	x := mustRun(t, src, taskStudy()).find(t, "safe", Utility)
	if x.ICC != nil || x.DesignEffect != nil || !strings.Contains(x.Undefined["icc"], "no spread within them") {
		t.Errorf("got ICC %v because %q", show(x.ICC), x.Undefined["icc"])
	}
}
