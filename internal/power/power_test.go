package power

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/uplift-eval/uplift/stats"
)

func published(t *testing.T) Basis {
	t.Helper()
	b, err := FromInterval(stats.Published{Value: -0.063, Lo: -0.117, Hi: -0.011, Pairs: 49, Tasks: 18})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func ask(t *testing.T, b Basis, q Question) (*Result, *Answer) {
	t.Helper()
	r, err := Ask([]Basis{b}, q)
	if err != nil {
		t.Fatal(err)
	}
	return r, &r.Answers[0]
}

// words are powers as a table prints them.
func words(values []*float64) string {
	var out []string
	for _, v := range values {
		if v == nil {
			out = append(out, "-")
			continue
		}
		s := strings.TrimPrefix(fmt.Sprintf("%.2f", *v), "0")
		out = append(out, strings.TrimSuffix(s, ".00"))
	}
	return strings.Join(out, "/")
}

func tasks(values []*int) string {
	var out []string
	for _, v := range values {
		if v == nil {
			out = append(out, "-")
			continue
		}
		out = append(out, fmt.Sprint(*v))
	}
	return strings.Join(out, "/")
}

// The figures of a published interval, computed once with scipy.
func TestPublishedInterval(t *testing.T) {
	r, a := ask(t, published(t), Question{Endpoints: 3})
	if got := fmt.Sprintf("%.4f %.3f", *a.Basis.SE, a.Basis.SD); got != "0.0270 0.189" {
		t.Errorf("SE and SD: got %s, want 0.0270 0.189", got)
	}
	var p []string
	for _, at := range a.P {
		p = append(p, fmt.Sprintf("%.1f:%.3f", at.ICC, at.P))
	}
	if got, want := strings.Join(p, " "), "0.0:0.032 0.1:0.046 0.2:0.061 0.3:0.076"; got != want {
		t.Errorf("p: got %s, want %s", got, want)
	}
	table := map[int][]string{
		18: {".59/.53/.45/.36", ".84/.71/.56/.41", ".99/.86/.65/.44"},
		36: {".89/.84/.76/.65", ".99/.96/.87/.71", "1/.99/.93/.74"},
		54: {".98/.96/.91/.83", "1/1/.97/.87", "1/1/.99/.90"},
	}
	for _, row := range a.Tables[0].Rows {
		for i, c := range row.Cells {
			if got := words(c.Power); got != table[row.Tasks][i] {
				t.Errorf("%d tasks, column %d: got %s, want %s", row.Tasks, i, got, table[row.Tasks][i])
			}
		}
	}
	if len(a.Tables[0].Rows) != 3 {
		t.Errorf("got %d rows, want 3", len(a.Tables[0].Rows))
	}
	if s := a.Shares[0]; s.Total != 18 || s.Tasks != 6 || s.PairsPerTask != 8 || words(s.Power) != ".46/.30/.21/.14" {
		t.Errorf("six tasks: got %+v %s, want .46/.30/.21/.14", s, words(s.Power))
	}
	if s := r.SignFlip; s.Floor != 0.03125 || s.Needs != 7 || s.Wants != 0.025 {
		t.Errorf("sign flip: got %+v, want a floor of .03125, and 7 tasks for .025", s)
	}
	for _, want := range []string{"18 tasks of which 6 carry each endpoint", "cannot fall below .031", "no family of two passes Holm over sign-flip p at .05", "power .14 to .46"} {
		if !strings.Contains(strings.Join(r.Says, "\n"), want) {
			t.Errorf("it does not say %q:\n%s", want, strings.Join(r.Says, "\n"))
		}
	}
}

func TestTasksNeeded(t *testing.T) {
	b, err := FromNumbers(0.189, nil, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	delta := -0.063
	_, a := ask(t, b, Question{Delta: &delta, Pairs: []float64{2.72}})
	if got := tasks(a.Tables[0].Needs[0].Cells[0].Tasks); got != "28/33/40/51" {
		t.Errorf("tasks for .80: got %s, want 28/33/40/51", got)
	}
	_, a = ask(t, b, Question{Delta: &delta, Tasks: []int{6, 18}, Pairs: []float64{2.72, 5}})
	for i, want := range []float64{0.08693351127379838, 0} { // scipy: brentq over nct
		d := stats.Design{Tasks: 18, PairsPerTask: a.Tables[0].Pairs[i], SD: 0.189, ICC: 0.1}
		solved, err := d.Detectable(0.8)
		got := *a.Tables[0].Rows[1].Cells[i].Detectable[1]
		if err != nil || math.Abs(got-solved) > 1e-9 || (want > 0 && math.Abs(got-want) > 1e-9) {
			t.Errorf("detectable: got %v, want %v and %v (%v)", got, solved, want, err)
		}
	}
	// Of the interval's own SD, .1893, 28 tasks fall .0002 short, and it is said.
	_, a = ask(t, published(t), Question{})
	cell := a.Tables[0].Needs[0].Cells[0]
	if got := tasks(cell.Tasks); got != "29/33/40/51" {
		t.Errorf("with the unrounded SD: got %s, want 29/33/40/51", got)
	}
	if len(cell.Near) != 1 || cell.Near[0].Tasks != 28 || math.Abs(cell.Near[0].Power-0.7998) > 5e-5 {
		t.Errorf("near: got %+v, want 28 tasks with .7998", cell.Near)
	}
}

func TestNonInferiority(t *testing.T) {
	b, err := FromNumbers(0.239, nil, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	q := Question{Margin: 0.05, Pairs: []float64{2.72}, ICCs: []float64{0, 0.1, 0.25}}
	_, a := ask(t, b, q)
	if got := tasks(a.NonInferiority.Needs[0]); got != "68/80/97" {
		t.Errorf("tasks: got %s, want 68/80/97", got)
	}
	if got := words(a.Shares[0].NonInferior); got != ".22/.15/.11" {
		t.Errorf("six tasks: got %s, want .22/.15/.11", got)
	}
	if a.NonInferiority.Alpha != 0.025 {
		t.Errorf("alpha %v, want .025", a.NonInferiority.Alpha)
	}
	// A gain on one scale is a loss on the other: the same in mirror.
	q.Truth, q.Better = 0.02, Higher
	_, up := ask(t, b, q)
	q.Truth, q.Better = -0.02, Lower
	_, down := ask(t, b, q)
	q.Better = Higher
	_, worse := ask(t, b, q)
	if u, d := tasks(up.NonInferiority.Needs[0]), tasks(down.NonInferiority.Needs[0]); u != d || u == "68/80/97" {
		t.Errorf("a gain of .02: %s where higher is better, %s where lower is (want the same, and fewer tasks)", u, d)
	}
	if got := *worse.NonInferiority.Needs[0][0]; got <= 68 {
		t.Errorf("a true loss of .02 needs %d tasks (want more than 68)", got)
	}
	q.Truth = -0.05
	if _, a := ask(t, b, q); tasks(a.NonInferiority.Needs[0]) != "-/-/-" {
		t.Errorf("a truth at the margin: got %s, want no number", tasks(a.NonInferiority.Needs[0]))
	}
}

func TestPrice(t *testing.T) {
	delta := 0.1
	b, err := FromNumbers(0.2, nil, 40, 10)
	if err != nil {
		t.Fatal(err)
	}
	_, a := ask(t, b, Question{Delta: &delta, Tasks: []int{12}, Pairs: []float64{4}, Raters: []int{1, 2}, Double: 0.25, Noise: 0.3,
		Endpoints: 3, Conditions: 2, Minutes: 3, Price: 0.5})
	// 12 tasks of 4 pairs for 3 endpoints under 2 conditions and a reference: 432
	// responses, of which a quarter is marked once more.
	p := a.Tables[0].Rows[0].Cells[0].Price
	if p.Responses != 432 || p.Ratings != 540 || *p.Hours != 27 || *p.Money != 270 {
		t.Errorf("one rater: got %+v (%v h, %v), want 432 responses, 540 ratings, 27 h, 270", p, *p.Hours, *p.Money)
	}
	if p := a.Tables[1].Rows[0].Cells[0].Price; p.Ratings != 972 {
		t.Errorf("two raters: got %d ratings, want 972", p.Ratings)
	}
	if a.Present.Ratings != 150 { // 40 pairs, 3 responses each, 1.25 ratings
		t.Errorf("present: got %d ratings, want 150", a.Present.Ratings)
	}
	if p := published(t); whole(p.PairsPerTask()*18) != 49 {
		t.Errorf("49/18 pairs in 18 tasks: got %d", whole(p.PairsPerTask()*18))
	}
}

func TestSecondRater(t *testing.T) {
	_, a := ask(t, published(t), Question{})
	if len(a.Second) != 2 {
		t.Fatalf("got %d shares of noise, want 2", len(a.Second))
	}
	for _, s := range a.Second {
		for i, saved := range s.Saved {
			if saved == nil || *saved < 0.05 || *saved > 0.25 {
				t.Errorf("noise %v, ICC %v: saves %v, want .05 to .25", s.Noise, a.ICCs[i], saved)
			}
		}
	}
	_, a = ask(t, published(t), Question{Noise: 0.4})
	if len(a.Second) != 1 || a.Second[0].Noise != 0.4 {
		t.Errorf("with a known share: got %+v", a.Second)
	}
}

// Four tasks of three pairs; R gives the ICC .4304 with [-.1524, .9394].
func pilot(t *testing.T) Basis {
	t.Helper()
	values := []float64{0.5, 0.25, 0.5, -0.25, 0, -0.5, -0.25, 0.25, 0, 0.25, -0.75, -0.5}
	b, err := FromPairs(Basis{Endpoint: "risk"}, values, []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestPilot(t *testing.T) {
	b := pilot(t)
	if b.Source != Pilot || b.Pairs != 12 || b.Tasks != 4 || b.Endpoint != "risk" {
		t.Errorf("got %+v", b)
	}
	if got := fmt.Sprintf("%.6f %.4f [%.4f, %.4f]", b.SD, *b.ICC, *b.ICCLo, *b.ICCHi); got != "0.410561 0.4304 [-0.1524, 0.9394]" {
		t.Errorf("got %s, want 0.410561 0.4304 [-0.1524, 0.9394]", got)
	}
	_, a := ask(t, b, Question{})
	if !slices.Equal(a.ICCs, []float64{0, 0.43, 0.94}) {
		t.Errorf("ICCs: got %v, want its interval and middle: 0, .43, .94", a.ICCs)
	}
	codes := codesOf(a)
	for _, want := range []string{CodeICCWide, CodeOwnDelta, CodeLow} {
		if !slices.Contains(codes, want) {
			t.Errorf("warnings %v lack %s", codes, want)
		}
	}
	if *a.Delta != *b.Difference || a.Present.Tasks != 4 {
		t.Errorf("difference %v and present %+v are not the pilot's own", *a.Delta, a.Present)
	}
}

func TestPilotWithNegativeICC(t *testing.T) {
	b, err := FromPairs(Basis{}, []float64{1, -1, 1.5, -1, 1, -0.5}, []int{0, 0, 1, 1, 2, 2}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if *b.ICC >= 0 {
		t.Fatalf("ICC %v, want one below 0", *b.ICC)
	}
	_, a := ask(t, b, Question{})
	if a.ICCs[0] != 0 || !slices.Contains(codesOf(a), CodeICCNegative) {
		t.Errorf("ICCs %v, warnings %v: want it taken as 0, and said", a.ICCs, codesOf(a))
	}
}

func TestPilotThatTellsNothing(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		tasks  []int
		want   string
	}{
		{"empty", nil, nil, "no pair carries a label on both sides"},
		{"one task", []float64{0.5, 0.25}, []int{3, 3}, "all 2 pairs lie in one task (want at least 2 tasks)"},
		{"constant", []float64{0.1, 0.1, 0.1}, []int{0, 1, 2}, "all 3 pairs have the same difference"},
		{"rounding", []float64{0.3 - 0.2, 0.2 - 0.1, 0.1}, []int{0, 1, 2}, "all 3 pairs have the same difference"},
		{"nan", []float64{math.NaN(), 1}, []int{0, 1}, "value 0 is NaN"},
	} {
		if _, err := FromPairs(Basis{}, c.values, c.tasks, 0.95); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	b, err := FromPairs(Basis{}, []float64{0.5, 0.5, 0, 0, 0.25, 0.25}, []int{0, 0, 1, 1, 2, 2}, 0.95)
	if err != nil || b.ICCLo != nil {
		t.Fatalf("equal within tasks: got %+v (%v), want an ICC without an interval", b, err)
	}
	if _, a := ask(t, b, Question{}); len(a.ICCs) != 5 || !slices.Contains(codesOf(a), CodeICCWide) {
		t.Errorf("equal within tasks: ICCs %v, warnings %v", a.ICCs, codesOf(a))
	}
	b, err = FromPairs(Basis{}, []float64{0.5, 0, 0.25}, []int{0, 1, 2}, 0.95)
	if err != nil || b.ICC != nil || !strings.Contains(b.ICCFrom, "every task holds one value") {
		t.Errorf("one pair a task: got %+v (%v), want no ICC, and why", b, err)
	}
}

func codesOf(a *Answer) []string {
	var out []string
	for _, w := range a.Warnings {
		out = append(out, w.Code)
	}
	return out
}

// What would mend a weak design does mend it.
func TestMend(t *testing.T) {
	b, err := FromNumbers(0.19, nil, 24, 12)
	if err != nil {
		t.Fatal(err)
	}
	delta := 0.06
	_, a := ask(t, b, Question{Delta: &delta, ICCs: []float64{0, 0.05}})
	var text string
	for _, w := range a.Warnings {
		if w.Code == CodeLow {
			text = w.Text
			break
		}
	}
	var tasks, pairs int
	_, tail, ok := strings.Cut(text, "There ")
	if n, err := fmt.Sscanf(tail, "%d tasks would have .80, and so would %d pairs a task", &tasks, &pairs); !ok || n != 2 {
		t.Fatalf("%q tells no tasks and pairs (%v)", text, err)
	}
	for _, d := range []struct{ tasks, pairs int }{{tasks, 2}, {12, pairs}} {
		p, _ := stats.Design{Tasks: d.tasks, PairsPerTask: float64(d.pairs), SD: 0.19, ICC: 0.05}.Power(delta)
		if p < 0.8 {
			t.Errorf("%d tasks of %d pairs have power %v", d.tasks, d.pairs, p)
		}
	}
	if p, _ := (stats.Design{Tasks: 12, PairsPerTask: float64(pairs - 1), SD: 0.19, ICC: 0.05}).Power(delta); p >= 0.8 {
		t.Errorf("%d pairs are said to be needed, and %d have power %v", pairs, pairs-1, p)
	}
}

func TestQuestionErrors(t *testing.T) {
	nan, zero := math.NaN(), 0.0
	for _, c := range []struct {
		name string
		q    Question
		want string
	}{
		{"delta", Question{Delta: &zero}, "delta: 0 (want a difference other than 0, from -1e+50 to 1e+50)"},
		{"alpha", Question{Alpha: 0.7}, "alpha: 0.7 (want from 0.0001 to 0.5, such as 0.05)"},
		{"power", Question{Power: 0.01}, "power: 0.01 (want above alpha and at most 0.999999, such as 0.8)"},
		{"margin", Question{Margin: nan}, "margin: NaN (want above 0 and at most 1e+50)"},
		{"better", Question{Better: "best"}, `better: unknown value "best" (want lower or higher)`},
		{"direction", Question{Margin: 0.1, Truth: 0.05}, "better: missing (want lower or higher: a true difference of 0.05 is an improvement on one and a loss on the other)"},
		{"icc", Question{ICCs: []float64{0, 1}}, "icc-grid: 1 (want from 0 to below 1)"},
		{"tasks", Question{Tasks: []int{1}}, "tasks-grid: 1 (want 2 to 1000000 tasks)"},
		{"pairs", Question{Pairs: []float64{0.5}}, "pairs-grid: 0.5 (want 1 to 1000000 pairs a task)"},
		{"many", Question{Pairs: []float64{1, 2, 3, 4, 5, 6, 7}}, "pairs-grid: 7 entries (want at most 6)"},
		{"raters", Question{Raters: []int{0}}, "raters: 0 (want 1 to 100 raters a response)"},
		{"two", Question{Double: 2, Noise: -1}, "double: 2 (want a share from 0 to 1)\nnoise: -1 (want a share from 0 to 1)"},
	} {
		if _, err := Ask([]Basis{published(t)}, c.q); err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
	if _, err := Ask(nil, Question{}); err == nil {
		t.Error("no basis has an answer")
	}
}

func TestNumbersErrors(t *testing.T) {
	one, half := 1.0, 0.5
	for _, c := range []struct {
		sd           float64
		icc          *float64
		pairs, tasks int
		want         string
	}{
		{0, nil, 0, 0, "standard deviation 0 (want from 1e-50 to 1e+50)"},
		{1, &one, 0, 0, "intraclass correlation 1 (want from 0 to below 1)"},
		{1, &half, 5, 0, "5 pairs in 0 tasks (want both, or neither)"},
		{1, &half, 5, 1, "1 task (want at least 2)"},
		{1, &half, 5, 6, "5 pairs in 6 tasks (want at least one pair a task)"},
	} {
		if _, err := FromNumbers(c.sd, c.icc, c.pairs, c.tasks); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// Whatever is asked, JSON can hold the answer, and power never falls in tasks.
func TestAnswersAreSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		icc := rapid.Float64Range(0, 0.99).Draw(t, "icc")
		b, err := FromNumbers(rapid.Float64Range(1e-6, 1e6).Draw(t, "sd"), &icc, 30, 10)
		if err != nil {
			t.Fatal(err)
		}
		delta := rapid.Float64Range(1e-6, 1e6).Draw(t, "delta")
		r, err := Ask([]Basis{b}, Question{Delta: &delta, Margin: rapid.Float64Range(0, 10).Draw(t, "margin"), Noise: rapid.Float64Range(0, 1).Draw(t, "noise"),
			Tasks: []int{4, 9}, Pairs: []float64{3}, ICCs: []float64{0, icc}, Endpoints: rapid.IntRange(1, 12).Draw(t, "endpoints"), Curves: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Answers[0].Curves {
			for i := 1; i < len(c.Points); i++ {
				if c.Points[i].Power < c.Points[i-1].Power-1e-12 || c.Points[i].Tasks <= c.Points[i-1].Tasks {
					t.Fatalf("the curve turns at %+v", c.Points[i])
				}
			}
		}
	})
}
