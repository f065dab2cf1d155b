package coverage

import (
	"math/rand/v2"

	"github.com/uplift-eval/uplift/stats"
)

// marking is a process of ratings: the responses of a sparse contrast, marked
// by three raters of whom one is strict and one is lenient. The raters are
// fixed; tasks and responses are drawn.
type marking struct {
	name     string
	complete bool // every rater marks every response; else one to three of them do
	icc      float64
}

var markings = []marking{
	{"marks_complete", true, 0.33},
	{"marks_missing", false, 0.29},
}

// strictness shifts what each rater sees; own is the noise of a mark.
var strictness = [mostRaters]float64{-0.15, 0, 0.15}

const markNoise = 0.5

var ratingScale = []float64{0, 0.25, 0.5, 0.75, 1}

// agreements are the figures whose intervals are tried, with their truth.
var agreements = []struct {
	name   string
	figure stats.Figure
	truth  func(law) float64
}{
	{"alpha_ordinal", (*stats.Ratings).AlphaOrdinal, law.alphaOrdinal},
	{"kappa_quadratic", (*stats.Ratings).KappaQuadratic, law.kappaQuadratic},
	{"ac1", func(r *stats.Ratings) (float64, error) { return r.AC1(ratingScale) }, law.ac1},
	{"icc_a1", (*stats.Ratings).ICCA1, law.iccA1},
}

// sample draws the marks of a study and the task of each response.
func (m marking) sample(r *rand.Rand, tasks int) (marks []stats.Mark, task []int) {
	c := contrasts[0]
	for g := range tasks {
		base := latentBase + latentTask*r.NormFloat64()
		for range c.size(r) {
			item := base + latentItem*r.NormFloat64()
			for _, effect := range []float64{0, c.delta} {
				response := item + effect + latentOwn*r.NormFloat64()
				for _, rater := range m.raters(r) {
					marks = append(marks, stats.Mark{Unit: len(task), Rater: rater,
						Value: rating(response + strictness[rater] + markNoise*r.NormFloat64())})
				}
				task = append(task, g)
			}
		}
	}
	return marks, task
}

func (m marking) raters(r *rand.Rand) []int {
	if m.complete {
		return []int{0, 1, 2}
	}
	return r.Perm(mostRaters)[:1+r.IntN(mostRaters)]
}

func (m marking) scene(tasks, simulations, replicates int) scene {
	marks := lawOfMarks()
	figures, truth := make([]stats.Figure, len(agreements)), make([]float64, len(agreements))
	for i, a := range agreements {
		figures[i], truth[i] = a.figure, a.truth(marks)
	}
	draw := func(r *rand.Rand, replicates int) board {
		marks, task := m.sample(r, tasks)
		spreads, errs := ratings(marks).Bootstrap(task, stats.Resample{B: replicates, Seed: r.Uint64(), Level: level}, figures...)
		var b board
		for i, a := range agreements {
			b.interval(a.name, level, replicates, truth[i], spreads[i].Lo, spreads[i].Hi, errs[i])
		}
		return b
	}
	return scene{m.name, m.icc, tasks, simulations, replicates, draw}
}

func ratings(marks []stats.Mark) *stats.Ratings {
	r, err := stats.NewRatings(marks)
	if err != nil {
		panic(err) // no rater marks a response twice
	}
	return r
}
