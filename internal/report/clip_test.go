package report

import (
	"math"
	"testing"
)

// A square half outside of a frame is cut to its inner half, and its outline
// stays open at the frame.
func TestWithin(t *testing.T) {
	frame := rect{0, 0, 10, 10}
	for _, tc := range []struct {
		name   string
		square []xy
		area   float64
		length float64
	}{
		{"inside", []xy{{2, 2}, {6, 2}, {6, 6}, {2, 6}}, 16, 16},
		{"over the bottom", []xy{{2, 8}, {6, 8}, {6, 12}, {2, 12}}, 8, 8},
		{"over a corner", []xy{{8, 8}, {12, 8}, {12, 12}, {8, 12}}, 4, 4},
		{"around it", []xy{{-5, -5}, {15, -5}, {15, 15}, {-5, 15}}, 100, 0},
		{"outside", []xy{{20, 20}, {24, 20}, {24, 24}, {20, 24}}, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			area, length := 0.0, 0.0
			in := within(tc.square, frame)
			for i, b := range in {
				a := in[(i+len(in)-1)%len(in)]
				area += (a.X*b.Y - a.Y*b.X) / 2
			}
			for _, line := range outlineWithin(tc.square, frame) {
				for i := 1; i < len(line); i++ {
					length += math.Hypot(line[i].X-line[i-1].X, line[i].Y-line[i-1].Y)
				}
			}
			if math.Abs(area-tc.area) > 1e-9 || math.Abs(length-tc.length) > 1e-9 {
				t.Errorf("got area %v and outline %v, want %v and %v", area, length, tc.area, tc.length)
			}
		})
	}
}
