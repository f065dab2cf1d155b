package stats

import (
	"fmt"
	"math"
)

// mostTasks is the largest number of tasks that is looked for, and mostPower the
// largest power: nearer to 1, rounding decides.
const (
	mostTasks = 1 << 30
	mostPower = 1 - 1e-9
)

// Detectable is the smallest true difference, above 0, that the design finds
// with probability power, above 1-Level and at most 1-1e-9.
func (d Design) Detectable(power float64) (float64, error) {
	if err := d.Check(); err != nil {
		return 0, err
	}
	if err := checkPower(power, d.alpha()); err != nil {
		return 0, err
	}
	t := d.test(d.Tasks)
	hi := t.se
	for t.power(hi) < power {
		hi *= 2
	}
	return bisect(t.power, power, 0, hi), nil
}

// TasksFor is the smallest number of tasks, at least 2, that finds a true
// difference delta with probability power or more; Tasks of the design is not
// read. It is an error when delta is 0, and when more than 2^30 tasks are
// needed.
func (d Design) TasksFor(delta, power float64) (int, error) {
	if err := d.checkTask(); err != nil {
		return 0, err
	}
	if err := checkPower(power, d.alpha()); err != nil {
		return 0, err
	}
	if err := finiteValue("difference", delta); err != nil {
		return 0, err
	}
	if delta == 0 {
		return 0, fmt.Errorf("tasks: no number of tasks finds a difference of 0 (want another)")
	}
	return fewest(power, func(tasks int) float64 { return d.power(tasks, delta) })
}

// TasksForNonInferiority is the smallest number of tasks, at least 2, that shows
// non-inferiority with probability power or more; see [Design.NonInferiority].
// Tasks of the design is not read. It is an error when the truth is no better
// than the margin.
func (d Design) TasksForNonInferiority(margin, gain, power float64) (int, error) {
	if err := d.checkTask(); err != nil {
		return 0, err
	}
	if err := checkMargin(margin, gain); err != nil {
		return 0, err
	}
	if err := checkPower(power, d.alpha()/2); err != nil {
		return 0, err
	}
	if margin+gain <= 0 {
		return 0, fmt.Errorf("tasks: the condition is truly worse by %v, which is no less than the margin %v", -gain, margin)
	}
	return fewest(power, func(tasks int) float64 { return d.nonInferiority(tasks, margin+gain) })
}

func checkPower(power, alpha float64) error {
	if !(power > alpha && power <= mostPower) {
		return fmt.Errorf("power %v (want between %.4g, the level of the test, and 1)", power, alpha)
	}
	return nil
}

// fewest is the smallest number of tasks from 2 on whose power, which grows
// with it, reaches a target.
func fewest(target float64, power func(tasks int) float64) (int, error) {
	lo, hi := 1, 2 // lo does not reach it
	for power(hi) < target {
		if hi >= mostTasks {
			return 0, fmt.Errorf("tasks: more than %d are needed", mostTasks)
		}
		lo, hi = hi, 2*hi
	}
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; power(mid) < target {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi, nil
}

// SignFlipFloor is the smallest p that the exact sign-flip test can give with
// that many tasks whose sums are not 0: 2^(1-tasks). It is 1 below two tasks.
func SignFlipFloor(tasks int) float64 {
	if tasks < 2 {
		return 1
	}
	return math.Ldexp(1, 1-tasks)
}

// SignFlipTasks is the smallest number of tasks with which a family of k >= 1
// contrasts can pass Holm's test by the exact sign-flip p at alpha in (0,1):
// the smallest p must reach alpha/k.
func SignFlipTasks(k int, alpha float64) (int, error) {
	if k < 1 || !(alpha > 0 && alpha < 1) {
		return 0, fmt.Errorf("sign flip: family of %d at level %v (want at least 1, and between 0 and 1)", k, alpha)
	}
	tasks := 1
	for SignFlipFloor(tasks) > alpha/float64(k) {
		tasks++
	}
	return tasks, nil
}
