package report

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// AgreementText writes the agreement of the raters for a terminal, wrapped at
// width columns; 0 means 100. A figure that is not defined is a dash, and the
// reason follows.
func AgreementText(w io.Writer, a *analysis.Agreement, width int) error {
	if a == nil {
		return ErrNoAgreement
	}
	if width <= 0 {
		width = defaultWidth
	}
	p := &printer{w: bufio.NewWriter(w), width: max(width, 40)}
	p.simulated(a.Simulated, "the marks are those of simulated raters")
	where := "all conditions"
	if a.Condition != "" {
		where = "condition " + name(a.Condition)
	}
	p.wrap("", "agreement of raters · "+where+" · "+percent(a.Level)+" intervals, clusters: "+clusterWord(a))
	p.line("")
	if len(a.Scales) == 0 {
		p.line("no response carries the marks of two raters")
	}
	g := agreementGrid(a)
	p.table(g)
	p.agreementNotes(a)
	return p.w.Flush()
}

func clusterWord(a *analysis.Agreement) string {
	return unitOf(&analysis.Result{Cluster: a.Cluster}).many
}

func agreementGrid(a *analysis.Agreement) *grid {
	g := &grid{columns: []column{{title: "scale"}, {title: "tier"}, {title: "shared", right: true}, {title: "marks", right: true}, {title: "raters", right: true},
		{title: "equal", right: true}, {title: "alpha", right: true}, {title: "kappa²", right: true}, {title: "kappa", right: true}, {title: "AC1", right: true}, {title: "ICC", right: true}}}
	for _, s := range a.Scales {
		r := agreementRowOf(s)
		g.add(r.Scale, r.Tier, r.Shared, r.Ratings, r.Raters, r.Percent, r.Alpha, r.KappaQuadratic, r.Kappa, r.AC1, r.ICC)
	}
	return g
}

// agreementNotes writes what the columns hold, the intervals, why a figure is
// absent, and the warnings.
func (p *printer) agreementNotes(a *analysis.Agreement) {
	if len(a.Scales) > 0 {
		p.wrap("", "alpha: Krippendorff, ordinal; kappa²: Cohen, quadratic weights, with more than two raters the mean over their pairs (Light); ICC: (A,1); shared: responses with two marks or more")
	}
	for _, s := range a.Scales {
		where := name(s.Scale) + ", " + name(s.Tier) + ": "
		if r := agreementRowOf(s); len(s.CI) > 0 {
			p.wrapAfter("  "+where, "    ", strings.Join(agreementIntervals(r), "; "))
		}
	}
	p.undefined(a)
	for _, s := range a.Scales {
		p.warnings("", name(s.Scale)+", "+name(s.Tier)+": ", s.Warnings)
	}
	p.warnings("", "", a.Warnings)
}

// undefined writes why figures are absent, each reason once with its rows.
func (p *printer) undefined(a *analysis.Agreement) {
	type reason struct{ figure, why string }
	rows := map[reason][]string{}
	var order []reason
	for _, s := range a.Scales {
		for _, k := range slices.Sorted(maps.Keys(s.Undefined)) {
			r := reason{figureWord(k), text(s.Undefined[k])}
			if len(rows[r]) == 0 {
				order = append(order, r)
			}
			rows[r] = append(rows[r], name(s.Scale)+" "+name(s.Tier))
		}
	}
	for _, r := range order {
		where := strings.Join(rows[r], ", ")
		if n := len(rows[r]); n > 3 {
			where = fmt.Sprintf("%d of %d rows", n, len(a.Scales))
		}
		p.wrapAfter("  "+r.figure+" is not defined for "+where+": ", "    ", r.why)
	}
}

func agreementIntervals(r agreementRow) []string {
	var out []string
	for _, f := range [][2]string{{"alpha", r.AlphaCI}, {"kappa²", r.KappaCI}, {"AC1", r.AC1CI}} {
		if f[1] != "" {
			out = append(out, f[0]+" "+f[1])
		}
	}
	return out
}
