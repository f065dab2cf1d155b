package coverage

import (
	"math/rand/v2"

	"github.com/uplift-eval/uplift/stats"
)

// bench is a process of differences of which people label a part and a judge
// predicts all. The judge reads the same latent values with more noise, sees
// the condition's responses too high, and has a view of its own of every task,
// so that its errors go together within a task.
type bench struct {
	name  string
	tasks bool // people label half of the tasks, in whole; else a third of the pairs
	icc   float64
}

var benches = []bench{
	{"labelled_rows", false, 0.23},
	{"labelled_tasks", true, 0.23},
}

const (
	benchPairs  = 10.0 // a task, Poisson
	judgeNoise  = 0.6
	judgeBias   = 0.25 // of a response under the condition
	judgeTask   = 0.3
	labelledRow = 1.0 / 3
)

func (b bench) contrast() contrast { return contrast{b.name, benchPairs, 0.6, -0.65, b.icc} }

func (b bench) sample(r *rand.Rand, tasks int) (labelled []stats.Labelled, unlabelled []stats.Unlabelled) {
	c, order := b.contrast(), r.Perm(tasks)
	for g := range tasks {
		base, effect := latentBase+latentTask*r.NormFloat64(), c.delta+c.slope*r.NormFloat64()
		view := judgeTask * r.NormFloat64() // of the condition in this task
		for range c.size(r) {
			item := base + latentItem*r.NormFloat64()
			reference := item + latentOwn*r.NormFloat64()
			condition := item + effect + latentOwn*r.NormFloat64()
			raters := 1 + r.IntN(mostRaters)
			label := score(r, condition, raters) - score(r, reference, raters)
			prediction := rating(condition+judgeBias+view+judgeNoise*r.NormFloat64()) - rating(reference+judgeNoise*r.NormFloat64())
			byPeople := r.Float64() < labelledRow
			if b.tasks {
				byPeople = 2*order[g] < tasks
			}
			if byPeople {
				labelled = append(labelled, stats.Labelled{Label: label, Prediction: prediction, Cluster: g})
			} else {
				unlabelled = append(unlabelled, stats.Unlabelled{Prediction: prediction, Cluster: g})
			}
		}
	}
	return labelled, unlabelled
}

func (b bench) scene(tasks, simulations int) scene {
	truth := b.contrast().truth()
	draw := func(r *rand.Rand, _ int) board {
		labelled, unlabelled := b.sample(r, tasks)
		p, err := stats.NewPredicted(labelled, unlabelled)
		if err != nil {
			panic(err) // six tasks hold some labelled row in every simulation
		}
		var out board
		for _, m := range []struct {
			name     string
			interval func(float64) (stats.Interval, error)
		}{
			{"ppi_human", p.Human}, {"ppi", p.PPI}, {"ppi_plus", p.PPIPlus}, {"ppi_judge", p.Judge},
			{"ppi_human_rows", p.HumanRows}, {"ppi_rows", p.PPIRows}, {"ppi_plus_rows", p.PPIPlusRows}, {"ppi_judge_rows", p.JudgeRows},
		} {
			i, err := m.interval(level)
			out.interval(m.name, level, 0, truth, i.Lo, i.Hi, err)
		}
		return out
	}
	return scene{b.name, b.icc, tasks, simulations, 0, draw}
}
