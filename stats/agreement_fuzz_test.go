package stats

import (
	"math"
	"testing"
)

// FuzzRatings: no marks make a figure, an error or an interval that is not finite,
// nor a coefficient above 1.
func FuzzRatings(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 200, 9}, 0.25, 0.0)
	f.Add([]byte{7, 7, 7, 8, 9, 8}, 1e40, -3.0)
	f.Add([]byte{0x40, 0x41, 0x42, 0x43, 0x20, 0x21, 0x22, 0x23}, 1e-45, 1.0)
	f.Add([]byte{0x10, 0x09, 0x50, 0x49}, 1.0, 0.0)
	f.Fuzz(func(t *testing.T, data []byte, step, shift float64) {
		var marks []Mark
		scale := []float64{step*100 + shift, shift}
		for i, x := range data[:min(len(data), 48)] {
			v := float64(x>>5)*step + shift
			marks, scale = append(marks, Mark{i / 4 * int(x>>4&1), int(x&3) + 4*(i%4)*int(x>>3&1), v}), append(scale, v)
		}
		r, err := NewRatings(marks)
		if err != nil {
			return
		}
		checkRatings(t, r, scale)
	})
}

func checkRatings(t *testing.T, r *Ratings, scale []float64) {
	t.Helper()
	finite := func(name string, v float64, err error) {
		if math.IsNaN(v) || math.IsInf(v, 0) || err != nil && v != 0 {
			t.Errorf("%s is %v, %v", name, v, err)
		}
	}
	figures := figuresOn(scale)
	var all []Figure
	for name, figure := range figures {
		v, err := figure(r)
		if finite(name, v, err); v > 1+1e-9 && name[:3] != "se " {
			t.Errorf("%s is %v", name, v)
		}
		if name[:3] == "se " && v < 0 {
			t.Errorf("%s is %v", name, v)
		}
		all = append(all, figure)
	}
	for _, p := range r.Pairs() {
		finite("percent", p.Percent, nil)
		finite("mean difference", p.MeanDifference, nil)
		if table, err := p.Table(scale); (err == nil) != (table != nil) {
			t.Errorf("table %v, %v", table, err)
		}
	}
	for _, s := range r.ByRater() {
		finite("mean", s.Mean, nil)
		if (s.Percent == nil) != (s.Shared == 0) || s.Percent != nil && (*s.Percent < 0 || *s.Percent > 1) {
			t.Errorf("%+v", s)
		}
	}
	own := r.Units()
	for i := range own {
		own[i] = i / 2
	}
	spreads, errs := r.Bootstrap(own, Resample{B: 5, Seed: 1, Level: 0.9}, all...)
	for i, s := range spreads {
		finite("lo", s.Lo, errs[i])
		finite("hi", s.Hi, errs[i])
	}
}
