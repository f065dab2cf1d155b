package report

import (
	"math"
	"strconv"
	"strings"
)

// minus is the sign of negative numbers in everything that a person reads.
const minus = "−"

// firm is a space at which no line is broken.
const firm = "\u00a0"

// midDot stands between the phrases of a line, which breaks after it.
const midDot = firm + "· "

// loose turns firm spaces into plain ones, for text that is not typeset.
func loose(s string) string { return strings.ReplaceAll(s, firm, " ") }

// absent stands where a number does not exist or is withheld.
const absent = "–"

// finite is the value of p where it is a number.
func finite(p *float64) (float64, bool) {
	if p == nil || math.IsNaN(*p) || math.IsInf(*p, 0) {
		return 0, false
	}
	return *p, true
}

// nearest is the whole number next to v, halves away from zero. Means of the
// same values in another order differ in their last digits: what lies a hair
// below a half is one, so that one number is never printed in two ways.
func nearest(v float64) float64 {
	const hair = 1e-9
	return math.Copysign(math.Floor(math.Abs(v)+0.5+hair), v)
}

// round is v with d decimals, halves away from zero, without a sign on zero.
func round(v float64, d int) string {
	scale := math.Pow10(d)
	r := nearest(v*scale) / scale
	if r == 0 || math.IsInf(r, 0) || math.IsNaN(r) {
		r = math.Abs(r)
	}
	s := strconv.FormatFloat(math.Abs(r), 'f', d, 64)
	whole, frac, dotted := strings.Cut(s, ".")
	s = thousands(whole)
	if dotted {
		s += "." + frac
	}
	if r < 0 {
		s = minus + s
	}
	return s
}

// thousands separates groups of three digits by a comma.
func thousands(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// count is n with thousands separators.
func count(n int) string {
	if n < 0 {
		return minus + thousands(strconv.Itoa(n)[1:])
	}
	return thousands(strconv.Itoa(n))
}

// signed is a difference: a sign and three decimals.
func signed(v float64) string { return signedAt(v, 3) }

// signedAt is a difference with d decimals, or up to three more where it would
// else read as 0: on which side of 0 a bound lies must be seen.
func signedAt(v float64, d int) string {
	s := round(v, d)
	for more := 1; more <= 3 && v != 0 && strings.Trim(s, "0.") == ""; more++ {
		if finer := round(v, d+more); strings.Trim(finer, "0.") != "" {
			s = finer
		}
	}
	if v > 0 && strings.Trim(s, "0.") != "" {
		s = "+" + s
	}
	return s
}

// The forms of a number that may be absent.

func signedOr(p *float64) string { return orAbsent(p, signed) }
func meanOr(p *float64) string   { return orAbsent(p, func(v float64) string { return round(v, 3) }) }
func pOr(p *float64) string      { return orAbsent(p, pValue) }

// shareOr is a proportion in per cent.
func shareOr(p *float64) string {
	return orAbsent(p, func(v float64) string { return round(100*v, 1) + firm + "%" })
}

func orAbsent(p *float64, form func(float64) string) string {
	v, ok := finite(p)
	if !ok {
		return absent
	}
	return form(v)
}

// interval is [lo, hi] of differences, or absent unless both bounds exist.
func interval(lo, hi *float64) string { return intervalOf(lo, hi, signed) }

func intervalOf(lo, hi *float64, form func(float64) string) string {
	a, okLo := finite(lo)
	b, okHi := finite(hi)
	if !okLo || !okHi {
		return absent
	}
	return "[" + form(a) + "," + firm + form(b) + "]"
}

// pValue is a p value without its leading zero: .002, < .001, 1.000.
func pValue(p float64) string {
	if p > 0 && p < 0.001 {
		return "<" + firm + ".001"
	}
	return strings.TrimPrefix(round(p, 3), "0")
}

// pEquals is a p value in running text: p = .002 or p < .001.
func pEquals(p float64) string {
	s := pValue(p)
	if strings.HasPrefix(s, "<") {
		return "p" + firm + s
	}
	return "p" + firm + "=" + firm + s
}

// fraction is a number in [-1,1] as journals print it: .12, without the zero.
func fraction(v float64) string {
	s := round(v, 2)
	return strings.Replace(strings.Replace(s, minus+"0.", minus+".", 1), "0.", ".", 1)
}

// percent is a level such as 0.95 as "95 %".
func percent(level float64) string {
	return strconv.FormatFloat(nearest(level*1e4)/1e2, 'f', -1, 64) + firm + "%"
}

// plural is n and the right form of a word.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// decimal is an identifier such as a seed: digits without separators.
func decimal(n uint64) string { return strconv.FormatUint(n, 10) }
