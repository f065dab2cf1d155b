package power

import (
	"fmt"
	"math"
)

// verdict says what the present design finds, and what a power takes with as many
// pairs; without a present design, what it takes with the pairs of the grid.
func (a asked) verdict(out Answer) []string {
	var says []string
	m := a.q.pairsOf(a.b)[0]
	if p := out.Present; p != nil {
		m = p.PairsPerTask
		says = append(says, a.finds(p))
	}
	if a.delta == nil {
		return says
	}
	return append(says, a.takes(m, a.tasksFor(a.q.Power, m, a.first())))
}

// finds says what the present design can do.
func (a asked) finds(p *Present) string {
	s := fmt.Sprintf("%s with %s each", a.unit().count(p.Tasks), pairsWord(p.PairsPerTask))
	least, most := span(math.Inf(1), math.Inf(-1), p.Detectable)
	found := fmt.Sprintf("differences of %s", orMore(size(least), size(most)))
	if low, high := span(math.Inf(1), math.Inf(-1), p.Power); low <= high {
		s += fmt.Sprintf(" find %s with power %s", signed(*a.delta), a.falling(p.Power))
		if least <= most {
			s += fmt.Sprintf(", and with power %s %s and more", dec(a.q.Power), found)
		}
		return s + "."
	}
	if least > most {
		return s + " find nothing that could be told."
	}
	return s + fmt.Sprintf(" find, with power %s, %s and more.", dec(a.q.Power), found)
}

// falling are the ends of powers that fall with the ICC.
func (a asked) falling(powers []*float64) string {
	low, high := span(math.Inf(1), math.Inf(-1), powers)
	if dec(low) == dec(high) {
		return powerWord(low)
	}
	return fmt.Sprintf("%s at ICC %s and %s at ICC %s", powerWord(high), iccWord(a.iccs[0]), powerWord(low), iccWord(a.iccs[len(a.iccs)-1]))
}

// powerWord is a power with two decimals, 1 for what rounds to it.
func powerWord(v float64) string {
	if s := dec(v); s != "1.00" {
		return s
	}
	return "1"
}

// takes says how many tasks the aim takes with m pairs each.
func (a asked) takes(m float64, tasks []*int) string {
	u := a.unit()
	rated := ""
	if a.b.Rated.joined() && a.noise != nil && a.first() == a.raters(1) && a.q.Double == 0 {
		rated = " and one rating of each response"
	}
	s := fmt.Sprintf("With %s a %s%s, power %s for %s takes ", pairsWord(m), u.one, rated, dec(a.q.Power), signed(*a.delta))
	first, last := tasks[0], tasks[len(tasks)-1]
	switch {
	case first == nil:
		return s + "more than " + u.count(MostTasks) + "."
	case last == nil:
		return s + u.count(*first) + " or more, depending on the ICC."
	case *first == *last && *first == a.q.least():
		return s + u.count(*first) + ", the least: " + a.q.fewer(u) + "."
	case *first == *last:
		return s + u.count(*first) + "."
	}
	return s + fmt.Sprintf("%s at ICC %s and %d at ICC %s.", u.count(*first), iccWord(a.iccs[0]), *last, iccWord(a.iccs[len(a.iccs)-1]))
}
