package report

import (
	"strings"

	"maps"
	"slices"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// agreementTable is how far raters agree, one row a scale and tier.
type agreementTable struct {
	Condition string // empty: all
	Rows      []agreementRow
	Undefined []string // why a figure is absent
}

type agreementRow struct {
	Scale, Tier             string
	Units, Shared           string
	Ratings, Raters         string
	Percent                 string
	Alpha, AlphaCI          string // ordinal
	AlphaNominal            string
	AlphaInterval           string
	Kappa                   string
	KappaLinear             string
	KappaQuadratic, KappaCI string
	AC1, AC1CI              string
	AC2                     string
	ICC                     string
}

func agreementOf(a *analysis.Agreement) *agreementTable {
	if a == nil || len(a.Scales) == 0 {
		return nil
	}
	t := &agreementTable{}
	if a.Condition != "" {
		t.Condition = name(a.Condition)
	}
	for _, s := range a.Scales {
		t.Rows = append(t.Rows, agreementRowOf(s))
		for _, k := range slices.Sorted(maps.Keys(s.Undefined)) {
			t.Undefined = append(t.Undefined, name(s.Scale)+", "+name(s.Tier)+": "+figureWord(k)+": "+text(s.Undefined[k]))
		}
	}
	return t
}

func agreementRowOf(s analysis.ScaleAgreement) agreementRow {
	ci := func(figure string) string {
		r, ok := s.CI[figure]
		if !ok {
			return ""
		}
		return intervalOf(&r.Lo, &r.Hi, coefficient)
	}
	c := func(p *float64) string { return orAbsent(p, coefficient) }
	return agreementRow{Scale: name(s.Scale), Tier: name(s.Tier), Units: count(s.Units), Shared: count(s.Shared),
		Ratings: count(s.Ratings), Raters: count(s.Raters), Percent: shareOr(s.Percent),
		Alpha: c(s.AlphaOrdinal), AlphaCI: ci("alpha_ordinal"), AlphaNominal: c(s.AlphaNominal), AlphaInterval: c(s.AlphaInterval),
		Kappa: c(s.Kappa), KappaLinear: c(s.KappaLinear), KappaQuadratic: c(s.KappaQuadratic), KappaCI: ci("kappa_quadratic"),
		AC1: c(s.AC1), AC1CI: ci("ac1"), AC2: c(s.AC2Quadratic), ICC: c(s.ICCA1)}
}

// coefficient is an agreement figure: two decimals, no sign when positive.
func coefficient(v float64) string { return round(v, 2) }

// figureWord is the JSON name of an agreement figure in words.
func figureWord(key string) string {
	if rest, ok := strings.CutPrefix(key, "ci."); ok {
		return "the interval of " + figureWord(rest)
	}
	if word, ok := figureWords[key]; ok {
		return word
	}
	return endpointWord(key)
}

// figureWords are the columns' names of figures.
var figureWords = map[string]string{
	"alpha_nominal": "alpha (nominal)", "alpha_ordinal": "alpha", "alpha_interval": "alpha (interval)",
	"kappa_linear": "kappa (linear)", "kappa_quadratic": "kappa²", "ac1": "AC1", "ac2_quadratic": "AC2", "icc_a1": "ICC",
}
