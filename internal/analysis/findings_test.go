package analysis

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
)

// moving is a source to which a label is added whenever its labels have been
// read, and which counts the readings.
type moving struct {
	*memory
	responsesRead, labelsRead int
	next                      []uplift.Label
}

func (m *moving) Responses(ctx context.Context) iter.Seq2[uplift.Response, error] {
	m.responsesRead++
	return m.memory.Responses(ctx)
}

func (m *moving) Labels(ctx context.Context) iter.Seq2[uplift.Label, error] {
	m.labelsRead++
	now := &memory{labels: slices.Clone(m.labels)}
	if len(m.next) > 0 {
		m.labels, m.next = append(m.labels, m.next[0]), m.next[1:]
	}
	return now.Labels(ctx)
}

// ratedPairs is ten pairs whose labels two raters' marks stand behind.
func ratedPairs() *memory {
	m := paired(spread(10)...)
	for i, l := range slices.Clone(m.labels) {
		for k, rater := range []string{"rater:a", "rater:b"} {
			own := l
			own.Grader, own.Value = rater, float64((i+k*(i%3)/2)%5)/4
			m.labels = append(m.labels, own)
		}
	}
	return m
}

// One reading gives what three separate ones of a source at rest do.
func TestFullIsRunPairsAndAgree(t *testing.T) {
	ctx, opt, agree := context.Background(), taskStudy(), AgreeOptions{Seed: 2, Replicates: 50}
	got, err := Full(ctx, ratedPairs(), opt, &agree)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got.Result, mustRun(t, ratedPairs(), opt)); diff != "" {
		t.Errorf("result (-full +run):\n%s", diff)
	}
	if diff := cmp.Diff(got.Agreement, mustAgree(t, ratedPairs(), agree)); diff != "" {
		t.Errorf("agreement (-full +agree):\n%s", diff)
	}
	want, err := Pairs(ctx, ratedPairs(), opt)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the sequence may be read again
		if diff := cmp.Diff(slices.Collect(got.Pairs), slices.Collect(want)); diff != "" {
			t.Errorf("pairs (-full +pairs):\n%s", diff)
		}
	}
}

// A source that grows while it is read is read once, so the parts agree.
func TestFullReadsOnce(t *testing.T) {
	src := &moving{memory: ratedPairs()}
	for _, c := range []string{"ref", "safe"} {
		src.respond(place{condition: c, task: "late"})
		late := &memory{}
		late.mark(place{condition: c, task: "late"}, uplift.Correctness, uplift.Human, 1)
		src.next = append(src.next, late.labels...)
	}
	got, err := Full(context.Background(), src, taskStudy(), &AgreeOptions{Replicates: -1})
	if err != nil {
		t.Fatal(err)
	}
	if src.responsesRead != 1 || src.labelsRead != 1 {
		t.Errorf("got %d readings of responses and %d of labels, want 1 of each", src.responsesRead, src.labelsRead)
	}
	pairs := len(slices.Collect(got.Pairs))
	if n := got.Result.find(t, "safe", Utility).Pairs; pairs != n || n != 10 {
		t.Errorf("got %d pairs in the result and %d in the sequence, want 10", n, pairs)
	}
	if n := got.Agreement.entry(t, uplift.Correctness, AllTiers).Units; n != 20 {
		t.Errorf("got %d units of agreement, want 20", n)
	}
}

func TestFullWithoutAgreement(t *testing.T) {
	ctx, broken := context.Background(), errors.New("disk gone")
	cases := []struct {
		name  string
		src   *memory
		agree *AgreeOptions
		want  string // in the error; empty: none, and no agreement
	}{
		{"not asked for", ratedPairs(), nil, ""},
		{"no rater's own marks", paired(spread(10)...), &AgreeOptions{}, ""},
		{"a condition that nobody rated", ratedPairs(), &AgreeOptions{Condition: "vendor"}, `agreement: condition "vendor": no rater marked it`},
		{"bad options", ratedPairs(), &AgreeOptions{Level: 95}, "agreement: level: 95"},
		{"a source that fails", &memory{failAt: broken}, &AgreeOptions{}, "analyse: read labels: disk gone"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := Full(ctx, c.src, taskStudy(), c.agree)
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v, want %q in it", err, c.want)
				}
				return
			}
			if err != nil || got.Agreement != nil || got.Result == nil || got.Pairs == nil {
				t.Errorf("got %+v, %v; want everything but an agreement", got, err)
			}
		})
	}
}
