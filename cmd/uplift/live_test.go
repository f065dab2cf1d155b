package main

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/run"
)

// glassTerminal is a small terminal: it knows what a frame uses, breaks long
// lines, scrolls, and breaks its lines anew when it becomes narrower.
type glassTerminal struct {
	width, height int
	history       []string
	rows          []string
	at            int // row of the cursor; its column is the end of that row, or 0 after a return
	fresh         bool
}

func newGlassTerminal(width, height int) *glassTerminal {
	return &glassTerminal{width: width, height: height, rows: []string{""}}
}

func (g *glassTerminal) Write(p []byte) (int, error) {
	s := strings.ReplaceAll(string(p), "…", "~")
	for s != "" {
		switch {
		case strings.HasPrefix(s, "\x1b["):
			end := strings.IndexAny(s, "AKJ")
			g.escape(s[2:end], s[end])
			s = s[end+1:]
			continue
		case s[0] == '\r':
			g.fresh = true
		case s[0] == '\n':
			g.down()
		default:
			if g.fresh {
				g.rows[g.at], g.fresh = "", false
			}
			if len(g.rows[g.at]) == g.width {
				g.down()
				g.rows[g.at], g.fresh = "", false
			}
			g.rows[g.at] += s[:1]
		}
		s = s[1:]
	}
	return len(p), nil
}

func (g *glassTerminal) escape(arg string, what byte) {
	switch what {
	case 'A':
		n, _ := strconv.Atoi(arg)
		g.at = max(g.at-n, 0)
	case 'J':
		g.rows = append(g.rows[:g.at], "")
	}
}

func (g *glassTerminal) down() {
	g.at++
	g.fresh = true
	if g.at == len(g.rows) {
		g.rows = append(g.rows, "")
	}
	g.scroll()
}

func (g *glassTerminal) scroll() {
	for len(g.rows) > g.height {
		g.history, g.rows, g.at = append(g.history, g.rows[0]), g.rows[1:], g.at-1
	}
}

// resize breaks the lines anew and gives scrolled ones back, with the cursor on
// the last row.
func (g *glassTerminal) resize(width, height int) {
	var rows []string
	for _, r := range append(g.history, g.rows...) {
		for len(r) > width {
			rows, r = append(rows, r[:width]), r[width:]
		}
		rows = append(rows, r)
	}
	g.width, g.height, g.history, g.rows, g.at, g.fresh = width, height, nil, rows, len(rows)-1, true
	g.scroll()
}

