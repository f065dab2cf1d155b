package power

import (
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
		by    string
	}{{0.05, 6, LeastBySignFlip}, {0.1, 5, LeastByInterval}, {0.3, 5, LeastByInterval}, {0.01, 8, LeastBySignFlip}, {0.001, 11, LeastBySignFlip}} {
		r, a := ask(t, numbers(t, 0.001, 0, 0), Question{Delta: &delta, Alpha: c.alpha, Margin: 0.5})
		if r.Least != c.want || r.LeastBy != c.by {
			t.Errorf("alpha %v: got at least %d by %s, want %d by %s", c.alpha, r.Least, r.LeastBy, c.want, c.by)
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
