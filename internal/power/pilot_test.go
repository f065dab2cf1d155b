package power

import (
	"strings"
	"testing"
)

// Three of eight families moved, by one step each: what the pilot of a rare risk
// looks like.
func still(t *testing.T, better Better) Basis {
	t.Helper()
	values, ids := make([]float64, 40), make([]int, 40)
	for i := range values {
		ids[i] = i / 5
	}
	values[0], values[7], values[11] = -0.5, 0.25, -0.5
	b, err := FromPairs(Basis{Cluster: "family", Better: better}, values, ids, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestPilotThatHardlyMoved(t *testing.T) {
	delta := 0.1
	r, a := ask(t, still(t, Higher), Question{Delta: &delta})
	if r.Cluster != "family" || a.Basis.Differ != 3 {
		t.Errorf("got clusters %s, %d that differ; want families, and 3", r.Cluster, a.Basis.Differ)
	}
	// sqrt(.1 * .9) = .3
	for code, want := range map[string]string{CodeStill: "only 3 of the pilot's 8 families differ at all", CodeFar: "+0.100, lies outside of the pilot's own interval [−0.0"} {
		if got := warned(a, code); !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", code, got, want)
		}
	}
	if got := warned(a, CodeStill); !strings.Contains(got, "have an SD of .300 or more at a mean of +0.100") {
		t.Errorf("got %q, want the SD of whole steps, .300", got)
	}
	small := 0.01
	if _, a := ask(t, still(t, Higher), Question{Delta: &small}); warned(a, CodeFar) != "" {
		t.Errorf("a difference inside of the interval is warned of: %s", warned(a, CodeFar))
	}
	large := 0.5
	if _, a := ask(t, pilot(t), Question{Delta: &large}); warned(a, CodeStill) != "" {
		t.Errorf("a pilot of which three tasks of four differ: %s", warned(a, CodeStill))
	}
}

// With a pilot a gain is a rise on one scale and a fall on the other.
func TestGainsFollowTheDirection(t *testing.T) {
	for better, want := range map[Better]float64{Higher: 0.1, Unsaid: 0.1, Lower: -0.1} {
		gain := 0.1
		_, a := ask(t, still(t, better), Question{Delta: &gain, Margin: 0.05, Truth: map[bool]float64{true: 0, false: 0.02}[better == Unsaid]})
		if *a.Delta != want || gain != 0.1 {
			t.Errorf("better %q: got a difference of %v, want %v", better, *a.Delta, want)
		}
		if better == Unsaid {
			continue
		}
		if got := a.NonInferiority.Truth; got != want/5 {
			t.Errorf("better %q: got a truth of %v, want %v", better, got, want/5)
		}
	}
	var needs []int
	for _, better := range []Better{Higher, Lower} {
		_, a := ask(t, still(t, better), Question{Margin: 0.02, Truth: -0.01})
		needs = append(needs, *a.NonInferiority.Needs[0][0])
	}
	if needs[0] != needs[1] {
		t.Errorf("a loss of .01 takes %d tasks where higher is better and %d where lower is, want the same", needs[0], needs[1])
	}
}
