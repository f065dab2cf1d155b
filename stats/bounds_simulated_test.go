package stats

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// falseCertificates draws samples whose true mean is the budget, .1, and counts
// the certificates at delta .1, for rows taken as independent and for tasks.
func falseCertificates(random *rand.Rand, draws, tasks, rows int, icc float64) (byRows, byTasks, betting float64) {
	effect := distuv.Beta{Alpha: 0.1 * (1/icc - 1), Beta: 0.9 * (1/icc - 1), Src: random}
	for range draws {
		l := make([]float64, tasks)
		for g := range l {
			p := effect.Rand()
			for range rows {
				if random.Float64() < p {
					l[g] += 1 / float64(rows)
				}
			}
		}
		m := min(1, mean(l))
		count := func(p float64, err error) float64 {
			if err == nil && p <= 0.1 {
				return 1 / float64(draws)
			}
			return 0
		}
		byRows += count(HoeffdingBentkus(m, tasks*rows, 0.1))
		byTasks += count(HoeffdingBentkus(m, tasks, 0.1))
		betting += count(WSR(l, 0.1, 0.1))
	}
	return byRows, byTasks, betting
}

// TestFalseCertificates: rows taken as independent certify falsely in 20 to
// 38 % of samples, as a Python simulation of 4000 (the last of 40,000) found; tasks
// in at most 10 %.
func TestFalseCertificates(t *testing.T) {
	draws, random := 600, rand.New(rand.NewPCG(20260713, 2))
	if os.Getenv("UPLIFT_LONG") == "1" {
		draws = 20_000
	}
	for _, c := range []struct {
		tasks, rows   int
		icc           float64
		rows4, tasks4 float64 // of that simulation
		betting4      float64
	}{{18, 33, 0.1, 0.205, 0, 0}, {18, 33, 0.3, 0.331, 0, 0}, {18, 33, 0.5, 0.375, 0, 0},
		{54, 11, 0.5, 0.245, 0.002, 0.058}, {108, 6, 0.3, 0.116, 0.001, 0.067}, {108, 6, 0.5, 0.1585, 0.0038, 0.072}} {
		byRows, byTasks, betting := falseCertificates(random, draws, c.tasks, c.rows, c.icc)
		for name, v := range map[string][2]float64{"rows": {byRows, c.rows4}, "tasks": {byTasks, c.tasks4}, "betting": {betting, c.betting4}} {
			slack := 4*math.Sqrt(v[1]*(1-v[1])*(1/4000.0+1/float64(draws))) + 5/float64(draws)
			if math.Abs(v[0]-v[1]) > slack {
				t.Errorf("%d tasks of %d rows, icc %v: %s %.3f, want %.3f within %.3f", c.tasks, c.rows, c.icc, name, v[0], v[1], slack)
			}
		}
		if byTasks > 0.1 || betting > 0.1+3*math.Sqrt(0.09/float64(draws)) {
			t.Errorf("%d tasks, icc %v: %v and %v false certificates, want at most .1", c.tasks, c.icc, byTasks, betting)
		}
	}
}
