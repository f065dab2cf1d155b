package report

import (
	"math"

	"gonum.org/v1/plot/vg"

	"github.com/uplift-eval/uplift/internal/power"
)

// powerPanel is power by tasks at one number of pairs, laid out.
type powerPanel struct {
	Title  string
	W, H   float64
	Box    rect
	X, Y   axis
	Lines  []powerLine
	Aim    float64 // height of the aimed power
	Now    []xy    // the present design, one point an ICC
	XTitle string  // what the axes count
	YTitle string
	Says   string // in words, for those who do not see it
}

// powerLine is one curve, and how it is drawn: colour and dashes go by ICC.
type powerLine struct {
	ICC    string
	Style  int
	Points []xy
}

// Class is the curve's class in the page.
func (l powerLine) Class() string { return style{Colour: l.Style}.Class() }

// Path is the curve as SVG path data.
func (l powerLine) Path() string { return openPath(l.Points) }

// Dashes is the curve's pattern as SVG takes it.
func (l powerLine) Dashes() string {
	s := ""
	for _, d := range powerDashes[l.Style] {
		s += px(d) + " "
	}
	return s
}

// powerDashes are the line styles by index of the ICC.
var powerDashes = [colours][]float64{nil, {7, 3}, {2.5, 2.5}, {9, 3, 2, 3}, {1, 3}, {12, 4}}

// XTicks and YTicks are the ticks of both axes.
func (p powerPanel) XTicks() []tick { return p.X.ticks(1, false) }
func (p powerPanel) YTicks() []tick { return p.Y.ticks(1, false) }

// The places of tick labels and of the axis' title.

func (p powerPanel) XTickY() float64  { return p.Box.Bottom() + 16 }
func (p powerPanel) YTickX() float64  { return p.Box.X - 7 }
func (p powerPanel) XTitleY() float64 { return p.Box.Bottom() + 34 }

// Size of a panel, in pixels.
const (
	powerW = 330.0
	powerH = 250.0
)

// powerPanels lays out one panel a number of raters and pairs; none without a
// difference to find.
func powerPanels(r *power.Result, a *power.Answer) []powerPanel {
	var out []powerPanel
	for _, t := range a.Tables {
		for _, m := range t.Pairs {
			if p := newPowerPanel(r, a, t.Raters, m); len(p.Lines) > 0 {
				out = append(out, p)
			}
		}
	}
	return out
}

func newPowerPanel(r *power.Result, a *power.Answer, raters int, pairs float64) powerPanel {
	p := powerPanel{Title: pairsTitle(pairs) + " a " + powerUnit(r).One, W: powerW, H: powerH,
		XTitle: capital(powerUnit(r).Many) + " of the endpoint", YTitle: "Power"}
	if len(a.Tables) > 1 {
		p.Title += ", " + plural(raters, "rater", "raters")
	}
	p.Box = rect{44, 28, powerW - 44 - 12, powerH - 28 - 44}
	most := 2
	for _, c := range a.Curves {
		if n := len(c.Points); n > 0 {
			most = max(most, c.Points[n-1].Tasks)
		}
	}
	p.X = axis{Lo: 0, Hi: float64(most), From: p.Box.X, To: p.Box.Right(), Step: wholeStep(float64(most) / 6)}
	p.Y = axis{Lo: 0, Hi: 1, From: p.Box.Bottom(), To: p.Box.Y, Step: 0.2}
	p.Aim = p.Y.at(r.Power)
	for _, c := range a.Curves {
		if c.Raters != raters || c.Pairs != pairs {
			continue
		}
		l := powerLine{ICC: trimmed(c.ICC, 3), Style: len(p.Lines) % colours}
		for _, q := range c.Points {
			l.Points = append(l.Points, xy{p.X.at(float64(q.Tasks)), p.Y.at(q.Power)})
		}
		p.Lines = append(p.Lines, l)
	}
	p.present(a, raters, pairs)
	p.Says = p.words(r, a, raters, pairs)
	return p
}

// present marks the design of the basis in the panel that shows it.
func (p *powerPanel) present(a *power.Answer, raters int, pairs float64) {
	if a.Present == nil || a.Present.PairsPerTask != pairs || raters != a.Tables[0].Raters {
		return
	}
	for _, v := range a.Present.Power {
		if v != nil && float64(a.Present.Tasks) <= p.X.Hi {
			p.Now = append(p.Now, xy{p.X.at(float64(a.Present.Tasks)), p.Y.at(*v)})
		}
	}
}

// wholeStep is a round step of at least 1: tasks come whole.
func wholeStep(v float64) float64 { return math.Max(1, roundStep(v)) }

// words are the panel's numbers in a sentence.
func (p *powerPanel) words(r *power.Result, a *power.Answer, raters int, pairs float64) string {
	s := p.Title + ": power by ICC " + iccsWord(a.ICCs)
	for _, t := range a.Tables {
		for i, m := range t.Pairs {
			if t.Raters != raters || m != pairs {
				continue
			}
			for _, row := range t.Rows {
				s += "; " + plural(row.Tasks, powerUnit(r).One, powerUnit(r).Many) + " " + powersWord(row.Cells[i].Power)
			}
		}
	}
	return s + "."
}

// powerKeys explains the lines of the panels.
func powerKeys(r *power.Result) []legendKey {
	var keys []legendKey
	names := powerLineNames(r)
	for i, n := range names {
		keys = append(keys, legendKey{n, keyPowerLine(i)})
	}
	keys = append(keys, legendKey{"power " + powerWord(r.Power), keyAim})
	for _, a := range r.Answers {
		if a.Present != nil && a.Delta != nil {
			return append(keys, legendKey{"present design", keyPresent})
		}
	}
	return keys
}

// powerLineNames name the lines: by ICC, or by its place among the ICCs where
// answers differ.
func powerLineNames(r *power.Result) []string {
	var out []string
	same := true
	for i := range r.Answers {
		for k, n := range iccNames(&r.Answers[i]) {
			if k >= len(out) {
				out = append(out, n)
			}
			same = same && out[k] == n
		}
	}
	if same {
		return out
	}
	return []string{"lowest ICC", "second", "third", "fourth", "fifth", "sixth"}[:min(6, len(out))]
}

// iccNames name the lines of one answer.
func iccNames(a *power.Answer) []string {
	var out []string
	for _, icc := range a.ICCs {
		out = append(out, "ICC "+trimmed(icc, 3))
	}
	return out
}

func dashed(i int) []vg.Length {
	var out []vg.Length
	for _, d := range powerDashes[i%colours] {
		out = append(out, vg.Length(d*figureScale))
	}
	return out
}

func keyPowerLine(i int) func(p *pen, at xy) {
	return func(p *pen, at xy) {
		p.stroke([]xy{{at.X + 2, at.Y}, {at.X + keyW - 4, at.Y}}, false, 2, accents[i%colours], dashed(i)...)
	}
}

func keyAim(p *pen, at xy) {
	p.stroke([]xy{{at.X + 2, at.Y}, {at.X + keyW - 4, at.Y}}, false, 1, faint, vg.Points(1), vg.Points(2))
}

func keyPresent(p *pen, at xy) {
	ring := shifted(polygon(24, 4, 0), xy{at.X + keyW/2, at.Y})
	p.fill(ring, paper)
	p.stroke(ring, true, 1.6, ink)
}
