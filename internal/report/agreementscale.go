package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// agreementScale is the agreement on one scale in full.
type agreementScale struct {
	Anchor, Scale string
	Counts        string
	Heat          heatMap   // over all tiers
	Tiers         []heatMap // tier by tier
	Columns       []string  // of the coefficients: the tiers
	Covered       string    // how many clusters coverage was measured at; empty: it was not
	Figures       []figureRow
	Undefined     []undefinedNote // why a coefficient is a dash
	Raters        raterTable
	Pairs         pairTable
	Patterns      patternTable
}

// figureRow is one coefficient, tier by tier.
type figureRow struct {
	Name    string
	Cells   []figureCell
	Covered string // measured coverage of the last interval; empty: not measured
}

type figureCell struct{ Value, SE, CI string }

// undefinedNote is a reason with the figures and tiers that it is of.
type undefinedNote struct {
	Figures []string // keys
	Tiers   []string
	Why     string
}

// agreementScaleOf takes all entries of a scale. What is not shown tier by tier
// is of all tiers, else of the last one.
func agreementScaleOf(index int, entries []*analysis.ScaleAgreement) agreementScale {
	whole := entries[len(entries)-1]
	out := agreementScale{Anchor: "agreement-" + strconv.Itoa(index+1), Scale: name(whole.Scale), Heat: heatOf(whole),
		Counts:    plural(whole.Ratings, "mark", "marks") + " of " + plural(whole.Units, "response", "responses") + " by " + plural(whole.Raters, "rater", "raters"),
		Undefined: undefinedNotes(entries, func(string) bool { return true }), Raters: ratersOf(whole), Pairs: pairsOf(whole), Patterns: patternsOf(whole)}
	for _, s := range entries {
		out.Columns = append(out.Columns, tierTitle(s.Tier))
		if s != whole {
			out.Tiers = append(out.Tiers, heatOf(s))
		}
	}
	for _, f := range whole.Figures() {
		if c, ok := whole.Coverage[f.Name]; ok {
			out.Covered = plural(c.Clusters, "task", "tasks")
		}
		if row, some := figureRowOf(entries, f.Name); some {
			out.Figures = append(out.Figures, row)
		}
	}
	return out
}

// figureRowOf reports whether any tier has the coefficient or says why not.
func figureRowOf(entries []*analysis.ScaleAgreement, key string) (row figureRow, some bool) {
	row.Name, row.Covered = figureNames[key].long, coverageWord(entries[len(entries)-1], key)
	for _, s := range entries {
		row.Cells = append(row.Cells, figureCell{coefficientValue(s, key), coefficientError(s, key), coefficientInterval(s, key)})
		some = some || coefficientOf(s, key) != nil || s.Undefined[key] != "" && !asked(key)
	}
	return row, some
}

// asked tells the coefficients that are given only when they are asked for:
// that they were not is no finding.
func asked(key string) bool { return strings.HasSuffix(key, "alpha_ratio") }

// told tells whether the reason for an absent figure is worth a line: which
// coefficients have a standard error at all is said once for all.
func told(key string) bool { return !asked(key) && !strings.HasPrefix(key, "se.") }

func (s *agreementScale) heats() []heatMap {
	var out []heatMap
	for _, h := range append([]heatMap{s.Heat}, s.Tiers...) {
		if h.Why == "" {
			out = append(out, h)
		}
	}
	return append(out, s.Pairs.Heats...)
}

// undefinedNotes gives each reason once, with its figures and its tiers; of the
// figures that are wanted.
func undefinedNotes(entries []*analysis.ScaleAgreement, want func(key string) bool) []undefinedNote {
	var out []undefinedNote
	for _, s := range entries {
		var of []undefinedNote // of this tier
		for _, k := range undefinedFigures(s) {
			if !told(k) || !want(k) {
				continue
			}
			why := text(s.Undefined[k])
			i := slices.IndexFunc(of, func(n undefinedNote) bool { return n.Why == why })
			if i < 0 {
				i = len(of)
				of = append(of, undefinedNote{Tiers: []string{name(s.Tier)}, Why: why})
			}
			of[i].Figures = append(of[i].Figures, k)
		}
		for _, n := range of {
			out = mergeNote(out, n)
		}
	}
	return out
}

func mergeNote(notes []undefinedNote, n undefinedNote) []undefinedNote {
	for i := range notes {
		if notes[i].Why == n.Why && slices.Equal(notes[i].Figures, n.Figures) {
			notes[i].Tiers = append(notes[i].Tiers, n.Tiers...)
			return notes
		}
	}
	return append(notes, n)
}

// Where and What are a note's tiers and figures on a line.
func (n undefinedNote) Where() string { return strings.Join(n.Tiers, ", ") }

func (n undefinedNote) What() string {
	var out, ci []string
	for _, key := range n.Figures {
		if of, ok := strings.CutPrefix(key, "ci."); ok {
			ci = append(ci, figureWord(of))
		} else {
			out = append(out, figureWord(key))
		}
	}
	if len(ci) > 0 {
		out = append(out, "interval of "+strings.Join(ci, ", "))
	}
	return strings.Join(out, "; ")
}
