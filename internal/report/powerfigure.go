package report

import (
	"gonum.org/v1/plot/vg"

	"github.com/uplift-eval/uplift/internal/power"
)

// panelsAcross is how many panels of an answer stand side by side: with several
// numbers of raters a row each, while it fits; else at most three, and no row
// that is left with one of four.
func panelsAcross(a *power.Answer, panels int) int {
	pairs := len(a.Tables[0].Pairs)
	switch {
	case len(a.Tables) > 1 && pairs <= 4:
		return pairs
	case panels == 4:
		return 2
	}
	return max(1, min(3, panels))
}

// answerPanels are the panels of one answer and what they are of.
type answerPanels struct {
	Heading string
	Panels  []powerPanel
	Across  int
}

// PowerFigure draws power by tasks for a paper: one panel a number of pairs and
// of raters, contrast by contrast, with one line an ICC. The result must hold
// curves. The format is one of [Formats].
func PowerFigure(r *power.Result, format string) ([]byte, error) {
	if r == nil {
		return nil, ErrNoPower
	}
	var all []answerPanels
	across, rows := 1, 0
	for i := range r.Answers {
		a := &r.Answers[i]
		if panels := powerPanels(r, a); len(panels) > 0 {
			n := panelsAcross(a, len(panels))
			all = append(all, answerPanels{basisTitle(r, a.Basis) + "; ICC " + iccsWord(a.ICCs), panels, n})
			across, rows = max(across, n), rows+(len(panels)+n-1)/n
		}
	}
	title := 0.0
	if len(all) > 1 {
		title = panelHead
	}
	w, head := float64(across)*powerW+16, 34.0
	lines := legendLines(powerKeys(r), w-24)
	foot := head + float64(max(1, rows))*powerH + float64(len(all))*title + 6
	p, err := newPen(w, foot+legendLine*float64(len(lines))+10, format)
	if err != nil {
		return nil, err
	}
	p.powerHead(r)
	p.dx, p.dy = 8, head
	for _, a := range all {
		p.answerPanels(a, title)
	}
	if len(all) == 0 {
		p.text("There is no difference to find.", xy{20, 40}, 0, 13, false, soft)
	}
	p.dx, p.dy = 16, foot
	p.legend(lines)
	return p.bytes()
}

// answerPanels draws the panels of one answer and moves below them.
func (p *pen) answerPanels(a answerPanels, title float64) {
	if title > 0 {
		p.text(cells.Truncate(a.Heading, 100, "…"), xy{8, 16}, 0, 12.5, false, soft)
	}
	p.dy += title
	for i, panel := range a.Panels {
		if i > 0 && i%a.Across == 0 {
			p.dy += powerH
		}
		p.dx = 8 + float64(i%a.Across)*powerW
		p.powerPanel(panel)
	}
	p.dx, p.dy = 8, p.dy+powerH
}

// powerHead says what is to be found, and what is simulated.
func (p *pen) powerHead(r *power.Result) {
	s, x := "Power of the t test on "+powerUnit(r).Many+", two-sided "+trimmed(r.Alpha, 4), 16.0
	if len(r.Answers) == 1 && r.Answers[0].Delta != nil {
		s = "Power to find " + signedOr(r.Answers[0].Delta) + ", SD " + sized(r.Answers[0].Basis.SD) + ", two-sided " + trimmed(r.Alpha, 4)
	}
	if r.Simulated {
		p.text("SIMULATED", xy{x, 22}, 0, 13, true, sham)
		x += 96
	}
	p.text(s, xy{x, 22}, 0, 13.5, true, ink)
}

func (p *pen) powerPanel(v powerPanel) {
	b := v.Box
	p.text(v.Title, xy{b.X, b.Y - 10}, 0, 13, true, ink)
	for _, t := range v.XTicks() {
		p.stroke([]xy{{t.At, b.Y}, {t.At, b.Bottom()}}, false, 1, hair)
		p.text(t.Label, xy{t.At, v.XTickY()}, 0.5, 11.5, false, soft)
	}
	for _, t := range v.YTicks() {
		p.stroke([]xy{{b.X, t.At}, {b.Right(), t.At}}, false, 1, hair)
		p.text(t.Label, xy{v.YTickX(), t.At + 4}, 1, 11.5, false, soft)
	}
	p.stroke([]xy{{b.X, b.Y}, {b.X, b.Bottom()}, {b.Right(), b.Bottom()}}, false, 1, faint)
	p.stroke([]xy{{b.X, v.Aim}, {b.Right(), v.Aim}}, false, 1, faint, vg.Points(1), vg.Points(2))
	p.text(v.XTitle, xy{b.Right(), v.XTitleY()}, 1, 11.5, false, soft)
	p.upright(v.YTitle, xy{11, b.Y}, 11.5, false, soft)
	for _, l := range v.Lines {
		p.stroke(l.Points, false, 2, accents[l.Style], dashed(l.Style)...)
	}
	for _, at := range v.Now {
		ring := shifted(polygon(24, 4, 0), at)
		p.fill(ring, paper)
		p.stroke(ring, true, 1.6, ink)
	}
}