// shown are the rows that can be seen, without empty ones at the end.
func (g *glassTerminal) shown() []string {
	out := slices.Clone(g.rows)
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// A frame stands alone below what was there, whether frames grow or shrink and
// what commonly becomes of the terminal.
func TestFramesDoNotStack(t *testing.T) {
	g := newGlassTerminal(80, 24)
	l := &live{w: g, size: func() (int, int) { return g.width, g.height }}
	fmt.Fprint(g, "before\n")
	for i, step := range []struct{ width, height, lines, long int }{
		{80, 24, 5, 70}, {80, 24, 20, 200}, {80, 24, 3, 10}, {40, 24, 3, 70}, {40, 24, 10, 70}, {120, 40, 20, 100}, {60, 40, 20, 100},
		{100, 15, 20, 99}, {80, 30, 20, 99}, {80, 24, 60, 79}, {80, 24, 4, 60},
	} {
		if g.width != step.width || g.height != step.height {
			g.resize(step.width, step.height)
		}
		var lines []string
		for k := range step.lines {
			lines = append(lines, strings.Repeat(string(rune('a'+(i+k)%26)), step.long))
		}
		l.draw(lines)
		shown := slices.DeleteFunc(g.shown(), func(row string) bool { return row == "before" || row == "" })
		if want := min(step.lines, step.height-1); len(shown) != want {
			t.Fatalf("step %d: %d rows, want %d:\n%s", i, len(shown), want, strings.Join(shown, "\n"))
		}
	}
	l.clear()
	fmt.Fprint(g, "after\n")
	if got := g.shown(); len(got) == 0 || got[len(got)-1] != "after" || slices.Contains(got, "llll") {
		t.Errorf("in the end %q", got)
	}
}

// A terminal that grows twice gives what was scrolled away back once: what stood
// above the frame stays.
func TestGrowingTwiceTakesNothing(t *testing.T) {
	g := newGlassTerminal(40, 24)
	l := &live{w: g, size: func() (int, int) { return g.width, g.height }}
	fmt.Fprint(g, strings.Repeat("before\n", 5))
	for _, height := range []int{24, 10, 30, 36, 42} {
		g.resize(40, height)
		l.draw(slices.Repeat([]string{"frame"}, 15))
	}
	if got := g.shown(); !slices.Equal(got, slices.Concat(slices.Repeat([]string{"before"}, 5), slices.Repeat([]string{"frame"}, 15))) {
		t.Errorf("got %q, want 5 lines before and 15 of the frame", got)
	}
}

func conditionsForTest(models, conditions int) (list []run.ConditionStatus) {
	for m := range models {
		for c := range conditions {
			list = append(list, run.ConditionStatus{Model: fmt.Sprint("model-", m), Condition: fmt.Sprint("condition-with-a-name-", c), Total: 1216, Done: 1216,
				Outcomes: map[uplift.Outcome]int{uplift.Answered: 1200, uplift.ControllerRefused: 16}})
		}
	}
	return list
}

// Every line fits, at every size, and the conditions that need somebody stand
// first.
func TestFrameFits(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 50}, {120, 40}, {60, 10}, {30, 5}} {
		for _, grid := range [][2]int{{2, 9}, {4, 12}, {1, 1}} {
			p := paced{rate: 12.34, left: 3725, Status: statusForTest(), stopping: true}
			p.Waits = []run.Wait{{Model: "model-0", Why: "requests", Seconds: 41, Text: "waits 41 s: the provider allows 60 requests a minute"}}
			p.Conditions = conditionsForTest(grid[0], grid[1])
			p.Conditions[len(p.Conditions)-1].Outcomes[uplift.Failed] = 3
			lines := p.frame(50, size[0], size[1])
			if len(lines) > size[1]-1 && size[1] > 9 {
				t.Errorf("%v, %v: %d lines", size, grid, len(lines))
			}
			var b bytes.Buffer
			(&live{w: &b, size: func() (int, int) { return size[0], size[1] }}).draw(lines)
			for l := range strings.Lines(b.String()) {
				l = strings.NewReplacer("\x1b[K", "", "\x1b[J", "", "\r", "", "\n", "").Replace(l)
				if n := len([]rune(l)); n >= size[0] {
					t.Errorf("%v, %v: %d columns: %q", size, grid, n, l)
				}
			}
			first := ""
			for _, l := range lines {
				if first == "" && strings.Contains(l, " of 1,216 ") {
					first = l
				}
			}
			if size[1] > 20 && !strings.HasSuffix(first, " 3") {
				t.Errorf("%v, %v: the first condition is %q, want the one with failures:\n%s", size, grid, first, strings.Join(lines, "\n"))
			}
		}
	}
}

// The numbers of conditions stand below each other.
func TestConditionTable(t *testing.T) {
	head, lines := conditionTable([]run.ConditionStatus{
		{Model: "m", Condition: "helpful", Total: 1200, Done: 1200, Outcomes: map[uplift.Outcome]int{uplift.Answered: 1200}},
		{Model: "m", Condition: "safeguarded", Total: 216, Done: 7, Withheld: 1, Outcomes: map[uplift.Outcome]int{uplift.Answered: 4, uplift.ControllerRefused: 3}},
		{Model: "m", Condition: "none"},
	}, 0)
	want := []string{
		"                                               controller",
		"                              cells  answered     refused  withheld",
		"        helpful      1,200 of 1,200     1,200           0         0",
		"        safeguarded      7 of   216         4           3         1",
	}
	if d := cmp.Diff(want, append(head, lines...)); d != "" {
		t.Error(d)
	}
}

// What was asked for and what was shared are all answers, and a model without a
// price is named.
func TestEndOfARunAddsUp(t *testing.T) {
	var out bytes.Buffer
	sayRun(&out, run.Report{Status: run.Status{Finished: 863, Requests: 185, Answered: 172, Shared: 1659, Throttled: 10, Retries: 13, Unpriced: []string{"local", "own"}}, CutOff: map[string]int{"tool_use": 2, "max_tokens": 10}}, run.Options{}, 0)
	want := `ran     863 cells, 0 held before, 185 upstream requests, 1,659 answers shared
answers 1,831: 172 asked for in 185 requests, 1,659 shared (equal requests are sent once)
cut     12 replies not known to be whole, by the provider's word: max_tokens 10, tool_use 2
waits   10 requests put off by the provider, 13 failed and sent again
cost    unknown: no price is known of local and of own (--prices FILE gives it)
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
}
