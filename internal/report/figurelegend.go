package report

import (
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
)

// legendKey is one entry of a figure's legend.
type legendKey struct {
	Text string
	draw func(p *pen, at xy) // into a box of keyW, centred on the height of at
}

// Sizes of a legend, in pixels.
const (
	legendLine = 20.0
	legendFont = 12.0
	legendGap  = 20.0
	keyW       = 34.0
)

// legendLeft is where the legend begins: under the plotting area.
func (s size) legendLeft() float64 { return marginLeft * s.Font }

// planeKeys explains what the planes show, and nothing that they do not.
func planeKeys(n planeNote, level string) []legendKey {
	keys := []legendKey{{"reference", keyReference}}
	if n.Arrow {
		keys = append(keys, legendKey{"move from the reference", keyArrow})
	}
	if n.Region {
		keys = append(keys, legendKey{"joint " + level + " region of both means", keyRegion})
	}
	if n.Staircase {
		keys = append(keys, legendKey{"frontier: no other condition is better on both", keyStep})
	}
	if n.Dominated {
		keys = append(keys, legendKey{"dominated: another is at least as good on both", keyDominated})
	}
	return keys
}

func keyReference(p *pen, at xy) {
	ring := shifted(polygon(24, 5, 0), xy{at.X + keyW/2, at.Y})
	p.fill(ring, paper)
	p.stroke(ring, true, 1.8, ink)
}

func keyArrow(p *pen, at xy) {
	head := arrowHead(xy{at.X + 2, at.Y}, xy{at.X + keyW - 4, at.Y}, 9, 3.6)
	p.stroke([]xy{{at.X + 2, at.Y}, head[3]}, false, 1.6, soft)
	p.fill(head[:3], soft)
}

func keyRegion(p *pen, at xy) {
	ring := shifted(polygon(48, 1, 0), xy{})
	for i, q := range ring {
		ring[i] = xy{at.X + keyW/2 + 14*q.X, at.Y + 6.5*q.Y}
	}
	p.fill(ring, faded(soft, 0.12))
	p.stroke(ring, true, 1, faded(soft, 0.55))
}

func keyStep(p *pen, at xy) {
	p.stroke([]xy{{at.X + 2, at.Y + 6}, {at.X + keyW/2, at.Y + 6}, {at.X + keyW/2, at.Y - 6}, {at.X + keyW - 4, at.Y - 6}}, false, 1.2, faint,
		vg.Points(0.8), vg.Points(2.6))
}

func keyDominated(p *pen, at xy) {
	mark := shifted(polygon(4, 7, 0), xy{at.X + keyW/2, at.Y})
	p.fill(mark, paper)
	p.stroke(mark, true, 1.5, soft)
}

// shifted moves an outline.
func shifted(points []xy, by xy) []xy {
	out := make([]xy, len(points))
	for i, q := range points {
		out[i] = xy{q.X + by.X, q.Y + by.Y}
	}
	return out
}

// legendLines breaks a legend into lines of at most a width.
func legendLines(keys []legendKey, width float64) [][]legendKey {
	measure := &pen{cache: font.NewCache(liberation.Collection())}
	var lines [][]legendKey
	left := 0.0
	for _, k := range keys {
		w := measure.keyWidth(k)
		if len(lines) == 0 || w > left {
			lines, left = append(lines, nil), width
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], k)
		left -= w + legendGap
	}
	return lines
}

// keyWidth is the room that an entry takes.
func (p *pen) keyWidth(k legendKey) float64 {
	f := p.face(legendFont, false)
	return keyW + 6 + float64(f.Width(loose(k.Text)))/figureScale
}

func (p *pen) legend(lines [][]legendKey) {
	for i, line := range lines {
		x, y := 0.0, legendLine*(float64(i)+0.5)
		for _, k := range line {
			k.draw(p, xy{x, y})
			p.text(k.Text, xy{x + keyW + 6, y + 4}, 0, legendFont, false, soft)
			x += p.keyWidth(k) + legendGap
		}
	}
}
