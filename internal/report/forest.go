package report

import (
	"fmt"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// forest is the contrast table of one endpoint.
type forest struct {
	Endpoint string
	Meaning  string
	Rows     []forestRow
	Axis     []tick
	Figure   []tick  // the axis of a figure: in points of 100 where the scale allows
	Unit     string  // of a figure; empty: the scale's own, which Meaning names
	W, H     float64 // of the axis
	Truth    bool    // some row knows its truth
	Family   string  // how many contrasts Holm adjusts together; empty when there is one
	Margin   string  // that the rows are tested against; empty: none
	Alpha    string  // up to which p that test shows something
}

// forestRow is one contrast of the table.
type forestRow struct {
	Anchor                      string
	Model, Condition, Reference string // Model is empty when the study has one
	Style                       style
	MeanReference               string
	MeanCondition               string
	Difference, Interval        string
	Figure                      string // both, in the unit of a figure
	Withheld                    bool   // there is no interval
	Marks                       []pill
	Unplanned                   string // what the contrast is beside planned ones; empty: as all are
	P, Holm, Margin             string
	Pairs, Clusters             string
	Truth                       string
	Strip                       strip
	Methods                     []methodRow
	Covered                     string // where coverage was measured; empty: nowhere
	Facts                       []Fact
	Line                        []string
	Warnings                    []note
}

// methodRow is one interval of a contrast, the headline's first.
type methodRow struct {
	Name, Value, Interval, Assumes string
	Covered                        string // measured coverage; empty: not measured
	Headline                       bool
	Pairs                          bool // takes the pairs as independent
	Strip                          strip
}

// contrastAnchor is the id of the i-th contrast's row.
func contrastAnchor(i int) string { return fmt.Sprintf("contrast-%d", i+1) }

// forestsOf lays out the contrast table, one part an endpoint.
func forestsOf(res *analysis.Result, pal palette) []forest {
	var out []forest
	order := contrastOrder(res)
	for _, e := range endpoints(res) {
		of := contrastsOn(res, e)
		if len(of) == 0 {
			continue
		}
		a := intervalAxis(of)
		f := forest{Endpoint: endpointTitle(e), Meaning: meaning(of[0]), Axis: a.ticks(1, true), W: stripW, H: 18}
		factor := 1.0
		if rubric(of[0].Scale) {
			factor, f.Unit = 100, ", points of 100"
		}
		f.Figure = a.ticks(factor, true)
		for _, i := range order {
			if c := &res.Contrasts[i]; c.Endpoint == e {
				f.Rows = append(f.Rows, rowOf(res, c, i, a, pal))
				f.Truth = f.Truth || c.Truth != nil
				if c.NonInferiority != nil {
					f.Margin, f.Alpha = marginSize(c), pValue(c.NonInferiority.Alpha)
				}
				if ofSeveral(c) {
					f.Family = familySize(c.Family)
				}
			}
		}
		out = append(out, f)
	}
	return out
}

// contrastsOn lists the contrasts of an endpoint.
func contrastsOn(res *analysis.Result, endpoint string) []*analysis.Contrast {
	var out []*analysis.Contrast
	for i := range res.Contrasts {
		if res.Contrasts[i].Endpoint == endpoint {
			out = append(out, &res.Contrasts[i])
		}
	}
	return out
}

func rowOf(res *analysis.Result, c *analysis.Contrast, i int, a axis, pal palette) forestRow {
	r := forestRow{
		Anchor: contrastAnchor(i), Condition: name(c.Condition), Reference: name(c.Reference), Style: pal.of(c.Condition),
		MeanReference: meanOr(c.MeanReference), MeanCondition: meanOr(c.MeanCondition),
		Difference: difference(c), Interval: interval(c.Difference.Lo, c.Difference.Hi),
		P: pOr(c.PSignFlip), Holm: pOr(holm(c)), Margin: marginP(c), Pairs: count(c.Pairs), Clusters: count(c.Clusters), Truth: signedOr(c.Truth),
		Strip: newStrip(a, c.Difference.Value, c.Difference.Lo, c.Difference.Hi, c.Truth).band(a, c.Band),
		Facts: factsOf(res, c), Line: whole(res, c),
	}
	r.Figure = figureValue(c)
	r.Marks, r.Unplanned = pillsOf(c.Marks), qualifier(beyond(res, c.Marks))
	r.Withheld = r.Interval == absent && c.Pairs > 0
	r.Strip.None = r.Strip.None || c.Pairs == 0
	if len(models(res)) > 1 {
		r.Model = name(c.Model)
	}
	r.Methods = methodsOf(res, c, a)
	r.Covered = coveredAt(c)
	r.Warnings = notesOf(c.Warnings)
	return r
}

// difference is a contrast's value, absent without pairs.
func difference(c *analysis.Contrast) string {
	if c.Pairs == 0 {
		return absent
	}
	return signedOr(c.Difference.Value)
}

// figureValue is a contrast's difference and interval as a figure prints
// them: in points of 100 on the scales of the rubric.
func figureValue(c *analysis.Contrast) string {
	form := signed
	if rubric(c.Scale) {
		form = func(v float64) string { return signedAt(100*v, 1) }
	}
	if c.Pairs == 0 {
		return "no pairs"
	}
	value := orAbsent(c.Difference.Value, form)
	if in := intervalOf(c.Difference.Lo, c.Difference.Hi, form); in != absent {
		return value + " " + in
	}
	return value + " (interval withheld)"
}

func methodsOf(res *analysis.Result, c *analysis.Contrast, a axis) []methodRow {
	u := unitOf(res)
	d := c.Difference
	head := methodRow{Name: methodName(d.Method, u), Value: difference(c), Interval: interval(d.Lo, d.Hi),
		Assumes: "the headline: " + u.many + " are independent, pairs within one are not", Headline: true,
		Strip: newStrip(a, d.Value, d.Lo, d.Hi, c.Truth)}
	head.Strip.None = c.Pairs == 0
	if c.Coverage != nil {
		head.Covered = covered(c.Coverage)
	}
	out := []methodRow{head}
	if b := c.Band; b != nil {
		row := methodRow{Name: "simultaneous band by " + u.many, Value: difference(c), Interval: interval(&b.Lo, &b.Hi),
			Assumes: "independent " + u.many + "; all " + count(c.Family.Tested) + " of the family hold their truths at once",
			Strip:   newStrip(a, d.Value, &b.Lo, &b.Hi, c.Truth)}
		if b.Coverage != nil {
			row.Covered = covered(b.Coverage)
			row.Assumes += "; covered: all of a family of three"
		}
		out = append(out, row)
	}
	for _, s := range c.Sensitivity {
		m := methodRow{Name: methodName(s.Method, u), Value: signedOr(&s.Value), Interval: interval(s.Lo, s.Hi),
			Assumes: text(s.Assumes), Pairs: byPairs(s.Method), Strip: newStrip(a, &s.Value, s.Lo, s.Hi, c.Truth)}
		if s.Withheld != "" {
			m.Assumes = "withheld: " + text(s.Withheld)
		}
		if s.Coverage != nil {
			m.Covered = covered(s.Coverage)
		}
		out = append(out, m)
	}
	return out
}

// coveredAt says where the coverage of a contrast's methods was measured.
func coveredAt(c *analysis.Contrast) string {
	at := c.Coverage
	for _, s := range c.Sensitivity {
		if at == nil {
			at = s.Coverage
		}
	}
	if at == nil {
		return ""
	}
	return plural(at.Clusters, "task", "tasks")
}

// marginP is the p of non-inferiority.
func marginP(c *analysis.Contrast) string {
	if c.NonInferiority == nil {
		return absent
	}
	return pValue(c.NonInferiority.P)
}
