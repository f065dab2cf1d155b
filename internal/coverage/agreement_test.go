package coverage

import (
	"errors"
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
	{"fleiss", (*stats.Ratings).FleissKappa, law.fleiss},
	{"ac1", stats.GwetFigure(ratingScale, stats.Nominal), law.ac1},
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
	law := lawOfMarks()
	figures, truth := make([]stats.Figure, len(agreements)), make([]float64, len(agreements))
	for i, a := range agreements {
		figures[i], truth[i] = a.figure, a.truth(law)
	}
	draw := func(r *rand.Rand, replicates int) board {
		marks, task := m.sample(r, tasks)
		sample := ratings(marks)
		spreads, errs := sample.Bootstrap(task, stats.Resample{B: replicates, Seed: r.Uint64(), Level: level}, figures...)
		var b board
		for i, a := range agreements {
			b.interval(a.name, level, replicates, truth[i], spreads[i].Lo, spreads[i].Hi, errs[i])
		}
		b.formulas(sample, law)
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

// formulas are the intervals that take the responses as independent: value -+
// 1.96 standard errors, and that of the ICC from the F distribution.
func (b *board) formulas(sample *stats.Ratings, law law) {
	z := stats.NormalQuantile((1 + level) / 2)
	normal := func(method string, truth float64, c stats.Coefficient, err error) {
		b.interval(method, level, 0, truth, c.Value-z*c.SE, c.Value+z*c.SE, err)
	}
	c, err := sample.Alpha(stats.OrdinalMetric)
	normal("alpha_ordinal_se", law.alphaOrdinal(), c, err)
	c, err = stats.Coefficient{}, errors.New("no raters 0 and 1")
	if pairs := sample.Pairs(); len(pairs) > 0 && pairs[0].A == 0 && pairs[0].B == 1 {
		c, err = pairs[0].Kappa(stats.Quadratic)
	}
	normal("kappa_pair_se", law.kappaOf(0, 1), c, err)
	c, err = sample.Fleiss()
	normal("fleiss_se", law.fleiss(), c, err)
	c, err = sample.AC2(ratingScale, stats.Nominal)
	normal("ac1_se", law.ac1(), c, err)
	i, err := sample.ICCInterval(stats.Absolute, false, level)
	b.interval("icc_a1_f", level, 0, law.iccA1(), i.Lo, i.Hi, err)
}
