package analysis

import (
	"fmt"
	"math"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// rated is a study of one pair a task. sees[g] are the differences that raters saw
// on task g, each of whom marked both sides; the label is their mean.
func rated(sees [][]float64) *memory {
	m := &memory{}
	for g, by := range sees {
		mean := 0.0
		for _, d := range by {
			mean += d / float64(len(by))
		}
		for _, c := range []string{"ref", "safe"} {
			p, part := place{condition: c, task: fmt.Sprintf("t%02d", g)}, 0.0
			if c == "safe" {
				part = 1
			}
			m.graded(p, 0.5+part*mean)
			for r, d := range by {
				m.mark(p, uplift.Correctness, fmt.Sprintf("%sr%d", uplift.RaterPrefix, r), 0.5+part*d)
			}
		}
	}
	return m
}

// R: anova(lm(v ~ factor(pair))); the pairs are those of the test of stats.
func TestRatingNoise(t *testing.T) {
	sees := [][]float64{{-0.5, -0.25, -0.25}, {0, 0.25}, {-0.75, -0.5}, {-0.25}, {0, 0, 0.25}, {0}, {-1, -0.5}, {-0.5}}
	n := mustRun(t, rated(sees), taskStudy()).find(t, "safe", Utility).RatingNoise
	if n == nil || n.Pairs != 5 || n.DF != 7 || !near(n.Variance, 0.03869047619047618, 1e-12) || !near(n.Share, 0.28108108108108104, 1e-12) {
		t.Fatalf("got %+v, want R's", n)
	}
	if !near(n.Lo, 0.06265602577538432, 1e-9) || !near(n.Hi, 0.93051708625098695, 1e-9) || n.Withheld != "" || n.Unknown != 0 || n.Clamped {
		t.Errorf("got [%v, %v] %+v, want R's", show(n.Lo), show(n.Hi), n)
	}
	if want := (2.0/3 + 3.0/2 + 3) / 8; math.Abs(n.Left-want) > 1e-12 { // two pairs thrice, three twice, three once
		t.Errorf("labels hold %v of the noise, want %v", n.Left, want)
	}
}

func TestRatingNoiseIsWithheld(t *testing.T) {
	for _, c := range []struct {
		name string
		sees [][]float64
		want string
	}{
		{"rated once", [][]float64{{0.5}, {0.25}, {0}}, "no pair was seen by two raters"},
		{"one pair", [][]float64{{0.5, 0.25}}, "there is a single pair (want at least 2)"},
		{"no spread", [][]float64{{0.25, 0.25}, {0.25, 0.25}}, "all 4 differences are equal"},
	} {
		n := mustRun(t, rated(c.sees), taskStudy()).find(t, "safe", Utility).RatingNoise
		if n == nil || n.Share != nil || n.Withheld != c.want {
			t.Errorf("%s: got %+v, want it withheld: %s", c.name, n, c.want)
		}
	}
	n := mustRun(t, rated([][]float64{{0.5, 0.5}, {0.25, 0.25}}), taskStudy()).find(t, "safe", Utility).RatingNoise
	if n.Share == nil || *n.Share != 0 || n.Lo != nil || n.Withheld != "no two raters differ on any pair" {
		t.Errorf("raters who agree: got %+v, want a share of 0 without an interval", n)
	}
	if c := mustRun(t, seen{tasks: 12}.source(), taskStudy()).find(t, "safe", Utility); c.RatingNoise != nil {
		t.Errorf("no marks: got %+v, want none", c.RatingNoise)
	}
}

// A side that the rater left out counts as rated by the others, and a side that
// none marked as rated once.
func TestRatingNoiseOfUnevenSides(t *testing.T) {
	m := rated([][]float64{{0.5, 0.25}, {0, -0.25}, {0.25, 0.25}})
	kept := m.labels[:0]
	for _, l := range m.labels {
		switch {
		case l.Grader == uplift.RaterPrefix+"r1" && l.Cell.Task == "t00" && l.Cell.Condition == "ref":
		case l.Grader != uplift.Human && l.Cell.Task == "t02":
		default:
			kept = append(kept, l)
		}
	}
	m.labels = kept
	n := mustRun(t, m, taskStudy()).find(t, "safe", Utility).RatingNoise
	if want := (0.75 + 0.5 + 1) / 3; n == nil || math.Abs(n.Left-want) > 1e-12 || n.Unknown != 1 || n.Pairs != 1 {
		t.Errorf("got %+v, want %v of the noise left, one pair rated twice and one without marks", n, want)
	}
}

// A pair of which one side alone was marked is as unknown as one of which none was.
func TestRatingNoiseOfOneSide(t *testing.T) {
	m := rated([][]float64{{0.5, 0.25}, {0, -0.25}, {0.25, 0.25}})
	kept := m.labels[:0]
	for _, l := range m.labels {
		if l.Grader == uplift.Human || l.Cell.Task != "t02" || l.Cell.Condition != "ref" {
			kept = append(kept, l)
		}
	}
	m.labels = kept
	n := mustRun(t, m, taskStudy()).find(t, "safe", Utility).RatingNoise
	if want := (0.5 + 0.5 + (0.5+1)/2) / 3; n == nil || n.Unknown != 1 || math.Abs(n.Left-want) > 1e-12 {
		t.Errorf("got %+v, want one unknown pair, and %v of the noise left", n, want)
	}
}

// Raters who differ on pairs whose means are equal: MSB = 0 and MSW = 1/2, whose
// share (MSW / ((MSB + MSW)/2)) is 2. 1 is told, and that it was more.
func TestRatingNoiseBeyondTheVariance(t *testing.T) {
	n := mustRun(t, rated([][]float64{{0.5, -0.5}, {-0.5, 0.5}, {0.5, -0.5}}), taskStudy()).find(t, "safe", Utility).RatingNoise
	if n == nil || !near(n.Share, 1, 0) || !n.Clamped {
		t.Errorf("got %+v, want a share of 1, clamped", n)
	}
}
