package power

import (
	"github.com/uplift-eval/uplift/stats"
)

// table is power by tasks and pairs with k raters a response.
func (a asked) table(k int) Table {
	r := a.raters(k)
	t := Table{Raters: k, Pairs: a.q.pairsOf(a.b)}
	for _, g := range a.q.tasksOf(a.b) {
		row := Row{Tasks: g}
		for _, m := range t.Pairs {
			row.Cells = append(row.Cells, Cell{Power: a.powers(g, m, r), Detectable: a.detectable(g, m, r), Price: a.price(g, m, r, a.q.Endpoints)})
		}
		t.Rows = append(t.Rows, row)
	}
	if a.delta == nil {
		return t
	}
	for _, aim := range a.aims() {
		n := Need{Power: aim}
		for _, m := range t.Pairs {
			n.Cells = append(n.Cells, a.need(aim, m, r))
		}
		t.Needs = append(t.Needs, n)
	}
	return t
}

// aims are the powers whose price is told: the one that was asked, and .90.
func (a asked) aims() []float64 {
	if a.q.Power < 0.9 {
		return []float64{a.q.Power, 0.9}
	}
	return []float64{a.q.Power}
}

// near is how little a number of tasks may fall short of a power to be named.
const near = 0.0005

func (a asked) need(aim, pairs float64, r stats.Raters) NeedCell {
	c := NeedCell{Tasks: a.tasksFor(aim, pairs, r), Near: []Near{}}
	for i, g := range c.Tasks {
		if g == nil {
			c.Prices = append(c.Prices, nil)
			continue
		}
		p := a.price(*g, pairs, r, a.q.Endpoints)
		c.Prices = append(c.Prices, &p)
		if *g <= a.q.least() {
			continue
		}
		got, err := a.design(*g-1, pairs, a.iccs[i], r).Power(*a.delta)
		if err == nil && got >= aim-near {
			c.Near = append(c.Near, Near{a.iccs[i], *g - 1, got})
		}
	}
	return c
}

// tasksFor is the number of tasks that a power takes, by ICC: nil beyond
// MostTasks, and at least what the analysis needs to find anything.
func (a asked) tasksFor(aim, pairs float64, r stats.Raters) []*int {
	out := make([]*int, len(a.iccs))
	if a.delta == nil {
		return out
	}
	for i, icc := range a.iccs {
		if g, err := a.design(2, pairs, icc, r).TasksFor(*a.delta, aim); err == nil && g <= MostTasks {
			out[i] = new(max(g, a.q.least()))
		}
	}
	return out
}

// noises are the shares of rating noise for which a second rater is priced
// while the share is not known.
var noises = []float64{0.2, 0.5}

// second is what one more rater of every response saves at the first number of
// pairs.
func (a asked) second() []Second {
	if a.delta == nil {
		return nil
	}
	grid := noises
	if a.noise != nil {
		grid = []float64{*a.noise}
	}
	k, pairs := ordered(a.q.Raters)[0], a.q.pairsOf(a.b)[0]
	var out []Second
	for _, noise := range grid {
		one := stats.Raters{Each: k, Double: a.q.Double, Noise: noise}
		more := stats.Raters{Each: k + 1, Noise: noise}
		s := Second{Noise: noise, Raters: k + 1, Pairs: pairs, Tasks: a.tasksFor(a.q.Power, pairs, more)}
		for i, before := range a.tasksFor(a.q.Power, pairs, one) {
			s.Saved = append(s.Saved, saved(before, s.Tasks[i]))
		}
		out = append(out, s)
	}
	return out
}

func saved(before, after *int) *float64 {
	if before == nil || after == nil {
		return nil
	}
	v := 1 - float64(*after)/float64(*before)
	return &v
}

func (a asked) nonInferiority() *NonInferiority {
	if a.q.Margin == 0 {
		return nil
	}
	r, pairs := a.first(), a.q.pairsOf(a.b)
	out := &NonInferiority{Margin: a.q.Margin, Truth: a.q.Truth, Better: a.q.Better, Alpha: a.q.Alpha / 2, Least: leastForInterval, Needs: [][]*int{}}
	for _, g := range a.q.tasksOf(a.b) {
		row := NIRow{Tasks: g}
		for _, m := range pairs {
			row.Cells = append(row.Cells, a.nonInferior(g, m, r))
		}
		out.Rows = append(out.Rows, row)
	}
	for _, m := range pairs {
		needs := make([]*int, len(a.iccs))
		for i, icc := range a.iccs {
			if g, err := a.design(2, m, icc, r).TasksForNonInferiority(a.q.Margin, a.q.gain(), a.q.Power); err == nil && g <= MostTasks {
				needs[i] = new(max(g, leastForInterval))
			}
		}
		out.Needs = append(out.Needs, needs)
	}
	if m := a.b.PairsPerTask(); a.b.Tasks >= 2 && m >= 1 {
		out.Now = a.nonInferior(a.b.Tasks, m, a.own())
	}
	return out
}

func (a asked) nonInferior(tasks int, pairs float64, r stats.Raters) []*float64 {
	return a.byICC(func(icc float64) (float64, error) {
		return a.design(tasks, pairs, icc, r).NonInferiority(a.q.Margin, a.q.gain())
	})
}
