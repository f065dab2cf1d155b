package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Weights names the random weights of a wild cluster bootstrap. The zero value
// is invalid.
type Weights int

// The weights; both have mean 0 and variance 1.
const (
	Rademacher Weights = iota + 1 // +1 or -1, with equal chances
	Webb6                         // +-sqrt(1.5), +-1 or +-sqrt(0.5), with equal chances; Webb (2014)
)

// String is "rademacher" or "webb6".
func (w Weights) String() string {
	switch w {
	case Rademacher:
		return "rademacher"
	case Webb6:
		return "webb6"
	}
	return fmt.Sprintf("Weights(%d)", int(w))
}

// WildWeights is the usual choice: [Webb6] below 10 clusters, where 2^G signs
// give too coarse a p, else [Rademacher]. Webb (2014); MacKinnon & Webb
// (2018).
func WildWeights(clusters int) Weights {
	if clusters < 10 {
		return Webb6
	}
	return Rademacher
}

// WildTest is the result of a wild cluster bootstrap test.
type WildTest struct {
	P      float64 // two-sided, in (0,1]
	Exact  bool    // every vector of weights was visited; false: Monte Carlo
	Draws  int     // of the Monte Carlo; 0 when exact
	Method string  // for people, such as "exact, all 2^10 sign vectors"
}

// WildTest tests that the mean is null, by the wild cluster bootstrap-t with the
// null imposed (Cameron, Gelbach & Miller 2008):
//
//	R_g = S_g - n_g*null,  S*_g = n_g*null + w_g R_g,  t = (mean - null)/se
//	P = P(|t*| >= |t|)
//
// se is the CR0 error; CR1 differs by a factor that cancels. Rademacher weights
// are enumerated when their 2^(G-1) vectors (a vector and its mirror give the
// same |t|) are no more than B, and no more than 2^20: P is then exact given
// the |R_g|, and free of the seed. Else P is (1+k)/(1+B). With clusters of equal
// size, Rademacher weights and null 0 it is [Clustered.SignFlipClusters]. Level
// of r is not used.
//
// It assumes independent clusters. No P lies below 2^(1-G) with Rademacher
// weights. It is undefined, and an error says why, for a single cluster and
// when all cluster means are equal.
func (c *Clustered) WildTest(w Weights, null float64, r Resample) (WildTest, error) {
	b, err := c.wild(w, r)
	if err != nil {
		return WildTest{}, fmt.Errorf("wild bootstrap: %w", err)
	}
	if !(math.Abs(null) <= maxValue) {
		return WildTest{}, fmt.Errorf("wild bootstrap: null %v (want a number of size up to %g)", null, maxValue)
	}
	return b.test(null, func(shift float64) int { return b.count(shift) }), nil
}

// wild is a sample as its wild bootstrap sees it, with the clusters in an order
// that neither their names nor the sign of the values change.
type wild struct {
	u, n    []float64 // residual sums U_g and sizes
	mean    float64
	step    float64 // of u and mean, in units of the values
	size    float64 // sum of n
	vectors signVectors
	weights Weights
	table   signTable // of Rademacher weights: u, n, u*n, n*n

	uu, un, nn, abs float64 // sums of u^2, u*n, n^2, |u|
}

func (c *Clustered) wild(w Weights, r Resample) (*wild, error) {
	if w != Rademacher && w != Webb6 {
		return nil, fmt.Errorf("weights %v (want Rademacher or Webb6)", w)
	}
	t := c.tuples()
	if err := (Resample{B: r.B, Level: 0.5}).check(t); err != nil {
		return nil, err
	}
	b := &wild{step: t.lattice.value(1), weights: w}
	b.mean, b.size = t.mean()
	b.fill(t)
	if b.uu == 0 {
		return nil, fmt.Errorf("undefined, because every cluster has the same mean %g", c.mean)
	}
	b.vectors = signVectors{count: r.B, seed: r.Seed, g: t.clusters}
	if w == Rademacher {
		b.vectors = newSignVectors(t.clusters, r.B, float64(r.B), r.Seed)
		un, nn := make([]float64, len(b.u)), make([]float64, len(b.u))
		for g, n := range b.n {
			un[g], nn[g] = b.u[g]*n, n*n
		}
		b.table = newSignTable(b.u, b.n, un, nn)
	}
	return b, nil
}

