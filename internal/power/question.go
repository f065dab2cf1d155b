package power

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/uplift-eval/uplift/stats"
)

// Better says which way a scale is good. The zero value says that it is not
// known.
type Better string

// The ways.
const (
	Unsaid Better = ""
	Higher Better = "higher" // utility: more is better
	Lower  Better = "lower"  // risk: less is better
)

// Question says what is asked of a basis. [Question.Defaults] fills what is
// left zero.
type Question struct {
	Delta *float64 // true difference to find, see Truth for its sign; nil: the basis' own
	Alpha float64  // two-sided, from 0.0001 to 0.5; 0: 0.05. Non-inferiority is tested at half of it
	Power float64  // the aim; 0: 0.80

	Margin float64 // of non-inferiority, above 0; 0: not asked
	// Truth is the true difference (condition - reference) under which
	// non-inferiority is to be shown. With a pilot, whose endpoints have directions
	// of their own, it is a gain, as Delta is: below 0 a loss, which is a fall where
	// higher is better and a rise where lower is.
	Truth  float64
	Better Better // needed where Truth is not 0

	Tasks  []int     // tasks of the endpoint; empty: 18, 36, 54 and the basis' own
	Pairs  []float64 // pairs a task; empty: the basis' own, 5 and 10
	ICCs   []float64 // empty: 0, .1, .25, .5, or what the pilot's interval spans
	Raters []int     // raters of every response; empty: 1
	Double float64   // share of the responses that one rater more marks
	Noise  float64   // share of a pair's variance, each response rated once, that is rating noise; 0: the pilot's own, or not known
	// NoiseGiven takes Noise even where it is 0 and the pilot tells another.
	NoiseGiven bool

	Endpoints  int // parts into which a benchmark's tasks divide; 0: 1
	Conditions int // that share one reference; 0: 1

	Minutes float64 // of work a rating; 0: not asked
	Price   float64 // of a rating; 0: not asked

	Curves bool // also power by tasks, for a picture
}

// Defaults fills in what does not depend on a basis.
func (q Question) Defaults() Question {
	if q.Alpha == 0 {
		q.Alpha = 0.05
	}
	if q.Power == 0 {
		q.Power = 0.8
	}
	if len(q.Raters) == 0 {
		q.Raters = []int{1}
	}
	q.Endpoints, q.Conditions = max(1, q.Endpoints), max(1, q.Conditions)
	return q
}

// of is the question for one basis: what it leaves open, the basis may say.
func (q Question) of(b Basis) Question {
	if q.Margin == 0 {
		q.Margin = b.Margin
	}
	if q.Better == Unsaid {
		q.Better = b.Better
	}
	if b.turned() {
		q.Truth = 0 - q.Truth
		if q.Delta != nil {
			q.Delta = new(-*q.Delta)
		}
	}
	return q
}

// turned reports whether a gain on the basis is a difference below 0.
func (b Basis) turned() bool { return b.Source == Pilot && b.Better == Lower }

// A test that finds something with probability alpha needs tasks: the analysis
// gives no interval for fewer than five, and no exact p reaches alpha with too
// few.
const leastForInterval = 5

// least is the smallest number of tasks with which the analysis can find a
// difference.
func (q Question) least() int {
	g, err := stats.SignFlipTasks(1, q.Alpha)
	if err != nil {
		return leastForInterval
	}
	return max(leastForInterval, g)
}

// leastBy is what asks for that many.
func (q Question) leastBy() string {
	if q.least() > leastForInterval {
		return LeastBySignFlip
	}
	return LeastByInterval
}

// What asks for a least number of tasks.
const (
	LeastByInterval = "interval"  // the analysis gives no interval with fewer
	LeastBySignFlip = "sign_flip" // the sign-flip p cannot reach alpha with fewer
)

// Most entries of a grid: a table must stay one that can be read.
const (
	mostTasks = 40
	mostPairs = 6
	mostICCs  = 6
)

// MostTasks is the largest number of tasks that a grid takes and an answer
// names, and MostPairs the largest number of pairs of a present design.
const (
	MostTasks = 1_000_000
	MostPairs = 1_000_000_000
)

// The ranges of a level and of what one rating takes.
const (
	leastAlpha, mostAlpha = 0.0001, 0.5
	mostPower             = 0.999999
	mostEach              = 1e9
	mostSize              = 1e50 // of a difference and a margin
)

