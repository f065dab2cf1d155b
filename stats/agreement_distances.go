package stats

// distances are those of the categories, given as indices: 0 from a category to
// itself, and symmetric.
type distances struct {
	apart func(c, k int32) float64

	// Where a distance is a polynomial of the steps along a line, gap is the step from
	// category i to i+1, and along makes a reach a sum of distances: then sums over all
	// pairs of q categories take q steps, not q^2. Continuous marks have as many
	// categories as marks. A nil along means that there is no such form.
	gap   func(i int) float64
	along func(reach) float64
}

// reach is the weights on one side of a place on the line: their sum, and the sums
// of each times its distance to the place, and times the square of that.
type reach struct{ mass, first, second float64 }

// step moves the place away. Nothing here is negative, so that no digits cancel.
func (m *reach) step(gap float64) {
	m.second += gap * (2*m.first + gap*m.mass)
	m.first += gap * m.mass
}

// total is the sum of x_c y_k d(c,k) over all ordered pairs.
func (d distances) total(x, y []float64) float64 {
	sum := 0.0
	if d.along == nil {
		for c, a := range x {
			for k, b := range y {
				if a > 0 && b > 0 {
					sum += a * b * d.apart(int32(c), int32(k))
				}
			}
		}
		return sum
	}
	var belowX, belowY reach
	for i, a := range x {
		if i > 0 {
			belowX.step(d.gap(i - 1))
			belowY.step(d.gap(i - 1))
		}
		if b := y[i]; a > 0 || b > 0 {
			sum += a*d.along(belowY) + b*d.along(belowX)
			belowX.mass += a
			belowY.mass += b
		}
	}
	return sum
}

// to is, by category c, the sum of y_k d(c,k).
func (d distances) to(y []float64) []float64 {
	out := make([]float64, len(y))
	if d.along == nil {
		for c := range out {
			for k, b := range y {
				if b > 0 {
					out[c] += b * d.apart(int32(c), int32(k))
				}
			}
		}
		return out
	}
	add := func(i int, m reach) { out[i] += d.along(m) }
	d.below(y, add)
	d.above(y, add)
	return out
}

// below calls do with each place and the weights y below it.
func (d distances) below(y []float64, do func(i int, m reach)) {
	var m reach
	for i, b := range y {
		if i > 0 {
			m.step(d.gap(i - 1))
		}
		do(i, m)
		m.mass += b
	}
}

// above calls do with each place and the weights y above it.
func (d distances) above(y []float64, do func(i int, m reach)) {
	var m reach
	for i := len(y) - 1; i >= 0; i-- {
		if i+1 < len(y) {
			m.step(d.gap(i))
		}
		do(i, m)
		m.mass += y[i]
	}
}
