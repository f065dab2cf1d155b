package quarantine

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPublicByHand(t *testing.T) {
	for _, c := range []struct {
		name string
		in   Tally
		want string
	}{
		{"nothing", Tally{Responses: 60}, "0 0"},
		{"few", Tally{60, 2, 0, map[string]int{"H4": 2}}, "<3 0 H4:<3"},
		{"three", Tally{60, 3, 0, map[string]int{"H4": 3}}, "3 0 H4:3"},
		{"a handful of responses, none of them", Tally{Responses: 2}, "<3 -"},
		{"a handful of responses, all of them", Tally{2, 2, 2, map[string]int{"H4": 2}}, "<3 -"},
		{"a class of few hides the others", Tally{60, 7, 0, map[string]int{"H4": 5, "H7": 2}}, "7 0 H4:3+ H7:<3"},
		{"classes of few hide their row", Tally{60, 4, 0, map[string]int{"H4": 2, "H7": 2}}, "3+ 0 H4:<3 H7:<3"},
		{"some released", Tally{60, 7, 3, nil}, "7 3"},
		{"few released", Tally{60, 7, 2, nil}, "7 -"},
		{"few left", Tally{60, 7, 5, nil}, "7 -"},
		{"all released", Tally{60, 7, 7, nil}, "7 7"},
		{"all of few released", Tally{60, 2, 2, map[string]int{"H4": 2}}, "<3 - H4:<3"},
	} {
		if got := told(c.in); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// told is what is published of a tally.
func told(in Tally) string {
	p := in.Public()
	s := fmt.Sprintf("%v %v", p.Withheld, p.Released)
	for _, c := range p.Classes {
		s += fmt.Sprintf(" %s:%v", c.Name, c.Count)
	}
	return s
}

// A reader who knows the rule and every number beside still cannot tell a count
// of 1 from one of 2: for each publication there is another tally, by brute
// force over all small ones, that is published in the same way.
func TestNoSmallCountIsGivenAway(t *testing.T) {
	type cell struct{ publication, which string }
	values := map[cell]map[int]bool{}
	small := map[cell]bool{}
	see := func(publication, which string, n int) {
		c := cell{publication, which}
		if values[c] == nil {
			values[c] = map[int]bool{}
		}
		values[c][n] = true
		if 0 < n && n < Least {
			small[c] = true
		}
	}
	for in := range tallies(8) {
		publication := fmt.Sprintf("%d: %s", in.Responses, told(in))
		see(publication, "withheld", in.Withheld)
		see(publication, "released", in.Released)
		see(publication, "left", in.Withheld-in.Released)
		for _, name := range []string{"a", "b", "c"} {
			see(publication, name, in.Classes[name])
		}
	}
	hidden := 0
	for c := range small {
		if hidden++; len(values[c]) < 2 {
			t.Fatalf("%s gives away the count of %s: %v", c.publication, c.which, values[c])
		}
	}
	if hidden < 100 {
		t.Errorf("%d publications with small counts (want many)", hidden)
	}
}

// tallies yields every tally of at most so many responses and three classes. A
// response has at least one class and may have several, so that the count lies
// between the largest class and the sum.
func tallies(most int) func(func(Tally) bool) {
	return func(yield func(Tally) bool) {
		for n := range most + 1 {
			for w := range n + 1 {
				for r := range w + 1 {
					for a := range w + 1 {
						for b := range w + 1 {
							for c := range w + 1 {
								if max(a, b, c) > w || a+b+c < w {
									continue
								}
								in := Tally{n, w, r, map[string]int{}}
								for name, k := range map[string]int{"a": a, "b": b, "c": c} {
									if k > 0 {
										in.Classes[name] = k
									}
								}
								if !yield(in) {
									return
								}
							}
						}
					}
				}
			}
		}
	}
}

func TestCountJSON(t *testing.T) {
	for _, c := range []struct {
		in   Count
		want string
	}{
		{Count{12, Exact}, `{"count":12}`},
		{Count{0, Exact}, `{"count":0}`},
		{Count{2, Below}, `{"count":null,"suppressed":true,"below":3}`},
		{Count{7, AtLeast}, `{"count":null,"suppressed":true,"at_least":3}`},
		{Count{7, Hidden}, `{"count":null,"suppressed":true}`},
		{Count{}, `{"count":null,"suppressed":true}`},
	} {
		got, err := json.Marshal(c.in)
		if d := cmp.Diff(string(got), c.want); d != "" || err != nil {
			t.Error(d, err)
		}
	}
	if n, ok := (Count{2, Below}).N(); ok || n != 0 {
		t.Errorf("a suppressed count gives %d", n)
	}
}
