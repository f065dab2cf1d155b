package power

import (
	"fmt"
	"math"
	"slices"

	uplift "github.com/uplift-eval/uplift"
	"github.com/uplift-eval/uplift/stats"
)

// warnings are what a reader of an answer must know.
func (a asked) warnings(out Answer) []uplift.Warning {
	list := []uplift.Warning{}
	a.warnBasis(&list)
	a.warnDelta(&list)
	a.warnNoise(&list)
	a.warnRated(&list)
	if p := out.Present; p != nil {
		a.warnLow(&list, a.own(), p.Tasks, p.PairsPerTask, 1, p.Power)
	}
	for _, s := range out.Shares {
		if s.Plan == planPresent || a.b.Source != Pilot {
			a.warnLow(&list, a.first(), s.Tasks, s.PairsPerTask, s.Total/s.Tasks, s.Power)
		}
	}
	return list
}

func (a asked) warnBasis(list *[]uplift.Warning) {
	b := a.b
	if b.Source == Interval {
		a.warn(list, CodeAlone, "the interval is taken as a normal one of independent pairs; one that went by tasks holds a part of the design effect already, and the SD would then be too large")
	}
	if b.Source != Pilot || b.ICC == nil {
		return
	}
	if *b.ICC < 0 {
		a.warn(list, CodeICCNegative, "the pilot's ICC of %s is taken as 0: pairs of one task would have to differ more than pairs of different tasks", decimals(*b.ICC, 2))
	}
	switch {
	case b.ICCLo == nil:
		a.warn(list, CodeICCWide, "the pairs of each of the pilot's %d tasks are equal, so the ICC of its labels is 1; more pairs would tell, and the tables span lower ones", b.Tasks)
	case b.spanned():
		a.warn(list, CodeICCWide, "the ICC of %s rests on %d tasks: its interval runs from %s to %s, and the tables span it", dec(*b.ICC), b.Tasks, dec(*b.ICCLo), dec(*b.ICCHi))
	}
}

func (a asked) warnDelta(list *[]uplift.Warning) {
	switch {
	case a.delta == nil:
		a.warn(list, CodeNoDelta, "there is no difference to find: name the smallest one that would matter (--delta)")
	case a.q.Delta == nil && a.b.Source == Pilot:
		a.warn(list, CodeOwnDelta, "the difference to find, %s, is the pilot's own: chance made it, and a design for it is too small whenever chance was kind; name the smallest one that would matter (--delta)", size(*a.delta))
	}
}

func (a asked) warnNoise(list *[]uplift.Warning) {
	rs := ordered(a.q.Raters)
	if a.noise == nil && (rs[len(rs)-1] > 1 || a.q.Double > 0) {
		a.warn(list, CodeNoise, "more raters cost more and change no power here, because the share of rating noise is not known (--noise)")
	}
	if most := a.iccs[len(a.iccs)-1]; most+a.q.Noise > 1 {
		a.warn(list, CodeNoiseLeft, "a share of %s of rating noise leaves no room for an ICC of %s: such cells are empty", dec(a.q.Noise), iccWord(most))
	}
}

// fair is the power below which a design is warned of.
const fair = 0.5

// warnLow warns of a design that finds the difference in under half of all
// studies, and says what would mend it. parts is into how many endpoints the
// tasks of the benchmark divide; r is how they are rated.
func (a asked) warnLow(list *[]uplift.Warning, r stats.Raters, tasks int, pairs float64, parts int, powers []*float64) {
	low := slices.IndexFunc(powers, func(p *float64) bool { return p != nil && *p < fair })
	if low < 0 {
		return
	}
	at, from := low, fmt.Sprintf("from ICC %s on", iccWord(a.iccs[low]))
	if low == 0 {
		from = "at every ICC"
		if i := a.typical(); powers[i] != nil {
			at = i
		}
	}
	a.warn(list, CodeLow, "power under .5 %s: %d tasks of the endpoint with %s pairs each find %s with power %s at ICC %s. There %s",
		from, tasks, pairsWord(pairs), size(*a.delta), dec(*powers[at]), iccWord(a.iccs[at]), a.mend(r, tasks, pairs, parts, a.iccs[at]))
}

// typical is the index of the ICC of the grid that stands for all: nearest to
// the basis' own, or else the second, since 0 is a hope.
func (a asked) typical() int {
	if a.b.ICC == nil {
		return min(1, len(a.iccs)-1)
	}
	best := 0
	for i, icc := range a.iccs {
		if math.Abs(icc-*a.b.ICC) < math.Abs(a.iccs[best]-*a.b.ICC) {
			best = i
		}
	}
	return best
}

// mend says what would lift a design to the aim.
func (a asked) mend(r stats.Raters, tasks int, pairs float64, parts int, icc float64) string {
	g, err := a.design(tasks, pairs, icc, r).TasksFor(*a.delta, a.q.Power)
	if err != nil {
		return "no number of tasks mends it"
	}
	s := fmt.Sprintf("%d tasks would have %s", g, dec(a.q.Power))
	if parts > 1 {
		s += fmt.Sprintf(" (%d over %d endpoints)", g*parts, parts)
	}
	more, limit := a.pairsFor(r, tasks, pairs, icc)
	if more > 0 {
		return s + fmt.Sprintf(", and so would %d pairs a task", more)
	}
	return s + fmt.Sprintf("; more pairs alone would not: without end they lead to %s", dec(limit))
}

// pairsFor is the whole number of pairs a task that lifts a design to the aim;
// 0 and the power that endless pairs lead to where none does.
func (a asked) pairsFor(r stats.Raters, tasks int, pairs, icc float64) (int, float64) {
	power := func(m float64) float64 {
		p, err := a.design(tasks, m, icc, r).Power(*a.delta)
		if err != nil {
			return 0
		}
		return p
	}
	const endless = 1e12
	if limit := power(endless); limit < a.q.Power {
		return 0, limit
	}
	hi := math.Ceil(pairs)
	for power(hi) < a.q.Power {
		hi *= 2
	}
	lo := math.Floor(hi / 2)
	for hi-lo > 1 {
		if mid := math.Floor((lo + hi) / 2); power(mid) < a.q.Power {
			lo = mid
		} else {
			hi = mid
		}
	}
	return int(hi), 0
}
