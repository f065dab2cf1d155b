package report

import (
	"slices"
	"strings"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// apart writes one part that stands apart, in short: one row a contrast, and what
// limits them. Asked for detail it writes of each contrast what the headline does.
func (p *printer) apart(a analysis.Apart, l legend, parts []TextPart) {
	p.line("")
	p.wrap("", strings.Join(append([]string{"STANDING APART  " + partTitle(a)}, nonEmpty(partLead(a))...), midDot))
	if a.Result == nil {
		p.marks(l.lines(a.Marks))
		p.wrapAfter("! ", "  ", "not analysed: "+text(a.Withheld))
		return
	}
	p.marks(l.within(a.Result))
	p.line("")
	if slices.Contains(parts, ContrastDetail) {
		p.contrasts(a.Result, l, parts)
	} else {
		p.table(contrastGrid(a.Result, l), marginTitle, holmTitle)
		for _, w := range partWarnings(a.Result) {
			p.wrapAfter("! ", "  ", w.Text+" ["+w.Code+"] ("+w.Places()+")")
		}
	}
	if a.Result.Labels == 0 {
		p.outcomes(a.Result, l)
	}
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}
