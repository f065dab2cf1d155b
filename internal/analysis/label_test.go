package analysis

import (
	"context"
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
