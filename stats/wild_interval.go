package stats

import "fmt"

// maxWildDraws bounds the draws that an inversion keeps, 40 bytes each.
const maxWildDraws = 10_000_000

// wildGrid is the number of nulls on each side of the mean at which an
// inversion looks for the outermost one that is not rejected.
const wildGrid = 64

// Wild is the wild cluster bootstrap-t interval of the mean, by inversion of
// [Clustered.WildTest]: the smallest closed interval outside which P(null) <=
// 1-Level. All nulls meet the same weights, so that the result is a function of
// the sample and the seed. P(null) is a step function and need not fall
// steadily; on each side the outermost of 64 nulls that is not rejected is
// found first, then the step next to it by bisection.
//
// SE is the CR1 error, P that of the null 0; it is at most 1-Level when 0 lies
// outside. Approximate: with 18 clusters of unequal size it covers about 92 %
// instead of 95 %. B is at most 1e7.
//
// It is undefined where WildTest is, and, as an error says, where it would have
// no bound: far from the mean P tends to the chance that all weights are equal,
// 2^(1-G) for Rademacher weights, and with few clusters that is above 1-Level.
// At level .95 Rademacher weights need 6 clusters. MacKinnon (2015).
func (c *Clustered) Wild(w Weights, r Resample) (Interval, error) {
	i, err := c.invertWild(w, r)
	if err != nil {
		return Interval{}, fmt.Errorf("wild bootstrap interval: %w", err)
	}
	return i, nil
}

func (c *Clustered) invertWild(w Weights, r Resample) (Interval, error) {
	if err := checkShare("level", r.Level); err != nil {
		return Interval{}, err
	}
	if r.B > maxWildDraws {
		return Interval{}, fmt.Errorf("%d replicates (want 2 to %d)", r.B, maxWildDraws)
	}
	b, err := c.wild(w, r)
	if err != nil {
		return Interval{}, err
	}
	draws := b.all()
	count := func(x float64) int { return b.countOf(draws, x) }
	accepted := func(x float64) bool { return b.vectors.p(count(x)) > 1-r.Level+1e-9 }
	se, _ := c.Sandwich(CR1)
	lo, okLo := outermost(accepted, -se/b.step)
	hi, okHi := outermost(accepted, se/b.step)
	if !okLo || !okHi {
		return Interval{}, fmt.Errorf("unbounded, because with %d clusters and %s p never falls to %.4g (want more clusters, more replicates or a lower level)",
			c.Clusters(), w, 1-r.Level)
	}
	return Interval{Value: c.mean, Lo: (b.mean + lo) * b.step, Hi: (b.mean + hi) * b.step, SE: se,
		Level: r.Level, P: b.test(0, count).P}, nil
}

// all makes every draw.
func (b *wild) all() []wildDraw {
	out := make([]wildDraw, b.vectors.count)
	eachReplicate(len(out), 4+len(b.u)/4, func(i int) { out[i] = b.draw(i) })
	return out
}

func (b *wild) countOf(draws []wildDraw, x float64) int {
	k := 0
	for i := range draws {
		if b.extreme(&draws[i], x) {
			k++
		}
	}
	return k
}

// outermost is the end, in the direction of step, of the numbers that are
// accepted; 0 is. It is false where no end is found within 2^40 steps or more.
func outermost(accepted func(float64) bool, step float64) (float64, bool) {
	far := 4 * step
	for i := 0; ; i++ {
		factor := 2.0
		if !accepted(far) && !accepted(2*far) {
			if !accepted(8 * far) {
				break
			}
			factor = 16
		}
		if i == 40 {
			return 0, false
		}
		far *= factor
	}
	k := wildGrid - 1
	for k > 0 && !accepted(far*float64(k)/wildGrid) {
		k--
	}
	in, out := far*float64(k)/wildGrid, far*float64(k+1)/wildGrid
	end := bisect(func(share float64) float64 {
		if accepted(in + share*(out-in)) {
			return 0
		}
		return 1
	}, 1, 0, 1)
	return in + end*(out-in), true
}
