package power

import (
	"slices"
	"strings"
	"testing"
)

func numbers(t *testing.T, sd float64, pairs, tasks int) Basis {
	t.Helper()
	b, err := FromNumbers(sd, nil, pairs, tasks)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// warned is the text of the first warning with a code; empty without one.
func warned(a *Answer, code string) string {
	for _, w := range a.Warnings {
		if w.Code == code {
			return w.Text
		}
	}
	return ""
}

// No answer names fewer tasks than the analysis takes: 5 for an interval, and
// 2^(1-G) at or below alpha for the exact p.
func TestLeastTasks(t *testing.T) {
	delta := 0.5
	for _, c := range []struct {
		alpha float64
		want  int
	}{{0.05, 6}, {0.1, 5}, {0.3, 5}, {0.01, 8}, {0.001, 11}} {
		r, a := ask(t, numbers(t, 0.001, 0, 0), Question{Delta: &delta, Alpha: c.alpha, Margin: 0.5})
		if r.Least != c.want {
			t.Errorf("alpha %v: got at least %d, want %d", c.alpha, r.Least, c.want)
		}
		for _, n := range a.Tables[0].Needs {
			for _, cell := range n.Cells {
				if *cell.Tasks[0] != c.want || len(cell.Near) > 0 {
					t.Errorf("alpha %v, power %v: got %d tasks, near %v; want %d and none", c.alpha, n.Power, *cell.Tasks[0], cell.Near, c.want)
				}
				if got := *cell.Prices[0]; got.Responses < 2*c.want {
					t.Errorf("alpha %v: the price is of %d responses, want that of %d tasks", c.alpha, got.Responses, c.want)
				}
			}
		}
		if got := *a.Second[0].Tasks[0]; got != c.want || *a.Second[0].Saved[0] != 0 {
			t.Errorf("alpha %v: a second rater takes %d tasks, want %d", c.alpha, got, c.want)
		}
		if got := *a.NonInferiority.Needs[0][0]; got != 5 {
			t.Errorf("alpha %v: non-inferiority takes %d tasks, want the 5 of an interval", c.alpha, got)
		}
	}
}

func TestFewTasksAreWarnedOf(t *testing.T) {
	delta := 0.5
	for _, c := range []struct {
		name  string
		tasks int
		q     Question
		want  string
	}{
		{"present", 4, Question{Delta: &delta}, "with 4 tasks the power is that of a t test alone: with fewer than 6 tasks the exact sign-flip p cannot reach .05"},
		{"grid", 0, Question{Delta: &delta, Tasks: []int{3, 5, 6}}, "with 3 or 5 tasks the power"},
		{"lenient", 4, Question{Delta: &delta, Alpha: 0.2}, "with fewer than 5 the analysis gives no interval"},
		{"enough", 6, Question{Delta: &delta}, ""},
	} {
		_, a := ask(t, numbers(t, 1, 2*c.tasks, c.tasks), c.q)
		got := warned(a, CodeFew)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

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

func TestBeyondTheMostTasks(t *testing.T) {
	for _, delta := range []float64{3e-4, 1e-6} { // about 1.7 million tasks, and more than are looked for
		if _, a := ask(t, numbers(t, 0.2, 36, 18), Question{Delta: &delta, ICCs: []float64{0}, Pairs: []float64{2}}); a.Tables[0].Needs[0].Cells[0].Tasks[0] != nil {
			t.Errorf("a difference of %v: got %d tasks, want none named", delta, *a.Tables[0].Needs[0].Cells[0].Tasks[0])
		}
	}
	delta := 1e-6
	_, a := ask(t, numbers(t, 0.2, 36, 18), Question{Delta: &delta})
	if got := a.Tables[0].Needs[0].Cells[0].Tasks[0]; got != nil {
		t.Errorf("got %d tasks, want none named", *got)
	}
	if got := warned(a, CodeLow); !strings.Contains(got, "There more than 1,000,000 tasks would be needed") || strings.Contains(got, "no number") {
		t.Errorf("got %q", got)
	}
	if got := strings.Join(a.Verdict, " "); !strings.Contains(got, "takes more than 1,000,000 tasks") {
		t.Errorf("got %q", got)
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
