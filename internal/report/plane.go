package report

import (
	"math"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// plane is the utility-risk plane of one model, laid out: utility grows to the
// right, risk upwards, so that the better corner is the lower right one.
type plane struct {
	W, H, Font  float64
	Box         rect // the plotting area
	X, Y        axis
	Factor      float64 // 100 when the ticks are points of 100, else 1
	Points      []dot
	Unplaced    []string // conditions without both means
	Step        []xy     // the frontier's staircase
	HasRegion   bool
	HasDominant bool // some point is dominated
}

// dot is one operating point.
type dot struct {
	Condition string // as shown
	At        xy
	Style     style
	Reference bool
	Dominated bool
	Unplanned string // what the point is beside planned ones; empty: as all are
	Region    []xy   // outline of the joint region; nil without one
	Arrow     []xy   // from the reference: start and end; nil without one
	Label     label  // placed without overlap
	Title     string
}

// rect is an area, y downwards.
type rect struct{ X, Y, W, H float64 }

// Right and Bottom are the far edges.
func (r rect) Right() float64  { return r.X + r.W }
func (r rect) Bottom() float64 { return r.Y + r.H }

// size is how a plane is drawn.
type size struct {
	W, H float64
	Font float64 // of the labels
}

// Margins around the plotting area, in multiples of the font size.
const (
	marginLeft   = 4.2
	marginBottom = 3.6
	marginTop    = 1.0
	marginRight  = 1.2
)

// newPlane lays out the operating points of one model.
func newPlane(res *analysis.Result, model string, pal palette, s size) plane {
	p := plane{W: s.W, H: s.H, Font: s.Font, Factor: 1}
	p.Box = rect{marginLeft * s.Font, marginTop * s.Font,
		s.W - (marginLeft+marginRight)*s.Font, s.H - (marginTop+marginBottom)*s.Font}
	if rubric(scaleOf(res, "utility")) && rubric(scaleOf(res, "risk")) {
		p.Factor = 100
	}
	var placed []analysis.OperatingPoint
	for _, o := range res.Frontier {
		if o.Model != model {
			continue
		}
		if _, _, ok := place(o); !ok {
			p.Unplaced = append(p.Unplaced, name(o.Condition))
			continue
		}
		placed = append(placed, o)
	}
	p.scale(placed)
	for _, o := range placed {
		p.add(o, pal, qualifier(beyond(res, o.Marks)))
	}
	p.arrows(references(res))
	p.staircase(placed)
	p.label(s.Font)
	return p
}

func scaleOf(res *analysis.Result, endpoint string) string {
	for _, c := range res.Contrasts {
		if c.Endpoint == endpoint {
			return c.Scale
		}
	}
	for _, c := range res.Conditions {
		if m, ok := c.Endpoints[endpoint]; ok {
			return m.Scale
		}
	}
	return ""
}

// place is where a point stands, where both its means exist.
func place(o analysis.OperatingPoint) (utility, risk float64, ok bool) {
	utility, okU := finite(o.Utility)
	risk, okR := finite(o.Risk)
	return utility, risk, okU && okR
}

// scale zooms the axes to the points and their regions. On the scales of the
// rubric the axes end at 0 and 1, with room for the mark of a point there.
func (p *plane) scale(points []analysis.OperatingPoint) {
	uLo, uHi, rLo, rHi := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, o := range points {
		u, r, _ := place(o)
		du, dr := reach(o.Region)
		uLo, uHi = math.Min(uLo, u-du), math.Max(uHi, u+du)
		rLo, rHi = math.Min(rLo, r-dr), math.Max(rHi, r+dr)
	}
	if p.Factor == 100 {
		uLo, uHi = math.Max(uLo, 0), math.Min(uHi, 1)
		rLo, rHi = math.Max(rLo, 0), math.Min(rHi, 1)
	}
	p.X = p.axis(uLo, uHi, p.Box.X, p.Box.Right(), int(math.Max(3, p.Box.W/85)))
	p.Y = p.axis(rLo, rHi, p.Box.Bottom(), p.Box.Y, int(math.Max(3, p.Box.H/62)))
}

// leastSpan is the least part of a scale of the rubric that an axis shows.
const leastSpan = 0.02

// axis spans lo to hi with a margin. Of points of 100 it shows at least
// leastSpan, and does not run far outside of 0 to 100.
func (p *plane) axis(lo, hi, from, to float64, n int) axis {
	if p.Factor != 100 {
		return newAxis(lo, hi, 1e-6, from, to, n)
	}
	if hi < lo { // no point
		lo, hi = 0, 1
	}
	if short := leastSpan - (hi - lo); short > 0 {
		lo = math.Max(0, math.Min(lo-short/2, 1-leastSpan))
		hi = lo + leastSpan
	}
	a := newAxis(lo, hi, leastSpan, from, to, n)
	room := 0.05 * (a.Hi - a.Lo)
	a.Lo, a.Hi = math.Max(a.Lo, -room), math.Min(a.Hi, 1+room)
	a.Step = roundStep((a.Hi - a.Lo) / float64(n))
	return a
}

// reach is how far a region extends from its centre along each axis.
func reach(g *analysis.Region) (utility, risk float64) {
	if !drawable(g) {
		return 0, 0
	}
	return math.Sqrt(g.Scale * g.VarUtility), math.Sqrt(g.Scale * g.VarRisk)
}

func drawable(g *analysis.Region) bool {
	if g == nil {
		return false
	}
	for _, v := range []float64{g.Scale * g.VarUtility, g.Scale * g.VarRisk, g.Cov} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return g.Scale > 0 && g.VarUtility >= 0 && g.VarRisk >= 0 && g.VarUtility+g.VarRisk > 0
}

func (p *plane) add(o analysis.OperatingPoint, pal palette, unplanned string) {
	u, r, _ := place(o)
	st := pal.of(o.Condition)
	d := dot{Condition: name(o.Condition), At: xy{p.X.at(u), p.Y.at(r)}, Style: st,
		Reference: st.Reference(), Dominated: o.Dominated, Unplanned: unplanned}
	if drawable(o.Region) {
		d.Region = p.ellipse(u, r, o.Region)
		p.HasRegion = true
	}
	p.HasDominant = p.HasDominant || o.Dominated
	d.Title = d.Condition + ": utility " + round(u, 3) + ", risk " + round(r, 3)
	if o.Dominated {
		d.Title += "; dominated"
	}
	if unplanned != "" {
		d.Title += "; " + unplanned
	}
	p.Points = append(p.Points, d)
}

// ellipse is the outline of a region around (u, r): centre + sqrt(Scale) L e,
// with L the Cholesky factor of the covariance and e on the unit circle.
func (p *plane) ellipse(u, r float64, g *analysis.Region) []xy {
	l11 := math.Sqrt(g.VarUtility)
	l21 := 0.0
	if l11 > 0 {
		l21 = g.Cov / l11
	}
	l22 := math.Sqrt(math.Max(0, g.VarRisk-l21*l21))
	k := math.Sqrt(g.Scale)
	out := make([]xy, 72)
	for i := range out {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(len(out)))
		out[i] = xy{p.X.at(u + k*l11*c), p.Y.at(r + k*(l21*c+l22*s))}
	}
	return out
}

