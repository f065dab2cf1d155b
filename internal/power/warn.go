package power

import (
	"fmt"
	"math"
	"slices"
	"strings"

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
	a.warnFew(&list)
	if p := out.Present; p != nil {
		a.warnLow(&list, low{CodeLow, a.own(), p.Tasks, p.PairsPerTask, 1, p.Power})
	}
	if s := a.weakest(out.Shares); s != nil {
		a.warnLow(&list, low{CodeLowShare, a.first(), s.Tasks, s.PairsPerTask, s.Total / s.Tasks, s.Power})
	}
	return list
}

// weakest is the share that is warned of: the built-in test's where it is shown;
// that of the present design where its endpoint has other tasks.
func (a asked) weakest(shares []Share) *Share {
	if len(shares) > 1 && shares[1].Tasks != shares[0].Tasks {
		return &shares[1]
	}
	if a.b.Source == Interval || a.q.Endpoints > 1 {
		return &shares[0]
	}
	return nil
}

func (a asked) warnBasis(list *[]uplift.Warning) {
	b := a.b
	if b.Source == Interval {
		a.warn(list, CodeAlone, "the interval is taken as a normal one of independent pairs; one that went by tasks holds a part of the design effect already, and the SD would then be too large")
	}
	a.warnScale(list)
	if b.Source != Pilot || b.ICC == nil {
		return
	}
	if *b.ICC < 0 {
		a.warn(list, CodeICCNegative, "the pilot's ICC of %s is taken as 0: pairs of one %s would have to differ more than pairs of different %s", decimals(*b.ICC, 2), a.unit().one, a.unit().many)
	}
	switch {
	case b.ICCLo == nil:
		a.warn(list, CodeICCWide, "the pairs of each of the pilot's %s are equal, so the ICC of its labels is 1; more pairs would tell, and the tables span lower ones", a.unit().count(b.Tasks))
	case b.spanned():
		a.warn(list, CodeICCWide, "the ICC of %s rests on %s: its interval runs from %s to %s, and the tables span it", dec(*b.ICC), a.unit().count(b.Tasks), dec(*b.ICCLo), dec(*b.ICCHi))
	}
}

func (a asked) warnDelta(list *[]uplift.Warning) {
	b := a.b
	switch {
	case a.delta == nil:
		a.warn(list, CodeNoDelta, "there is no difference to find: name the smallest one that would matter (--delta)")
		return
	case b.Source != Pilot:
		return
	case a.q.Delta == nil:
		a.warn(list, CodeOwnDelta, "the difference to find, %s, is the pilot's own: chance made it, and a design for it is too small whenever chance was kind; name the smallest one that would matter (--delta)", signed(*a.delta))
	case b.Lo != nil && b.Hi != nil && (*a.delta < *b.Lo || *a.delta > *b.Hi):
		a.warn(list, CodeFar, "the difference to find, %s, lies outside of the pilot's own interval [%s, %s]: its SD is that of pairs which moved otherwise, and need not hold", signed(*a.delta), signed(*b.Lo), signed(*b.Hi))
	}
	a.warnStill(list)
}

// warnStill warns of a pilot half of which did not move: its SD says nothing of
// a difference for which more would have to. Pairs that move by whole steps of 1
// vary the more, the more of them do: with a mean of delta by |delta| - delta^2 or
// more.
func (a asked) warnStill(list *[]uplift.Warning) {
	b, size := a.b, math.Abs(*a.delta)
	if 2*b.Differ > b.Tasks || b.Difference == nil || size <= math.Abs(*b.Difference) {
		return
	}
	s := fmt.Sprintf("only %d of the pilot's %s differ at all: an SD of pairs that hardly moved is too small for a true difference that moves more of them, and the power then too high", b.Differ, a.unit().count(b.Tasks))
	if steps := math.Sqrt(size * (1 - size)); size < 1 && steps > b.SD {
		s += fmt.Sprintf(". Pairs that move by whole steps of 1 have an SD of %s or more at a mean of %s: try it (--sd)", decimals(math.Floor(1e3*steps)/1e3, 3), signed(*a.delta))
	}
	a.warn(list, CodeStill, "%s", s)
}

// warnFew warns of designs that the analysis finds nothing with, whatever the
// power of a t test would be.
func (a asked) warnFew(list *[]uplift.Warning) {
	var few []string
	for _, g := range ordered(append(a.q.tasksOf(a.b), max(2, a.b.Tasks))) {
		if g < a.q.least() && (g == a.b.Tasks || len(a.q.Tasks) > 0 && slices.Contains(a.q.Tasks, g)) {
			few = append(few, fmt.Sprint(g))
		}
	}
	if len(few) > 0 {
		a.warn(list, CodeFew, "with %s %s the power is that of a t test alone: %s", strings.Join(few, " or "), a.unit().many, a.q.fewer(a.unit()))
	}
}

