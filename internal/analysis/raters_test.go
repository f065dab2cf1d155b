package analysis

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// seen is how the raters of a made-up study saw its pairs: rater r marks both
// sides of a pair and finds by[r] more than the task's difference.
type seen struct {
	tasks int
	by    map[string]float64
	skip  func(rater string, task int) bool // a mark that is not there
}

func (s seen) source() *memory {
	m := &memory{}
	for g := range s.tasks {
		for rep := range 2 {
			d := -0.25 + 0.125*float64(g%3)
			for _, c := range []string{"ref", "safe"} {
				p, v := place{condition: c, task: fmt.Sprintf("t%02d", g), replicate: rep}, 0.5
				if c == "safe" {
					v += d
				}
				m.graded(p, v)
				for rater, more := range s.by {
					if c == "safe" {
						more += v
					} else {
						more = v
					}
					if s.skip == nil || !s.skip(rater, g) {
						m.mark(p, uplift.Correctness, uplift.RaterPrefix+rater, more)
					}
				}
			}
		}
	}
	return m
}

func pigeonhole(t *testing.T, src Source, opt Options) (Contrast, *Sensitivity) {
	t.Helper()
	c := mustRun(t, src, opt).find(t, "safe", Utility)
	for i := range c.Sensitivity {
		if c.Sensitivity[i].Method == "pigeonhole" {
			return c, &c.Sensitivity[i]
		}
	}
	return c, nil
}

// Twelve tasks of two pairs; tasks differ by -1/4, -1/8, 0 in turn, -1/8 on
// average, and the raters add 0, 1/8 and -1/4 to it.
func TestRatersAreSeen(t *testing.T) {
	src := seen{tasks: 12, by: map[string]float64{"ann": 0, "bob": 0.125, "eve": -0.25}}
	opt := taskStudy()
	opt.Replicates = 4000
	c, s := pigeonhole(t, src.source(), opt)
	want := []RaterMean{{"ann", 24, -0.125}, {"bob", 24, 0}, {"eve", 24, -0.375}}
	if !slices.Equal(c.ByRater, want) || c.RaterPairs != 24 {
		t.Errorf("got %+v over %d pairs, want %+v over 24", c.ByRater, c.RaterPairs, want)
	}
	if l := c.LeaveRaterOut; l == nil || !near(&l.Lo, -0.25, 1e-12) || !near(&l.Hi, -0.0625, 1e-12) || l.LoName != "bob" || l.HiName != "eve" {
		t.Errorf("got %+v, want -0.25 without bob to -0.0625 without eve", l)
	}
	if s == nil || s.Lo == nil || !near(&s.Value, -0.5/3, 1e-12) || s.Assumes != "independent tasks and independent raters" {
		t.Fatalf("got %+v, want an interval around the mean of all marks, -1/6", s)
	}
	// One rater of three is drawn three times in 1 of 27 resamples each, so that
	// the interval reaches near the means of single raters.
	if *s.Lo > -0.33 || *s.Hi < -0.02 {
		t.Errorf("got [%v, %v], want it to reach nearly from eve's mean to bob's", *s.Lo, *s.Hi)
	}
}

// What the raters' own marks cannot carry is withheld with its reason, and a
// study without them has no such row.
func TestPigeonholeGuards(t *testing.T) {
	two := map[string]float64{"ann": 0, "bob": 0.125}
	judge := func(m *memory) *memory {
		for i, l := range m.labels {
			if l.Grader == uplift.Human {
				m.labels[i].Grader = "judge"
			}
		}
		return m
	}
	for name, c := range map[string]struct {
		src  *memory
		want string // in Withheld; "-" for no row at all, empty for an interval
	}{
		"two raters":              {seen{tasks: 12, by: two}.source(), ""},
		"no marks":                {seen{tasks: 12}.source(), "-"},
		"graded by a judge":       {judge(seen{tasks: 12, by: two}.source()), "-"},
		"one rater":               {seen{tasks: 12, by: map[string]float64{"ann": 0}}.source(), "only one rater marked both sides of a pair (want at least two)"},
		"few tasks":               {seen{tasks: 4, by: two}.source(), "4 tasks (want at least 5)"},
		"few that differ":         {seen{tasks: 7, by: two}.source(), "only 5 of 7 tasks show a difference (want at least 6)"}, // every third does not
		"a twelfth is not marked": {seen{12, two, func(_ string, g int) bool { return g < 1 }}.source(), ""},
		"a tenth is not marked":   {seen{10, two, func(_ string, g int) bool { return g < 1 }}.source(), ""}, // 90 % exactly
		"a sixth is not marked":   {seen{12, two, func(_ string, g int) bool { return g < 2 }}.source(), "raters marked both sides of 20 of 24 pairs (want at least 90 %)"},
	} {
		t.Run(name, func(t *testing.T) {
			_, s := pigeonhole(t, c.src, taskStudy())
			switch {
			case s == nil:
				if c.want != "-" {
					t.Errorf("got no row, want one withheld because %q", c.want)
				}
			case s.Withheld != c.want || (s.Lo != nil) != (c.want == ""):
				t.Errorf("got [%v, %v] withheld %q, want %q", show(s.Lo), show(s.Hi), s.Withheld, c.want)
			}
		})
	}
}

