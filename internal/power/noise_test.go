package power

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/uplift-eval/uplift/stats"
)

// simulated is a pilot with variances of 1 between tasks, 2 between the pairs of
// a task and 3 of rating. Of its pairs a share of double is marked by one rater
// more than each; labels are means.
func simulated(t *testing.T, tasks, pairs, each int, double float64) Basis {
	t.Helper()
	r := rand.New(rand.NewPCG(7, uint64(1000*each)+uint64(100*double)))
	var rows []stats.Scored
	var values []float64
	var ids []int
	left := 0.0
	for g := range tasks {
		task := r.NormFloat64()
		for range pairs {
			own, k, mean := task+math.Sqrt2*r.NormFloat64(), each, 0.0
			if r.Float64() < double {
				k++
			}
			for rater := range k {
				v := own + math.Sqrt(3)*r.NormFloat64()
				rows = append(rows, stats.Scored{Pair: len(values), Cluster: g, Rater: rater, Value: v})
				mean += v / float64(k)
			}
			values, ids, left = append(values, mean), append(ids, g), left+1/float64(k)
		}
	}
	b, err := FromPairs(Basis{}, values, ids, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	crossed, err := stats.NewCrossed(rows)
	if err != nil {
		t.Fatal(err)
	}
	n, err := crossed.Noise()
	if err != nil {
		t.Fatal(err)
	}
	s, err := crossed.NoiseInterval(0.95)
	if err != nil {
		t.Fatal(err)
	}
	b.Rated = &Rated{Pairs: n.Pairs, Share: &n.Share, Lo: &s.Lo, Hi: &s.Hi, Clamped: n.Clamped, Left: left / float64(len(values))}
	return b
}

// However often the pilot was rated, it plans with one rating: a variance of 6,
// of which a half is rating noise and a sixth lies between tasks.
func TestPilotIsBroughtToOneRating(t *testing.T) {
	for _, c := range []struct {
		name   string
		each   int
		double float64
		labels float64 // variance of the pilot's labels
	}{
		{"half of the pairs twice", 1, 0.5, 3 + 3*0.75},
		{"all twice", 2, 0, 3 + 1.5},
		{"all twice, half thrice", 2, 0.5, 3 + 3*(0.25+1.0/6)},
	} {
		b := simulated(t, 3000, 3, c.each, c.double)
		if math.Abs(b.SD*b.SD/c.labels-1) > 0.05 {
			t.Fatalf("%s: labels vary by %v, want %v", c.name, b.SD*b.SD, c.labels)
		}
		_, a := ask(t, b, Question{})
		if got := a.Basis.SD * a.Basis.SD; math.Abs(got-6) > 0.25 || math.Abs(*a.Noise-0.5) > 0.03 || math.Abs(*a.Basis.ICC-1.0/6) > 0.03 {
			t.Errorf("%s: variance %v, noise %v, ICC %v; want 6, 1/2, 1/6", c.name, got, *a.Noise, *a.Basis.ICC)
		}
		if a.Basis.Rated.LabelSD != b.SD || b.Rated.LabelSD != 0 {
			t.Errorf("%s: the labels' SD is %v (and %v in the caller's), want %v", c.name, a.Basis.Rated.LabelSD, b.Rated.LabelSD, b.SD)
		}
		// A design rated as the pilot was is as sure as the pilot, and says so of any
		// other: 3000 tasks of 3 pairs rated once.
		_, a = ask(t, b, Question{ICCs: []float64{1.0 / 6}, Tasks: []int{3000}, Raters: []int{1, 2}})
		if want := math.Sqrt((1 + (c.labels-1)/3) / 3000); math.Abs(*a.Present.SE[0]/want-1) > 0.02 {
			t.Errorf("%s: present SE %v, want %v", c.name, *a.Present.SE[0], want)
		}
	}
}

// Rated throughout by two, the variance with one rating is that of the analysis
// of variance: (MSB + MSW)/2 of marks 0 2 / 1 1 / 4 6 / 3 1 / 8 8 / 2 0, by hand
// MSB = 84/5 and MSW = 8/6.
func TestRateOnceByHand(t *testing.T) {
	b, err := FromPairs(Basis{}, []float64{1, 1, 5, 2, 8, 1}, []int{0, 1, 2, 3, 4, 5}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	share := (8.0 / 6) / ((84.0/5 + 8.0/6) / 2)
	b.Rated = &Rated{Pairs: 6, Share: &share, Left: 0.5}
	_, a := ask(t, b, Question{})
	if got, want := a.Basis.SD*a.Basis.SD, (84.0/5+8.0/6)/2; math.Abs(b.SD*b.SD-84.0/10) > 1e-12 || math.Abs(got-want) > 1e-12 {
		t.Errorf("variance %v of labels, %v with one rating; want 8.4 and %v", b.SD*b.SD, got, want)
	}
	if !strings.Contains(a.Basis.SDFrom, "brought to one rating") || a.NoiseFrom != "from 6 pairs rated twice" {
		t.Errorf("it is not said: %q, %q", a.Basis.SDFrom, a.NoiseFrom)
	}
}

// ratedPilot is the pilot of four tasks with raters' marks.
func ratedPilot(t *testing.T, r Rated) Basis {
	b := pilot(t)
	b.Rated = &r
	return b
}

func TestNoiseOfPilot(t *testing.T) {
	lo, hi, share, close := 0.2, 0.7, 0.4, 0.45
	for _, c := range []struct {
		name  string
		r     Rated
		q     Question
		noise string // "-" where it is not known
		from  string
		codes []string // of raters, in order
	}{
		{"estimated", Rated{Pairs: 23, Share: &share, Lo: &lo, Hi: &close, Left: 1}, Question{}, "0.4", "from 23 pairs rated twice, interval [.20, .45]", nil},
		{"uncertain", Rated{Pairs: 5, Share: &share, Lo: &lo, Hi: &hi, Left: 0.75}, Question{}, "0.4", "from 5 pairs rated twice, interval [.20, .70]", []string{CodeNoiseWide, CodeNoiseJoined}},
		{"few", Rated{Pairs: 4, Share: &share, Left: 0.75}, Question{}, "-", "4 pairs were rated twice (want at least 5)", []string{CodeNoiseFew, CodeNoiseJoined}},
		{"one", Rated{Pairs: 1, Share: &share, Left: 1}, Question{}, "-", "1 pair was rated twice (want at least 5)", []string{CodeNoiseFew}},
		{"none", Rated{Left: 1, Withheld: "no pair was seen by two raters"}, Question{}, "-", "no pair was seen by two raters", []string{CodeNoiseFew}},
		{"given", Rated{Pairs: 23, Share: &share, Lo: &lo, Hi: &hi, Left: 1}, Question{Noise: 0.25}, "0.25", "as given; the pilot's 23 pairs rated twice say .40 [.20, .70]", nil},
		{"given as none", Rated{Pairs: 23, Share: &share, Left: 0.5}, Question{NoiseGiven: true}, "0", "as given; the pilot's 23 pairs rated twice say .40", []string{CodeNoiseJoined}},
		{"given where it is not told", Rated{Pairs: 1, Share: &share, Left: 1}, Question{Noise: 0.25}, "0.25", "as given", nil},
		{"clamped", Rated{Pairs: 9, Share: new(1.0), Lo: &hi, Hi: new(1.0), Clamped: true, Left: 1}, Question{}, "1", "from 9 pairs rated twice, interval [.70, 1.00]", []string{CodeNoiseWide}},
		{"raters who agree", Rated{Pairs: 9, Share: new(0.0), Left: 1, Withheld: "no two raters differ on any pair"}, Question{}, "0", "from 9 pairs rated twice", []string{CodeNoiseWide}},
	} {
		_, a := ask(t, ratedPilot(t, c.r), c.q)
		noise := "-"
		if a.Noise != nil {
			noise = fmt.Sprint(*a.Noise)
		}
		codes := slices.DeleteFunc(codesOf(a), func(s string) bool {
			return !slices.Contains([]string{CodeNoiseFew, CodeNoiseWide, CodeNoiseJoined, CodeNoise, CodeNoiseLeft}, s)
		})
		if noise != c.noise || a.NoiseFrom != c.from || !slices.Equal(codes, c.codes) {
			t.Errorf("%s: got %s %q %v, want %s %q %v", c.name, noise, a.NoiseFrom, codes, c.noise, c.from, c.codes)
		}
		for _, p := range a.Tables[0].Rows[0].Cells[0].Power {
			if p == nil {
				t.Errorf("%s: the noise leaves a cell of ICCs %v empty", c.name, a.ICCs)
			}
		}
		if len(a.Second) != len(noises) && (len(a.Second) != 1 || fmt.Sprint(a.Second[0].Noise) != c.noise) {
			t.Errorf("%s: a second rater at %+v", c.name, a.Second)
		}
	}
	// What is priced of the present design are the pilot's own ratings.
	if _, a := ask(t, ratedPilot(t, Rated{Pairs: 8, Share: &share, Left: 0.75}), Question{Raters: []int{2}}); a.Present.Ratings != 36 {
		t.Errorf("12 pairs, half of them rated twice: got %d ratings, want 36", a.Present.Ratings)
	}
}

// Rated twice throughout, the present design is that of the labels in all that is
// said of it: at ICC 0, 4 tasks of 3 pairs with the labels' own SD.
func TestPresentIsTheLabels(t *testing.T) {
	share := 0.4
	b := ratedPilot(t, Rated{Pairs: 12, Share: &share, Left: 0.5})
	delta := 0.3
	_, a := ask(t, b, Question{Delta: &delta, ICCs: []float64{0}, Margin: 0.2})
	d := stats.Design{Tasks: 4, PairsPerTask: 3, SD: b.SD}
	power, _ := d.Power(delta)
	margin, err := d.NonInferiority(0.2, 0)
	if err != nil || math.Abs(*a.Present.Power[0]-power) > 1e-9 || math.Abs(*a.NonInferiority.Now[0]-margin) > 1e-9 {
		t.Errorf("got power %v and %v, want %v and %v", *a.Present.Power[0], *a.NonInferiority.Now[0], power, margin)
	}
	var tasks int
	for _, w := range a.Warnings {
		if _, tail, ok := strings.Cut(w.Text, "There "); ok && w.Code == CodeLow && tasks == 0 {
			_, err = fmt.Sscanf(tail, "%d tasks would have .80", &tasks)
		}
	}
	if want, _ := d.TasksFor(delta, 0.8); tasks != want || err != nil {
		t.Errorf("it is said that %d tasks would have .80 (%v), want %d", tasks, err, want)
	}
}

// The present design is as sure as the pilot's labels are, whatever the noise.
func TestPresentIsThePilots(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		share, left := rapid.Float64Range(0, 1).Draw(rt, "share"), rapid.Float64Range(0.1, 1).Draw(rt, "left")
		b := pilot(t)
		icc := rapid.Float64Range(0, 1-share).Draw(rt, "icc")
		b.Rated = &Rated{Pairs: 9, Share: &share, Left: left}
		a := Question{Alpha: 0.05, Power: 0.8, Raters: []int{1}, ICCs: []float64{math.Min(icc, 0.99)}}.about(b)
		kept := 1 - share*(1-left)
		ofLabels := a.iccs[0] / kept
		want := b.SD * math.Sqrt((ofLabels+(1-ofLabels)/3)/4)
		got, err := a.design(4, 3, a.iccs[0], a.own()).SE()
		if err != nil || math.Abs(got/want-1) > 1e-9 {
			rt.Fatalf("SE %v (%v), want %v", got, err, want)
		}
		if a.b.SD < b.SD || *a.b.ICC > *b.ICC {
			rt.Fatalf("SD %v and ICC %v of one rating, %v and %v of the labels", a.b.SD, *a.b.ICC, b.SD, *b.ICC)
		}
	})
}
