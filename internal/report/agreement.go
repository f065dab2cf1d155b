package report

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// agreementSection is how far raters agree: one row a scale and tier, then each
// scale by itself.
type agreementSection struct {
	Condition string // empty: all
	Intervals string // what the intervals resample, and how often
	Marks     []pill
	Rows      []agreementRow
	Notes     []agreementNote // why a cell of the table is empty
	Scales    []agreementScale
	Steps     []heatStep // the key of the heat maps; nil without any
	Sums      bool       // some heat map is of coincidences
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
	Scale, Tier     string
	Units, Shared   string
	Ratings, Raters string
	Cells           []agreementCell // by agreementColumns
}

// agreementColumns are the figures of the table, by their JSON names.
var agreementColumns = []string{"percent", "alpha_ordinal", "kappa_quadratic", "ac1", "icc_a1"}

func agreementOf(res *analysis.Result, a *analysis.Agreement) *agreementSection {
	if a == nil || len(a.Scales) == 0 {
		return nil
	}
	t := &agreementSection{Intervals: agreementIntervalNote(res, a), Marks: pillsOf(a.Marks)}
	if a.Condition != "" {
		t.Condition = name(a.Condition)
	}
	for i := range a.Scales {
		t.Rows = append(t.Rows, t.row(&a.Scales[i]))
	}
	for i, of := range byScale(a) {
		s := agreementScaleOf(i, of)
		t.Scales = append(t.Scales, s)
		for _, h := range s.heats() {
			t.Steps = heatSteps
			t.Sums = t.Sums || h.Sums
		}
	}
	return t
}

// byScale groups the entries of one scale, in their order.
func byScale(a *analysis.Agreement) [][]*analysis.ScaleAgreement {
	var out [][]*analysis.ScaleAgreement
	for i := range a.Scales {
		s := &a.Scales[i]
		if i == 0 || s.Scale != a.Scales[i-1].Scale {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], s)
	}
	return out
}

// agreementIntervalNote says what the intervals of an agreement rest on.
func agreementIntervalNote(res *analysis.Result, a *analysis.Agreement) string {
	if a.Replicates <= 0 {
		return "No intervals were asked for."
	}
	return "The " + percent(a.Level) + " intervals are percentiles of " + count(a.Replicates) + " resamples of " + clusterWord(a) +
		", over the responses with two marks or more (the bootstrap intervals of the contrasts: " + count(res.Replicates) + " resamples of " + unitOf(res).many + ")."
}

func (t *agreementSection) row(s *analysis.ScaleAgreement) agreementRow {
	r := agreementRow{Scale: name(s.Scale), Tier: name(s.Tier), Units: count(s.Units), Shared: count(s.Shared),
		Ratings: count(s.Ratings), Raters: count(s.Raters)}
	for _, key := range agreementColumns {
		r.Cells = append(r.Cells, t.cell(s, key))
	}
	return r
}

// cell is a figure of the table. An empty one points to its reason.
func (t *agreementSection) cell(s *analysis.ScaleAgreement, key string) agreementCell {
	c := agreementCell{Value: coefficientValue(s, key), CI: coefficientInterval(s, key)}
	if why := s.Undefined[key]; why != "" && c.Value == absent {
		c.Without, c.Note = "left out", t.note(why)
		return c
	}
	if why := s.Undefined["ci."+key]; why != "" && c.CI == "" {
		c.Without, c.Note = "no interval", t.note(why)
	}
	return c
}

// note is the note with a reason; equal reasons share one.
func (t *agreementSection) note(why string) *agreementNote {
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

// undefinedFigures gives the reasons of a scale's entry by figure, in order;
// those of an absent figure's own interval and error are not said again.
func undefinedFigures(s *analysis.ScaleAgreement) []string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(s.Undefined)) {
		if _, of, ok := strings.Cut(k, "."); ok && s.Undefined[of] != "" {
			continue
		}
		out = append(out, k)
	}
	return out
}
