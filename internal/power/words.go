package power

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// dec is a share or a p with two decimals and no leading zero: .46.
func dec(v float64) string { return decimals(v, 2) }

func decimals(v float64, n int) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', n, 64)
	if v < 0 && strings.Trim(s, "0.") != "" {
		return "−" + strings.TrimPrefix(s, "0")
	}
	return strings.TrimPrefix(s, "0")
}

// size is a size of the scale's unit, without its sign, as the tables print it:
// three decimals, more where it is small.
func size(v float64) string {
	v = math.Abs(v)
	for d := 3; d < 12; d++ {
		if v == 0 || v*math.Pow10(d) >= 9.5 {
			return decimals(math.Round(v*math.Pow10(d))/math.Pow10(d), d)
		}
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// signed is a difference with its sign and three decimals, more where it would
// else read as 0: −0.063.
func signed(v float64) string {
	s := strconv.FormatFloat(math.Abs(v), 'g', 1, 64)
	for d := 3; d <= 6; d++ {
		if at := strconv.FormatFloat(math.Abs(v), 'f', d, 64); v == 0 || strings.Trim(at, "0.") != "" {
			s = at
			break
		}
	}
	switch {
	case v > 0:
		return "+" + s
	case v < 0:
		return "−" + s
	}
	return s
}

// pairsWord is a mean number of pairs: 8 pairs, or 2.72 pairs.
func pairsWord(m float64) string {
	if m == 1 {
		return "1 pair"
	}
	return strings.TrimRight(strings.TrimRight(strconv.FormatFloat(m, 'f', 2, 64), "0"), ".") + " pairs"
}

// iccWord is an ICC: 0, .25. levelWord is a level of a test: .05, .0125.
func iccWord(icc float64) string     { return short(icc, 3) }
func levelWord(alpha float64) string { return short(alpha, 4) }

// short is a number with up to n decimals.
func short(v float64, n int) string {
	s := strings.TrimRight(strings.TrimRight(decimals(v, n), "0"), ".")
	if s == "" {
		return "0"
	}
	return s
}

// says tells what the tasks of the built-in test can and cannot show. It holds
// for every basis; the numbers are those of the shares.
func (r *Result) says() []string {
	p, f := builtin, r.SignFlip
	out := []string{fmt.Sprintf("The built-in locked test has %d tasks of which %d carry each endpoint: risk stands on the %d harmful ones, utility on the %d benign ones and on what hard negatives add. Models, attacks and replicates multiply rows, not tasks.",
		p.total, p.tasks(), p.tasks(), p.tasks())}
	out = append(out, f.says(r.Alpha))
	out = append(out, r.canFind()...)
	if r.Alpha == 0.05 {
		out = append(out, "Power is that of the t test. The report calls a change clear only if the exact sign-flip p passes too: with 6 tasks, which must then all move the same way, that is a third to two fifths less often; with 8 a tenth less, with 12 hardly.")
	}
	return append(out, r.cannotSay())
}

// says is what the exact test can show at best.
func (f SignFlip) says(alpha float64) string {
	s := fmt.Sprintf("With %d tasks the exact sign-flip p cannot fall below %s, and reaches it only when all of them move the same way. ", f.Tasks, decimals(f.Floor, 3))
	switch {
	case f.Floor > alpha:
		return s + fmt.Sprintf("No contrast passes %s.", levelWord(alpha))
	case f.Floor > f.Wants:
		return s + fmt.Sprintf("One contrast can pass %s; no family of two passes Holm over sign-flip p at %s, which asks %s of its smallest p and so %d tasks that differ.", levelWord(alpha), levelWord(alpha), levelWord(f.Wants), f.Needs)
	}
	return s + fmt.Sprintf("A family of two can pass Holm over sign-flip p at %s.", levelWord(alpha))
}

// canFind tells the power of the built-in test for each basis' difference, and
// what it would find.
func (r *Result) canFind() []string {
	low, high := math.Inf(1), math.Inf(-1)
	least, most := math.Inf(1), math.Inf(-1)
	for _, a := range r.Answers {
		s := a.Shares[0]
		low, high = span(low, high, s.Power)
		least, most = span(least, most, s.Detectable)
	}
	plan := fmt.Sprintf("%d tasks with %s each", builtin.tasks(), pairsWord(builtin.pairs))
	var out []string
	switch {
	case low > high: // no difference to find
	case len(r.Answers) == 1:
		out = append(out, fmt.Sprintf("A true difference of %s is found by %s with power %s, depending on the ICC.", signed(*r.Answers[0].Delta), plan, fromTo(powerWord(low), powerWord(high))))
	default:
		out = append(out, fmt.Sprintf("The differences asked for are found by %s with power %s, depending on the contrast and the ICC.", plan, fromTo(powerWord(low), powerWord(high))))
	}
	if least > most {
		return out
	}
	sizes := fromTo(size(least), size(most)) + " and more, depending on the contrast and the ICC"
	if len(r.Answers) == 1 {
		sizes = orMore(size(least), size(most)) + " and more"
	}
	return append(out, fmt.Sprintf("What %d tasks can find with power %s are differences of %s.", builtin.tasks(), dec(r.Power), sizes))
}

// cannotSay is that no interval around 0 shows that nothing changed.
func (r *Result) cannotSay() string {
	const absence = "That an interval contains 0 never shows that nothing changed; non-inferiority can, "
	low, high := math.Inf(1), math.Inf(-1)
	margin := 0.0
	for _, a := range r.Answers {
		low, high = span(low, high, a.Shares[0].NonInferior)
		if a.NonInferiority != nil {
			margin = a.NonInferiority.Margin
		}
	}
	if low > high {
		return absence + "for a margin that you name beforehand."
	}
	return absence + fmt.Sprintf("and %d tasks show it at margin %s with power %s.", builtin.tasks(), size(margin), fromTo(powerWord(low), powerWord(high)))
}

func span(lo, hi float64, values []*float64) (float64, float64) {
	for _, v := range values {
		if v != nil {
			lo, hi = math.Min(lo, *v), math.Max(hi, *v)
		}
	}
	return lo, hi
}

func fromTo(lo, hi string) string {
	if lo == hi {
		return lo
	}
	return lo + " to " + hi
}

func orMore(lo, hi string) string {
	if lo == hi {
		return lo
	}
	return lo + " (at the smallest ICC) to " + hi + " (at the largest)"
}
