package power

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uplift-eval/uplift/stats"
)

// Beside the aim stands .90 where it is more.
func TestAims(t *testing.T) {
	delta := 0.1
	for aim, want := range map[float64]string{0.8: "[0.8 0.9]", 0.89: "[0.89 0.9]", 0.9: "[0.9]", 0.95: "[0.95]"} {
		_, a := ask(t, numbers(t, 0.2, 0, 0), Question{Delta: &delta, Power: aim})
		var got []float64
		for _, n := range a.Tables[0].Needs {
			got = append(got, n.Power)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("aim %v: got %v, want %s", aim, got, want)
		}
	}
}

// Tasks divide where there are endpoints to divide them, and are warned of
// where what they show is shown.
func TestSharesOfEndpoints(t *testing.T) {
	delta := 0.02
	for _, c := range []struct {
		name      string
		b         Basis
		endpoints int
		plans     string // with the tasks of one endpoint
		warned    string
	}{
		{"numbers of one endpoint", numbers(t, 0.2, 60, 30), 1, "builtin:6", ""},
		{"numbers of two", numbers(t, 0.2, 60, 30), 2, "builtin:6 present:15", "15 tasks of the endpoint"},
		{"numbers of sixteen, 1 task each", numbers(t, 0.2, 60, 30), 16, "builtin:6", "6 tasks of the endpoint"},
		{"numbers of fifteen, 2 tasks each", numbers(t, 0.2, 60, 30), 15, "builtin:6 present:2", "2 tasks of the endpoint"},
		{"an interval of one endpoint", published(t), 1, "builtin:6", "6 tasks of the endpoint"},
	} {
		_, a := ask(t, c.b, Question{Delta: &delta, Endpoints: c.endpoints})
		var plans []string
		for _, s := range a.Shares {
			plans = append(plans, fmt.Sprintf("%s:%d", s.Plan, s.Tasks))
		}
		if got := strings.Join(plans, " "); got != c.plans {
			t.Errorf("%s: got %s, want %s", c.name, got, c.plans)
		}
		if got := warned(a, CodeLowShare); (got == "") != (c.warned == "") || !strings.Contains(got, c.warned) {
			t.Errorf("%s: got %q, want a warning of %q", c.name, got, c.warned)
		}
	}
}

// Noise and the variance between tasks are parts of one variance.
func TestNoiseLeavesRoomForTheICC(t *testing.T) {
	delta := 0.1
	for _, c := range []struct {
		noise, icc float64
		warns      bool
	}{{0.5, 0.5, false}, {0.5, 0.51, true}, {0.6, 0.5, true}, {0.75, 0.5, true}} {
		_, a := ask(t, numbers(t, 0.2, 0, 0), Question{Delta: &delta, Noise: c.noise, ICCs: []float64{0, c.icc}})
		cell := a.Tables[0].Rows[0].Cells[0]
		if got := warned(a, CodeNoiseLeft); (got != "") != c.warns || (cell.Power[1] == nil) != c.warns {
			t.Errorf("noise %v beside ICC %v: got %q and a power %v, want a warning and an empty cell: %v", c.noise, c.icc, got, words(cell.Power), c.warns)
		}
	}
}

// A pilot of which half of the tasks moved hardly moved; of which more did, did.
func TestHalfAPilotMoved(t *testing.T) {
	delta := 0.4
	for moved, warns := range map[int]bool{3: true, 4: true, 5: false} {
		values, ids := make([]float64, 8), make([]int, 8)
		for i := range values {
			ids[i] = i
			if i < moved {
				values[i] = 0.25
			}
		}
		b, err := FromPairs(Basis{}, values, ids, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if _, a := ask(t, b, Question{Delta: &delta}); (warned(a, CodeStill) != "") != warns {
			t.Errorf("%d of 8 tasks moved: got %q, want a warning: %v", moved, warned(a, CodeStill), warns)
		}
	}
}

func TestHundredth(t *testing.T) {
	for icc, want := range map[float64]float64{-0.2: 0, 0: 0, 0.123: 0.12, 0.126: 0.13, 0.94: 0.94, 0.95: 0.95, 0.951: 0.95, 0.99: 0.95, 1: 0.95} {
		if got := hundredth(icc); got != want {
			t.Errorf("ICC %v: got %v, want %v", icc, got, want)
		}
	}
	// Tasks that lie far apart beside pairs that hardly do: an ICC above .99.
	b, err := FromPairs(Basis{}, []float64{0, 0.01, 0.5, 0.51, 1, 0.99}, []int{0, 0, 1, 1, 2, 2}, 0.95)
	if err != nil || *b.ICC < 0.99 {
		t.Fatalf("got ICC %v (%v), want one above .99", *b.ICC, err)
	}
	if _, a := ask(t, b, Question{}); slices.Max(a.ICCs) != 0.95 {
		t.Errorf("got ICCs %v, want none above .95", a.ICCs)
	}
}

// Two tasks are a design, and one pair a task is.
func TestPresentOfTwoTasks(t *testing.T) {
	delta := 0.5
	_, a := ask(t, numbers(t, 0.2, 2, 2), Question{Delta: &delta, Margin: 0.5, ICCs: []float64{0}})
	d := stats.Design{Tasks: 2, PairsPerTask: 1, SD: 0.2}
	power, err := d.Power(delta)
	if err != nil {
		t.Fatal(err)
	}
	margin, err := d.NonInferiority(0.5, 0)
	if err != nil {
		t.Fatal(err)
	}
	if p := a.Present; p == nil || p.Tasks != 2 || p.PairsPerTask != 1 || !same(p.Power, []float64{power}) || !same(a.NonInferiority.Now, []float64{margin}) {
		t.Errorf("got %+v and %v, want 2 tasks of 1 pair with power %v and %v", p, a.NonInferiority.Now, power, margin)
	}
	if got := fmt.Sprint(Question{}.tasksOf(a.Basis), Question{}.pairsOf(a.Basis)); got != "[2 18 36 54] [1 5 10]" {
		t.Errorf("got grids %s, want the 2 tasks and the 1 pair in them", got)
	}
	if _, a := ask(t, numbers(t, 0.2, 0, 0), Question{Delta: &delta, Margin: 0.5}); a.Present != nil || a.NonInferiority.Now != nil {
		t.Errorf("without a design: got %+v and %v, want none", a.Present, a.NonInferiority.Now)
	}
}

// A basis whose difference is 0 has none to find.
func TestNoDifferenceToFind(t *testing.T) {
	b, err := FromInterval(stats.Published{Value: 0, Lo: -0.1, Hi: 0.1, Pairs: 40, Tasks: 20})
	if err != nil {
		t.Fatal(err)
	}
	_, a := ask(t, b, Question{})
	if a.Delta != nil || warned(a, CodeNoDelta) == "" || len(a.Tables[0].Needs) > 0 || a.Second != nil || words(a.Present.Power) != "-/-/-/-" {
		t.Errorf("got difference %v, power %s and warnings %v, want none to find, said so", a.Delta, words(a.Present.Power), codesOf(a))
	}
	if a.Present.Detectable[0] == nil {
		t.Error("what can be found is not told")
	}
}
