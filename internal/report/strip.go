package report

import (
	"math"

	"github.com/uplift-eval/uplift/internal/analysis"
)

// strip is a small row of a forest plot: intervals over a shared axis.
type strip struct {
	W, H  float64
	Zero  float64 // position of no difference
	Point float64
	Lo    float64 // ends of the line
	Hi    float64
	Has   bool // an interval is drawn
	// BandLo and BandHi are the ends of a simultaneous band, a thin line beyond the
	// interval.
	BandLo, BandHi float64
	Banded         bool
	None           bool // there is not even a point
	Truth          float64
	Known          bool // the truth is drawn
	Title          string
}

// BandTop and BandBottom are the heights between which a band's ends are drawn.
func (s strip) BandTop() float64    { return s.H/2 - 3 }
func (s strip) BandBottom() float64 { return s.H/2 + 3 }

// Mid is the height at which a strip is drawn.
func (s strip) Mid() float64 { return s.H / 2 }

// Size of a strip.
const (
	stripW = 240.0
	stripH = 22.0
)

// spread is the range of values that one endpoint's strips must show.
type spread struct{ lo, hi float64 }

func newSpread() *spread { return &spread{0, 0} }

func (s *spread) add(values ...*float64) {
	for _, p := range values {
		if v, ok := finite(p); ok {
			s.lo, s.hi = math.Min(s.lo, v), math.Max(s.hi, v)
		}
	}
}

// intervalAxis spans every interval of an endpoint, and zero.
func intervalAxis(contrasts []*analysis.Contrast) axis {
	s := newSpread()
	for _, c := range contrasts {
		s.add(c.Difference.Value, c.Difference.Lo, c.Difference.Hi, c.Truth)
		if b := c.Band; b != nil {
			s.add(&b.Lo, &b.Hi)
		}
		for _, m := range c.Sensitivity {
			s.add(&m.Value, m.Lo, m.Hi)
		}
	}
	return stripAxis(s)
}

// groupAxis spans the clusters of an endpoint, and zero.
func groupAxis(contrasts []*analysis.Contrast) axis {
	s := newSpread()
	for _, c := range contrasts {
		s.add(c.Difference.Value)
		for _, g := range c.Groups {
			s.add(&g.Mean)
		}
	}
	return stripAxis(s)
}

// stripAxis has as many ticks as its labels leave room for.
func stripAxis(s *spread) axis {
	var a axis
	for n := 6; n > 1; n-- {
		a = newAxis(s.lo, s.hi, 0.02, 8, stripW-8, n)
		widest := math.Max(textWidth(signedStep(a.Lo, a.Step), 11), textWidth(signedStep(a.Hi, a.Step), 11))
		if gap := a.at(a.Step) - a.at(0); gap >= widest+8 {
			break
		}
	}
	return a
}

// signedStep is how a tick near v is labelled, sign included.
func signedStep(v, step float64) string { return "+" + round(math.Abs(v), stepDecimals(step)) }

func newStrip(a axis, value, lo, hi, truth *float64) strip {
	s := strip{W: stripW, H: stripH, Zero: a.clamp(0)}
	v, ok := finite(value)
	if !ok {
		s.None = true
		return s
	}
	s.Point = a.clamp(v)
	l, okLo := finite(lo)
	h, okHi := finite(hi)
	if okLo && okHi {
		s.Lo, s.Hi, s.Has = a.clamp(l), a.clamp(h), true
	}
	if t, ok := finite(truth); ok {
		s.Truth, s.Known = a.clamp(t), true
	}
	return s
}

// band adds a simultaneous band to a strip.
func (s strip) band(a axis, b *analysis.Band) strip {
	if b != nil {
		s.BandLo, s.BandHi, s.Banded = a.clamp(b.Lo), a.clamp(b.Hi), true
	}
	return s
}

// swarm is the clusters of a contrast as dots over an axis, stacked where they
// would cover each other.
type swarm struct {
	W, H       float64
	Zero, Mean float64
	Dots       []swarmDot
	Bars       []rect // instead of dots when there are many clusters
	Ticks      []tick
}

type swarmDot struct {
	At    xy
	R     float64
	Title string
}

// Size of a swarm, and the number of clusters above which it turns into bars.
const (
	swarmH     = 46.0
	swarmBase  = 40.0 // where the lowest dots stand
	swarmDots  = 300
	swarmPitch = 7.0 // width of a stack
)

func newSwarm(a axis, c *analysis.Contrast) swarm {
	s := swarm{W: stripW, H: swarmH, Zero: a.clamp(0), Mean: a.clamp(headline(c))}
	stacks := map[int]int{}
	for _, g := range c.Groups {
		stacks[stackOf(a, g.Mean)]++
	}
	high := 0
	for _, n := range stacks {
		high = max(high, n)
	}
	if len(c.Groups) > swarmDots {
		s.bars(stacks, high)
		return s
	}
	s.dots(a, c.Groups, high)
	return s
}

func stackOf(a axis, v float64) int { return int(a.clamp(v) / swarmPitch) }

func (s *swarm) dots(a axis, groups []analysis.Group, high int) {
	step := math.Min(swarmPitch, (swarmBase-6)/math.Max(1, float64(high-1)))
	level := map[int]int{}
	for _, g := range groups {
		k := stackOf(a, g.Mean)
		s.Dots = append(s.Dots, swarmDot{At: xy{a.clamp(g.Mean), swarmBase - 4 - step*float64(level[k])}, R: 3.4,
			Title: name(g.Name) + ": " + signed(g.Mean) + " over " + plural(g.Pairs, "pair", "pairs")})
		level[k]++
	}
}

// bars draws one bar a stack, in order of position.
func (s *swarm) bars(stacks map[int]int, high int) {
	last := math.Ceil(stripW / swarmPitch)
	for k := 0; k <= int(last); k++ {
		if n := stacks[k]; n > 0 {
			h := math.Max(1, (swarmBase-4)*float64(n)/float64(high))
			s.Bars = append(s.Bars, rect{float64(k) * swarmPitch, swarmBase - h, swarmPitch - 1, h})
		}
	}
}
