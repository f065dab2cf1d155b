package analysis

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"

	uplift "github.com/uplift-eval/uplift"
)

// showing is a source whose texts are given row by row.
type showing struct {
	*memory
	rows []uplift.Response
}

func (s *showing) Texts(context.Context) iter.Seq2[uplift.Response, error] {
	return func(yield func(uplift.Response, error) bool) {
		for _, r := range s.rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func (s *showing) show(p place, text string, transcript ...uplift.Message) {
	s.rows = append(s.rows, uplift.Response{Cell: p.defaults().cell(), Text: text, Transcript: transcript})
}

// markBoth marks a row by both raters alike.
func (s *showing) markBoth(p place, v float64) {
	for _, r := range []string{"ann", "bob"} {
		s.mark(p, uplift.Correctness, uplift.RaterPrefix+r, v)
	}
}

// fifth is a place of replicate 5 of task g, which the made-up study has not.
func fifth(condition string, g int) place {
	return place{condition: condition, task: fmt.Sprintf("t%02d", g), replicate: 5}
}

// twinned is 24 pairs that ann and bob saw at -1/8 on average, and one pair of
// task 0 more, of which they marked the reference alone, at 1/2.
func twinned() *showing {
	s := &showing{memory: seen{tasks: 12, by: map[string]float64{"ann": 0, "bob": 0}}.source()}
	s.graded(fifth("ref", 0), 0.5)
	s.graded(fifth("safe", 0), 0.5)
	s.markBoth(fifth("ref", 0), 0.5)
	return s
}

// Marks of a response hold for another one only of the same item that showed
// the same: text and all that went before it.
func TestWhatMakesATwin(t *testing.T) {
	said := func(text string) []uplift.Message { return []uplift.Message{{Role: uplift.User, Text: text}} }
	for _, c := range []struct {
		name string
		show func(s *showing)
		want int // pairs seen
	}{
		{"one text", func(s *showing) { s.show(fifth("ref", 0), "no"); s.show(fifth("safe", 0), "no") }, 25},
		{"two texts", func(s *showing) { s.show(fifth("ref", 0), "no"); s.show(fifth("safe", 0), "No") }, 24},
		{"no text", func(s *showing) { s.show(fifth("ref", 0), ""); s.show(fifth("safe", 0), "") }, 24},
		{"one transcript", func(s *showing) {
			s.show(fifth("ref", 0), "no", said("q")...)
			s.show(fifth("safe", 0), "no", said("q")...)
		}, 25},
		{"two transcripts of one text", func(s *showing) {
			s.show(fifth("ref", 0), "no", said("q")...)
			s.show(fifth("safe", 0), "no", said("r")...)
		}, 24},
		{"a transcript alone", func(s *showing) {
			s.show(fifth("ref", 0), "", said("q")...)
			s.show(fifth("safe", 0), "", said("q")...)
		}, 25},
		// The text of item 0 is marked as often as one likes: item 1 is another.
		{"one text of two items", func(s *showing) {
			for _, condition := range []string{"ref", "safe"} {
				s.graded(fifth(condition, 1), 0.5)
			}
			s.markBoth(fifth("ref", 1), 0.5)
			s.show(fifth("ref", 0), "no")
			s.show(fifth("safe", 0), "no")
			s.show(fifth("ref", 1), "its own")
			s.show(fifth("safe", 1), "no")
		}, 25},
		// A replicate below 0 is none, though 32 bits of it are a 5.
		{"a replicate that is none", func(s *showing) {
			none := fifth("safe", 0)
			none.replicate -= 1 << 32
			s.show(fifth("ref", 0), "no")
			s.show(none, "no")
		}, 24},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := twinned()
			c.show(s)
			if got, _ := pigeonhole(t, s, taskStudy()); got.RaterPairs != c.want {
				t.Errorf("got %d of %d pairs seen, want %d", got.RaterPairs, got.Pairs, c.want)
			}
		})
	}
}

// Of several marked responses that showed the same the first cell's marks hold,
// whatever the order of the texts.
func TestTheFirstTwinCounts(t *testing.T) {
	s := twinned()
	for i, condition := range []string{"a", "z"} {
		s.graded(fifth(condition, 0), 0.5)
		s.markBoth(fifth(condition, 0), float64(i))
		s.show(fifth(condition, 0), "same")
	}
	s.show(fifth("safe", 0), "same")
	for range 2 {
		c, _ := pigeonhole(t, s, taskStudy())
		if want := (24*-0.125 - 0.5) / 25; len(c.ByRater) != 2 || !near(&c.ByRater[0].Mean, want, 1e-12) { // 0 of a less 1/2
			t.Errorf("got %+v, want a mean of %v", c.ByRater, want)
		}
		slices.Reverse(s.rows)
	}
}
