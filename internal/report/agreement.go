package report

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// agreementTable is how far raters agree, one row a scale and tier.
type agreementTable struct {
	Condition string // empty: all
	Intervals string // what the intervals resample, and how often
	Rows      []agreementRow
	Notes     []agreementNote // why a cell of the table is empty
	Undefined []string        // the same for figures that the table does not show
}

// agreementNote is a reason that cells of the table point to.
type agreementNote struct{ Anchor, Mark, Text string }

// agreementCell is a figure with its interval, or with the note that says why
// there is none.
type agreementCell struct {
	Value, CI string
	Without   string // what the note explains: "left out" or "no interval"
	Note      *agreementNote
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
	Cells                   []agreementCell // as the page shows them
}

// agreementColumns are the figures that the page shows, by their JSON names.
var agreementColumns = []string{"percent", "alpha_ordinal", "kappa_quadratic", "ac1", "icc_a1"}

func agreementOf(res *analysis.Result, a *analysis.Agreement) *agreementTable {
	if a == nil || len(a.Scales) == 0 {
		return nil
	}
	t := &agreementTable{Intervals: agreementIntervalNote(res, a)}
	if a.Condition != "" {
		t.Condition = name(a.Condition)
	}
	for _, s := range a.Scales {
		r := agreementRowOf(s)
		for i, v := range []string{r.Percent, r.Alpha, r.KappaQuadratic, r.AC1, r.ICC} {
			r.Cells = append(r.Cells, t.cell(s, agreementColumns[i], v, []string{"", r.AlphaCI, r.KappaCI, r.AC1CI, ""}[i]))
		}
		t.Rows = append(t.Rows, r)
		for _, k := range slices.Sorted(maps.Keys(s.Undefined)) {
			if !slices.Contains(agreementColumns, strings.TrimPrefix(k, "ci.")) {
				t.Undefined = append(t.Undefined, name(s.Scale)+", "+name(s.Tier)+": "+figureWord(k)+": "+text(s.Undefined[k]))
			}
		}
	}
	return t
}

// agreementIntervalNote says what the intervals of an agreement rest on.
func agreementIntervalNote(res *analysis.Result, a *analysis.Agreement) string {
	if a.Replicates <= 0 {
		return "No intervals were asked for."
	}
	return "The " + percent(a.Level) + " intervals are percentiles of " + count(a.Replicates) + " resamples of " + clusterWord(a) +
		", over the responses with two marks or more (the bootstrap intervals of the contrasts: " + count(res.Replicates) + " resamples of " + unitOf(res).many + ")."
}

// cell is a figure of the table. An empty one points to its reason.
func (t *agreementTable) cell(s analysis.ScaleAgreement, key, value, ci string) agreementCell {
	c := agreementCell{Value: value, CI: ci}
	if why := s.Undefined[key]; why != "" && value == absent {
		c.Without, c.Note = "left out", t.note(why)
		return c
	}
	if why := s.Undefined["ci."+key]; why != "" && ci == "" {
		c.Without, c.Note = "no interval", t.note(why)
	}
	return c
}

// note is the note with a reason; equal reasons share one.
func (t *agreementTable) note(why string) *agreementNote {
	why = text(why)
	for i := range t.Notes {
		if t.Notes[i].Text == why {
			return &t.Notes[i]
		}
	}
	mark := strconv.Itoa(len(t.Notes) + 1)
	t.Notes = append(t.Notes, agreementNote{Anchor: "agreement-note-" + mark, Mark: mark, Text: why})
	return &t.Notes[len(t.Notes)-1]
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
