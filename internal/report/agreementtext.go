package report

import (
	"bufio"
	"io"
	"slices"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// AgreementPart is something that [AgreementText] can write of a scale beside
// its table. The zero value is invalid.
type AgreementPart int

const (
	AgreementFigures  AgreementPart = iota + 1 // every coefficient with its standard error and interval
	AgreementTables                            // how often which two values met
	AgreementRaters                            // how each rater marked
	AgreementPairs                             // each two raters
	AgreementPatterns                          // who marked together
)

// AgreementText writes the agreement of the raters for a terminal, wrapped at
// width columns; 0 means 100. A figure that is not defined is a dash, and the
// reason follows. The parts are written of all tiers together, or of the
// last tier that is there.
func AgreementText(w io.Writer, a *analysis.Agreement, width int, parts ...AgreementPart) error {
	if a == nil {
		return ErrNoAgreement
	}
	if width <= 0 {
		width = defaultWidth
	}
	p := &printer{w: bufio.NewWriter(w), width: max(width, 40)}
	p.simulated(a.Simulated, a.BroughtIn, simulatedMarks(a.BroughtIn))
	p.notConfirmatory(a.Marks, reasons(a.Marks))
	where := "all conditions"
	if a.Condition != "" {
		where = "condition " + name(a.Condition)
	}
	p.wrap("", "agreement of raters · "+where+" · "+percent(a.Level)+" intervals, clusters: "+clusterWord(a))
	p.line("")
	if len(a.Scales) == 0 {
		p.line("no response carries the marks of two raters")
	}
	for _, entries := range byScale(a) {
		p.agreementScale(entries, parts)
	}
	p.agreementNotes(a, parts)
	return p.w.Flush()
}

func clusterWord(a *analysis.Agreement) string {
	return unitOf(&analysis.Result{Cluster: a.Cluster}).many
}

// agreementTextColumns are the figures of the terminal's table.
var agreementTextColumns = []string{"percent", "alpha_ordinal", "kappa_quadratic", "kappa", "ac1", "icc_a1"}

// agreementScale writes a scale's table and its parts.
func (p *printer) agreementScale(entries []*analysis.ScaleAgreement, parts []AgreementPart) {
	whole := entries[len(entries)-1]
	p.wrapAfter(name(whole.Scale)+" · ", "  ", plural(whole.Ratings, "mark", "marks")+" of "+plural(whole.Units, "response", "responses")+" by "+plural(whole.Raters, "rater", "raters"))
	g, inside := p.agreementGrid(entries)
	p.table(g)
	if !inside {
		p.agreementIntervals(entries)
	}
	p.undefined(entries, slices.Contains(parts, AgreementFigures))
	for _, s := range entries {
		p.warnings("", name(s.Tier)+": ", s.Warnings)
	}
	if !inside || len(undefinedShown(entries, slices.Contains(parts, AgreementFigures))) > 0 || warned(entries) {
		p.line("")
	}
	p.agreementParts(whole, parts)
}

func warned(entries []*analysis.ScaleAgreement) bool {
	for _, s := range entries {
		if len(s.Warnings) > 0 {
			return true
		}
	}
	return false
}

// agreementGrid has a row a tier, and its intervals beneath where they fit.
func (p *printer) agreementGrid(entries []*analysis.ScaleAgreement) (g *grid, inside bool) {
	for _, inside := range []bool{true, false} {
		g = &grid{columns: []column{{title: "tier"}, {title: "shared", right: true}}}
		for _, key := range agreementTextColumns {
			g.columns = append(g.columns, column{title: figureWord(key), right: true})
		}
		for _, s := range entries {
			values, intervals := []string{name(s.Tier), count(s.Shared)}, []string{"", ""}
			for _, key := range agreementTextColumns {
				values, intervals = append(values, coefficientValue(s, key)), append(intervals, tight(coefficientInterval(s, key)))
			}
			g.add(values...)
			if inside && strings.Join(intervals, "") != "" {
				g.add(intervals...)
			}
		}
		if inside && len(g.rows) > len(entries) && g.fit(p.width) {
			return g, true
		}
	}
	return g, false
}

// tight is an interval without its leading zeros: [.43, .79].
func tight(interval string) string {
	return strings.NewReplacer("[0.", "[.", minus+"0.", minus+".", firm+"0.", firm+".").Replace(interval)
}

// agreementIntervals writes the intervals of the table's figures as lines.
func (p *printer) agreementIntervals(entries []*analysis.ScaleAgreement) {
	for _, s := range entries {
		var out []string
		for _, key := range agreementTextColumns {
			if ci := coefficientInterval(s, key); ci != "" {
				out = append(out, figureWord(key)+" "+tight(ci))
			}
		}
		if len(out) > 0 {
			p.wrapAfter("  "+name(s.Tier)+": ", "    ", strings.Join(out, "; "))
		}
	}
}

// agreementNotes writes what the columns hold, what else is there, and the
// warnings of the whole.
func (p *printer) agreementNotes(a *analysis.Agreement, parts []AgreementPart) {
	if len(a.Scales) > 0 {
		p.wrap("", "equal: share of equal marks; alpha: Krippendorff, ordinal; kappa: Cohen, kappa² with quadratic weights, with more than two raters the mean over their pairs (Light); ICC: (A,1); shared: responses with two marks or more")
	}
	if slices.Contains(parts, AgreementFigures) {
		p.wrap("", "SE: standard error that takes every response as independent; the intervals do not; kappas have one with two raters only")
	}
	if len(parts) == 0 && len(a.Scales) > 0 {
		p.wrap("", "also there: every coefficient with its error (--figures), who meets whom (--tables), each rater (--raters), each two of them (--pairs), who marked together (--patterns); --all for all of these, --json for everything by tier")
	}
	p.warnings("", "", a.Warnings)
}

// undefinedShown are the reasons of the figures that are shown.
func undefinedShown(entries []*analysis.ScaleAgreement, all bool) []undefinedNote {
	return undefinedNotes(entries, func(key string) bool {
		_, of, dotted := strings.Cut(key, ".")
		if !dotted {
			of = key
		}
		return all || slices.Contains(agreementTextColumns, of)
	})
}

// undefined writes why figures are absent, each reason once with its tiers.
func (p *printer) undefined(entries []*analysis.ScaleAgreement, all bool) {
	for _, n := range undefinedShown(entries, all) {
		where := n.Where() + ": no "
		if len(n.Tiers) == len(entries) && len(entries) > 1 {
			where = "every tier: no "
		}
		p.wrapAfter("  "+where, "    ", n.What()+": "+n.Why)
	}
}
