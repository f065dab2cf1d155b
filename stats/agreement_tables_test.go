package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// threeAnnotators are the golden set of two annotators (0, 1) and a judge (2).
func threeAnnotators(t *testing.T) *Ratings { return goldenRatings(t)["three_raters"] }

// The counts of the golden patterns, added by hand.
func TestPairTables(t *testing.T) {
	pairs := goldenRatings(t)["llama2new"].Pairs()
	got, err := pairs[0].Table(complianceScale)
	want := [][]int{{228, 6, 1}, {3, 32, 4}, {2, 3, 171}}
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	wide, err := pairs[0].Table([]float64{1, 0, 0.5, 0.25})
	if err != nil || wide[2][2] != 32 || wide[1][1] != 0 || wide[3][0] != 2 {
		t.Errorf("on a wider scale: got %v, %v", wide, err)
	}
	for _, c := range []struct {
		scale []float64
		want  string
	}{
		{[]float64{0, 1}, "a mark of 0.5 is not on the scale [0 1]"},
		{[]float64{1}, "the scale has fewer than two categories"},
		{[]float64{0, math.NaN()}, "the scale has a category of NaN"},
	} {
		if _, err := pairs[0].Table(c.scale); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("scale %v: got %v, want %q", c.scale, err, c.want)
		}
		if _, err := goldenRatings(t)["llama2new"].Coincidences(c.scale); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("coincidences, scale %v: got %v, want %q", c.scale, err, c.want)
		}
	}
	p := pairs[0] // A marks higher in 3 + 2 + 3 units: by 1/2, 1, 1/2
	if p.A != 0 || p.B != 1 || p.Shared != 450 || !(math.Abs(p.Percent-431.0/450) <= 1e-15) || !(math.Abs(p.MeanDifference-(0.5*(3+3-6-4)+2-1)/450) <= 1e-15) {
		t.Errorf("got %+v", p)
	}
}

func TestPairsAndRatersByHand(t *testing.T) {
	// Rater 1 and 3 share two units, 1 and 8 one, 3 and 8 none; rater 9 shares none.
	r := mustRatings(t, []Mark{{0, 1, 1}, {0, 3, 0.5}, {1, 1, 0}, {1, 3, 0}, {2, 1, 0.5}, {2, 8, 1}, {3, 9, 1}, {4, 9, 0}, {5, 3, 1}})
	pairs := r.Pairs()
	if len(pairs) != 2 || pairs[0].A != 1 || pairs[0].B != 3 || pairs[1].B != 8 {
		t.Fatalf("got %+v", pairs)
	}
	if p := pairs[0]; p.Shared != 2 || p.Percent != 0.5 || p.MeanDifference != 0.25 {
		t.Errorf("got %+v", p)
	}
	if p := pairs[1]; p.Shared != 1 || p.Percent != 0 || p.MeanDifference != -0.5 {
		t.Errorf("got %+v", p)
	}
	var got []string
	for _, s := range r.ByRater() {
		text := fmt.Sprintf("%d: %d marks %v mean %.4f, %d shared", s.Rater, s.Marks, s.Counts, s.Mean, s.Shared)
		if s.Percent != nil {
			text += fmt.Sprintf(", %+.4f, %.4f", *s.MeanDifference, *s.Percent)
		}
		got = append(got, text)
	}
	want := []string{
		"1: 3 marks [1 1 1] mean 0.5000, 3 shared, +0.0000, 0.3333",
		"3: 3 marks [1 1 1] mean 0.5000, 2 shared, -0.2500, 0.5000",
		"8: 1 marks [0 0 1] mean 1.0000, 1 shared, +0.5000, 0.0000",
		"9: 2 marks [1 0 1] mean 0.5000, 0 shared",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got, want := fmt.Sprint(r.Patterns()), "[{[1 3] 2} {[9] 2} {[1 8] 1} {[3] 1}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Krippendorff (2011), page 6, prints the coincidences of the four observers.
func TestPublishedCoincidences(t *testing.T) {
	got, err := mustRatings(t, krippendorff4x12().marks).Coincidences([]float64{1, 2, 3, 4, 5})
	want := [][]float64{
		{7, 4.0 / 3, 1.0 / 3, 1.0 / 3, 0},
		{4.0 / 3, 10, 4.0 / 3, 1.0 / 3, 0},
		{1.0 / 3, 4.0 / 3, 8, 1.0 / 3, 0},
		{1.0 / 3, 1.0 / 3, 1.0 / 3, 4, 0},
		{0, 0, 0, 0, 3},
	}
	if err != nil {
		t.Fatal(err)
	}
	for c, row := range want {
		for k, w := range row {
			if !(math.Abs(got[c][k]-w) <= 1e-12) {
				t.Errorf("o(%d,%d): got %v, want %v", c+1, k+1, got[c][k], w)
			}
		}
	}
}

// Tables of any marks, counted mark by mark.
func TestTablesByCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, marks := drawRatings(t)
		at := map[[2]int]float64{}
		for _, m := range marks {
			at[[2]int{m.Unit, m.Rater}] = m.Value
		}
		shared := 0
		for _, p := range r.Pairs() {
			var want [5][5]int
			n := 0
			for u := range 12 {
				a, okA := at[[2]int{u, p.A}]
				b, okB := at[[2]int{u, p.B}]
				if okA && okB {
					want[int(4*a)][int(4*b)]++
					n++
				}
			}
			if got, err := p.Table(fivePoints); err != nil || fmt.Sprint(got) != fmt.Sprint(want) || n != p.Shared {
				t.Errorf("raters %d and %d: got %v of %d, %v, want %v of %d", p.A, p.B, got, p.Shared, err, want, n)
			}
			shared++
		}
		if pairs, _ := r.RaterPairs(); pairs != shared {
			t.Errorf("%d pairs listed, %d counted", shared, pairs)
		}
	})
}