// Check says everything that is wrong with a question, after its defaults.
func (q Question) Check() error {
	var errs []error
	bad := func(wrong bool, format string, args ...any) {
		if wrong {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	if q.Delta != nil {
		bad(!(math.Abs(*q.Delta) <= mostSize) || *q.Delta == 0, "delta: %v (want a difference other than 0, from %g to %g)", *q.Delta, -mostSize, mostSize)
	}
	bad(!(q.Alpha >= leastAlpha && q.Alpha <= mostAlpha), "alpha: %v (want from %g to %g, such as 0.05)", q.Alpha, leastAlpha, mostAlpha)
	bad(!(q.Power > q.Alpha && q.Power <= mostPower), "power: %v (want above alpha and at most %v, such as 0.8)", q.Power, mostPower)
	bad(!(q.Margin >= 0 && q.Margin <= mostSize), "margin: %v (want above 0 and at most %g)", q.Margin, mostSize)
	bad(!(math.Abs(q.Truth) <= mostSize), "truth: %v (want a difference from %g to %g)", q.Truth, -mostSize, mostSize)
	bad(q.Better != Unsaid && q.Better != Higher && q.Better != Lower, "better: unknown value %q (want lower or higher)", q.Better)
	bad(q.Margin > 0 && q.Truth != 0 && q.Better == Unsaid, "better: missing (want lower or higher: a true difference of %v is an improvement on one and a loss on the other)", q.Truth)
	bad(!(q.Double >= 0 && q.Double <= 1), "double: %v (want a share from 0 to 1)", q.Double)
	bad(!(q.Noise >= 0 && q.Noise <= 1), "noise: %v (want a share from 0 to 1)", q.Noise)
	bad(q.Endpoints > 100, "endpoints: %d (want 1 to 100)", q.Endpoints)
	bad(q.Conditions > 1000, "conditions: %d (want 1 to 1000)", q.Conditions)
	bad(!(q.Minutes >= 0 && q.Minutes <= mostEach), "minutes-per-rating: %v (want above 0 and at most %g)", q.Minutes, mostEach)
	bad(!(q.Price >= 0 && q.Price <= mostEach), "price-per-rating: %v (want above 0 and at most %g)", q.Price, mostEach)
	return errors.Join(append(errs, q.grids()...)...)
}

// grids checks the grids that were given.
func (q Question) grids() []error {
	var errs []error
	for _, g := range []struct {
		name    string
		n, most int
		wrong   func(i int) bool
		value   func(i int) any
		want    string
	}{
		{"tasks-grid", len(q.Tasks), mostTasks, func(i int) bool { return q.Tasks[i] < 2 || q.Tasks[i] > MostTasks }, func(i int) any { return q.Tasks[i] }, "2 to 1000000 tasks"},
		{"pairs-grid", len(q.Pairs), mostPairs, func(i int) bool { return !(q.Pairs[i] >= 1 && q.Pairs[i] <= 1e6) }, func(i int) any { return q.Pairs[i] }, "1 to 1000000 pairs a task"},
		{"icc-grid", len(q.ICCs), mostICCs, func(i int) bool { return !(q.ICCs[i] >= 0 && q.ICCs[i] < 1) }, func(i int) any { return q.ICCs[i] }, "from 0 to below 1"},
		{"raters", len(q.Raters), mostICCs, func(i int) bool { return q.Raters[i] < 1 || q.Raters[i] > 100 }, func(i int) any { return q.Raters[i] }, "1 to 100 raters a response"},
	} {
		if g.n > g.most {
			errs = append(errs, fmt.Errorf("%s: %d entries (want at most %d)", g.name, g.n, g.most))
		}
		for i := range g.n {
			if g.wrong(i) {
				errs = append(errs, fmt.Errorf("%s: %v (want %s)", g.name, g.value(i), g.want))
			}
		}
	}
	return errs
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// gain is the truth under which non-inferiority is shown, counted in the better
// direction.
func (q Question) gain() float64 {
	if q.Better == Lower {
		return 0 - q.Truth
	}
	return q.Truth
}

// tasksOf is the tasks grid for a basis.
func (q Question) tasksOf(b Basis) []int {
	if len(q.Tasks) > 0 {
		return ordered(q.Tasks)
	}
	grid := []int{18, 36, 54}
	if b.Tasks >= 2 {
		grid = append(grid, b.Tasks)
	}
	return ordered(grid)
}

func (q Question) pairsOf(b Basis) []float64 {
	if len(q.Pairs) > 0 {
		return ordered(q.Pairs)
	}
	grid := []float64{5, 10}
	if m := b.PairsPerTask(); m >= 1 {
		grid = append(grid, m)
	} else {
		grid = append(grid, 1)
	}
	return ordered(grid)
}

// iccsOf is the grid of ICCs: as asked; else with a pilot the ends and the
// middle of its interval, since its ICC alone is a guess; else what raters'
// tables tend to span.
func (q Question) iccsOf(b Basis) []float64 {
	switch {
	case len(q.ICCs) > 0:
		return ordered(q.ICCs)
	case b.Source == Pilot && b.spanned():
		return q.beside([]float64{hundredth(*b.ICCLo), hundredth(*b.ICC), hundredth(*b.ICCHi)}, b)
	case b.ICC != nil:
		return q.beside([]float64{0, 0.1, 0.25, 0.5, hundredth(*b.ICC)}, b)
	}
	return q.beside([]float64{0, 0.1, 0.25, 0.5}, b)
}

// beside cuts a grid of ICCs that a pilot spans to what its rating noise leaves.
func (q Question) beside(grid []float64, b Basis) []float64 {
	if b.Source == Pilot {
		most := math.Floor(100*(1-q.Noise)+1e-9) / 100
		for i := range grid {
			grid[i] = math.Min(grid[i], most)
		}
	}
	return ordered(grid)
}

// hundredth is an ICC for a grid: within [0, .95], with two decimals.
func hundredth(icc float64) float64 {
	return math.Round(100*math.Max(0, math.Min(0.95, icc))) / 100
}

func ordered[T int | float64](grid []T) []T {
	out := slices.Clone(grid)
	slices.Sort(out)
	return slices.Compact(out)
}
