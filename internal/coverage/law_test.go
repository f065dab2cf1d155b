package coverage

import (
	"math"
	"math/rand/v2"
	"testing"
)

const categories = ratingLevels + 1

// law is the exact joint distribution of two raters' marks of one response, for
// every ordered pair of different raters. Since marks are missing at random, it
// is the same whether all are there or not.
type law [mostRaters][mostRaters][categories][categories]float64

// lawOfMarks integrates over the latent value of a response, which is normal
// around one of two means, by Simpson's rule.
func lawOfMarks() law {
	var l law
	sd := math.Sqrt(latentTask*latentTask + latentItem*latentItem + latentOwn*latentOwn)
	const steps, reach = 2000, 9.0
	for _, effect := range []float64{0, contrasts[0].delta} {
		for i := range steps + 1 {
			z := reach * (2*float64(i)/steps - 1)
			weight := []float64{2, 4}[i%2]
			if i == 0 || i == steps {
				weight = 1
			}
			mass := weight * (2 * reach / steps / 3) * math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) / 2
			var p [mostRaters][categories]float64
			for k := range p {
				p[k] = levelsOf(latentBase + effect + sd*z + strictness[k])
			}
			l.add(mass, p)
		}
	}
	return l
}

func (l *law) add(mass float64, p [mostRaters][categories]float64) {
	for i := range p {
		for j := range p {
			for a := range categories {
				for b := range categories {
					l[i][j][a][b] += mass * p[i][a] * p[j][b]
				}
			}
		}
	}
}

// levelsOf is how likely each category is of a value under the noise of a mark.
func levelsOf(latent float64) (p [categories]float64) {
	above := 1.0
	for k, c := range cuts {
		next := math.Erfc((c-latent)/markNoise/math.Sqrt2) / 2
		p[k] = above - next
		above = next
	}
	p[ratingLevels] = above
	return p
}

// margin is the distribution of one rater's marks, pooled that of all.
func (l law) margin(i int) (p [categories]float64) {
	for a := range p {
		for b := range p {
			p[a] += l[i][i][a][b]
		}
	}
	return p
}

func (l law) pooled() (p [categories]float64) {
	for i := range mostRaters {
		for a, x := range l.margin(i) {
			p[a] += x / mostRaters
		}
	}
	return p
}

// pairs averages weight over the marks of two different raters.
func (l law) pairs(weight func(a, b int) float64) float64 {
	sum := 0.0
	for i := range mostRaters {
		for j := range mostRaters {
			if i == j {
				continue
			}
			for a := range categories {
				for b := range categories {
					sum += l[i][j][a][b] * weight(a, b)
				}
			}
		}
	}
	return sum / (mostRaters * (mostRaters - 1))
}

func expect(p, q [categories]float64, weight func(a, b int) float64) float64 {
	sum := 0.0
	for a := range p {
		for b := range q {
			sum += p[a] * q[b] * weight(a, b)
		}
	}
	return sum
}

func same(a, b int) float64 {
	if a == b {
		return 1
	}
	return 0
}

func square(a, b int) float64 { return float64((a - b) * (a - b)) }

func (l law) alphaOrdinal() float64 {
	p := l.pooled()
	distance := func(a, b int) float64 {
		d := -(p[a] + p[b]) / 2
		for g := min(a, b); g <= max(a, b); g++ {
			d += p[g]
		}
		return d * d
	}
	return 1 - l.pairs(distance)/expect(p, p, distance)
}

func (l law) kappaQuadratic() float64 { // the three pairs
	return (l.kappaOf(0, 1) + l.kappaOf(1, 2) + l.kappaOf(0, 2)) / 3
}

func (l law) kappaOf(i, j int) float64 {
	observed := 0.0
	for a := range categories {
		for b := range categories {
			observed += l[i][j][a][b] * square(a, b)
		}
	}
	return 1 - observed/expect(l.margin(i), l.margin(j), square)
}

func (l law) ac1() float64 {
	chance := 0.0
	for _, x := range l.pooled() {
		chance += x * (1 - x) / ratingLevels
	}
	return (l.pairs(same) - chance) / (1 - chance)
}

func (l law) fleiss() float64 {
	p := l.pooled()
	chance := expect(p, p, same)
	return (l.pairs(same) - chance) / (1 - chance)
}

// iccA1 is the covariance of two raters over it, the variance of the raters'
// means and what is left.
func (l law) iccA1() float64 {
	var means [mostRaters]float64
	grand, total := 0.0, 0.0
	for i := range means {
		for a, x := range l.margin(i) {
			means[i] += x * float64(a)
			total += x * float64(a*a) / mostRaters
		}
		grand += means[i] / mostRaters
	}
	between, crossed := 0.0, 0.0
	for i, m := range means {
		between += (m - grand) * (m - grand) / (mostRaters - 1)
		total -= m * m / mostRaters
		for j, other := range means {
			if i != j {
				crossed += m * other / (mostRaters * (mostRaters - 1))
			}
		}
	}
	product := l.pairs(func(a, b int) float64 { return float64(a * b) }) - crossed
	return product / (total + between)
}

// TestLaw: the exact figures are those of a large sample.
func TestLaw(t *testing.T) {
	exact := lawOfMarks()
	sum := 0.0
	for _, x := range exact.pooled() {
		sum += x
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Errorf("probabilities add to %v", sum)
	}
	for _, m := range markings {
		marks, task := m.sample(rand.New(rand.NewPCG(1, 1)), 20_000)
		sample := ratings(marks)
		for _, a := range agreements {
			got, err := a.figure(sample)
			if want := a.truth(exact); err != nil || math.Abs(got-want) > 0.012 {
				t.Errorf("%s, %s: %.4f, %v in a sample of %d, want %.4f within 0.012", m.name, a.name, got, err, len(task), want)
			}
		}
		values := make([]float64, len(task))
		counts := make([]float64, len(task))
		for _, k := range marks {
			values[k.Unit] += k.Value
			counts[k.Unit]++
		}
		for u := range values {
			values[u] /= counts[u]
		}
		if icc, err := clustered(values, task).ICC(); err != nil || math.Abs(icc-m.icc) > 0.015 {
			t.Errorf("%s: ICC %.3f, %v, want %.2f", m.name, icc, err, m.icc)
		}
	}
}
