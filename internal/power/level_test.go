package power

import (
	"math"
	"strings"
	"testing"

	"github.com/uplift-eval/uplift/stats"
)

// same reports whether numbers by ICC are those that are wanted.
func same(got []*float64, want []float64) bool {
	if len(got) != len(want) {
		return false
	}
	for i, g := range got {
		if g == nil || math.Abs(*g-want[i]) > 1e-9 {
			return false
		}
	}
	return true
}

// The whole answer is of the alpha that was asked: power, detectable difference,
// tasks and non-inferiority of intervals at level 1 - alpha.
func TestAnswersAreOfTheirAlpha(t *testing.T) {
	delta := 0.1
	for _, alpha := range []float64{0.05, 0.1} {
		r, a := ask(t, numbers(t, 0.2, 40, 20), Question{Delta: &delta, Alpha: alpha, Margin: 0.1, Tasks: []int{20}, Pairs: []float64{2}, ICCs: []float64{0.25}})
		d := stats.Design{Tasks: 20, PairsPerTask: 2, SD: 0.2, ICC: 0.25, Level: 1 - alpha}
		power, err := d.Power(delta)
		if err != nil {
			t.Fatal(err)
		}
		found, err := d.Detectable(0.8)
		if err != nil {
			t.Fatal(err)
		}
		tasks, err := d.TasksFor(delta, 0.8)
		if err != nil {
			t.Fatal(err)
		}
		margin, err := d.NonInferiority(0.1, 0)
		if err != nil {
			t.Fatal(err)
		}
		cell := a.Tables[0].Rows[0].Cells[0]
		if r.Alpha != alpha || !same(cell.Power, []float64{power}) || !same(cell.Detectable, []float64{found}) || !same(a.Present.Power, []float64{power}) {
			t.Errorf("alpha %v: got power %s and %s, detectable %s, want %v and %v", alpha, words(cell.Power), words(a.Present.Power), words(cell.Detectable), power, found)
		}
		if got := *a.Tables[0].Needs[0].Cells[0].Tasks[0]; got != tasks {
			t.Errorf("alpha %v: got %d tasks, want %d", alpha, got, tasks)
		}
		if n := a.NonInferiority; n.Alpha != alpha/2 || !same(n.Now, []float64{margin}) {
			t.Errorf("alpha %v: got non-inferiority %s at %v, want %v at half of it", alpha, words(n.Now), n.Alpha, margin)
		}
	}
}

// A pilot's intervals are of the level that was asked.
func TestPilotIsOfItsLevel(t *testing.T) {
	values, ids := []float64{0.5, 0.25, 0.5, -0.25, 0, -0.5, -0.25, 0.25, 0, 0.25, -0.75, -0.5}, []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}
	c, err := stats.NewClustered(values, ids)
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range []float64{0.95, 0.9} {
		b, err := FromPairs(Basis{}, values, ids, level)
		if err != nil {
			t.Fatal(err)
		}
		i, err := c.Interval(stats.CR2, level)
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.ICCInterval(level)
		if err != nil {
			t.Fatal(err)
		}
		if !same([]*float64{b.Lo, b.Hi, b.ICCLo, b.ICCHi}, []float64{i.Lo, i.Hi, s.Lo, s.Hi}) {
			t.Errorf("level %v: got [%v, %v] and ICC [%v, %v], want [%v, %v] and [%v, %v]", level, *b.Lo, *b.Hi, *b.ICCLo, *b.ICCHi, i.Lo, i.Hi, s.Lo, s.Hi)
		}
	}
}

// A second rater is compared with the raters there are, those who mark a share
// of the rows once more among them.
func TestSecondRaterBesideDouble(t *testing.T) {
	delta := 0.05
	for _, double := range []float64{0, 0.5} {
		_, a := ask(t, numbers(t, 0.2, 0, 0), Question{Delta: &delta, Double: double, Noise: 0.4, Pairs: []float64{2}, ICCs: []float64{0.1}})
		d := stats.Design{Tasks: 2, PairsPerTask: 2, SD: 0.2, ICC: 0.1, Raters: stats.Raters{Each: 1, Double: double, Noise: 0.4}}
		before, err := d.TasksFor(delta, 0.8)
		if err != nil {
			t.Fatal(err)
		}
		d.Raters = stats.Raters{Each: 2, Noise: 0.4}
		after, err := d.TasksFor(delta, 0.8)
		if err != nil {
			t.Fatal(err)
		}
		if s := a.Second[0]; *s.Tasks[0] != after || !same(s.Saved, []float64{1 - float64(after)/float64(before)}) {
			t.Errorf("double %v: got %d tasks, %v saved; want %d of %d", double, *s.Tasks[0], *s.Saved[0], after, before)
		}
	}
}

// An interval of another level is narrower by its own quantile: 1.6449 at .9.
func TestPublishedAtItsLevel(t *testing.T) {
	for level, quantile := range map[float64]string{0: "1.96", 0.95: "1.96", 0.9: "1.64", 0.99: "2.58"} {
		b, err := FromInterval(stats.Published{Value: 0.1, Lo: 0, Hi: 0.2, Pairs: 40, Tasks: 20, Level: level})
		if err != nil || !strings.Contains(b.SDFrom, "(2 · "+quantile+")") {
			t.Errorf("level %v: got %q (%v), want %s", level, b.SDFrom, err, quantile)
		}
	}
}

// A margin of the study counts where the question names none.
func TestMarginOfTheStudy(t *testing.T) {
	b := still(t, Higher)
	b.Margin = 0.3
	for asked, want := range map[float64]float64{0: 0.3, 0.2: 0.2} {
		if _, a := ask(t, b, Question{Margin: asked}); a.NonInferiority == nil || a.NonInferiority.Margin != want {
			t.Errorf("asked %v: got %+v, want %v", asked, a.NonInferiority, want)
		}
	}
}