// Patterns and summaries of any marks, added up.
func TestRatersByCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, marks := drawRatings(t)
		units, total := 0, 0
		for _, p := range r.Patterns() {
			units += p.Units
			total += p.Units * len(p.Raters)
		}
		if units != len(r.Units()) || total != len(marks) {
			t.Errorf("patterns hold %d units and %d marks, want %d and %d", units, total, len(r.Units()), len(marks))
		}
		for _, s := range r.ByRater() {
			sum := 0.0
			for _, m := range marks {
				if m.Rater == s.Rater {
					sum += m.Value
				}
			}
			if !(math.Abs(s.Mean-sum/float64(s.Marks)) <= 1e-12) {
				t.Errorf("rater %d: mean %v, want %v", s.Rater, s.Mean, sum/float64(s.Marks))
			}
		}
	})
}

func drawRatings(t *rapid.T) (*Ratings, []Mark) {
	marks := drawMarks(t)
	r, err := NewRatings(marks)
	if err != nil {
		t.Fatal(err)
	}
	return r, marks
}

// Between two raters, each is to the other what the pair says.
func TestRatersOfAPair(t *testing.T) {
	r := goldenRatings(t)["gpt4"]
	p, by := r.Pairs()[0], r.ByRater()
	for i, sign := range []float64{1, -1} {
		if s := by[i]; !(math.Abs(*s.MeanDifference-sign*p.MeanDifference) <= 1e-12) || !(math.Abs(*s.Percent-p.Percent) <= 1e-12) || s.Shared != p.Shared {
			t.Errorf("rater %d: got %+v of pair %+v", i, s, p)
		}
	}
}

// Light's kappa is the mean of the pairs' own.
func TestLightIsTheMeanOfPairs(t *testing.T) {
	r := threeAnnotators(t)
	for w, light := range map[Weighting]Figure{Nominal: (*Ratings).Kappa, Linear: (*Ratings).KappaLinear, Quadratic: (*Ratings).KappaQuadratic} {
		mean := 0.0
		for _, p := range r.Pairs() {
			k, err := p.Kappa(w)
			if err != nil {
				t.Fatal(err)
			}
			mean += k.Value / 3
		}
		if got, err := light(r); err != nil || !(math.Abs(got-mean) <= 1e-12) {
			t.Errorf("%v: got %v, %v, want %v", w, got, err, mean)
		}
	}
}

func TestUnknownWeights(t *testing.T) {
	r := threeAnnotators(t)
	_, alpha := r.Alpha(0)
	_, ac := r.AC2(complianceScale, 9)
	_, bp := r.BrennanPrediger(complianceScale, 0)
	_, kappa := r.Pairs()[0].Kappa(0)
	_, zero := (RaterPair{}).Kappa(Nominal)
	for got, want := range map[string]string{
		alpha.Error(): "metric 0 is unknown (want nominal, ordinal, interval or ratio)",
		ac.Error():    "weighting 9 is unknown (want nominal, linear, quadratic or ordinal)",
		bp.Error():    "weighting 0 is unknown (want nominal, linear, quadratic or ordinal)",
		kappa.Error(): "weighting 0 is unknown (want nominal, linear, quadratic or ordinal)",
		zero.Error():  "no unit has two ratings",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	// The zero Ratings is empty.
	for name, figure := range figuresOn(fivePoints) {
		if _, err := figure(&Ratings{}); err == nil {
			t.Errorf("%s of nothing exists", name)
		}
	}
}
