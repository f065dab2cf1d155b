package stats

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// TestCertifiable meets the table that a Python implementation found on a grid
// of budget/2000: the largest certifiable mean loss by Hoeffding-Bentkus, by
// Hoeffding, by counts of 0 and 1, and by conformal risk control; -1 for none.
func TestCertifiable(t *testing.T) {
	for _, r := range goldenRows(t, "bounds.csv") {
		budget, delta, n := number(t, r[0]), number(t, r[1]), int(number(t, r[2]))
		hoeffding := budget - math.Sqrt(-math.Log(delta)/(2*float64(n)))
		for name, c := range map[string]struct {
			got  float64
			want string
		}{
			"hoeffding-bentkus": {orNone(LargestCertifiable(n, budget, delta)), r[3]},
			"hoeffding":         {max(hoeffding, -1), r[4]},
			"counts":            {largestCount(t, n, budget, delta), r[5]},
			"conformal":         {orNone(LargestConformal(n, budget)), r[6]},
		} {
			want, step := -1.0, 0.0
			if c.want != "none" {
				want = number(t, c.want)
			} else if name == "hoeffding" {
				want, c.got = -1, math.Copysign(1, c.got)
			}
			if name == "hoeffding-bentkus" || name == "hoeffding" {
				step = budget / 2000 // the grid's value is the one below
			}
			if math.Abs(c.got-want-step/2) > step/2+5.1e-5 && !(want == -1 && c.got == -1) {
				t.Errorf("%v: %s %v, want %v", r[:3], name, c.got, want)
			}
		}
	}
	_, err := LargestCertifiable(18, 0.1, 0.1)
	if want := "largest certifiable loss: cannot certify budget 0.1 at delta 0.1: with 18 tasks zero loss reaches 0.1201 (want at least 22 tasks)"; !errors.Is(err, ErrUncertifiable) || err.Error() != want {
		t.Errorf("%v, want %v", err, want)
	}
	_, err = LargestConformal(8, 0.1)
	if want := "largest conformal loss: cannot certify budget 0.1: with 8 tasks zero loss reaches 0.1111"; !errors.Is(err, ErrUncertifiable) || err.Error() != want {
		t.Errorf("%v, want %v", err, want)
	}
}

func orNone(v float64, err error) float64 {
	if errors.Is(err, ErrUncertifiable) {
		return -1
	}
	if err != nil {
		return math.NaN()
	}
	return v
}

// largestCount is the largest share of ones whose Clopper-Pearson bound is
// within budget.
func largestCount(t *testing.T, n int, budget, delta float64) float64 {
	best := -1.0
	for k := range n {
		hi, err := ClopperPearsonUpper(k, n, delta)
		if err != nil {
			t.Fatal(err)
		}
		if hi > budget {
			break
		}
		best = float64(k) / float64(n)
	}
	return best
}

// TestZeroLoss meets the table of smallest budgets and numbers of tasks.
func TestZeroLoss(t *testing.T) {
	for _, c := range []struct {
		n            int
		delta, limit float64
	}{{18, 0.1, 0.1201}, {36, 0.1, 0.062}, {54, 0.1, 0.0417}, {108, 0.1, 0.0211}, {300, 0.1, 0.0076}, {15, 0.1, 0.1423}, {18, 0.05, 0.1533}, {300, 0.05, 0.0099}} {
		if got, err := ZeroLossLimit(c.n, c.delta); err != nil || math.Abs(got-c.limit) > 5e-5 {
			t.Errorf("limit of %d at %v: %v, %v, want %v", c.n, c.delta, got, err, c.limit)
		}
	}
	for _, c := range []struct {
		budget, delta float64
		choices, want int
	}{{0.1, 0.1, 1, 22}, {0.05, 0.1, 1, 45}, {0.2, 0.1, 1, 11}, {0.1, 0.05, 1, 29}, {0.05, 0.05, 1, 59}, {0.2, 0.05, 1, 14},
		{0.1, 0.1, 10, 44}, {0.1, 0.1, 56, 61}, {0.1, 0.1, 286, 76}, {0.1, 0.1, 1771, 93}, {0.1, 0.1, 176851, 137}, {0.5, 0.25, 1, 2}, {0.5, 0.5, 4, 3}, {0.9, 0.5, 1, 1}, {0.01, 0.99, 1, 1}, {0.5, 1 - 1e-12, 1, 1}} {
		if got, err := ZeroLossTasks(c.budget, c.delta, c.choices); err != nil || got != c.want {
			t.Errorf("tasks for %v at %v/%d: %v, %v, want %v", c.budget, c.delta, c.choices, got, err, c.want)
		}
	}
	if _, err := ZeroLossTasks(1e-12, 0.1, 1); err == nil {
		t.Error("a budget of 1e-12 takes no more than an int of tasks")
	}
}

// Ties of exact arithmetic certify: (1/2)^3 is 1/8, and (3/4)^2 is 9/16.
func TestZeroLossTies(t *testing.T) {
	for _, c := range []struct {
		n             int
		budget, delta float64
	}{{3, 0.5, 0.125}, {2, 0.25, 0.5625}, {10, 0.5, 0x1p-10}, {1, 0.75, 0.25}} {
		r, err := LargestCertifiable(c.n, c.budget, c.delta)
		tasks, err2 := ZeroLossTasks(c.budget, c.delta, 1)
		if err != nil || err2 != nil || r > 1e-9 || tasks != c.n {
			t.Errorf("%+v: %v, %v; %d tasks, %v", c, r, err, tasks, err2)
		}
	}
}

// A tie that is none by rounding: so many tasks are the answer, and yet p is above
// delta in its last digit, so that nothing is said to certify.
func TestZeroLossBesideATie(t *testing.T) {
	const n = 2_000_000_003
	budget := -math.Expm1(math.Log(0.1) / n)
	if got, err := ZeroLossTasks(budget, 0.1, 1); err != nil || got != n {
		t.Errorf("%d tasks, %v, want %d", got, err, n)
	}
	if p := keep(HoeffdingBentkus(0, n, budget)); p <= 0.1 {
		t.Fatalf("p %v, want more than .1", p)
	}
	if r, err := LargestCertifiable(n, budget, 0.1); !errors.Is(err, ErrUncertifiable) || !strings.HasSuffix(err.Error(), "(want at least 2000000004 tasks)") {
		t.Errorf("%v, %v", r, err)
	}
}

func TestConformalRisk(t *testing.T) {
	if got, err := ConformalRisk(0.05, 18); err != nil || !close12(got, 0.1) {
		t.Errorf("18 tasks of mean .05: %v, %v, want .1", got, err)
	}
	for n := 1; n < 1000; n++ { // 49 times 1.0/49 is less than 1
		if got, err := LargestConformal(n, 1/float64(n+1)); err != nil || got > 1e-15 {
			t.Errorf("%d tasks at 1/%d: %v, %v, want 0", n, n+1, got, err)
		}
	}
}
