package coverage

import (
	"math/rand/v2"

	"github.com/uplift-eval/uplift/stats"
)

// panel is a process in which every rater sees every pair, and each rater has a
// view of his own of what the condition does: difference = task + pair + rater
// + noise, all normal around 0. The truth, 0, is the mean over all raters that
// there could be, not over those who rated.
type panel struct {
	name   string
	raters int
	spread float64 // standard deviation over raters
	icc    float64 // of a pair's mean, given the raters
}

var panels = []panel{
	{"raters_alike", 3, 0, 0.19},
	{"raters_differ", 3, 0.02, 0.19},
	{"raters_differ_much", 3, 0.04, 0.19},
	{"two_raters_differ_much", 2, 0.04, 0.16},
	{"six_raters_differ_much", 6, 0.04, 0.21},
}

const panelTask, panelPair, panelNoise = 0.08, 0.14, 0.16

func (p panel) sample(r *rand.Rand, tasks int) []stats.Scored {
	view := make([]float64, p.raters)
	for i := range view {
		view[i] = p.spread * r.NormFloat64()
	}
	var rows []stats.Scored
	pair := 0
	for g := range tasks {
		task := panelTask * r.NormFloat64()
		for range (contrast{pairs: 2.722}).size(r) { // 1 + binomial(6, 0.287)
			middle := task + panelPair*r.NormFloat64()
			for i := range view {
				rows = append(rows, stats.Scored{Pair: pair, Cluster: g, Rater: i, Value: middle + view[i] + panelNoise*r.NormFloat64()})
			}
			pair++
		}
	}
	return rows
}

func (p panel) scene(tasks, simulations, replicates int) scene {
	draw := func(r *rand.Rand, replicates int) board {
		rows := p.sample(r, tasks)
		rs := stats.Resample{B: replicates, Seed: r.Uint64(), Level: level}
		var b board
		crossed, err := stats.NewCrossed(rows)
		if err != nil {
			panic(err)
		}
		i, err := crossed.Pigeonhole(rs)
		b.interval("pigeonhole", level, rs.B, 0, i.Lo, i.Hi, err)
		i, err = crossed.TwoWay(level)
		b.interval("two_way", level, 0, 0, i.Lo, i.Hi, err)
		s := clustered(meansOfPairs(rows))
		i, err = s.Interval(stats.CR2, level)
		b.interval("cr2_any_rater", level, 0, 0, i.Lo, i.Hi, err)
		boot, err := s.BootClusters(rs)
		b.interval("task_percentile_any_rater", level, rs.B, 0, boot.Percentile.Lo, boot.Percentile.Hi, err)
		return b
	}
	return scene{p.name, p.icc, tasks, simulations, replicates, draw}
}

// meansOfPairs averages over the raters of each pair.
func meansOfPairs(rows []stats.Scored) (values []float64, task []int) {
	for i, j := 0, 0; i < len(rows); i = j {
		sum := 0.0
		for j = i; j < len(rows) && rows[j].Pair == rows[i].Pair; j++ {
			sum += rows[j].Value
		}
		values, task = append(values, sum/float64(j-i)), append(task, rows[i].Cluster)
	}
	return values, task
}