// A mark on one side of a pair alone says nothing of its difference.
func TestMarksOfOneSide(t *testing.T) {
	src := paired(spread(12)...)
	for g := range 12 {
		src.mark(place{condition: "safe", task: fmt.Sprintf("t%d", g)}, uplift.Correctness, "rater:ann", 0.5)
		src.mark(place{condition: "ref", task: fmt.Sprintf("t%d", g)}, uplift.Correctness, "rater:bob", 0.5)
		src.mark(place{condition: "ref", task: fmt.Sprintf("t%d", g)}, "other", "rater:ann", 0.5)
	}
	c, s := pigeonhole(t, src, taskStudy())
	if s == nil || s.Withheld != "no rater marked both sides of a pair" || c.RaterPairs != 0 || len(c.ByRater) != 0 || c.LeaveRaterOut != nil {
		t.Errorf("got %+v, by rater %+v of %d pairs", s, c.ByRater, c.RaterPairs)
	}
}

// texted is a source that can show its texts.
type texted struct {
	*memory
	texts map[uplift.Cell]string
	read  int
}

func (s *texted) Texts(context.Context) iter.Seq2[uplift.Response, error] {
	s.read++
	return func(yield func(uplift.Response, error) bool) {
		for _, r := range s.responses {
			r.Text = s.texts[r.Cell]
			if !yield(r, nil) {
				return
			}
		}
	}
}

// A text that stands for several responses is marked once, on one of them. Its
// marks hold for the others: for the other side of its pair, which is then no
// different, and for a pair of which both sides showed what a third condition
// showed first.
func TestSharedTexts(t *testing.T) {
	src := &texted{memory: seen{tasks: 12, by: map[string]float64{"ann": 0, "bob": 0.125}}.source(), texts: map[uplift.Cell]string{}}
	at := func(condition string, g int) place {
		return place{condition: condition, task: fmt.Sprintf("t%02d", g), replicate: 5}
	}
	show := func(p place, text string) { src.texts[p.defaults().cell()] = text }
	mark := func(p place, v float64) {
		for i, r := range []string{"rater:ann", "rater:bob"} {
			src.mark(p, uplift.Correctness, r, v+0.25*float64(i))
		}
	}
	for g := range 12 { // equal texts: the reference's are marked
		src.graded(at("ref", g), 0.5)
		src.graded(at("safe", g), 0.5)
		show(at("ref", g), fmt.Sprint("same of ", g))
		show(at("safe", g), fmt.Sprint("same of ", g))
		mark(at("ref", g), 0.5)
	}
	// What the condition showed, a third one showed first, and its mark is there.
	third, safe, ref := place{condition: "a", task: "t00", replicate: 6}, place{condition: "safe", task: "t00", replicate: 6}, place{condition: "ref", task: "t00", replicate: 6}
	for _, p := range []place{third, safe} {
		src.graded(p, 0)
		show(p, "the third's")
	}
	mark(third, 0)
	src.graded(ref, 0.5)
	show(ref, "its own")
	mark(ref, 0.5)

	c, s := pigeonhole(t, src, taskStudy())
	// 24 pairs at -1/8 and -1/8+1/8, 12 at 0, one at -1/2.
	want := []RaterMean{{"ann", 37, (24*-0.125 - 0.5) / 37}, {"bob", 37, -0.5 / 37}}
	if c.Pairs != 37 || c.RaterPairs != 37 || len(c.ByRater) != 2 {
		t.Fatalf("got %d of %d pairs seen by %+v, want all 37 by two", c.RaterPairs, c.Pairs, c.ByRater)
	}
	for i, w := range want {
		if got := c.ByRater[i]; got.Rater != w.Rater || got.Pairs != w.Pairs || !near(&got.Mean, w.Mean, 1e-12) {
			t.Errorf("got %+v, want %+v", got, w)
		}
	}
	if s == nil || s.Withheld != "" || src.read != 1 {
		t.Errorf("got %+v after %d readings of the texts, want an interval after one", s, src.read)
	}

	// Without texts the pairs are known to be there, and not to be seen.
	c, s = pigeonhole(t, src.memory, taskStudy())
	if c.RaterPairs != 24 || s == nil || !strings.Contains(s.Withheld, "24 of 37 pairs") {
		t.Errorf("without texts: got %d pairs seen, %+v", c.RaterPairs, s)
	}
	// Texts are not read where nothing lacks a mark.
	full := &texted{memory: seen{tasks: 12, by: map[string]float64{"ann": 0, "bob": 0.125}}.source()}
	if mustRun(t, full, taskStudy()); full.read != 0 {
		t.Errorf("the texts were read %d times though every pair is marked", full.read)
	}
	// An empty text is no text: imported labels bring none.
	for cell := range src.texts {
		src.texts[cell] = ""
	}
	if c, _ := pigeonhole(t, src, taskStudy()); c.RaterPairs != 24 {
		t.Errorf("with empty texts: got %d pairs seen, want 24", c.RaterPairs)
	}
}