// fewer says why fewer tasks than the least find nothing.
func (q Question) fewer(u unit) string {
	if q.leastBy() == LeastByInterval {
		return fmt.Sprintf("with fewer than %d the analysis gives no interval", leastForInterval)
	}
	return fmt.Sprintf("with fewer than %d %s the exact sign-flip p cannot reach %s", q.least(), u.many, levelWord(q.Alpha))
}

// warnScale warns of numbers that a difference of scores in [0,1] cannot have.
func (a asked) warnScale(list *[]uplift.Warning) {
	b, beyond := a.b, false
	for _, v := range []*float64{b.Difference, b.Lo, b.Hi, a.q.Delta, &a.q.Margin} {
		beyond = beyond || v != nil && math.Abs(*v) > 1
	}
	if beyond || b.Source != Pilot && b.SD > 1 {
		a.warn(list, CodeScale, "scores lie in [0,1], and so their differences in [−1,1]: divide percentages by 100")
	}
}

func (a asked) unit() unit { return unitOf(a.b.Cluster) }

func (a asked) warnNoise(list *[]uplift.Warning) {
	rs := ordered(a.q.Raters)
	if a.noise == nil && (rs[len(rs)-1] > 1 || a.q.Double > 0) {
		a.warn(list, CodeNoise, "more raters cost more and change no power here, because the share of rating noise is not known (--noise)")
	}
	if most := a.iccs[len(a.iccs)-1]; most+a.q.Noise > 1 {
		a.warn(list, CodeNoiseLeft, "a share of %s of rating noise leaves no room for an ICC of %s: such cells are empty", dec(a.q.Noise), iccWord(most))
	}
}

// fair is the power below which a design is warned of, as it is printed.
const fair = 0.5

// low is a design whose power may be low. parts is into how many endpoints the
// tasks of the benchmark divide; r is how they are rated.
type low struct {
	code   string
	r      stats.Raters
	tasks  int
	pairs  float64
	parts  int
	powers []*float64
}

// warnLow warns of a design that finds the difference in under half of all
// studies, and says what would mend it.
func (a asked) warnLow(list *[]uplift.Warning, d low) {
	first := slices.IndexFunc(d.powers, func(p *float64) bool { return p != nil && math.Round(100**p) < 100*fair })
	if first < 0 {
		return
	}
	at, from := first, fmt.Sprintf(" from ICC %s on", iccWord(a.iccs[first]))
	if first == 0 {
		from = " at every ICC"
		if i := a.typical(); d.powers[i] != nil {
			at = i
		}
	}
	if len(a.iccs) == 1 {
		from = ""
	}
	if d.code == CodeLow { // the verdict names the design
		a.warn(list, d.code, "power under .5%s: %s at ICC %s. There %s", from, dec(*d.powers[at]), iccWord(a.iccs[at]), a.mend(d, a.iccs[at]))
		return
	}
	a.warn(list, d.code, "power under .5%s: %s of the endpoint with %s each find %s with power %s at ICC %s. There %s",
		from, a.unit().count(d.tasks), pairsWord(d.pairs), signed(*a.delta), dec(*d.powers[at]), iccWord(a.iccs[at]), a.mend(d, a.iccs[at]))
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
func (a asked) mend(d low, icc float64) string {
	s, u := fmt.Sprintf("more than %s would be needed", a.unit().count(MostTasks)), a.unit()
	if g, err := a.design(d.tasks, d.pairs, icc, d.r).TasksFor(*a.delta, a.q.Power); err == nil && g <= MostTasks {
		g = max(g, a.q.least())
		s = u.count(g) + " would have " + dec(a.q.Power)
		if a.b.Rated.joined() && a.noise != nil && d.code == CodeLow {
			s += ", rated as the pilot was"
		}
		if d.parts > 1 {
			s += fmt.Sprintf(" (%d over %d endpoints)", g*d.parts, d.parts)
		}
	}
	if d.tasks < a.q.least() {
		return s + "; " + a.q.fewer(u)
	}
	more, limit := a.pairsFor(d.r, d.tasks, d.pairs, icc)
	if more > 0 {
		return s + ", and so would " + counted(more, "pair", "pairs") + " a " + u.one
	}
	return s + fmt.Sprintf("; however many pairs, power stays below %s", dec(math.Ceil(100*limit)/100))
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
