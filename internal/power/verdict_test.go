package power

import (
	"slices"
	"strings"
	"testing"
)

func TestPercentages(t *testing.T) {
	for _, c := range []struct {
		value, lo, hi float64
		warns         bool
	}{{-6.3, -11.7, -1.1, true}, {-0.5, -1.2, 0.2, true}, {-0.063, -0.117, -0.011, false}, {1, 1, 1, false}} {
		b := published(t)
		b.Difference, b.Lo, b.Hi = &c.value, &c.lo, &c.hi
		if _, a := ask(t, b, Question{}); (warned(a, CodeScale) != "") != c.warns {
			t.Errorf("%v [%v, %v]: got %q, want a warning: %v", c.value, c.lo, c.hi, warned(a, CodeScale), c.warns)
		}
	}
}

func TestVerdict(t *testing.T) {
	_, a := ask(t, published(t), Question{})
	want := []string{"18 tasks with 2.72 pairs each find −0.063 with power .59 at ICC 0 and .36 at ICC .5, and with power .80 differences of .080 (at the smallest ICC) to .110 (at the largest) and more.",
		"With 2.72 pairs a task, power .80 for −0.063 takes 29 tasks at ICC 0 and 51 at ICC .5."}
	if !slices.Equal(a.Verdict, want) {
		t.Errorf("got  %q\nwant %q", a.Verdict, want)
	}
	delta := 0.06
	_, a = ask(t, numbers(t, 0.19, 0, 0), Question{Delta: &delta, ICCs: []float64{0}, Pairs: []float64{1}})
	if want := []string{"With 1 pair a task, power .80 for +0.060 takes 81 tasks."}; !slices.Equal(a.Verdict, want) {
		t.Errorf("got %q, want %q", a.Verdict, want)
	}
}

// A power that is printed as .50 is not said to be under .5, and the limit of
// endless pairs is not said to be reached.
func TestLowPowerAsPrinted(t *testing.T) {
	half, less := 0.4951, 0.4949
	b := numbers(t, 0.19, 36, 18)
	a := asked{b: b, q: Question{}.Defaults(), iccs: []float64{0}, delta: &half, units: map[int]float64{}}
	for _, c := range []struct {
		power *float64
		warns bool
	}{{&half, false}, {&less, true}} {
		out := &Answer{}
		a.warnLow(&out.Warnings, low{CodeLow, a.first(), 18, 2, 1, []*float64{c.power}})
		if (len(out.Warnings) > 0) != c.warns {
			t.Errorf("power %v: got %v, want a warning: %v", *c.power, out.Warnings, c.warns)
		}
	}
	_, answer := ask(t, published(t), Question{Endpoints: 3})
	if got := warned(answer, CodeLow); !strings.Contains(got, "power under .5 from ICC .25 on: .45 at ICC .25. There 40 tasks would have .80; however many pairs, power stays below .76") || strings.Contains(got, "without end") {
		t.Errorf("got %q", got)
	}
}

func TestUnitsAreNamed(t *testing.T) {
	b, err := FromPairs(Basis{Cluster: "family"}, []float64{0.5, 0, 0.25}, []int{0, 1, 2}, 0.95)
	if err != nil || b.ICCFrom != "every family holds one value (want at least one family of 2)" {
		t.Errorf("got %q (%v)", b.ICCFrom, err)
	}
	delta := 0.1
	_, a := ask(t, b, Question{Delta: &delta})
	for _, w := range a.Warnings {
		if strings.Contains(w.Text, "tasks") || strings.Contains(w.Text, "1 pairs") {
			t.Errorf("got %q, want families", w.Text)
		}
	}
	if _, err := FromPairs(Basis{}, []float64{0.5}, []int{0}, 0.95); err == nil || strings.Contains(err.Error(), "1 pairs") {
		t.Errorf("one pair: got %v", err)
	}
}
