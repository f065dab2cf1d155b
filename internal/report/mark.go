package report

import (
	"math"
	"strings"
)

// style is how a condition is drawn: a colour and a shape, never colour alone.
type style struct {
	Colour int // of the palette, or reference
	Shape  int // of [outline], or reference
}

func (p palette) of(condition string) style {
	return style{Colour: p.colour(condition), Shape: p.shape(condition)}
}

// Class is the style's class in the page.
func (s style) Class() string {
	if s.Colour == reference {
		return "cref"
	}
	return "c" + string(rune('0'+s.Colour))
}

// Path is the mark as an SVG path around 0,0.
func (s style) Path() string { return closedPath(outline(s.Shape, 6.5)) }

// Reference reports whether the style is the reference's.
func (s style) Reference() bool { return s.Shape == reference }

// xy is a position, y downwards.
type xy struct{ X, Y float64 }

// outline is the shape's corners around 0,0; all shapes look equally large.
func outline(shape int, r float64) []xy {
	switch shape {
	case 0:
		return polygon(4, 1.13*r, 45) // square
	case 1:
		return polygon(3, 1.28*r, -90) // triangle
	case 2:
		return polygon(4, 1.25*r, 0) // diamond
	case 3:
		return polygon(3, 1.28*r, 90) // triangle, point down
	case 4:
		return star(5, 1.35*r, 0.6*r)
	case 5:
		return polygon(6, 1.12*r, 0) // hexagon
	case 6:
		return cross(1.15*r, 0.42*r)
	}
	return polygon(32, r, 0) // the reference: a circle
}

func polygon(n int, r, degrees float64) []xy {
	out := make([]xy, n)
	for i := range out {
		t := degrees*math.Pi/180 + 2*math.Pi*float64(i)/float64(n)
		out[i] = xy{r * math.Cos(t), r * math.Sin(t)}
	}
	return out
}

func star(n int, outer, inner float64) []xy {
	out := make([]xy, 2*n)
	for i := range out {
		r := outer
		if i%2 == 1 {
			r = inner
		}
		t := -math.Pi/2 + math.Pi*float64(i)/float64(n)
		out[i] = xy{r * math.Cos(t), r * math.Sin(t)}
	}
	return out
}

func cross(r, w float64) []xy {
	return []xy{{-w, -r}, {w, -r}, {w, -w}, {r, -w}, {r, w}, {w, w}, {w, r}, {-w, r}, {-w, w}, {-r, w}, {-r, -w}, {-w, -w}}
}

// closedPath is a polygon as SVG path data.
func closedPath(points []xy) string {
	if len(points) == 0 {
		return ""
	}
	return openPath(points) + "Z"
}

// openPath is a line through points as SVG path data.
func openPath(points []xy) string {
	var b strings.Builder
	for i, p := range points {
		if i == 0 {
			b.WriteByte('M')
		} else {
			b.WriteByte('L')
		}
		b.WriteString(px(p.X) + " " + px(p.Y))
	}
	return b.String()
}
