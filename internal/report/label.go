package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/uplift-eval/uplift/internal/analysis"
)

// label is a name beside its point.
type label struct {
	Text   string
	Note   string // small, under the name: reference, dominated
	Box    rect
	Leader []xy // a thin line to the mark when the label stands off; nil otherwise
	side   int  // 0: the mark is on the left, 1: above or below, 2: on the right
}

// Anchor is the SVG text-anchor that keeps the text at its mark whatever face
// the reader's machine has; X is where it holds.
func (l label) Anchor() string {
	return [...]string{"start", "middle", "end"}[l.side]
}

func (l label) X() float64 { return l.Box.X + float64(l.side)/2*l.Box.W }

// Base and NoteBase are the base lines of the name and its note.
func (l label) Base() float64     { return l.Box.Y + 0.8*l.lineHeight() }
func (l label) NoteBase() float64 { return l.Base() + l.lineHeight() }

func (l label) lineHeight() float64 {
	if l.Note == "" {
		return l.Box.H
	}
	return l.Box.H / 2
}

// cells counts terminal columns. It does not look at the locale.
var cells = &runewidth.Condition{StrictEmojiNeutral: true}

// labelCells is the longest label of a figure in columns.
const labelCells = 24

// textWidth estimates the width of a line in a sans face, a little too wide.
func textWidth(s string, font float64) float64 {
	return 0.66 * font * float64(cells.StringWidth(s))
}

// label places every name where it covers no mark, no other name and, if it
// can be had, no arrow. Points are taken from the right, so that the names at
// the edge, which have the least choice, come first.
func (p *plane) label(font float64) {
	order := make([]int, len(p.Points))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.Points[b].At.X, p.Points[a].At.X) })
	var taken []rect
	for _, i := range order {
		d := &p.Points[i]
		d.Label = p.bestLabel(d, font, taken)
		taken = append(taken, d.Label.Box)
	}
}

func (p *plane) bestLabel(d *dot, font float64, taken []rect) label {
	room := min(labelCells, int(0.5*p.Box.W/textWidth("m", font)))
	l := label{Text: cells.Truncate(d.Condition, room, "…"), Note: d.note()}
	w := textWidth(l.Text, font)
	h := 1.15 * font
	if l.Note != "" {
		w = math.Max(w, textWidth(l.Note, 0.85*font))
		h *= 2
	}
	best := math.Inf(1)
	for ring := range 9 {
		gap := 12 + 13*float64(ring)
		for k, at := range around(d.At, w, h, gap) {
			shift := 0.0
			if k >= 2 { // above and below may slide along the edge
				shift = slide(at, p.inner())
				at.X += shift
			}
			cost := p.labelCost(at, taken) + 6*float64(ring) + 0.4*float64(k)
			if cost < best {
				best, l.Box = cost, at
				l.Leader, l.side = leader(d.At, at, ring), sideOf(d.At, at, shift)
			}
		}
	}
	return l
}

// sideOf is where a label's text is held: at the edge that faces its mark, or
// at the edge of the plot that it was slid along.
func sideOf(mark xy, at rect, shift float64) int {
	switch {
	case at.X >= mark.X || shift > 0:
		return 0
	case at.Right() <= mark.X || shift < 0:
		return 2
	}
	return 1
}

// slide is how far a label must move sideways to lie within an area.
func slide(at, within rect) float64 {
	if over := at.Right() - within.Right(); over > 0 {
		return -math.Min(over, math.Max(0, at.X-within.X))
	}
	return math.Max(0, within.X-at.X)
}

// inner is the area that labels keep to.
func (p *plane) inner() rect {
	return rect{p.Box.X + 3, p.Box.Y + 3, p.Box.W - 6, p.Box.H - 6}
}

func (d *dot) note() string {
	var words []string
	if d.Reference {
		words = append(words, "reference")
	}
	if d.Dominated {
		words = append(words, "dominated")
	}
	if d.Unplanned != "" {
		words = append(words, d.Unplanned)
	}
	return cells.Truncate(strings.Join(words, ", "), labelCells+8, "…")
}

// around lists the places of a w x h label at a distance from a mark, the
// preferred ones first.
func around(at xy, w, h, gap float64) []rect {
	d := 0.72 * gap
	return []rect{
		{at.X + gap, at.Y - h/2, w, h},
		{at.X - gap - w, at.Y - h/2, w, h},
		{at.X - w/2, at.Y - gap - h, w, h},
		{at.X - w/2, at.Y + gap, w, h},
		{at.X + d, at.Y - d - h, w, h},
		{at.X + d, at.Y + d, w, h},
		{at.X - d - w, at.Y - d - h, w, h},
		{at.X - d - w, at.Y + d, w, h},
	}
}

// What a label pays for covering something. Leaving the plotting area and
// covering a mark or a name must never be worth it.
const (
	costOutside = 400.0
	costMark    = 200.0
	costName    = 300.0
	costArrow   = 14.0
)

func (p *plane) labelCost(at rect, taken []rect) float64 {
	cost := 0.0
	if !p.inner().holds(at) {
		cost += costOutside
	}
	for i := range p.Points {
		d := &p.Points[i]
		if at.overlaps(rect{d.At.X - 9, d.At.Y - 9, 18, 18}) {
			cost += costMark
		}
		if d.Arrow != nil && at.crossed(d.Arrow[0], d.Arrow[1]) {
			cost += costArrow
		}
	}
	for _, t := range taken {
		if at.overlaps(t) {
			cost += costName
		}
	}
	if at.overlaps(p.corner()) {
		cost += costName
	}
	return cost
}

// leader joins a label that stands off to its mark.
func leader(mark xy, at rect, ring int) []xy {
	if ring == 0 {
		return nil
	}
	end := xy{math.Max(at.X, math.Min(at.Right(), mark.X)), math.Max(at.Y, math.Min(at.Bottom(), mark.Y))}
	dx, dy := end.X-mark.X, end.Y-mark.Y
	n := math.Hypot(dx, dy)
	if n < 14 {
		return nil
	}
	return []xy{{mark.X + 9*dx/n, mark.Y + 9*dy/n}, {end.X - 2*dx/n, end.Y - 2*dy/n}}
}

// corner is the area of the word that marks the better corner.
func (p *plane) corner() rect {
	return rect{p.Box.Right() - 72, p.Box.Bottom() - 30, 72, 30}
}

func (r rect) holds(o rect) bool {
	return o.X >= r.X && o.Y >= r.Y && o.Right() <= r.Right() && o.Bottom() <= r.Bottom()
}

func (r rect) overlaps(o rect) bool {
	return r.X < o.Right() && o.X < r.Right() && r.Y < o.Bottom() && o.Y < r.Bottom()
}

// staircase joins the points that no other point dominates: what risk must be
// taken for what utility.
func (p *plane) staircase(points []analysis.OperatingPoint) {
	var on []xy
	for _, o := range points {
		if u, r, ok := place(o); ok && !o.Dominated {
			on = append(on, xy{p.X.at(u), p.Y.at(r)})
		}
	}
	slices.SortFunc(on, func(a, b xy) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(b.Y, a.Y)) })
	for i, q := range on {
		if i > 0 {
			p.Step = append(p.Step, xy{q.X, on[i-1].Y})
		}
		p.Step = append(p.Step, q)
	}
}
