package stats

import (
	"fmt"
	"math"
)

// Published is a mean paired difference as a paper prints it, with an interval
// that took the pairs as independent.
type Published struct {
	Value, Lo, Hi float64 // Lo <= Value <= Hi, Lo < Hi
	Pairs, Tasks  int     // Pairs >= Tasks >= 2
	Level         float64 // of the interval, in (0,1); 0: 0.95
}

// Check says what is wrong with it.
func (p Published) Check() error {
	for _, v := range []float64{p.Value, p.Lo, p.Hi} {
		if err := finiteValue("published interval: number", v); err != nil {
			return err
		}
	}
	switch {
	case p.Lo > p.Hi:
		return fmt.Errorf("published interval: [%v, %v] ends before it begins (want the lower end first)", p.Lo, p.Hi)
	case p.Lo == p.Hi || !(p.SE() >= minValue && p.SE() <= maxValue):
		return fmt.Errorf("published interval: [%v, %v] has no width that can be used (want lower < upper)", p.Lo, p.Hi)
	case p.Value < p.Lo || p.Value > p.Hi:
		return fmt.Errorf("published interval: the value %v lies outside of [%v, %v]", p.Value, p.Lo, p.Hi)
	case p.Tasks < 2:
		return fmt.Errorf("published interval: %d tasks (want at least 2)", p.Tasks)
	case p.Pairs < p.Tasks:
		return fmt.Errorf("published interval: %d pairs in %d tasks (want at least one pair a task)", p.Pairs, p.Tasks)
	case p.Level != 0 && !(p.Level > 0 && p.Level < 1):
		return fmt.Errorf("published interval: level %v (want between 0 and 1)", p.Level)
	}
	return nil
}

// SE is the standard error that the interval's width means, as a normal
// interval of independent pairs: (hi-lo)/(2z).
func (p Published) SE() float64 {
	level := p.Level
	if !(level > 0 && level < 1) {
		level = 0.95
	}
	return (p.Hi - p.Lo) / (2 * NormalQuantile((1+level)/2))
}

// SD is the standard deviation of one pair's difference: SE*sqrt(Pairs).
func (p Published) SD() float64 { return p.SE() * math.Sqrt(float64(max(0, p.Pairs))) }

// PairsPerTask is the mean number of pairs a task; 0 without tasks.
func (p Published) PairsPerTask() float64 {
	if p.Tasks <= 0 {
		return 0
	}
	return float64(p.Pairs) / float64(p.Tasks)
}

// P is the two-sided p of the value once pairs of one task are alike: t =
// value/(SE*sqrt(deff)) on Tasks-1 degrees of freedom, deff = 1+(m-1)*icc for
// icc in [0,1). It is approximate: the paper's own pairs are not at hand.
func (p Published) P(icc float64) (float64, error) {
	if err := p.Check(); err != nil {
		return 0, err
	}
	if !(icc >= 0 && icc < 1) {
		return 0, fmt.Errorf("published interval: intraclass correlation %v (want from 0 to below 1)", icc)
	}
	se := p.SE() * math.Sqrt(DesignEffect(p.PairsPerTask(), icc))
	return probability(2 * TCDF(-math.Abs(p.Value)/se, float64(p.Tasks-1))), nil
}
