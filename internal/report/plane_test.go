package report

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// Names must be readable: no label may cover another, a mark or the edge.
func TestLabelsDoNotOverlap(t *testing.T) {
	for fixture, in := range fixtures() {
		for _, pair := range planesOf(in.Result, paletteOf(in.Result)) {
			checkLabels(t, fixture+" wide", pair.Wide)
			checkLabels(t, fixture+" narrow", pair.Narrow)
		}
	}
}

type reporter interface {
	Errorf(format string, args ...any)
	Helper()
}

func checkLabels(t reporter, what string, p plane) {
	t.Helper()
	for i, a := range p.Points {
		if !p.Box.holds(a.Label.Box) {
			t.Errorf("%s: the label %q leaves the plot: %v not in %v", what, a.Label.Text, a.Label.Box, p.Box)
		}
		for k, b := range p.Points {
			if k > i && a.Label.Box.overlaps(b.Label.Box) {
				t.Errorf("%s: the labels %q and %q overlap", what, a.Label.Text, b.Label.Text)
			}
			if a.Label.Box.overlaps(rect{b.At.X - 5, b.At.Y - 5, 10, 10}) {
				t.Errorf("%s: the label %q covers the mark of %q", what, a.Label.Text, b.Condition)
			}
		}
	}
}

// Wherever six conditions with short names lie, their labels find room.
func TestLabelsFindRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		res := &analysis.Result{Reference: "c0"}
		for i := range rapid.IntRange(1, 6).Draw(t, "conditions") {
			u, r := rapid.Float64Range(0, 1).Draw(t, "utility"), rapid.Float64Range(0, 1).Draw(t, "risk")
			res.Frontier = append(res.Frontier, analysis.OperatingPoint{Model: "m", Condition: fmt.Sprintf("c%d", i), Utility: &u, Risk: &r})
		}
		checkLabels(t, "six", newPlane(res, "m", paletteOf(res), planeAlone))
	})
}

func TestPlaneIsDrawnWithinItsBox(t *testing.T) {
	for fixture, in := range fixtures() {
		for _, pair := range planesOf(in.Result, paletteOf(in.Result)) {
			for _, d := range pair.Wide.Points {
				if at := d.At; at.X < pair.Wide.Box.X || at.X > pair.Wide.Box.Right() || at.Y < pair.Wide.Box.Y || at.Y > pair.Wide.Box.Bottom() {
					t.Errorf("%s: %s stands at %v, want within %v", fixture, d.Condition, at, pair.Wide.Box)
				}
			}
		}
	}
}

// The region of uncorrelated means is an ellipse whose half axes are
// sqrt(Scale*variance), here 0.1 and 0.05 in an axis of known slope.
func TestRegionOutline(t *testing.T) {
	p := plane{X: axis{Lo: 0, Hi: 1, From: 0, To: 100}, Y: axis{Lo: 0, Hi: 1, From: 100, To: 0}}
	g := &analysis.Region{VarUtility: 0.0025, VarRisk: 0.000625, Scale: 4}
	for _, q := range p.ellipse(0.5, 0.5, g) {
		if d := math.Pow((q.X-50)/10, 2) + math.Pow((q.Y-50)/5, 2); math.Abs(d-1) > 1e-9 {
			t.Errorf("%v lies at %v of the ellipse, want 1", q, d)
		}
	}
}

func TestTicks(t *testing.T) {
	tests := []struct {
		name   string
		a      axis
		factor float64
		want   string
	}{
		{"points of 100", axis{Lo: 0.38, Hi: 0.92, To: 100, Step: 0.1}, 100, "40 50 60 70 80 90 "},
		{"differences", axis{Lo: -0.31, Hi: 0.12, To: 100, Step: 0.1}, 1, "−0.3 −0.2 −0.1 0.0 +0.1 "},
		{"fine", axis{Lo: -0.001, Hi: 0.0262, To: 100, Step: 0.005}, 1, "0.000 +0.005 +0.010 +0.015 +0.020 +0.025 "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for _, k := range tt.a.ticks(tt.factor, tt.factor == 1) {
				got += k.Label + " "
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Every condition of a study of 42 has its own pair of colour and shape.
func TestStylesDiffer(t *testing.T) {
	res := &analysis.Result{Reference: "ref"}
	for i := range colours * shapes {
		res.Conditions = append(res.Conditions, analysis.Condition{Condition: fmt.Sprint("c", i)})
	}
	pal, seen := paletteOf(res), map[style]string{}
	for _, c := range res.Conditions {
		st := pal.of(c.Condition)
		if other, ok := seen[st]; ok {
			t.Errorf("%s and %s look the same", c.Condition, other)
		}
		seen[st] = c.Condition
	}
	if !pal.of("ref").Reference() {
		t.Error("the reference has no style of its own")
	}
}
