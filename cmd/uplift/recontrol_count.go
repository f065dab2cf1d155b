package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/internal/replay"
)

// recount counts cells under a changed controller.
type recount struct {
	condition      string
	cells, without int
	models         []string // in the order in which they came
	by             map[string]*recountModel
}

// recountModel is one model's part.
type recountModel struct {
	cells, changed, texts int
	moved                 map[[2]uplift.Action]int // was, now
	states                map[recountWhy]int
	named                 map[recountWhy][]string // the first cells without a decision
}

type recountWhy struct {
	state replay.State
	why   string
}

func newRecount(condition string) *recount {
	return &recount{condition: condition, by: map[string]*recountModel{}}
}

// mostNamed is how many cells of one reason the table names.
const mostNamed = 3

func (r *recount) add(c replay.Recontrolled) {
	m := r.by[c.Cell.Model]
	if m == nil {
		m = &recountModel{moved: map[[2]uplift.Action]int{}, states: map[recountWhy]int{}, named: map[recountWhy][]string{}}
		r.by[c.Cell.Model], r.models = m, append(r.models, c.Cell.Model)
	}
	r.cells++
	m.cells++
	if c.Now == nil {
		r.without++
		why := recountWhy{c.State, c.Why}
		if m.states[why]++; len(m.named[why]) < mostNamed {
			m.named[why] = append(m.named[why], c.Cell.String())
		}
		return
	}
	m.moved[[2]uplift.Action{c.Was.Action(), c.Now.Action()}]++
	if c.State == replay.Changed {
		m.changed++
	}
	if c.TextChanged {
		m.texts++
	}
}

// recountActions are the rows and columns; the empty one is no controller.
var recountActions = []uplift.Action{"", uplift.Allow, uplift.Warn, uplift.Redact, uplift.Refuse}

func actionName(a uplift.Action) string {
	if a == "" {
		return "none"
	}
	return string(a)
}

func (r *recount) print(out io.Writer) error {
	var b strings.Builder
	for i, name := range r.models {
		if i > 0 {
			b.WriteByte('\n')
		}
		r.by[name].print(&b, r.condition, name)
	}
	_, err := io.WriteString(harmlessWriter{out}, b.String())
	return err
}

func (m *recountModel) print(b *strings.Builder, condition, name string) {
	fmt.Fprintf(b, "%s under %s: %s\n", name, condition, several(m.cells, "cell"))
	used := slices.DeleteFunc(slices.Clone(recountActions), func(a uplift.Action) bool {
		for moved := range m.moved {
			if moved[0] == a || moved[1] == a {
				return false
			}
		}
		return true
	})
	if len(used) > 0 {
		fmt.Fprintf(b, "  %-10s", "was / now")
		for _, now := range used {
			fmt.Fprintf(b, " %8s", actionName(now))
		}
		b.WriteByte('\n')
	}
	for _, was := range used {
		fmt.Fprintf(b, "  %-10s", actionName(was))
		for _, now := range used {
			fmt.Fprintf(b, " %8d", m.moved[[2]uplift.Action{was, now}])
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "  changed: %s, %s with another text\n", several(m.changed, "cell"), several(m.texts, "cell"))
	for _, state := range []replay.State{replay.NeedsCalls, replay.Unusable} {
		m.printWithout(b, state)
	}
}

func (m *recountModel) printWithout(b *strings.Builder, state replay.State) {
	var whys []recountWhy
	for why := range m.states {
		if why.state == state {
			whys = append(whys, why)
		}
	}
	slices.SortFunc(whys, func(x, y recountWhy) int { return strings.Compare(x.why, y.why) })
	label := map[replay.State]string{replay.NeedsCalls: "needs new calls", replay.Unusable: "not used"}[state]
	for _, why := range whys {
		fmt.Fprintf(b, "  %s: %s: %s\n", label, several(m.states[why], "cell"), why.why)
		for _, cell := range m.named[why] {
			fmt.Fprintf(b, "    %s\n", cell)
		}
		if more := m.states[why] - len(m.named[why]); more > 0 {
			fmt.Fprintf(b, "    and %d more (--json names all)\n", more)
		}
	}
}
