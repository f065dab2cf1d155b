package coverage

import (
	"math"
	"math/rand/v2"

	"github.com/uplift-eval/uplift/stats"
)

// contrast is a process of paired differences. A latent normal value, cut at
// four points, is an ordinal rating of 0, 1/4 .. 1. Every task moves both
// responses of its pairs alike, and may answer to the condition in its own
// measure; each response has one to three raters, whose mean is its score.
type contrast struct {
	name  string
	pairs float64 // mean number of pairs a task; from 5 on Poisson, below 1 + binomial of 6
	slope float64 // standard deviation over tasks of what the condition does
	delta float64 // what it does on average, on the latent scale
	icc   float64 // of a large sample
}

var contrasts = []contrast{
	{"sparse", 2.72, 0, -0.42, 0.07},
	{"sparse_varied", 2.72, 0.6, -0.65, 0.23},
	{"dense_varied", 30, 0.6, -0.65, 0.23},
	{"null_varied", 2.72, 0.6, 0, 0.24},
}

const (
	latentBase   = -0.10
	latentTask   = 0.6
	latentItem   = 0.5  // shared by a pair
	latentOwn    = 0.40 // of each response
	latentRater  = 0.35 // of each rating
	mostRaters   = 3
	ratingLevels = 4
)

var cuts = [ratingLevels]float64{0.55, 0.95, 1.35, 1.8}

func rating(latent float64) float64 {
	k := 0
	for _, c := range cuts {
		if latent > c {
			k++
		}
	}
	return float64(k) / ratingLevels
}

// score is the mean of the ratings of one response.
func score(r *rand.Rand, latent float64, raters int) float64 {
	sum := 0.0
	for range raters {
		sum += rating(latent + latentRater*r.NormFloat64())
	}
	return sum / float64(raters)
}

// sample draws the differences of a study.
func (c contrast) sample(r *rand.Rand, tasks int) (values []float64, task []int) {
	family, task := c.against(r, tasks, 1)
	return family[0], task
}

// against draws the differences of several conditions from one reference: they
// share tasks, items, raters and the reference's response; each condition acts
// on a task in a measure of its own.
func (c contrast) against(r *rand.Rand, tasks, conditions int) (values [][]float64, task []int) {
	values, effect := make([][]float64, conditions), make([]float64, conditions)
	for g := range tasks {
		base := latentBase + latentTask*r.NormFloat64()
		for j := range effect {
			effect[j] = c.delta + c.slope*r.NormFloat64()
		}
		for range c.size(r) {
			item := base + latentItem*r.NormFloat64()
			raters := 1 + r.IntN(mostRaters)
			reference := score(r, item+latentOwn*r.NormFloat64(), raters)
			for j, e := range effect {
				values[j] = append(values[j], score(r, item+e+latentOwn*r.NormFloat64(), raters)-reference)
			}
			task = append(task, g)
		}
	}
	return values, task
}

func (c contrast) size(r *rand.Rand) int {
	if c.pairs >= 5 {
		return max(1, poisson(r, c.pairs))
	}
	n := 1
	for range 6 {
		if r.Float64() < (c.pairs-1)/6 {
			n++
		}
	}
	return n
}

// poisson counts the uniforms whose product stays above e^-mean (Knuth).
func poisson(r *rand.Rand, mean float64) int {
	k, product, limit := 0, r.Float64(), math.Exp(-mean)
	for ; product > limit; k++ {
		product *= r.Float64()
	}
	return k
}

// truth is exact: sizes and raters do not depend on the values, so the mean
// difference is that of two single ratings, each of a normal latent value.
func (c contrast) truth() float64 {
	v := latentTask*latentTask + latentItem*latentItem + latentOwn*latentOwn + latentRater*latentRater
	return meanRating(latentBase+c.delta, math.Sqrt(v+c.slope*c.slope)) - meanRating(latentBase, math.Sqrt(v))
}

func meanRating(mean, sd float64) float64 {
	sum := 0.0
	for _, c := range cuts {
		sum += math.Erfc((c-mean)/sd/math.Sqrt2) / 2
	}
	return sum / ratingLevels
}

const level = 0.95

func (c contrast) scene(tasks, simulations, replicates int) scene {
	truth := c.truth()
	draw := func(r *rand.Rand, replicates int) board {
		values, task := c.sample(r, tasks)
		return intervals(values, task, truth, stats.Resample{B: replicates, Seed: r.Uint64(), Level: level})
	}
	return scene{c.name, c.icc, tasks, simulations, replicates, draw}
}

// intervals tries every method on one sample.
func intervals(values []float64, task []int, truth float64, rs stats.Resample) board {
	var b board
	closed := func(method string, i stats.Interval, err error) { b.interval(method, level, 0, truth, i.Lo, i.Hi, err) }
	drawn := func(method string, i stats.Interval, err error) {
		b.interval(method, level, rs.B, truth, i.Lo, i.Hi, err)
	}

	s := clustered(values, task)
	for _, kind := range []stats.CR{stats.CR0, stats.CR1, stats.CR2, stats.CR3} {
		i, err := s.Interval(kind, level)
		closed(kind.String(), i, err)
	}
	i, err := means(s).Interval(stats.CR2, level) // of clusters of one value: Student's t
	closed("task_mean_t", i, err)
	p := signFlip(values, task, truth)
	b.test("sign_flip", level, 0, p, s.Mean(), truth, nil)

	i, err = s.BootT(rs)
	drawn("boot_t", i, err)
	w, err := s.WildTest(stats.WildWeights(s.Clusters()), truth, rs)
	b.test("wild", level, rs.B, w.P, s.Mean(), truth, err)
	boot, err := s.BootClusters(rs)
	drawn("task_percentile", boot.Percentile, err)
	drawn("task_bca", boot.BCa, err)
	drawn("task_expanded", boot.Expanded, err)

	i, err = clustered(values, count(len(values))).Interval(stats.CR2, level)
	closed("pairs_t", i, err)
	boot, err = s.BootPairs(rs)
	drawn("pairs_percentile", boot.Percentile, err)
	drawn("pairs_bca", boot.BCa, err)
	return b
}

func clustered(values []float64, cluster []int) *stats.Clustered {
	s, err := stats.NewClustered(values, cluster)
	if err != nil {
		panic(err) // finite values of equal number cannot be refused
	}
	return s
}

func count(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func means(s *stats.Clustered) *stats.Clustered {
	var values []float64
	for _, g := range s.Groups() {
		values = append(values, g.Mean)
	}
	return clustered(values, count(len(values)))
}

// signFlip tests the truth: the differences less the truth, in whole steps of a
// lattice fine enough for the truth to lie on, so that the test stays exact.
func signFlip(values []float64, task []int, truth float64) float64 {
	steps := fineLattice(truth)
	shifted := make([]float64, len(values))
	for i, v := range values {
		shifted[i] = math.Round(v*steps) - math.Round(truth*steps)
	}
	f, err := clustered(shifted, task).SignFlipClusters(1)
	if err != nil || !f.Exact {
		panic("a sign-flip test of whole numbers is exact")
	}
	return f.P
}

// fineLattice is the multiple of 12, the step of the ratings' means, of which a
// whole number comes nearest to the truth.
func fineLattice(truth float64) float64 {
	best, off := 12.0, math.Inf(1)
	for q := 12.0; q <= 720; q += 12 {
		if d := math.Abs(truth*q-math.Round(truth*q)) / q; d < off-1e-12 {
			best, off = q, d
		}
	}
	return best
}
