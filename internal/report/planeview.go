package report

// planeView is a laid-out plane with what its drawing needs besides.
type planeView struct {
	Plane              plane
	ID                 string // unique on the page
	Model, Description string
}

// Font is the size of the plane's labels.
func (v planeView) font() float64 { return v.Plane.Font }

// XTicks and YTicks are the ticks of both axes.
func (v planeView) XTicks() []tick { return v.Plane.X.ticks(v.Plane.Factor, false) }
func (v planeView) YTicks() []tick { return v.Plane.Y.ticks(v.Plane.Factor, false) }

// The places of tick labels, axis titles and the word at the better corner.

func (v planeView) XTickY() float64  { return v.Plane.Box.Bottom() + 1.45*v.font() }
func (v planeView) YTickX() float64  { return v.Plane.Box.X - 0.6*v.font() }
func (v planeView) XTitleY() float64 { return v.Plane.H - 0.35*v.font() }
func (v planeView) YTitleX() float64 { return 1.1 * v.font() }
func (v planeView) BetterX() float64 { return v.Plane.Box.Right() - 8 }
func (v planeView) BetterY() float64 { return v.Plane.Box.Bottom() - 9 }

// XTitle and YTitle say what the axes count, and which way is better.
func (v planeView) XTitle() string { return "Utility" + v.unit() + " (higher is better)" }
func (v planeView) YTitle() string { return "Risk" + v.unit() + " (lower is better)" }

func (v planeView) unit() string {
	if v.Plane.Factor == 100 {
		return ", points of 100"
	}
	return ""
}

// StepPath is the frontier's staircase; empty with fewer than two points on it.
func (v planeView) StepPath() string {
	if len(v.Plane.Step) < 2 {
		return ""
	}
	return openPath(v.Plane.Step)
}

// The shapes of a point as SVG path data.

func (d dot) RegionPath() string { return closedPath(d.Region) }
func (d dot) LeaderPath() string { return openPath(d.Label.Leader) }

func (d dot) ArrowPath() string {
	head := d.Head()
	return openPath([]xy{d.Arrow[0], head[3]})
}

func (d dot) HeadPath() string { return closedPath(d.Head()[:3]) }

// Head is the arrow's head: tip, two corners, and the middle of its base.
func (d dot) Head() []xy { return arrowHead(d.Arrow[0], d.Arrow[1], 9, 3.6) }

// WideView and NarrowView are the plane on a wide and on a narrow page.
func (p planePair) WideView() planeView {
	return planeView{p.Wide, p.ID + "w", p.Model, p.Description}
}

func (p planePair) NarrowView() planeView {
	return planeView{p.Narrow, p.ID + "n", p.Model, p.Description}
}

// Title is the cluster's word at the head of a column.
func (u unitWords) Title() string { return capital(u.Many) }

// CapTop and CapBottom are the ends of an interval's caps.
func (s strip) CapTop() float64    { return s.Mid() - 4 }
func (s strip) CapBottom() float64 { return s.Mid() + 4 }
