package stats

import (
	"errors"
	"fmt"
)

// Side is the alternative of a test of two proportions. The zero value is
// invalid: a p without its side says nothing.
type Side int

// The alternatives to equal proportions.
const (
	TwoSided Side = iota + 1 // the proportions differ
	Greater                  // the first is greater
	Less                     // the first is less
)

// String is "two-sided", "one-sided, greater" or "one-sided, less".
func (s Side) String() string {
	switch s {
	case TwoSided:
		return "two-sided"
	case Greater:
		return "one-sided, greater"
	case Less:
		return "one-sided, less"
	}
	return fmt.Sprintf("Side(%d)", int(s))
}

// ProportionTest is a test of two independent proportions.
type ProportionTest struct {
	P          float64 // in (0,1]
	Side       Side
	Method     string  // such as "Fisher's exact test"
	Difference float64 // x1/n1 - x2/n2
}

// String prints the p with its side.
func (t ProportionTest) String() string {
	return fmt.Sprintf("%s: difference %.4g, p %.4g (%s)", t.Method, t.Difference, t.P, t.Side)
}

// maxTrials bounds n1+n2 of the exact tests, for the sake of time.
const maxTrials = 20_000

// Fisher is Fisher's exact test of x1 of n1 against x2 of n2, given the margins of
// the table: X1 is hypergeometric. Greater is P(X1 >= x1), Less is P(X1 <= x1),
// and TwoSided sums the probabilities of all tables no likelier than the observed
// one, those within 1e-7 of it included, as R's fisher.test does. Twice the
// one-sided p is another two-sided convention, and often larger.
//
// It is for independent trials in two groups, such as refusals of two models on
// different prompts; responses to the same prompts are paired, and [McNemar]'s.
// Trials of one task are not independent. Conservative: the margins are not
// fixed in truth. It is an error unless 0 <= x <= n, n >= 1 in both groups and
// n1+n2 <= 20,000. Fisher (1934), Statistical
// Methods for Research Workers, 5th edition, section 21.02.
func Fisher(x1, n1, x2, n2 int, side Side) (ProportionTest, error) {
	t := ProportionTest{Side: side, Method: "Fisher's exact test"}
	if err := checkProportions(x1, n1, x2, n2, side); err != nil {
		return ProportionTest{}, fmt.Errorf("fisher's exact test: %w", err)
	}
	h := newHypergeometric(n1, n2, x1+x2)
	switch side {
	case Greater:
		t.P = h.upper(x1)
	case Less:
		t.P = h.lower(x1)
	default:
		t.P = h.noLikelier(x1)
	}
	t.Difference = float64(x1)/float64(n1) - float64(x2)/float64(n2)
	return t, nil
}

func checkProportions(x1, n1, x2, n2 int, side Side) error {
	if side < TwoSided || side > Less {
		return fmt.Errorf("side %v (want TwoSided, Greater or Less)", side)
	}
	for _, g := range [][2]int{{x1, n1}, {x2, n2}} {
		if g[1] < 1 || g[0] < 0 || g[0] > g[1] {
			return fmt.Errorf("%d of %d (want 0 <= x <= n and n >= 1)", g[0], g[1])
		}
	}
	if n1 > maxTrials || n2 > maxTrials || n1+n2 > maxTrials {
		return errors.New("too many trials (want 20000 or fewer in both groups)")
	}
	return nil
}

// hypergeometric is the distribution of the first group's successes, given the
// successes of both.
type hypergeometric struct {
	least int       // the smallest value
	mass  []float64 // from least on
}

// newHypergeometric works outward from the mode by ratios, so that no logarithm
// of a factorial costs digits.
func newHypergeometric(n1, n2, successes int) hypergeometric {
	least, most := max(0, successes-n2), min(n1, successes)
	h := hypergeometric{least: least, mass: make([]float64, most-least+1)}
	ratio := func(x int) float64 { // P(x+1)/P(x)
		return float64(n1-x) * float64(successes-x) / (float64(x+1) * float64(n2-successes+x+1))
	}
	mode := min(max((n1+1)*(successes+1)/(n1+n2+2), least), most)
	h.mass[mode-least] = 1
	for x := mode; x < most; x++ {
		h.mass[x+1-least] = h.mass[x-least] * ratio(x)
	}
	for x := mode - 1; x >= least; x-- {
		h.mass[x-least] = h.mass[x+1-least] / ratio(x)
	}
	total := h.sum(func(int) bool { return true })
	for i := range h.mass {
		h.mass[i] /= total
	}
	return h
}

// sum adds the masses of the values that are wanted, both tails from their far
// ends on.
func (h hypergeometric) sum(want func(x int) bool) float64 {
	lower, upper := 0.0, 0.0
	mid := len(h.mass) / 2
	for i := 0; i < mid; i++ {
		if want(h.least + i) {
			lower += h.mass[i]
		}
	}
	for i := len(h.mass) - 1; i >= mid; i-- {
		if want(h.least + i) {
			upper += h.mass[i]
		}
	}
	return lower + upper
}

func (h hypergeometric) lower(x int) float64 {
	return probability(h.sum(func(y int) bool { return y <= x }))
}

func (h hypergeometric) upper(x int) float64 {
	return probability(h.sum(func(y int) bool { return y >= x }))
}

func (h hypergeometric) noLikelier(x int) float64 {
	limit := h.mass[x-h.least] * (1 + 1e-7)
	return probability(h.sum(func(y int) bool { return h.mass[y-h.least] <= limit }))
}
