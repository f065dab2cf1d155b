package coverage

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/uplift-eval/uplift/stats"
)

// loss is a process of losses of 0 or 1 whose mean is exactly the budget, so
// that every certificate is false. A task's rate of loss is Beta with mean
// budget; its intraclass correlation is what makes rows of a task alike.
type loss struct {
	rows int // a task
	icc  float64
}

const (
	budget    = 0.1
	certainty = 0.9 // 1 - delta
)

var losses = []loss{
	{6, 0}, {6, 0.1}, {6, 0.3}, {6, 0.5},
	{33, 0}, {33, 0.1}, {33, 0.3}, {33, 0.5},
}

func (l loss) name() string { return fmt.Sprintf("loss_of_%d_icc_%.0f", l.rows, 100*l.icc) }

// sample gives the mean loss of each task, and its rows in a random order.
func (l loss) sample(r *rand.Rand, tasks int) (means, rows []float64) {
	for range tasks {
		p, sum := budget, 0.0
		if l.icc > 0 {
			p = beta(r, budget*(1/l.icc-1), (1-budget)*(1/l.icc-1))
		}
		for range l.rows {
			x := 0.0
			if r.Float64() < p {
				x = 1
			}
			rows, sum = append(rows, x), sum+x
		}
		means = append(means, sum/float64(l.rows))
	}
	r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return means, rows
}

func (l loss) scene(tasks, simulations int) scene {
	draw := func(r *rand.Rand, _ int) board {
		means, rows := l.sample(r, tasks)
		var b board
		for _, x := range []struct {
			of     string
			losses []float64
		}{{"tasks", means}, {"rows", rows}} {
			p, err := stats.HoeffdingBentkus(average(x.losses), len(x.losses), budget)
			b.certificate("hb_"+x.of, p, err)
			p, err = stats.WSR(x.losses, budget, 1-certainty)
			b.certificate("wsr_"+x.of, p, err)
		}
		return b
	}
	return scene{l.name(), l.icc, tasks, simulations, 0, draw}
}

// certificate is false when it is given: then the true mean, the budget, lies
// above a bound below the budget.
func (b *board) certificate(method string, p float64, err error) {
	b.test(method, certainty, 0, p, 0, budget, err)
}

func average(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

func beta(r *rand.Rand, a, b float64) float64 {
	x, y := gamma(r, a), gamma(r, b)
	return x / (x + y)
}

// gamma is Marsaglia & Tsang (2000).
func gamma(r *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return gamma(r, shape+1) * math.Pow(1-r.Float64(), 1/shape)
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		z := r.NormFloat64()
		v := 1 + c*z
		v *= v * v
		if v > 0 && math.Log(1-r.Float64()) < z*z/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}
