package stats

import (
	"fmt"
	"math"
)

// Design is a planned contrast: the mean of paired differences in Tasks
// clusters of equal size. Its power is that of the t test with G-1 degrees of
// freedom, which the CR2 interval is for clusters of equal size:
//
//	SE = SD * sqrt(deff/n), n = G*m, deff = 1 + (m-1)*ICC, df = G-1
//
// with G = Tasks and m = PairsPerTask. Donner & Klar (2000), chapter 5. It is
// exact for normal differences and clusters of one size; ratings on a few
// levels and unequal clusters make it approximate, a little too hopeful.
// The zero value lacks everything, and every method refuses it.
type Design struct {
	Tasks        int     // G, clusters of the endpoint, at least 2
	PairsPerTask float64 // m, at least 1; the mean of a plan need not be whole
	SD           float64 // above 0: of one pair's difference, each response rated once
	ICC          float64 // in [0,1): the share of SD^2 that lies between tasks, each response rated once
	Raters       Raters  // the zero value: one rater a response
	Level        float64 // of the two-sided interval, in (0,1); 0: 0.95
}

// Check says what is wrong with a design.
func (d Design) Check() error {
	if d.Tasks < 2 {
		return fmt.Errorf("design: %d tasks (want at least 2)", d.Tasks)
	}
	return d.checkTask()
}

// checkTask checks all but the number of tasks.
func (d Design) checkTask() error {
	switch {
	case !(d.PairsPerTask >= 1) || math.IsInf(d.PairsPerTask, 0):
		return fmt.Errorf("design: %v pairs a task (want at least 1)", d.PairsPerTask)
	case !(d.SD >= minValue && d.SD <= maxValue):
		return fmt.Errorf("design: standard deviation %v (want above 0)", d.SD)
	case !(d.ICC >= 0 && d.ICC < 1):
		return fmt.Errorf("design: intraclass correlation %v (want from 0 to below 1)", d.ICC)
	case d.Level != 0 && !(d.Level > 0 && d.Level < 1):
		return fmt.Errorf("design: level %v (want between 0 and 1)", d.Level)
	}
	if err := d.Raters.check(d.ICC); err != nil {
		return fmt.Errorf("design: %w", err)
	}
	return nil
}

// SE is the standard error of the mean that the design plans for, in units of
// SD. More raters shrink the part of it that is rating noise: see [Raters].
func (d Design) SE() (float64, error) {
	if err := d.Check(); err != nil {
		return 0, err
	}
	return d.se(d.Tasks), nil
}

// se is SD*sqrt(deff/n) at another number of tasks. Between-task variance stays
// as it is, whatever the raters; the rest is divided by the pairs of a task.
func (d Design) se(tasks int) float64 {
	within := 1 - d.ICC - d.Raters.Noise*(1-d.Raters.left())
	return d.SD * math.Sqrt((d.ICC+within/d.PairsPerTask)/float64(tasks))
}

// alpha is the two-sided level of the test.
func (d Design) alpha() float64 {
	if d.Level == 0 {
		return 0.05
	}
	return 1 - d.Level
}

// Power is the probability that the two-sided t test at 1-Level finds a
// difference when the true one is delta, in either tail: it begins at 1-Level
// for delta 0 and grows with |delta|, Tasks and PairsPerTask.
func (d Design) Power(delta float64) (float64, error) {
	if err := d.Check(); err != nil {
		return 0, err
	}
	if err := finiteValue("difference", delta); err != nil {
		return 0, err
	}
	return d.power(d.Tasks, delta), nil
}

func (d Design) power(tasks int, delta float64) float64 { return d.test(tasks).power(delta) }

// tTest is the test of a design: its standard error, degrees of freedom and
// critical value.
type tTest struct{ se, df, critical float64 }

func (d Design) test(tasks int) tTest {
	df := float64(tasks - 1)
	return tTest{se: d.se(tasks), df: df, critical: -TQuantile(d.alpha()/2, df)}
}

func (t tTest) power(delta float64) float64 {
	ncp := math.Abs(delta) / t.se
	return math.Min(1, nctCDF(-t.critical, t.df, -ncp)+nctCDF(-t.critical, t.df, ncp))
}

// NonInferiority is the probability of showing that the condition is not worse
// by margin > 0 or more: of rejecting H0 "worse by margin" with a one-sided t
// test at alpha = (1-Level)/2, .025 by default. That is the alpha to give to
// [Clustered.NonInferiority], so that the test is the one whose power this is. gain is the true difference
// counted in the better direction: 0 when nothing changed, below 0 when the
// condition is worse. For a scale on which less is better, turn its sign.
func (d Design) NonInferiority(margin, gain float64) (float64, error) {
	if err := d.Check(); err != nil {
		return 0, err
	}
	if err := checkMargin(margin, gain); err != nil {
		return 0, err
	}
	return d.nonInferiority(d.Tasks, margin+gain), nil
}

// nonInferiority takes how far the truth lies on the better side of the bound.
func (d Design) nonInferiority(tasks int, room float64) float64 {
	t := d.test(tasks)
	return nctCDF(-t.critical, t.df, -room/t.se)
}

func checkMargin(margin, gain float64) error {
	if !(margin > 0) || math.IsInf(margin, 0) {
		return fmt.Errorf("non-inferiority margin %v (want above 0)", margin)
	}
	return finiteValue("true difference", gain)
}

func finiteValue(what string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%s %v (want a finite number)", what, v)
	}
	return nil
}
