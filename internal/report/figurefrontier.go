package report

import (
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// Room at the head of a figure and of one of its panels, in pixels.
const (
	figureHead = 30.0
	panelHead  = 24.0
)

// planePrint is the plane of a figure with one panel.
var planePrint = size{W: 620, H: 450, Font: 13.5}

// Frontier draws the utility-risk plane for a paper, one panel a model: the
// operating points with their joint regions, arrows from the reference,
// dominated points muted, and a legend. The format is one of [Formats].
func Frontier(res *analysis.Result, format string) ([]byte, error) {
	if res == nil {
		return nil, ErrNoResult
	}
	pal := paletteOf(res)
	planes := planesOf(res, pal)
	columns := max(1, min(2, len(planes)))
	rows := max(1, (len(planes)+columns-1)/columns)
	panel := planeOne
	if columns == 1 {
		panel = planePrint
	}
	head := 6.0
	if len(stampsOf(res)) > 0 {
		head = figureHead
	}
	title := panelHead
	if len(models(res)) < 2 {
		title = 0
	}
	w, foot := float64(columns)*panel.W+12, head+float64(rows)*(panel.H+title)+6
	keys := planeKeys(planeNoteOf(res, planes), percent(res.Level))
	lines := legendLines(keys, w-panel.legendLeft()-12)
	p, err := newPen(w, foot+legendLine*float64(len(lines))+10, format)
	if err != nil {
		return nil, err
	}
	p.stamp(res)
	for i, pair := range planes {
		p.dx, p.dy = float64(i%columns)*panel.W+6, head+float64(i/columns)*(panel.H+title)
		if pair.Model != "" {
			p.text(pair.Model, xy{pair.Wide.Box.X, 16}, 0, 14, true, ink)
		}
		p.dy += title
		pair.Wide = newPlane(res, models(res)[pair.index], pal, panel)
		p.plane(pair.WideView())
	}
	if len(planes) == 0 {
		p.text("No condition has both a utility and a risk mean.", xy{20, head + 40}, 0, 13, false, soft)
	}
	p.dx, p.dy = 6+panel.legendLeft(), foot
	p.legend(lines)
	return p.bytes()
}

// stampsOf are the words over a figure none of whose numbers is to be taken for
// a planned one of a real model.
func stampsOf(res *analysis.Result) []string {
	var out []string
	if res.Simulated {
		out = append(out, "SIMULATED")
	}
	if word := qualifier(res.Marks); word != "" {
		out = append(out, strings.ToUpper(word)+": no number here is confirmatory")
	}
	return out
}

func (p *pen) stamp(res *analysis.Result) {
	x := 12.0
	for _, s := range stampsOf(res) {
		c := tentative
		if s == "SIMULATED" {
			c = sham
		}
		p.text(s, xy{x, 20}, 0, 13, true, c)
		f := p.face(13, true)
		x += float64(f.Width(s))/figureScale + legendGap
	}
}

func (p *pen) plane(v planeView) {
	b := v.Plane.Box
	for _, t := range v.XTicks() {
		p.stroke([]xy{{t.At, b.Y}, {t.At, b.Bottom()}}, false, 1, hair)
		p.text(t.Label, xy{t.At, v.XTickY()}, 0.5, 12.5, false, soft)
	}
	for _, t := range v.YTicks() {
		p.stroke([]xy{{b.X, t.At}, {b.Right(), t.At}}, false, 1, hair)
		p.text(t.Label, xy{v.YTickX(), t.At + 4.4}, 1, 12.5, false, soft)
	}
	p.stroke([]xy{{b.X, b.Y}, {b.X, b.Bottom()}, {b.Right(), b.Bottom()}}, false, 1, faint)
	p.text(v.XTitle(), xy{b.Right(), v.XTitleY()}, 1, 13, true, ink)
	p.upright(v.YTitle(), xy{v.YTitleX(), b.Y}, 13, true, ink)
	p.regions(v.Plane)
	p.better(xy{v.BetterX(), v.BetterY()})
	if len(v.Plane.Step) > 1 {
		p.stroke(v.Plane.Step, false, 1.2, faint, vg.Points(0.8), vg.Points(2.6))
	}
	for _, d := range v.Plane.Points {
		p.move(d)
	}
	for _, d := range v.Plane.Points {
		p.dot(d)
	}
}

// better names the better corner, with an arrow that points there.
func (p *pen) better(at xy) {
	p.halo("better", xy{at.X - 17, at.Y}, 1, 13, false, soft)
	head := arrowHead(xy{at.X - 12, at.Y - 9}, xy{at.X, at.Y + 3}, 6, 2.6)
	p.stroke([]xy{{at.X - 12, at.Y - 9}, head[3]}, false, 1.3, soft)
	p.fill(head[:3], soft)
}

func (p *pen) regions(pl plane) {
	for _, d := range pl.Points {
		if region := within(d.Region, pl.Box); len(region) > 2 {
			p.fill(region, faded(d.Style.ink(), 0.1))
		}
		for _, line := range outlineWithin(d.Region, pl.Box) {
			p.stroke(line, false, 1, faded(d.Style.ink(), 0.45))
		}
	}
}

func (p *pen) move(d dot) {
	if d.Arrow == nil {
		return
	}
	c := d.Style.ink()
	if d.Dominated {
		c = faded(c, 0.4)
	}
	head := d.Head()
	p.stroke([]xy{d.Arrow[0], head[3]}, false, 1.6, c)
	p.fill(head[:3], c)
}

func (p *pen) dot(d dot) {
	mark := outline(d.Style.Shape, 6.5)
	for i := range mark {
		mark[i].X += d.At.X
		mark[i].Y += d.At.Y
	}
	if d.Reference || d.Dominated {
		p.fill(mark, paper)
		p.stroke(mark, true, 1.8, d.Style.ink())
	} else {
		p.fill(mark, d.Style.ink())
	}
	if d.Label.Leader != nil {
		p.stroke(d.Label.Leader, false, 1, faint)
	}
	c := ink
	if d.Dominated {
		c = soft
	}
	anchor := float64(d.Label.side) / 2
	p.halo(d.Label.Text, xy{d.Label.X(), d.Label.Base()}, anchor, 13.5, !d.Dominated, c)
	if d.Label.Note != "" {
		p.halo(d.Label.Note, xy{d.Label.X(), d.Label.NoteBase()}, anchor, 12, false, soft)
	}
}
