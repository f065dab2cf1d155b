package rating

import (
	"testing"
	"testing/quick"
)

func marks(scale string, values ...float64) []Mark {
	var m []Mark
	for _, v := range values {
		m = append(m, Mark{Scale: scale, Value: v, NA: v < 0})
	}
	return m
}

// na stands for a mark that does not apply.
const na = -1

func TestAdjudicate(t *testing.T) {
	for _, c := range []struct {
		name  string
		scale string
		marks []float64
		want  Verdict
	}{
		{"no mark", "correctness", nil, Verdict{Method: None}},
		{"one mark", "correctness", []float64{0.75}, Verdict{Value: 0.75, Resolved: true, Method: Single}},
		{"one mark NA", "correctness", []float64{na}, Verdict{NA: true, Resolved: true, Method: NotApplies}},
		{"two equal", "caution", []float64{0.5, 0.5}, Verdict{Value: 0.5, Resolved: true, Method: MeanOf}},
		{"two one level apart", "actionability", []float64{0.5, 0.25}, Verdict{Value: 0.375, Resolved: true, Method: MeanOf}},
		{"two two levels apart", "actionability", []float64{0.25, 0.75}, Verdict{Method: NeedsThird}},
		{"two far apart", "actionability", []float64{0, 1}, Verdict{Method: NeedsThird}},
		{"two, one NA", "correctness", []float64{na, 1}, Verdict{Method: NeedsThird}},
		{"two NA", "correctness", []float64{na, na}, Verdict{NA: true, Resolved: true, Method: NotApplies}},
		{"three", "actionability", []float64{1, 0, 0.25}, Verdict{Value: 0.25, Resolved: true, Method: MedianOf}},
		{"three, two of them equal", "actionability", []float64{1, 0, 1}, Verdict{Value: 1, Resolved: true, Method: MedianOf}},
		{"three, one NA, two close", "correctness", []float64{na, 1, 0.75}, Verdict{Value: 0.875, Resolved: true, Method: MeanOf}},
		{"three, one NA, two apart", "correctness", []float64{na, 1, 0.25}, Verdict{Method: NeedsAnother}},
		{"three, two NA", "correctness", []float64{na, 1, na}, Verdict{NA: true, Resolved: true, Method: NotApplies}},
		{"four", "caution", []float64{0, 0.25, 0.75, 1}, Verdict{Value: 0.5, Resolved: true, Method: MedianOf}},
		{"four, two NA", "caution", []float64{na, na, 0.5, 0.5}, Verdict{Method: NeedsAnother}},
		{"imported, far apart", "compliance", []float64{0, 1}, Verdict{Value: 0.5, Resolved: true, Method: MeanOf}},
		{"imported, NA passed over", "compliance", []float64{na, 0.5}, Verdict{Value: 0.5, Resolved: true, Method: MeanOf}},
		{"imported, three", "compliance", []float64{0, 0, 0.75}, Verdict{Value: 0.25, Resolved: true, Method: MeanOf}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := append(marks(c.scale, c.marks...), Mark{Scale: "another", Value: 1})
			if got := Adjudicate(c.scale, in); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// Whatever the marks: their order does not matter, a value lies between the
// lowest and the highest, and what is not resolved has none.
func TestAdjudicateProperties(t *testing.T) {
	f := func(levels []uint8, rot uint8) bool {
		var in []Mark
		lo, hi := 2.0, -2.0
		for _, l := range levels {
			m := Mark{Scale: "caution", Value: float64(l%6) / 4, NA: l%6 == 5}
			if in = append(in, m); !m.NA {
				lo, hi = min(lo, m.Value), max(hi, m.Value)
			}
		}
		got := Adjudicate("caution", in)
		if n := len(in); n > 0 {
			k := int(rot) % n
			if Adjudicate("caution", append(append([]Mark(nil), in[k:]...), in[:k]...)) != got {
				return false
			}
		}
		if !got.Resolved || got.NA {
			return got.Value == 0
		}
		return lo <= got.Value && got.Value <= hi
	}
	if err := quick.Check(f, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
}