// Room that an arrow leaves around a mark, and the length below which it is
// not drawn.
const (
	arrowRoom  = 11.0
	arrowLeast = 10.0
)

// arrows draws from the reference to every other point.
func (p *plane) arrows(refs map[string]bool) {
	var from *dot
	for i := range p.Points {
		if p.Points[i].Reference {
			from = &p.Points[i]
		}
	}
	if from == nil || len(refs) == 0 {
		return
	}
	for i := range p.Points {
		to := &p.Points[i]
		dx, dy := to.At.X-from.At.X, to.At.Y-from.At.Y
		n := math.Hypot(dx, dy)
		if to.Reference || n < 2*arrowRoom+arrowLeast {
			continue
		}
		dx, dy = dx/n, dy/n
		to.Arrow = []xy{{from.At.X + arrowRoom*dx, from.At.Y + arrowRoom*dy},
			{to.At.X - arrowRoom*dx, to.At.Y - arrowRoom*dy}}
	}
}

// arrowHead is the head of an arrow from a to b: its tip, its two corners and
// the middle of its base.
func arrowHead(a, b xy, long, half float64) []xy {
	dx, dy := b.X-a.X, b.Y-a.Y
	n := math.Hypot(dx, dy)
	if n == 0 {
		return []xy{b, b, b, b}
	}
	dx, dy = dx/n, dy/n
	base := xy{b.X - long*dx, b.Y - long*dy}
	return []xy{b, {base.X - half*dy, base.Y + half*dx}, {base.X + half*dy, base.Y - half*dx}, base}
}