// fill orders the clusters and sums their residuals; those that are nothing but
// rounding count as 0.
func (b *wild) fill(t tuples) {
	type residual struct{ u, n float64 }
	var up, down []residual
	for _, r := range t.rows {
		expected := r.n * b.mean
		u := r.s - expected
		if math.Abs(u) <= rounding*(math.Abs(r.s)+math.Abs(expected)) {
			u = 0
		}
		for range r.count {
			up, down = append(up, residual{u, r.n}), append(down, residual{-u, r.n})
		}
	}
	order := func(x, y residual) int { return cmp.Or(cmp.Compare(x.u, y.u), cmp.Compare(x.n, y.n)) }
	slices.SortFunc(up, order)
	slices.SortFunc(down, order)
	sign := 1.0
	if slices.CompareFunc(up, down, order) > 0 {
		up, sign = down, -1
	}
	for _, x := range up {
		u := sign * x.u
		b.u, b.n = append(b.u, u), append(b.n, x.n)
		b.uu, b.un, b.nn, b.abs = b.uu+u*u, b.un+u*x.n, b.nn+x.n*x.n, b.abs+math.Abs(u)
	}
}

// wildDraw is what one vector of weights makes of the sample, for every null at
// once. With x = null - mean, so that R_g = U_g - n_g*x:
//
//	sum of w_g R_g = a - b*x,  n^2 CR0* = e0 + e1*x + e2*x^2
type wildDraw struct{ a, b, e0, e1, e2 float64 }

// webb6 are Webb's six weights.
var webb6 = [6]float64{-math.Sqrt(1.5), -1, -math.Sqrt(0.5), math.Sqrt(0.5), 1, math.Sqrt(1.5)}

// draw makes draw i.
func (b *wild) draw(i int) wildDraw {
	if b.weights == Webb6 {
		return b.drawWebb(i)
	}
	wu, wn, wun, wnn := b.table.sum(b.vectors.word(i))
	return b.newDraw(wu, wn, wun, wnn, b.uu, b.un, b.nn)
}

func (b *wild) drawWebb(i int) wildDraw {
	s, d := newStream(b.vectors.seed, uint64(i)), newDie(len(webb6))
	var wu, wn, wun, wnn, uu, un, nn float64
	first, second := uint64(0), uint64(0)
	for g, u := range b.u {
		if g%2 == 0 {
			first, second = d.pair(&s)
		} else {
			first = second
		}
		w, n := webb6[first], b.n[g]
		x, y := w*u, w*n
		wu, wn, wun, wnn = wu+x, wn+y, wun+x*n, wnn+y*n
		uu, un, nn = uu+x*x, un+x*y, nn+y*y
	}
	return b.newDraw(wu, wn, wun, wnn, uu, un, nn)
}

// newDraw takes the sums of w*u, w*n, w*u*n, w*n^2, w^2*u^2, w^2*u*n, w^2*n^2. The
// residuals of the resample are U*_g = w_g R_g - n_g m, m = sum of w_g R_g / n.
func (b *wild) newDraw(wu, wn, wun, wnn, uu, un, nn float64) wildDraw {
	p, q := wu/b.size, wn/b.size
	return wildDraw{a: wu, b: wn,
		e0: uu - 2*p*wun + p*p*b.nn,
		e1: -2*un + 2*(p*wnn+q*wun) - 2*p*q*b.nn,
		e2: nn - 2*q*wnn + q*q*b.nn,
	}
}

// extreme says whether |t*| >= |t| at x = null - mean, without a division: a
// resample whose error is 0 has an infinite t*. Ties count, whatever rounding does
// to them: both sides have a tolerance, since either can be what is left of nearly
// equal numbers while the other is not.
func (b *wild) extreme(d *wildDraw, x float64) bool {
	a := math.Abs(d.a-d.b*x) + rounding*(b.abs+math.Abs(x)*b.size)
	v := d.e0 + x*(d.e1+x*d.e2) - rounding*(b.uu+2*math.Abs(x*b.un)+x*x*b.nn)
	observed := b.size * x
	return a*a*b.uu >= observed*observed*v
}

// count is the number of extreme draws at x.
func (b *wild) count(x float64) int {
	hit := make([]bool, b.vectors.count)
	eachReplicate(len(hit), 4+len(b.u)/4, func(i int) {
		d := b.draw(i)
		hit[i] = b.extreme(&d, x)
	})
	k := 0
	for _, h := range hit {
		if h {
			k++
		}
	}
	return k
}

// test is the result at a null, in units of the values.
func (b *wild) test(null float64, count func(x float64) int) WildTest {
	x := null/b.step - b.mean
	if math.Abs(x) <= rounding*(math.Abs(null/b.step)+math.Abs(b.mean)) {
		x = 0
	}
	method := b.vectors.method()
	if b.weights == Webb6 {
		method = fmt.Sprintf("Monte Carlo, %d draws of Webb's weights", b.vectors.count)
	}
	return WildTest{P: b.vectors.p(count(x)), Exact: b.vectors.exact, Draws: b.vectors.draws(), Method: method}
}
