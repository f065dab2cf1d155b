package report

import "math"

// cut is the part of the line from a to b that lies in r; false where none
// does (Liang-Barsky).
func (r rect) cut(a, b xy) (from, to xy, ok bool) {
	t0, t1 := 0.0, 1.0
	dx, dy := b.X-a.X, b.Y-a.Y
	for _, e := range [4][2]float64{{-dx, a.X - r.X}, {dx, r.Right() - a.X}, {-dy, a.Y - r.Y}, {dy, r.Bottom() - a.Y}} {
		switch {
		case e[0] == 0 && e[1] < 0:
			return a, b, false
		case e[0] < 0:
			t0 = math.Max(t0, e[1]/e[0])
		case e[0] > 0:
			t1 = math.Min(t1, e[1]/e[0])
		}
	}
	return xy{a.X + t0*dx, a.Y + t0*dy}, xy{a.X + t1*dx, a.Y + t1*dy}, t0 <= t1
}

// crossed reports whether the line from a to b passes through r.
func (r rect) crossed(a, b xy) bool {
	_, _, ok := r.cut(a, b)
	return ok
}

// within is the part of a convex area that lies in r (Sutherland-Hodgman).
func within(area []xy, r rect) []xy {
	for _, depth := range []func(xy) float64{ // positive inside of one edge of r
		func(q xy) float64 { return q.X - r.X }, func(q xy) float64 { return r.Right() - q.X },
		func(q xy) float64 { return q.Y - r.Y }, func(q xy) float64 { return r.Bottom() - q.Y }} {
		var kept []xy
		for i, b := range area {
			a := area[(i+len(area)-1)%len(area)]
			da, db := depth(a), depth(b)
			if (da < 0) != (db < 0) {
				t := da / (da - db)
				kept = append(kept, xy{a.X + t*(b.X-a.X), a.Y + t*(b.Y-a.Y)})
			}
			if db >= 0 {
				kept = append(kept, b)
			}
		}
		area = kept
	}
	return area
}

// outlineWithin is the outline of an area where it lies in r, as open lines: it
// does not run along the edge of r, where the area goes on.
func outlineWithin(area []xy, r rect) [][]xy {
	var lines [][]xy
	for i, b := range area {
		from, to, ok := r.cut(area[(i+len(area)-1)%len(area)], b)
		if !ok {
			continue
		}
		if k := len(lines) - 1; k >= 0 && lines[k][len(lines[k])-1] == from {
			lines[k] = append(lines[k], to)
			continue
		}
		lines = append(lines, []xy{from, to})
	}
	return lines
}
