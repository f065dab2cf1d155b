package report

import (
	"strconv"
	"strings"

	"github.com/uplift-eval/uplift/internal/power"
)

// powerWord is a power with two decimals: .46, and 1 for what rounds to it.
func powerWord(v float64) string {
	if s := strings.TrimPrefix(strconv.FormatFloat(v, 'f', 2, 64), "0"); s != "1.00" {
		return s
	}
	return "1"
}

// noZero is a number with d decimals and without its leading zero: .189.
func noZero(v float64, d int) string {
	return strings.Replace(strings.TrimPrefix(round(v, d), "0"), minus+"0.", minus+".", 1)
}

// sized is a size of the scale's unit with three decimals, more where it is
// small.
func sized(v float64) string {
	for d := 3; d < 12; d++ {
		if v == 0 || v*pow10(d) >= 9.5 {
			return noZero(v, d)
		}
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

func pow10(d int) float64 {
	out := 1.0
	for range d {
		out *= 10
	}
	return out
}

// trimmed is a number without trailing zeros: 0, .25, 2.72.
func trimmed(v float64, d int) string {
	s := round(v, d)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if strings.HasPrefix(s, "0.") {
		return s[1:]
	}
	return s
}

// byICC joins one number an ICC: .59/.53/.45/.36.
func byICC[T any](values []*T, form func(T) string) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = absent
		if v != nil {
			out[i] = form(*v)
		}
	}
	return strings.Join(out, "/")
}

func powersWord(values []*float64) string { return byICC(values, powerWord) }
func sizesWord(values []*float64) string  { return byICC(values, sized) }
func countsWord(values []*int) string     { return byICC(values, count) }

// iccsWord is the grid of ICCs: 0/.1/.25/.5.
func iccsWord(iccs []float64) string {
	out := make([]string, len(iccs))
	for i, v := range iccs {
		out[i] = trimmed(v, 3)
	}
	return strings.Join(out, "/")
}

// pairsTitle heads the column of a number of pairs a task.
func pairsTitle(m float64) string {
	if m == 1 {
		return "1 pair"
	}
	return trimmed(m, 2) + " pairs"
}

// powerUnit is the cluster's word.
func powerUnit(r *power.Result) unitWords {
	if r.Cluster == "family" {
		return unitWords{"family", "families", true}
	}
	return unitWords{"task", "tasks", false}
}

// basisTitle names what a basis is of.
func basisTitle(r *power.Result, b power.Basis) string {
	switch b.Source {
	case power.Interval:
		return "Published interval"
	case power.Pilot:
		s := name(b.Condition) + " " + minus + " " + name(b.Reference) + ", " + endpointWord(b.Endpoint)
		if powerModels(r) > 1 {
			s = name(b.Model) + ": " + s
		}
		return s
	}
	return "From numbers"
}

func powerModels(r *power.Result) int {
	seen := map[string]bool{}
	for _, a := range r.Answers {
		seen[a.Basis.Model] = true
	}
	return len(seen)
}

// basisFacts say what is known, and from where.
func basisFacts(r *power.Result, a *power.Answer) []Fact {
	b, out := a.Basis, []Fact{}
	if b.Difference != nil {
		d := signedOr(b.Difference)
		if in := interval(b.Lo, b.Hi); in != absent {
			d += " " + in
		}
		out = append(out, Fact{"difference", d})
	}
	if b.Tasks > 0 {
		out = append(out, Fact{"pairs", count(b.Pairs) + " in " + plural(b.Tasks, powerUnit(r).One, powerUnit(r).Many) + ", " + trimmed(b.PairsPerTask(), 2) + " each"})
	}
	if b.SE != nil {
		out = append(out, Fact{"SE", precise(*b.SE)})
	}
	out = append(out, Fact{"SD of one pair", sized(b.SD) + " (" + text(b.SDFrom) + ")"})
	icc := "not known: " + text(b.ICCFrom)
	if b.ICC != nil {
		icc = noZero(*b.ICC, 2)
		if b.ICCLo != nil && b.ICCHi != nil {
			icc += " [" + noZero(*b.ICCLo, 2) + "," + firm + noZero(*b.ICCHi, 2) + "]"
		}
		icc += " (" + text(b.ICCFrom) + ")"
	}
	out = append(out, Fact{"ICC", icc})
	if noise := noiseFact(a); noise != "" {
		out = append(out, Fact{"rating noise", noise})
	}
	return out
}

// noiseFact is the share of rating noise that is planned with, and its source.
func noiseFact(a *power.Answer) string {
	if a.Noise == nil {
		if a.NoiseFrom == "" {
			return ""
		}
		return "not known: " + text(a.NoiseFrom)
	}
	return noZero(*a.Noise, 2) + " of the variance (" + text(a.NoiseFrom) + ")"
}

// gainWord says what a difference means on an endpoint of a pilot, which has a
// direction.
func gainWord(a *power.Answer) string {
	if a.Basis.Source != power.Pilot || a.Basis.Better == power.Unsaid {
		return ""
	}
	if (*a.Delta > 0) == (a.Basis.Better == power.Higher) {
		return "a gain; "
	}
	return "a loss; "
}

// precise is a standard error with one digit more than a size: .0270.
func precise(v float64) string {
	for d := 4; d < 12; d++ {
		if v*pow10(d) >= 95 {
			return noZero(v, d)
		}
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// findTitle says what the power is for.
func findTitle(r *power.Result, a *power.Answer) string {
	s := "Smallest difference found with power " + powerWord(r.Power) + " ("
	if a.Delta != nil {
		s = "Power to find " + signedOr(a.Delta) + " (" + gainWord(a)
	}
	return s + "two-sided " + trimmed(r.Alpha, 4) + "), by " + powerUnit(r).Many + " of the endpoint and pairs each"
}
