package report

import "github.com/uplift-eval/uplift/internal/analysis"

// figureNames are the coefficients in words: short over a column, long before
// a row.
var figureNames = map[string]struct{ short, long string }{
	"percent":          {"equal", "Equal marks"},
	"alpha_nominal":    {"alpha (nominal)", "Alpha, nominal"},
	"alpha_ordinal":    {"alpha", "Alpha, ordinal"},
	"alpha_interval":   {"alpha (interval)", "Alpha, interval"},
	"alpha_ratio":      {"alpha (ratio)", "Alpha, ratio"},
	"kappa":            {"kappa", "Kappa"},
	"kappa_linear":     {"kappa (linear)", "Kappa, linear weights"},
	"kappa_quadratic":  {"kappa²", "Kappa, quadratic weights"},
	"fleiss":           {"Fleiss", "Fleiss’ kappa"},
	"brennan_prediger": {"Brennan–Prediger", "Brennan–Prediger"},
	"ac1":              {"AC1", "AC1"},
	"ac2_linear":       {"AC2 (linear)", "AC2, linear weights"},
	"ac2_quadratic":    {"AC2", "AC2, quadratic weights"},
	"ac2_ordinal":      {"AC2 (ordinal)", "AC2, ordinal weights"},
	"icc_a1":           {"ICC", "ICC(A,1), one mark"},
	"icc_ak":           {"ICC(A,k)", "ICC(A,k), mean of the marks"},
	"coincidences":     {"the table", "The table"},
}

// figureWord is the JSON name of an agreement figure in words.
func figureWord(key string) string {
	if n, ok := figureNames[key]; ok {
		return n.short
	}
	return endpointWord(key)
}

// coefficientOf is a coefficient of an entry; nil where it is not defined.
func coefficientOf(s *analysis.ScaleAgreement, key string) *float64 {
	for _, f := range s.Figures() {
		if f.Name == key {
			return f.Value
		}
	}
	return nil
}

// coefficientValue is a coefficient with two decimals, or the share of equal marks
// in per cent; absent where it is not defined.
func coefficientValue(s *analysis.ScaleAgreement, key string) string {
	if key == "percent" {
		return shareOr(s.Percent)
	}
	return orAbsent(coefficientOf(s, key), coefficient)
}

// coefficientInterval is empty where there is none.
func coefficientInterval(s *analysis.ScaleAgreement, key string) string {
	r, ok := s.CI[key]
	if !ok {
		return ""
	}
	if key == "percent" {
		return intervalOf(&r.Lo, &r.Hi, func(v float64) string { return round(100*v, 1) })
	}
	return intervalOf(&r.Lo, &r.Hi, coefficient)
}

// coverageWord is the measured coverage of a figure's interval; empty where
// there is none.
func coverageWord(s *analysis.ScaleAgreement, key string) string {
	c, ok := s.Coverage[key]
	if !ok {
		return ""
	}
	return covered(&c)
}

// coefficientError is a standard error: three decimals, that of the equal marks in
// points of 100. It is empty where there is none.
func coefficientError(s *analysis.ScaleAgreement, key string) string {
	v, ok := s.SE[key]
	switch {
	case !ok:
		return ""
	case key == "percent":
		return round(100*v, 1)
	}
	return round(v, 3)
}

// coefficient is an agreement figure: two decimals, no sign when positive.
func coefficient(v float64) string { return round(v, 2) }
